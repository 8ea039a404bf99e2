//! A position inside the search: board, side to move, quiet counter, keys and piece-square score.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::outcome::{self, NoMoveEffect, no_move_effect};
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::zobrist::Keys;
use hnefi_rules::{Move, Outcome, Piece, Reason, Rules, Side};

use crate::evaluator::Evaluator;
use crate::forts::near_edge;
use crate::open_roads::near_goals;
use crate::score::Score;
use crate::weights::Weights;

/// A move by the indices of its squares, which depend on the width of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedMove {
    pub(crate) from: u16,
    pub(crate) to: u16,
}

impl PackedMove {
    pub(crate) const NONE: Self = Self { from: 0, to: 0 };

    /// Returns the move by its squares.
    pub(crate) fn to_move<B: Bits>(self) -> Option<Move> {
        Some(Move { from: square_of::<B>(self.from as usize)?, to: square_of::<B>(self.to as usize)? })
    }

    /// Returns the move in 18 bits.
    pub(crate) const fn to_bits(self) -> u64 {
        (self.from as u64) << 9 | self.to as u64
    }

    /// Returns the move of the lowest 18 bits.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self { from: (bits >> 9 & 511) as u16, to: (bits & 511) as u16 }
    }
}

/// Returns the index of a piece on a square in a piece-square table. Each square has a power of two of entries: 4
/// without ranks, 16 with. Measured by Callgrind: 41.08 million instructions became 40.80 (Brandub, 20,480 nodes).
#[inline(always)]
fn piece_square_index<B: Bits>(piece: Piece, index: usize) -> usize {
    index << if B::HAS_RANKS { 4 } else { 2 } | piece as usize
}

/// Returns a piece-square table, in the order of `piece_square_index`.
fn piece_square_table<B: Bits, T: Copy + Default>(value: impl Fn(Piece, usize) -> T) -> Vec<T> {
    let mut values = vec![T::default(); piece_square_index::<B>(Piece::Attacker, B::WIDTH)];
    let pieces = if B::HAS_RANKS { &Piece::ALL[..] } else { &Piece::KINDS[..] };
    for index in 0..B::WIDTH {
        for piece in pieces {
            values[piece_square_index::<B>(*piece, index)] = value(*piece, index);
        }
    }
    values
}

/// Tables that a search derives from the rules and the weights, for one width of board.
pub(crate) struct SearchContext<'a, B: Bits> {
    pub(crate) tables: &'a Tables<B>,
    /// Squares from which the king can move to a goal on an empty board.
    pub(crate) near_goals: B,
    /// Squares of a king near whom a fort may be made; none if the rules have no exit fort.
    pub(crate) near_edge: B,
    /// Whether the king wins on every open road that the attackers neither close nor answer by a capture.
    pub(crate) open_roads_win: bool,
    /// Zobrist keys, as a piece-square table.
    keys: Vec<u64>,
    /// Scores of the evaluation, as a piece-square table.
    piece_square_scores: Vec<Score>,
    /// Zobrist keys of the piece whose turn goes on, by index.
    going_keys: Vec<u64>,
    /// Zobrist keys of the quiet plies left, if there is a limit; the last one stands for all greater numbers.
    quiet_keys: Vec<u64>,
}

