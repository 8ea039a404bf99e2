//! Perft of a position, whatever the width of its board.

use alloc::vec::Vec;

use super::Position;
use crate::bits::Bits;
use crate::board::Board;
use crate::perft::{self, Counts};
use crate::rules::on_width;
use crate::square::Move;
use crate::tables::square_of;

impl Position {
    /// Counts move sequences of a length, leaf by leaf.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules};
    /// # let rules = Rules::from_json(include_str!("../../tests/brandub-globe.json")).unwrap();
    /// let counts = Position::start(rules).perft(2);
    /// assert_eq!((counts.nodes, counts.captures), (960, 16));
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> Counts {
        if depth > 0 && self.outcome().is_some() {
            return Counts::default();
        }
        on_width!(self.rules, self.board, |tables, board| {
            perft::perft(tables, board, self.turn, self.quiet, depth)
        })
    }

    /// Counts move sequences by first move; empty for depth 0 and when the game is over.
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(Move, Counts)> {
        let mut parts = Vec::new();
        if depth == 0 || self.outcome().is_some() {
            return parts;
        }
        on_width!(self.rules, self.board, |tables, board| {
            perft::divide(tables, board, self.turn, self.quiet, depth, |from, to, counts| {
                parts.extend(move_of(board, from, to).map(|mv| (mv, counts)));
            });
        });
        parts
    }
}

fn move_of<B: Bits>(_board: &Board<B>, from: usize, to: usize) -> Option<Move> {
    Some(Move { from: square_of::<B>(from)?, to: square_of::<B>(to)? })
}
