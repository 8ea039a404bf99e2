//! Canonical keys: equal for a position and its symmetric images, so that a library finds them all.

use alloc::vec::Vec;

use crate::game::Game;
use crate::piece::Piece;
use crate::position::Position;
use crate::square::{MAX_SIZE, Move, Square};
use crate::zobrist::{Keys, split_mix};

/// The canonical image of a position: the same for all its images.
struct Canonical<'a> {
    position: &'a Position,
    key: u64,
    /// The symmetries that map the position onto the canonical image; several if the position is symmetric.
    symmetries: Vec<u8>,
}

impl<'a> Canonical<'a> {
    fn of(position: &'a Position) -> Self {
        let setup = position.setup();
        let pieces: Vec<(Square, Piece)> = setup.pieces().collect();
        let mut best = Self { position, key: u64::MAX, symmetries: Vec::new() };
        for &symmetry in position.rules().symmetries() {
            let key = best.key_of(&pieces, symmetry);
            if key < best.key {
                best.key = key;
                best.symmetries.clear();
            }
            if key == best.key {
                best.symmetries.push(symmetry);
            }
        }
        best
    }

    fn key_of(&self, pieces: &[(Square, Piece)], symmetry: u8) -> u64 {
        let rules = self.position.rules();
        let mut size = rules.size() as u64;
        let going = self.position.going().map_or(0, |at| rules.keys().going(rules.map_square(at, symmetry)));
        let start = split_mix(&mut size) ^ Keys::turn(self.position.turn()) ^ going;
        pieces.iter().fold(start, |key, &(square, piece)| {
            key ^ rules.keys().piece(piece, rules.map_square(square, symmetry))
        })
    }

    /// Returns the smallest image of a move, which equivalent moves share.
    fn image(&self, mv: Move) -> Move {
        let rules = self.position.rules();
        let images = self.symmetries.iter().map(|&symmetry| Move {
            from: rules.map_square(mv.from, symmetry),
            to: rules.map_square(mv.to, symmetry),
        });
        images.min().unwrap_or(mv)
    }
}

/// Returns a move as one number below 2¹⁷, whatever the size of the board.
///
/// ```
/// use hnefi_rules::{move_number, parse_move};
///
/// let (mv, _) = parse_move("b1-c1")?;
/// assert_eq!(move_number(mv), 363);
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[must_use]
pub fn move_number(mv: Move) -> u32 {
    let number = |square: Square| (square.rank() * MAX_SIZE + square.file()) as u32;
    number(mv.from) * (MAX_SIZE * MAX_SIZE) as u32 + number(mv.to)
}

impl Position {
    /// Returns a hash of board and side to move that is the same for all symmetric images under the rules.
    ///
    /// It depends neither on other rules nor on the quiet counter.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let position = Position::start(rules).play(hnefi_rules::parse_move("d1-c1")?.0)?;
    /// assert_eq!(position.transformed(3).canonical_key(), position.canonical_key());
    /// # Ok::<(), hnefi_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn canonical_key(&self) -> u64 {
        Canonical::of(self).key
    }

    /// Returns moves as they are on the canonical image; equivalent moves become equal.
    #[must_use]
    pub fn canonical_moves(&self, moves: &[Move]) -> Vec<Move> {
        let canonical = Canonical::of(self);
        moves.iter().map(|&mv| canonical.image(mv)).collect()
    }
}

impl Game {
    /// Returns the canonical key of each position up to the current one, and the canonical move played there.
    #[must_use]
    pub fn canonical_line(&self) -> Vec<(u64, Option<Move>)> {
        let plies = self.plies();
        let positions = self.positions();
        let moves = plies.iter().map(|ply| Some(ply.mv)).chain([None]);
        let step = |(position, mv): (&Position, Option<Move>)| {
            let canonical = Canonical::of(position);
            (canonical.key, mv.map(|mv| canonical.image(mv)))
        };
        positions.iter().zip(moves).map(step).collect()
    }
}
