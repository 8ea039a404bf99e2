//! A position inside the search: board, side to move, quiet counter and key, and the moves on it.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::{Board, Threats};
use hnefi_rules::judge;
use hnefi_rules::law::NoMove;
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::zobrist::Keys;
use hnefi_rules::{Move, Outcome, Piece, Reason, Rules, Side};

use crate::evaluate::{Evaluate, Weights};
use crate::score::Score;

/// A move by indices of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Step {
    pub(crate) from: u16,
    pub(crate) to: u16,
}

impl Step {
    pub(crate) const NONE: Self = Self { from: 0, to: 0 };

    /// The move in names of squares.
    pub(crate) fn to_move<B: Bits>(self) -> Option<Move> {
        Some(Move { from: square_of::<B>(self.from as usize)?, to: square_of::<B>(self.to as usize)? })
    }

    pub(crate) const fn packed(self) -> u64 {
        (self.from as u64) << 9 | self.to as u64
    }

    pub(crate) const fn unpacked(bits: u64) -> Self {
        Self { from: (bits >> 9 & 511) as u16, to: (bits & 511) as u16 }
    }
}

/// Where the number of a piece on an index stands among such numbers: each square has room for a power of two of
/// them, and without ranks there are fewer pieces to keep near.
#[inline(always)]
fn place<B: Bits>(piece: Piece, index: usize) -> usize {
    index << if B::HAS_RANKS { 4 } else { 2 } | piece as usize
}

/// A number for each piece on each index, in the order of `place`.
fn by_piece<B: Bits, T: Copy + Default>(number: impl Fn(Piece, usize) -> T) -> Vec<T> {
    let mut numbers = vec![T::default(); place::<B>(Piece::Attacker, B::WIDTH)];
    let pieces = if B::HAS_RANKS { &Piece::ALL[..] } else { &Piece::KINDS[..] };
    for index in 0..B::WIDTH {
        for piece in pieces {
            numbers[place::<B>(*piece, index)] = number(*piece, index);
        }
    }
    numbers
}

/// What the search needs of the rules, in one width.
pub(crate) struct Field<'a, B: Bits> {
    pub(crate) tables: &'a Tables<B>,
    /// Zobrist numbers, one for each piece on each index.
    keys: Vec<u64>,
    /// What pieces are worth by where they stand, in the same order.
    standing: Vec<Score>,
    /// Mixed into the key of a position by the piece that goes on, by index.
    going_keys: Vec<u64>,
    /// Mixed into the key of a position by the quiet plies left, if there is a limit; one for all that are far off.
    quiet_keys: Vec<u64>,
}

impl<'a, B: Bits> Field<'a, B> {
    /// Makes the field of some rules: their hash is in every key of the table, which may have seen other rules.
    pub(crate) fn new(tables: &'a Tables<B>, rules: &Rules) -> Self {
        let keys = rules.keys();
        let salt =
            rules.hash().get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0);
        let of =
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
            keys: by_piece::<B, u64>(of),
            standing: by_piece::<B, Score>(|_, _| 0),
            going_keys,
            quiet_keys,
        }
    }

    /// The same with what pieces are worth, of which nodes keep the sum.
    pub(crate) fn judged(mut self, evaluation: &impl Evaluate<B>) -> Self {
        self.standing = by_piece::<B, Score>(|piece, index| evaluation.standing(piece, index));
        self
    }

    /// Puts the weights into every key of the table, which may hold scores by other weights.
    pub(crate) fn keyed_by(mut self, weights: &Weights) -> Self {
        let numbers = weights.terms.iter().chain(weights.squares.iter().flatten());
        let mark = numbers.fold(0xcbf2_9ce4_8422_2325, |mark: u64, number| {
            let mixed = (mark ^ u64::from_ne_bytes(i64::from(*number).to_ne_bytes()))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        });
        for key in &mut self.quiet_keys {
            *key ^= mark;
        }
        self
    }

    /// What the piece that goes on adds to the key of a board.
    #[inline(always)]
    fn going_key(&self, board: &Board<B>) -> u64 {
        board.going().map_or(0, |index| self.going_keys[index])
    }

    pub(crate) fn key(&self, piece: Piece, index: usize) -> u64 {
        self.keys[place::<B>(piece, index)]
    }

    fn standing(&self, piece: Piece, index: usize) -> Score {
        self.standing[place::<B>(piece, index)]
    }
}

/// A position inside the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<B: Bits> {
    pub(crate) board: Board<B>,
    pub(crate) turn: Side,
    pub(crate) quiet: u32,
    /// The key of the board alone.
    key: u64,
    /// What the pieces are worth by where they stand, for the attackers.
    pub(crate) standing: Score,
}

/// What a move leads to.
pub(crate) struct Child<B: Bits> {
    pub(crate) node: Node<B>,
    pub(crate) outcome: Option<Outcome>,
    /// Whether it captured anything.
    pub(crate) captures: bool,
    /// Whether the other side then had to pass.
    pub(crate) passed: bool,
}

