//! Counting move sequences, leaf by leaf: the measure of correctness and of speed.

use crate::bits::Bits;
use crate::board::Board;
use crate::law::NoMove;
use crate::square::{Piece, Side};
use crate::tables::Tables;

/// What was counted at the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Move sequences.
    pub nodes: u64,
    /// Soldiers captured by their last moves.
    pub captures: u64,
    /// Sequences whose last move ended the game.
    pub ends: u64,
}

impl Counts {
    /// Adds other counts.
    pub const fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.ends += other.ends;
    }
}

/// Counts from a board in which the game is not over.
///
/// A game that ended earlier counts for nothing; a forced pass is no ply; the quiet limit is heeded, repetition is not.
pub fn perft<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side, quiet: u32, depth: u32) -> Counts {
    let mut counts = Counts::default();
    if depth == 0 {
        counts.nodes = 1;
        return counts;
    }
    let Some(turn) = able(tables, board, turn) else { return counts };
    let threats = board.threats(tables, turn);
    let limit = tables.law.quiet_limit;
    let last_quiet = limit > 0 && quiet + 1 >= limit;
    board.movers(tables, turn, |piece, from, destinations| {
        for to in destinations.indices() {
            let step = board.make(tables, &threats, piece, from, to);
            let quiet_end = last_quiet && step.captured.is_empty();
            let is_over = crate::judge::after_move(tables, &step, piece, to).is_some() || quiet_end;
            if depth == 1 {
                counts.nodes += 1;
                counts.captures += u64::from(step.captured.count());
                counts.ends += u64::from(is_over);
            } else if !is_over {
                let quiet = if step.captured.is_empty() { quiet + 1 } else { 0 };
                counts.add(perft(tables, &step.board, turn.opponent(), quiet, depth - 1));
            }
        }
        false
    });
    counts
}

/// Counts per first move: calls `visit` with piece, origin, destination and counts. `depth` is at least 1.
pub fn divide<B: Bits>(
    tables: &Tables<B>,
    board: &Board<B>,
    turn: Side,
    quiet: u32,
    depth: u32,
    mut visit: impl FnMut(usize, usize, Counts),
) {
    let Some(turn) = able(tables, board, turn) else { return };
    let threats = board.threats(tables, turn);
    board.movers(tables, turn, |piece: Piece, from, destinations| {
        for to in destinations.indices() {
            let step = board.make(tables, &threats, piece, from, to);
            let quiet = if step.captured.is_empty() { quiet + 1 } else { 0 };
            let limit = tables.law.quiet_limit;
            let is_over =
                crate::judge::after_move(tables, &step, piece, to).is_some() || limit > 0 && quiet >= limit;
            let mut counts =
                Counts { nodes: 1, captures: u64::from(step.captured.count()), ends: u64::from(is_over) };
            if depth > 1 {
                counts = Counts::default();
                if !is_over {
                    counts = perft(tables, &step.board, turn.opponent(), quiet, depth - 1);
                }
            }
            visit(from, to, counts);
        }
        false
    });
}

/// The side that moves: the side to move if it can, else the other if passing is the rule.
fn able<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side) -> Option<Side> {
    if board.can_move(tables, turn) {
        return Some(turn);
    }
    let other = turn.opponent();
    (tables.law.no_move == NoMove::Pass && board.can_move(tables, other)).then_some(other)
}