impl<'a, B: Bits> SearchContext<'a, B> {
    /// Creates the context for rules. Their hash goes into every table key, since a table may serve several rules.
    pub(crate) fn new(tables: &'a Tables<B>, rules: &Rules) -> Self {
        let keys = rules.keys();
        let salt =
            rules.hash().get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0);
        let piece_key =
            |piece: Piece, index: usize| square_of::<B>(index).map_or(0, |square| keys.piece(piece, square));
        let limit = tables.law.quiet_limit.min(400) as usize;
        let mut state: u64 = 0x2545_f491_4f6c_dd1d;
        let mut quiet_keys = vec![salt; limit + 1];
        for key in quiet_keys.iter_mut().skip(1) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *key ^= state;
        }
        let going = |index: usize| square_of::<B>(index).map_or(0, |square| keys.going(square));
        let going_keys = if B::HAS_RANKS { (0..B::WIDTH).map(going).collect() } else { Vec::new() };
        Self {
            tables,
            near_goals: near_goals(tables),
            near_edge: near_edge(tables),
            open_roads_win: false,
            keys: piece_square_table::<B, u64>(piece_key),
            piece_square_scores: piece_square_table::<B, Score>(|_, _| 0),
            going_keys,
            quiet_keys,
        }
    }

    /// Adds the piece-square scores of an evaluation; nodes keep their sum.
    pub(crate) fn with_piece_square_scores(mut self, evaluation: &Evaluator<B>) -> Self {
        self.piece_square_scores =
            piece_square_table::<B, Score>(|piece, index| evaluation.piece_square_score(piece, index));
        self
    }

    /// Mixes the weights into every table key, since a table may hold scores by other weights.
    pub(crate) fn with_weights_in_keys(mut self, weights: &Weights) -> Self {
        let terms = weights.terms.to_array();
        let numbers = terms.iter().chain(weights.squares.iter().flatten());
        let hash = numbers
            .copied()
            .chain(weights.network.iter().flat_map(|network| network.identity()))
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
                let mixed = (hash ^ u64::from_ne_bytes(i64::from(number).to_ne_bytes()))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed ^ mixed >> 29
            });
        for key in &mut self.quiet_keys {
            *key ^= hash;
        }
        self
    }

    /// Returns the Zobrist key of the piece whose turn goes on; 0 if there is none.
    #[inline(always)]
    fn going_key(&self, board: &Board<B>) -> u64 {
        board.going().map_or(0, |index| self.going_keys[index])
    }

    /// Returns the Zobrist key of a piece on a square.
    pub(crate) fn key(&self, piece: Piece, index: usize) -> u64 {
        self.keys[piece_square_index::<B>(piece, index)]
    }

    fn piece_square_score(&self, piece: Piece, index: usize) -> Score {
        self.piece_square_scores[piece_square_index::<B>(piece, index)]
    }
}

/// A position inside the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<B: Bits> {
    pub(crate) board: Board<B>,
    pub(crate) turn: Side,
    pub(crate) quiet: u32,
    /// The Zobrist key of the board alone.
    key: u64,
    /// The sum of the piece-square scores, for the attackers; updated move by move.
    pub(crate) piece_square_score: Score,
}

/// The node after a move, and the outcome if the game is over.
pub(crate) struct Child<B: Bits> {
    pub(crate) node: Node<B>,
    pub(crate) outcome: Option<Outcome>,
    /// Whether the move captured anything.
    pub(crate) captures: bool,
    /// Whether the other side had to pass after it.
    pub(crate) passed: bool,
}

impl<B: Bits> Node<B> {
    pub(crate) fn new(context: &SearchContext<'_, B>, board: &Board<B>, turn: Side, quiet: u32) -> Self {
        let (mut key, mut piece_square_score) = (0, 0);
        for index in board.occupied().indices() {
            if let Some(piece) = board.piece_at(index) {
                key ^= context.key(piece, index);
                piece_square_score += context.piece_square_score(piece, index);
            }
        }
        if B::HAS_RANKS {
            key ^= context.going_key(board);
        }
        Self { board: *board, turn, quiet, key, piece_square_score }
    }

    /// Returns the key that repetition compares: board and side to move.
    #[inline]
    pub(crate) fn repetition_key(&self) -> u64 {
        self.key ^ Keys::turn(self.turn)
    }

    /// Returns the repetition key of the board with the given side to move.
    #[inline]
    pub(crate) fn repetition_key_of(&self, turn: Side) -> u64 {
        self.key ^ Keys::turn(turn)
    }

    /// Returns the key for the transposition table. It contains the quiet counter where that can end the game.
    #[inline]
    pub(crate) fn table_key(&self, context: &SearchContext<'_, B>) -> u64 {
        let left = context.tables.law.quiet_limit.saturating_sub(self.quiet) as usize;
        self.key ^ Keys::turn(self.turn) ^ context.quiet_keys[left.min(context.quiet_keys.len() - 1)]
    }

