//! Canonical keys: equal for a position and its symmetric images, so that a library finds them all.

use alloc::vec;
use alloc::vec::Vec;

use crate::game::{Game, Ply};
use crate::piece::Piece;
use crate::position::Position;
use crate::rules::Rules;
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
        Self::with(position, &pieces_keys(position))
    }

    /// Returns the canonical image; the keys are those of the pieces by symmetry.
    fn with(position: &'a Position, pieces_keys: &[u64]) -> Self {
        let rules = position.rules();
        let mut size = rules.size() as u64;
        let start = split_mix(&mut size) ^ Keys::turn(position.turn());
        let going = position.going();
        let mut best = Self { position, key: u64::MAX, symmetries: Vec::new() };
        for (&symmetry, pieces) in rules.symmetries().iter().zip(pieces_keys) {
            let going = going.map_or(0, |at| rules.keys().going(rules.map_square(at, symmetry)));
            let key = start ^ going ^ pieces;
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

/// Returns the keys of the pieces of a position by symmetry.
fn pieces_keys(position: &Position) -> Vec<u64> {
    let mut keys = vec![0; position.rules().symmetries().len()];
    position.setup().pieces().for_each(|(square, piece)| toggle(position.rules(), &mut keys, square, piece));
    keys
}

/// Adds a piece to the keys of the pieces by symmetry, or removes it.
fn toggle(rules: &Rules, keys: &mut [u64], square: Square, piece: Piece) {
    for (key, &symmetry) in keys.iter_mut().zip(rules.symmetries()) {
        *key ^= rules.keys().piece(piece, rules.map_square(square, symmetry));
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
        let mut keys = pieces_keys(&positions[0]);
        let mut line = Vec::with_capacity(positions.len());
        for (index, position) in positions.iter().enumerate() {
            if index > 0 {
                let before = &positions[index - 1];
                for square in changed_by(&plies[index - 1], before) {
                    for piece in [before, position].iter().filter_map(|one| one.piece_at(square)) {
                        toggle(self.rules(), &mut keys, square, piece);
                    }
                }
            }
            let canonical = Canonical::with(position, &keys);
            line.push((canonical.key, plies.get(index).map(|ply| canonical.image(ply.mv))));
        }
        line
    }
}

/// Returns each square once whose piece a ply may have changed.
fn changed_by(ply: &Ply, before: &Position) -> Vec<Square> {
    let mut squares = Vec::from([ply.mv.from, ply.mv.to]);
    squares.extend(ply.captures.iter().copied().chain(before.king()));
    squares.sort_unstable();
    squares.dedup();
    squares
}
