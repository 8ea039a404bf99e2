//! Perft: counts of move sequences, leaf by leaf, to test correctness and measure speed.

use alloc::vec::Vec;

use crate::bits::Bits;
use crate::board::{Board, Threats};
use crate::law::NoMove;
use crate::outcome;
use crate::piece::{Piece, Side};
use crate::position::Position;
use crate::rules::on_width;
use crate::square::Move;
use crate::tables::{Tables, square_of};

/// Counts at the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The number of move sequences.
    pub nodes: u64,
    /// The number of soldiers captured by their last moves.
    pub captures: u64,
    /// The number of sequences whose last move ended the game.
    pub ends: u64,
}

impl Counts {
    /// Adds other counts.
    ///
    /// ```
    /// use hnefi_rules::Counts;
    ///
    /// let mut total = Counts::default();
    /// total.add(Counts { nodes: 3, captures: 1, ends: 0 });
    /// assert_eq!(total.nodes, 3);
    /// ```
    pub const fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.ends += other.ends;
    }
}

impl Position {
    /// Counts move sequences of a length, leaf by leaf.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let counts = Position::start(rules).perft(2);
    /// assert_eq!((counts.nodes, counts.captures), (960, 16));
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> Counts {
        if depth > 0 && self.outcome().is_some() {
            return Counts::default();
        }
        on_width!(self.rules(), self.board, |tables, board| {
            perft(tables, board, self.turn(), self.quiet(), depth)
        })
    }

    /// Counts move sequences by first move; empty for depth 0 and when the game is over.
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(Move, Counts)> {
        if depth == 0 || self.outcome().is_some() {
            return Vec::new();
        }
        on_width!(self.rules(), self.board, |tables, board| {
            divide(tables, board, self.turn(), self.quiet(), depth)
        })
    }
}

/// Counts the move sequences of `depth` plies from a board on which the game is not over.
///
/// Games that end earlier do not count; a forced pass is no ply. The quiet limit applies, repetition does not.
fn perft<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side, quiet: u32, depth: u32) -> Counts {
    if depth == 0 {
        return Counts { nodes: 1, ..Counts::default() };
    }
    let Some(turn) = side_that_moves(tables, board, turn) else { return Counts::default() };
    match turn {
        Side::Attackers => count::<B, true>(tables, board, quiet, depth),
        Side::Defenders => count::<B, false>(tables, board, quiet, depth),
    }
}

/// Counts for a side that can move. The side is a constant, so that the compiler removes the code of the other.
fn count<B: Bits, const ATTACKING: bool>(
    tables: &Tables<B>,
    board: &Board<B>,
    quiet: u32,
    depth: u32,
) -> Counts {
    let turn = if ATTACKING { Side::Attackers } else { Side::Defenders };
    let soldier = if ATTACKING { Piece::Attacker } else { Piece::Defender };
    let mut ply = Ply::new(tables, board, turn, quiet, depth);
    if depth == 1 && tables.is_uniform() && !tables.has_group_captures && !tables.has_area_ends {
        ply.count_leaves::<ATTACKING>(turn, soldier);
    } else {
        board.for_each_mover(tables, turn, |piece, from, destinations| {
            destinations.for_each(|to| ply.play(piece, from, to));
            false
        });
    }
    ply.counts
}

/// The counting of one ply.
struct Ply<'a, B: Bits> {
    tables: &'a Tables<B>,
    board: &'a Board<B>,
    threats: Threats<B>,
    quiet: u32,
    depth: u32,
    /// Whether a move that captures nothing reaches the quiet limit.
    is_last_quiet: bool,
    counts: Counts,
}

impl<'a, B: Bits> Ply<'a, B> {
    #[inline(always)]
    fn new(tables: &'a Tables<B>, board: &'a Board<B>, turn: Side, quiet: u32, depth: u32) -> Self {
        let (threats, limit) = (board.threats(tables, turn), tables.law.quiet_limit);
        let is_last_quiet = limit > 0 && quiet + 1 >= limit;
        Self { tables, board, threats, quiet, depth, is_last_quiet, counts: Counts::default() }
    }

    /// Makes every move of the last ply, one by one, and counts it: shifts of all soldiers, then the king.
    #[inline(always)]
    fn count_leaves<const ATTACKING: bool>(&mut self, turn: Side, soldier: Piece) {
        let (board, tables) = (self.board, self.tables);
        let soldiers = board.soldiers[turn as usize];
        let mut quiet_leaves = 0;
        board.for_each_soldier_shift(tables, turn, |arrivals, offset| {
            let origin = |to: usize| to.wrapping_add_signed(-offset);
            // A move that captures nothing is made like any other, but only the quiet limit can end the game there.
            (arrivals & !self.threats.captures).for_each(|to| {
                core::hint::black_box(soldiers ^ B::bit(origin(to)) ^ B::bit(to));
                quiet_leaves += 1;
            });
            (arrivals & self.threats.captures).for_each(|to| self.play(soldier, origin(to), to));
        });
        self.counts.nodes += quiet_leaves;
        self.counts.ends += quiet_leaves * u64::from(self.is_last_quiet);
        if !ATTACKING && !board.king.is_empty() {
            let from = board.king.lowest();
            board.king_destinations(tables).for_each(|to| self.play(Piece::King, from, to));
        }
    }

    #[inline(always)]
    fn play(&mut self, piece: Piece, from: usize, to: usize) {
        let result = self.board.make(self.tables, &self.threats, piece, from, to);
        let is_quiet = result.captured.is_empty() && !result.king_captured;
        let is_stop = B::HAS_RANKS && from == to;
        let is_over = outcome::after_move(self.tables, &result, piece, to).is_some()
            || (self.is_last_quiet && is_quiet && !is_stop);
        if self.depth == 1 {
            self.counts.nodes += 1;
            self.counts.captures += u64::from(result.captured.count());
            self.counts.ends += u64::from(is_over);
        } else if !is_over {
            let quiet = outcome::quiet_after(is_quiet, is_stop, self.quiet);
            let turn = result.board.turn_after(piece.side());
            self.counts.add(perft(self.tables, &result.board, turn, quiet, self.depth - 1));
        }
    }
}

/// Counts by first move; `depth` is at least 1.
fn divide<B: Bits>(
    tables: &Tables<B>,
    board: &Board<B>,
    turn: Side,
    quiet: u32,
    depth: u32,
) -> Vec<(Move, Counts)> {
    let mut parts = Vec::new();
    let Some(turn) = side_that_moves(tables, board, turn) else { return parts };
    let mut ply = Ply::new(tables, board, turn, quiet, depth);
    board.for_each_mover(tables, turn, |piece, from, destinations| {
        for to in destinations.indices() {
            ply.counts = Counts::default();
            ply.play(piece, from, to);
            let squares = square_of::<B>(from).zip(square_of::<B>(to));
            parts.extend(squares.map(|(from, to)| (Move { from, to }, ply.counts)));
        }
        false
    });
    parts
}

/// Returns the side that moves: the side to move if it can, else the other if the rules have a pass.
fn side_that_moves<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side) -> Option<Side> {
    if board.can_move(tables, turn) {
        return Some(turn);
    }
    let other = turn.opponent();
    (tables.law.no_move == NoMove::Pass && board.can_move(tables, other)).then_some(other)
}
