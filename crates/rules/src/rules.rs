//! Compiled rules and their identity.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::bits::Bits;
use crate::board::Board;
use crate::fault::Fault;
use crate::law::Law;
use crate::outcome::{NoMoveEffect, no_move_effect};
use crate::ranks::Ranked;
use crate::reader;
use crate::schema;
use crate::square::Square;
use crate::tables::Tables;
use crate::wide::Wide;
use crate::zobrist::Keys;

/// The rules of a variant, checked and compiled. Equal when their hashes are.
///
/// ```
/// use hnefi_rules::Rules;
///
/// let tree = include_str!("../tests/brandub-globe.json");
/// let rules = Rules::from_json(tree).unwrap();
/// assert_eq!(rules.size(), 7);
/// assert_eq!(Rules::from_json(&rules.to_json()).unwrap(), rules);
/// assert_eq!(Rules::from_json("{").unwrap_err()[0].code, "bad_json");
/// ```
#[derive(Debug)]
pub struct Rules {
    law: Law,
    tree: Value,
    canonical: String,
    hash: String,
    symmetries: Vec<u8>,
    pub(crate) compiled: Compiled,
    pub(crate) keys: Keys,
}

/// The tables in the width that fits the board.
#[derive(Debug)]
pub(crate) enum Compiled {
    Small(Box<Tables<u64>>),
    Medium(Box<Tables<u128>>),
    Large(Box<Tables<Wide>>),
    MediumRanked(Box<Tables<Ranked<u128>>>),
    LargeRanked(Box<Tables<Ranked<Wide>>>),
}

/// A board in the width that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnyBoard {
    Small(Board<u64>),
    Medium(Board<u128>),
    Large(Board<Wide>),
    MediumRanked(Board<Ranked<u128>>),
    LargeRanked(Board<Ranked<Wide>>),
}

/// Runs the same code on the tables and the board in any width.
macro_rules! on_width {
    ($rules:expr, $board:expr, |$tables:ident, $one:ident| $body:expr) => {
        match (&$rules.compiled, &$board) {
            ($crate::rules::Compiled::Small($tables), $crate::rules::AnyBoard::Small($one)) => $body,
            ($crate::rules::Compiled::Medium($tables), $crate::rules::AnyBoard::Medium($one)) => $body,
            ($crate::rules::Compiled::Large($tables), $crate::rules::AnyBoard::Large($one)) => $body,
            ($crate::rules::Compiled::MediumRanked($tables), $crate::rules::AnyBoard::MediumRanked($one)) => {
                $body
            }
            ($crate::rules::Compiled::LargeRanked($tables), $crate::rules::AnyBoard::LargeRanked($one)) => {
                $body
            }
            // Boards are created by the rules they are used with, in one width.
            _ => unreachable!("a board of another width than its rules"),
        }
    };
}
pub(crate) use on_width;

/// Implements the conversion from a board of each width.
macro_rules! board_widths {
    ($($width:ident: $word:ty),*) => {
        $(impl From<Board<$word>> for AnyBoard {
            fn from(board: Board<$word>) -> Self {
                Self::$width(board)
            }
        })*
    };
}

board_widths!(Small: u64, Medium: u128, Large: Wide, MediumRanked: Ranked<u128>, LargeRanked: Ranked<Wide>);

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Rules {}

impl Rules {
    /// Parses, checks and compiles a rule tree in JSON.
    ///
    /// # Errors
    /// Returns all faults of the tree; a single fault `bad_json` if the text is not JSON.
    pub fn from_json(text: &str) -> Result<Arc<Self>, Vec<Fault>> {
        let tree: Value = serde_json::from_str(text)
            .map_err(|error| alloc::vec![Fault::of_value("bad_json", "rules", error, "JSON")])?;
        let (law, tree) = reader::read(&tree)?;
        let canonical = schema::without_neutral(&tree).to_string();
        let hash = alloc::format!("{:x}", Sha256::digest(canonical.as_bytes()));
        let compiled = match (law.size(), law.is_special()) {
            (0..=7, false) => Compiled::Small(Box::new(Tables::new(&law))),
            (8..=11, false) => Compiled::Medium(Box::new(Tables::new(&law))),
            (_, false) => Compiled::Large(Box::new(Tables::new(&law))),
            // Few rules have ranks, so two widths are enough.
            (0..=11, true) => Compiled::MediumRanked(Box::new(Tables::new(&law))),
            (_, true) => Compiled::LargeRanked(Box::new(Tables::new(&law))),
        };
        let symmetries = (0..8).filter(|symmetry| preserves_camps(&law, *symmetry)).collect();
        let rules = Self { law, tree, canonical, hash, symmetries, compiled, keys: Keys::new() };
        rules.check_start()?;
        Ok(Arc::new(rules))
    }