impl<B: Bits> Node<B> {
    pub(crate) fn new(field: &Field<'_, B>, board: &Board<B>, turn: Side, quiet: u32) -> Self {
        let (mut key, mut standing) = (0, 0);
        for index in board.occupied().indices() {
            if let Some(piece) = board.piece_at(index) {
                key ^= field.key(piece, index);
                standing += field.standing(piece, index);
            }
        }
        if B::HAS_RANKS {
            key ^= field.going_key(board);
        }
        Self { board: *board, turn, quiet, key, standing }
    }

    /// The key that repetition compares: board and side to move.
    #[inline]
    pub(crate) fn repetition_key(&self) -> u64 {
        self.key ^ Keys::turn(self.turn)
    }

    #[inline]
    pub(crate) fn repetition_key_of(&self, turn: Side) -> u64 {
        self.key ^ Keys::turn(turn)
    }

    /// The key of the transposition table: the quiet counter belongs to it where it can end the game.
    #[inline]
    pub(crate) fn table_key(&self, field: &Field<'_, B>) -> u64 {
        let left = field.tables.law.quiet_limit.saturating_sub(self.quiet) as usize;
        self.key ^ Keys::turn(self.turn) ^ field.quiet_keys[left.min(field.quiet_keys.len() - 1)]
    }

    /// Whether the side to move can make a move, whatever position it was found in.
    pub(crate) fn can_make(&self, tables: &Tables<B>, step: Step) -> bool {
        let (from, to) = (step.from as usize, step.to as usize);
        from.max(to) < B::WIDTH
            && self.board.pieces(self.turn).meets(B::bit(from))
            && self.board.possible(tables, self.piece(step.from), from).meets(B::bit(to))
    }

    #[inline]
    pub(crate) fn piece(&self, from: u16) -> Piece {
        if B::HAS_RANKS {
            // A move begins on a piece.
            return self.board.piece_at(from as usize).unwrap_or(Piece::King);
        }
        if self.turn == Side::Attackers {
            Piece::Attacker
        } else if self.board.king.meets(B::bit(from as usize)) {
            Piece::King
        } else {
            Piece::Defender
        }
    }

    /// Whether it is the turn of the king's side, and he is not kept from moving by another piece that goes on.
    #[inline]
    pub(crate) fn king_may_move(&self) -> bool {
        let is_kept = B::HAS_RANKS && self.board.going().is_some_and(|at| !self.board.king.meets(B::bit(at)));
        self.turn == Side::Defenders && !is_kept
    }

    /// Makes a move; finds every end but repetition.
    #[inline]
    pub(crate) fn play(&self, field: &Field<'_, B>, threats: &Threats<B>, step: Step) -> Child<B> {
        let tables = field.tables;
        let piece = self.piece(step.from);
        let (from, to) = (step.from as usize, step.to as usize);
        let made = self.board.make(tables, threats, piece, from, to);
        let captures = !made.captured.is_empty() || made.king_captured;
        let mut key = self.key ^ field.key(piece, from) ^ field.key(piece, to);
        let mut standing = self.standing + field.standing(piece, to) - field.standing(piece, from);
        if captures {
            let soldier = if self.turn == Side::Attackers { Piece::Defender } else { Piece::Attacker };
            for index in made.captured.indices() {
                let victim =
                    if B::HAS_RANKS { self.board.piece_at(index).unwrap_or(soldier) } else { soldier };
                key ^= field.key(victim, index);
                standing -= field.standing(victim, index);
                if B::HAS_RANKS {
                    // A renegade stands there still, on the other side.
                    if let Some(renegade) = made.board.piece_at(index) {
                        key ^= field.key(renegade, index);
                        standing += field.standing(renegade, index);
                    }
                }
            }
            if made.king_captured {
                let index = self.board.king.lowest();
                key ^= field.key(Piece::King, index);
                standing -= field.standing(Piece::King, index);
            }
        }
        let is_stop = B::HAS_RANKS && from == to;
        if B::HAS_RANKS {
            key ^= field.going_key(&self.board) ^ field.going_key(&made.board);
        }
        let node = Self {
            board: made.board,
            turn: made.board.turn_after(self.turn),
            quiet: judge::quiet_after(!captures, is_stop, self.quiet),
            key,
            standing,
        };
        let outcome = judge::after_move(tables, &made, piece, to);
        Child { node, outcome, captures, passed: false }
    }
}

impl<B: Bits> Child<B> {
    /// Finds the ends by the quiet limit and by having no move, and passes.
    #[inline]
    pub(crate) fn settle(&mut self, field: &Field<'_, B>) {
        let law = &field.tables.law;
        if law.quiet_limit > 0 && self.node.quiet >= law.quiet_limit {
            self.outcome = Some(Outcome { winner: None, reason: Reason::QuietMoves });
            return;
        }
        let turn = self.node.turn;
        if self.node.board.can_move(field.tables, turn) {
            return;
        }
        match law.no_move {
            NoMove::Loses => {
                self.outcome = Some(Outcome { winner: Some(turn.opponent()), reason: Reason::NoMove });
            }
            NoMove::Draw => self.outcome = Some(Outcome { winner: None, reason: Reason::NoMove }),
            NoMove::Pass if self.node.board.can_move(field.tables, turn.opponent()) => {
                self.node.turn = turn.opponent();
                self.passed = true;
            }
            NoMove::Pass => self.outcome = Some(Outcome { winner: None, reason: Reason::Blocked }),
        }
    }
}