    /// Checks whether a move of another position (table move, killer, counter-move) is legal here.
    pub(crate) fn is_legal(&self, tables: &Tables<B>, mv: PackedMove) -> bool {
        let (from, to) = (mv.from as usize, mv.to as usize);
        from.max(to) < B::WIDTH
            && self.board.pieces(self.turn).intersects(B::bit(from))
            && self.board.turn_destinations(tables, self.piece(mv.from), from).intersects(B::bit(to))
    }

    /// Returns the piece of the side to move on a square.
    #[inline]
    pub(crate) fn piece(&self, from: u16) -> Piece {
        if B::HAS_RANKS {
            // A move starts on a piece, so that the default is never used.
            return self.board.piece_at(from as usize).unwrap_or(Piece::King);
        }
        if self.turn == Side::Attackers {
            Piece::Attacker
        } else if self.board.king.intersects(B::bit(from as usize)) {
            Piece::King
        } else {
            Piece::Defender
        }
    }

    /// Checks whether the defenders are to move and no other piece has to continue its turn.
    #[inline]
    pub(crate) fn king_may_move(&self) -> bool {
        let is_other_piece_going =
            B::HAS_RANKS && self.board.going().is_some_and(|at| !self.board.king.intersects(B::bit(at)));
        self.turn == Side::Defenders && !is_other_piece_going
    }

    /// Makes a move and detects the ends of the game on the board. `Child::finish_turn` detects the others.
    #[inline]
    pub(crate) fn play(
        &self,
        context: &SearchContext<'_, B>,
        threats: &Threats<B>,
        mv: PackedMove,
    ) -> Child<B> {
        let tables = context.tables;
        let piece = self.piece(mv.from);
        let (from, to) = (mv.from as usize, mv.to as usize);
        let made = self.board.make(tables, threats, piece, from, to);
        let captures = !made.captured.is_empty() || made.king_captured;
        let mut key = self.key ^ context.key(piece, from) ^ context.key(piece, to);
        let mut piece_square_score = self.piece_square_score + context.piece_square_score(piece, to)
            - context.piece_square_score(piece, from);
        if captures {
            let soldier = if self.turn == Side::Attackers { Piece::Defender } else { Piece::Attacker };
            for index in made.captured.indices() {
                let victim =
                    if B::HAS_RANKS { self.board.piece_at(index).unwrap_or(soldier) } else { soldier };
                key ^= context.key(victim, index);
                piece_square_score -= context.piece_square_score(victim, index);
                if B::HAS_RANKS {
                    // A captured renegade stays on its square and changes sides.
                    if let Some(renegade) = made.board.piece_at(index) {
                        key ^= context.key(renegade, index);
                        piece_square_score += context.piece_square_score(renegade, index);
                    }
                }
            }
            if made.king_captured {
                let index = self.board.king.lowest();
                key ^= context.key(Piece::King, index);
                piece_square_score -= context.piece_square_score(Piece::King, index);
            }
        }
        let is_stop = B::HAS_RANKS && from == to;
        if B::HAS_RANKS {
            key ^= context.going_key(&self.board) ^ context.going_key(&made.board);
        }
        let node = Self {
            board: made.board,
            turn: made.board.turn_after(self.turn),
            quiet: outcome::quiet_after(!captures, is_stop, self.quiet),
            key,
            piece_square_score,
        };
        let outcome = outcome::after_move(tables, &made, piece, to);
        Child { node, outcome, captures, passed: false }
    }
}

impl<B: Bits> Child<B> {
    /// Detects the ends by the quiet limit and by a side without moves, and makes a forced pass.
    #[inline]
    pub(crate) fn finish_turn(&mut self, context: &SearchContext<'_, B>) {
        let law = &context.tables.law;
        if law.quiet_limit > 0 && self.node.quiet >= law.quiet_limit {
            self.outcome = Some(Outcome { winner: None, reason: Reason::QuietMoves });
            return;
        }
        match no_move_effect(context.tables, &self.node.board, self.node.turn) {
            None => {}
            Some(NoMoveEffect::Ends(outcome)) => self.outcome = Some(outcome),
            Some(NoMoveEffect::Passes) => {
                self.node.turn = self.node.turn.opponent();
                self.passed = true;
            }
        }
    }
}