    /// Returns a fault if the game is over at the start because no move is possible.
    fn check_start(&self) -> Result<(), Vec<Fault>> {
        let board = self.board_of(&self.law.start);
        let turn = self.law.start.turn;
        let effect = on_width!(self, board, |tables, one| no_move_effect(tables, one, turn));
        if effect.and_then(NoMoveEffect::outcome).is_some() {
            let fault = Fault::new("wrong_start", "stuck_side", "board.start");
            return Err(alloc::vec![fault.with("side", turn.name())]);
        }
        Ok(())
    }

    /// Returns the complete tree as JSON, in normal form.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.tree.to_string()
    }

    /// Returns the tree without neutral values, in the form that is hashed.
    #[must_use]
    pub fn canonical_json(&self) -> &str {
        &self.canonical
    }

    /// Returns the SHA-256 of the canonical form, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the law as typed values.
    #[must_use]
    pub const fn law(&self) -> &Law {
        &self.law
    }

    /// Returns the number of squares along a side of the board.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.law.size()
    }

    /// Returns the symmetries of the special squares: bit 0 mirrors files, bit 1 mirrors ranks, bit 2 then swaps them.
    #[must_use]
    pub fn symmetries(&self) -> &[u8] {
        &self.symmetries
    }

    /// Returns the image of a square by a symmetry.
    ///
    /// ```
    /// use hnefi_rules::{Rules, Square};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let square = Square::parse("a3").unwrap();
    /// assert_eq!(rules.map_square(square, 1).to_string(), "g3");
    /// assert_eq!(rules.map_square(square, 4).to_string(), "c1");
    /// ```
    #[must_use]
    pub fn map_square(&self, square: Square, symmetry: u8) -> Square {
        mapped(square, symmetry, self.size())
    }

    /// Returns the Zobrist numbers.
    #[must_use]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Checks whether boards keep ranks and turns of several captures.
    pub(crate) const fn has_ranks(&self) -> bool {
        matches!(self.compiled, Compiled::MediumRanked(_) | Compiled::LargeRanked(_))
    }

    pub(crate) fn board_of(&self, setup: &crate::setup::Setup) -> AnyBoard {
        match self.compiled {
            Compiled::Small(_) => AnyBoard::Small(Board::of(setup)),
            Compiled::Medium(_) => AnyBoard::Medium(Board::of(setup)),
            Compiled::Large(_) => AnyBoard::Large(Board::of(setup)),
            Compiled::MediumRanked(_) => AnyBoard::MediumRanked(Board::of(setup)),
            Compiled::LargeRanked(_) => AnyBoard::LargeRanked(Board::of(setup)),
        }
    }
}

fn mapped(square: Square, symmetry: u8, size: usize) -> Square {
    let mirror =
        |coordinate: usize, bit: u8| if symmetry & bit == 0 { coordinate } else { size - 1 - coordinate };
    let (file, rank) = (mirror(square.file(), 1), mirror(square.rank(), 2));
    let image = if symmetry & 4 == 0 { Square::new(file, rank) } else { Square::new(rank, file) };
    image.unwrap_or(square)
}

/// Checks whether a symmetry maps camps onto camps.
fn preserves_camps(law: &Law, symmetry: u8) -> bool {
    law.camps.iter().all(|camp| {
        let mut image: Vec<Square> =
            camp.iter().map(|square| mapped(*square, symmetry, law.size())).collect();
        image.sort_unstable();
        law.camps.contains(&image)
    })
}

/// A computation on the tables and the board of a position, generic over their width.
///
/// ```
/// use hnefi_rules::bits::Bits;
/// use hnefi_rules::board::Board;
/// use hnefi_rules::tables::Tables;
/// use hnefi_rules::{Position, Rules, Width};
///
/// struct CountPieces;
///
/// impl Width for CountPieces {
///     type Output = u32;
///
///     fn run<B: Bits>(self, _tables: &Tables<B>, board: &Board<B>) -> u32 {
///         board.occupied().count()
///     }
/// }
///
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// assert_eq!(Position::start(rules).in_width(CountPieces), 13);
/// ```
pub trait Width {
    /// The result of the computation.
    type Output;

    /// Runs the computation.
    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Self::Output;
}
