//! Positions with results and scores in packed form.
//!
//! A sample has `size² / 2` bytes, rounded up, for the board: four bits a square, rank by rank, 0 empty, else one more than
//! the place of the piece in [`Piece::ALL`], the first square in the lowest bits. Then one byte: bit 0 set if the defenders
//! are to move, bits 1 and 2 the half points of the attackers, 3 for a position beside the game, which has no result. Then
//! the score for the attackers as `i16`, and the number of the game as `u32`, both little-endian.

use std::sync::Arc;

use hnefi_rules::{Piece, Position, Rules, Setup, Side, Square};

/// A position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The board, four bits a square.
    pub board: Vec<u8>,
    /// The side to move.
    pub turn: Side,
    /// Half points of the attackers at the end of the game; [`NO_RESULT`] for a position beside the game.
    pub half_points: u8,
    /// The score of the search, for the attackers.
    pub score: i16,
    /// The number of the game.
    pub game: u32,
}

/// What stands in the place of half points for a position that was not reached in the game.
pub(crate) const NO_RESULT: u8 = 3;

/// Bytes of a sample besides the board.
const REST: usize = 7;

impl Sample {
    /// Creates the sample of a position; its result is not known yet.
    pub(crate) fn new(position: &Position, score: i32, game: u32) -> Self {
        let size = position.rules().size();
        let mut board = vec![0; board_length(size)];
        for (square, piece) in position.setup().pieces() {
            let number = square.rank() * size + square.file();
            board[number / 2] |= (piece as u8 + 1) << (4 * (number % 2));
        }
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Self { board, turn: position.turn(), half_points: 1, score, game }
    }

    /// Returns the result of its game for the attackers, from 0 to 1.
    pub(crate) fn result(&self) -> Option<f32> {
        (self.half_points != NO_RESULT).then(|| f32::from(self.half_points) / 2.0)
    }

    /// Appends the sample in packed form.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(&self.board);
        bytes.push(u8::from(self.turn == Side::Defenders) | self.half_points << 1);
        bytes.extend(self.score.to_le_bytes());
        bytes.extend(self.game.to_le_bytes());
    }

    /// Parses samples in packed form; an incomplete one at the end is left out.
    #[must_use]
    pub fn unpack_all(bytes: &[u8], size: usize) -> Vec<Self> {
        let length = board_length(size);
        let sample = |bytes: &[u8]| {
            let (board, rest) = bytes.split_at(length);
            Self {
                board: board.to_vec(),
                turn: if rest[0] & 1 == 0 { Side::Attackers } else { Side::Defenders },
                half_points: rest[0] >> 1 & 3,
                score: i16::from_le_bytes([rest[1], rest[2]]),
                game: u32::from_le_bytes([rest[3], rest[4], rest[5], rest[6]]),
            }
        };
        bytes.chunks_exact(length + REST).map(sample).collect()
    }

    /// Returns the position; `None` if the rules do not know it.
    pub(crate) fn position(&self, rules: &Arc<Rules>) -> Option<Position> {
        let size = rules.size();
        let mut setup = Setup::empty(size, self.turn, 0).ok()?;
        for (number, piece) in self.pieces(size) {
            setup.put(Square::new(number % size, number / size)?, Some(piece)).ok()?;
        }
        Position::new(rules.clone(), &setup).ok()
    }

    /// Returns the pieces, by the number of their square.
    pub(crate) fn pieces(&self, size: usize) -> impl Iterator<Item = (usize, Piece)> + '_ {
        (0..size * size).filter_map(|number| {
            let value = usize::from(self.board[number / 2] >> (4 * (number % 2)) & 15);
            Some((number, *Piece::ALL.get(value.checked_sub(1)?)?))
        })
    }
}

/// Returns the bytes of a board.
const fn board_length(size: usize) -> usize {
    (size * size).div_ceil(2)
}
