//! Positions: a board and a side to move under a set of rules.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bits::Bits;
use crate::board::{Board, MoveResult};
use crate::law::Berserk;
use crate::outcome::{self, NoMoveEffect, draw, no_move_effect};
use crate::piece::{Piece, Side};
use crate::refusal::{Refusal, bad_position};
use crate::rules::{AnyBoard, Rules, Width, on_width};
use crate::setup::Setup;
use crate::square::{Direction, Move, Outcome, Reason, Square};
use crate::tables::{Tables, index_of, square_of, squares};
use crate::zobrist::Keys;

/// A board, a side to move and the quiet counter, under a set of rules.
///
/// Positions are equal if their rules, boards and sides to move are; the quiet counter does not count.
///
/// ```
/// use hnefi_rules::{Position, Rules, Setup, parse_move};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let position = Position::new(rules, &Setup::parse("7/3t3/7/2T1K2/7/7/7 d")?)?;
/// assert_eq!(position.legal_moves().len(), 16);
/// let next = position.play(parse_move("c4-c1")?.0)?;
/// assert_eq!(next.setup().to_string(), "7/3t3/7/4K2/7/7/2T4 a 1");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<Rules>,
    pub(crate) board: AnyBoard,
    turn: Side,
    quiet: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.turn == other.turn && self.board == other.board && self.rules == other.rules
    }
}

impl Eq for Position {}

/// A move made on a position.
pub(crate) struct Played {
    pub(crate) board: AnyBoard,
    pub(crate) captures: Vec<Square>,
    pub(crate) king_captured: bool,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) piece: Piece,
    /// The side to move after it, before any forced pass.
    pub(crate) turn: Side,
    is_stop: bool,
}

impl Played {
    /// Returns the quiet counter after it. Capturing the king counts as a capture.
    pub(crate) fn quiet_after(&self, quiet: u32) -> u32 {
        outcome::quiet_after(self.captures.is_empty() && !self.king_captured, self.is_stop, quiet)
    }
}

impl Position {
    /// Creates the position of a setup.
    ///
    /// # Errors
    /// `bad_position` if the board has another size than the rules, more than one king, ranks that the
    /// rules do not know, or a piece in mid-turn that cannot go on.
    pub fn new(rules: Arc<Rules>, setup: &Setup) -> Result<Self, Refusal> {
        if setup.size() != rules.size() {
            return Err(bad_position("size", "", setup.size(), rules.size()));
        }
        if setup.count(Piece::King) > 1 {
            return Err(bad_position("king", "", setup.count(Piece::King), 1));
        }
        if let Some((square, piece)) = setup.first_special().filter(|_| !rules.has_ranks()) {
            return Err(bad_position("letter", setup.size() - square.rank(), piece.letter(), "t | T | K"));
        }
        let board = rules.board_of(setup);
        let position = Self { rules, board, turn: setup.turn, quiet: setup.quiet };
        match setup.going {
            Some(square) if !position.is_valid_going(square) => Err(bad_position("going", "", square, "-")),
            _ => Ok(position),
        }
    }

    /// Checks whether the piece on a square can be in mid-turn: whether it can go on.
    fn is_valid_going(&self, square: Square) -> bool {
        let moves_on = |piece: &Piece| piece.side() == self.turn && self.going() == Some(square);
        self.rules.law().berserk != Berserk::None
            && self.piece_at(square).filter(moves_on).is_some_and(|piece| {
                on_width!(self.rules, self.board, |tables, board| {
                    !board.continuations(tables, piece, index_in(board, square)).is_empty()
                })
            })
    }

    /// Returns the square of the piece that has captured and may go on in the same turn.
    #[must_use]
    pub fn going(&self) -> Option<Square> {
        on_width!(self.rules, self.board, |_tables, board| going_of(board))
    }

    /// Checks whether the side to move may end a turn of several captures here.
    #[must_use]
    pub fn may_end_turn(&self) -> bool {
        self.rules.law().berserk == Berserk::May && self.going().is_some()
    }

    pub(crate) const fn from_parts(rules: Arc<Rules>, board: AnyBoard, turn: Side, quiet: u32) -> Self {
        Self { rules, board, turn, quiet }
    }

    /// Creates the start position of the given rules.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules, Side};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// assert_eq!(Position::start(rules).turn(), Side::Attackers);
    /// ```
    #[must_use]
    pub fn start(rules: Arc<Rules>) -> Self {
        let setup = &rules.law().start;
        let (board, turn) = (rules.board_of(setup), setup.turn);
        Self { rules, board, turn, quiet: 0 }
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the side to move.
    #[must_use]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Returns the number of plies since the last capture.
    #[must_use]
    pub const fn quiet(&self) -> u32 {
        self.quiet
    }

    /// Returns the piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if !square.is_on(self.rules.size()) {
            return None;
        }
        on_width!(self.rules, self.board, |_tables, board| board.piece_at(index_in(board, square)))
    }

    /// Returns the king's square; `None` when he is captured.
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        on_width!(self.rules, self.board, |_tables, board| squares(board.king).first().copied())
    }

    /// Returns the position as a setup.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut setup = self.rules.law().start.clone();
        for square in crate::law::all_squares(self.rules.size()) {
            // Every square is on the board.
            let _ = setup.put(square, self.piece_at(square));
        }
        setup.turn = self.turn;
        setup.quiet = self.quiet;
        setup.going = self.going();
        setup
    }

    /// Runs a computation on the tables and the board in their width.
    pub fn in_width<W: Width>(&self, work: W) -> W::Output {
        on_width!(self.rules, self.board, |tables, board| work.run(tables, board))
    }

    /// Returns the outcome of a game that starts from this position, if it is over at once.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        on_width!(self.rules, self.board, |tables, board| {
            let limit = tables.law.quiet_limit;
            outcome::of_board(tables, board)
                .or_else(|| (limit > 0 && self.quiet >= limit).then_some(draw(Reason::QuietMoves)))
                .or_else(|| no_move_effect(tables, board, self.turn).and_then(NoMoveEffect::outcome))
        })
    }

    /// Calls `visit` with every possible move, without checking whether the game is over.
    pub(crate) fn for_each_possible_move(&self, mut visit: impl FnMut(Move)) {
        on_width!(self.rules, self.board, |tables, board| visit_moves(tables, board, self.turn, &mut visit));
    }

    /// Returns the legal moves of the side to move; none if the game is over.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// assert_eq!(Position::start(rules).legal_moves().len(), 40);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        if self.outcome().is_none() {
            self.for_each_possible_move(|mv| moves.push(mv));
        }
        moves
    }

    /// Checks whether a move is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.outcome().is_none() && self.is_possible(mv)
    }

    pub(crate) fn is_possible(&self, mv: Move) -> bool {
        let size = self.rules.size();
        if !mv.from.is_on(size) || !mv.to.is_on(size) {
            return false;
        }
        on_width!(self.rules, self.board, |tables, board| {
            let from = index_in(board, mv.from);
            board.piece_at(from).is_some_and(|piece| {
                piece.side() == self.turn
                    && board.turn_destinations(tables, piece, from).intersects(bit_in(board, mv.to))
            })
        })
    }

    /// Returns the position after a move, before any forced pass.
    ///
    /// # Errors
    /// As `check`.
    pub fn play(&self, mv: Move) -> Result<Self, Refusal> {
        self.check_not_over()?;
        let played = self.make(mv)?;
        let quiet = played.quiet_after(self.quiet);
        Ok(Self { rules: self.rules.clone(), board: played.board, turn: played.turn, quiet })
    }

    pub(crate) fn check_not_over(&self) -> Result<(), Refusal> {
        self.outcome().map_or(Ok(()), |outcome| Err(Refusal::game_over(outcome)))
    }

    /// Makes a possible move and computes the outcome after it.
    pub(crate) fn make(&self, mv: Move) -> Result<Played, Refusal> {
        if !self.is_possible(mv) {
            return Err(self.refusal_of(mv));
        }
        Ok(on_width!(self.rules, self.board, |tables, board| {
            let (from, to) = (index_in(board, mv.from), index_in(board, mv.to));
            let threats = board.threats(tables, self.turn);
            // Possible moves start on a piece.
            let piece = board.piece_at(from).unwrap_or(Piece::King);
            let result = board.make(tables, &threats, piece, from, to);
            played(tables, &result, piece, from, to)
        }))
    }

    /// Checks whether a side can move.
    pub(crate) fn can_move(&self, side: Side) -> bool {
        on_width!(self.rules, self.board, |tables, board| board.can_move(tables, side))
    }

    /// Returns the goals that the king could reach in one move, regardless of the side to move, sorted.
    pub(crate) fn open_road_goals(&self) -> Vec<Square> {
        on_width!(self.rules, self.board, |tables, board| squares(board.open_road_goals(tables)))
    }

    /// Returns the king's open roads: his move to the nearest goal in each direction, regardless of the side to move.
    ///
    /// ```
    /// use hnefi_rules::{Position, Rules, Setup};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let position = Position::new(rules, &Setup::parse("3K3/7/7/7/7/7/3t3 a")?)?;
    /// let roads: Vec<String> = position.open_roads().iter().map(ToString::to_string).collect();
    /// assert_eq!(roads, ["d7-g7", "d7-a7"]);
    /// # Ok::<(), hnefi_rules::Refusal>(())
    /// ```
    #[must_use]
    pub fn open_roads(&self) -> Vec<Move> {
        let goals = self.open_road_goals();
        let Some(king) = self.king() else { return Vec::new() };
        let size = self.rules.size();
        let nearest = |direction: &Direction| {
            (1..size)
                .filter_map(|steps| king.step(*direction, steps, size))
                .find(|square| goals.contains(square))
        };
        Direction::ALL.iter().filter_map(nearest).map(|to| Move { from: king, to }).collect()
    }

    /// Checks whether the attackers could capture the king if they were to move.
    #[must_use]
    pub fn threatened_king(&self) -> bool {
        if self.king().is_none() {
            return false;
        }
        let board =
            on_width!(self.rules, self.board, |_tables, board| AnyBoard::from(board.with_turn_over()));
        let attacking = Self { turn: Side::Attackers, board, ..self.clone() };
        let mut found = false;
        attacking.for_each_possible_move(|mv| {
            found = found || attacking.make(mv).is_ok_and(|played| played.king_captured);
        });
        found
    }

    /// Computes the Zobrist key of board and side to move from scratch.
    #[must_use]
    pub fn zobrist(&self) -> u64 {
        let keys = &self.rules.keys;
        let turn = Keys::turn(self.turn);
        let going = self.going().map_or(0, |square| keys.going(square));
        self.setup().pieces().fold(turn ^ going, |key, (square, piece)| key ^ keys.piece(piece, square))
    }

    /// Returns the position mapped by a symmetry of the rules.
    #[must_use]
    pub fn transformed(&self, symmetry: u8) -> Self {
        let from = self.setup();
        let mut setup = from.clone();
        for square in crate::law::all_squares(from.size()) {
            // Symmetries map the board onto itself.
            let _ = setup.put(self.rules.map_square(square, symmetry), from.piece_at(square));
        }
        setup.going = from.going.map(|square| self.rules.map_square(square, symmetry));
        Self { board: self.rules.board_of(&setup), ..self.clone() }
    }
}

fn played<B: Bits>(tables: &Tables<B>, result: &MoveResult<B>, piece: Piece, from: usize, to: usize) -> Played
where
    AnyBoard: From<Board<B>>,
{
    let outcome = outcome::after_move(tables, result, piece, to);
    let board = if outcome.is_some() { result.board.with_turn_over() } else { result.board };
    Played {
        board: AnyBoard::from(board),
        captures: squares(result.captured),
        king_captured: result.king_captured,
        outcome,
        piece,
        turn: board.turn_after(piece.side()),
        is_stop: from == to,
    }
}

fn visit_moves<B: Bits>(tables: &Tables<B>, board: &Board<B>, turn: Side, visit: &mut impl FnMut(Move)) {
    board.for_each_mover(tables, turn, |_, from, destinations| {
        let Some(from) = square_of::<B>(from) else { return false };
        for to in destinations.indices() {
            if let Some(to) = square_of::<B>(to) {
                visit(Move { from, to });
            }
        }
        false
    });
}

fn going_of<B: Bits>(board: &Board<B>) -> Option<Square> {
    square_of::<B>(board.going()?)
}

fn index_in<B: Bits>(_board: &Board<B>, square: Square) -> usize {
    index_of::<B>(square)
}

fn bit_in<B: Bits>(board: &Board<B>, square: Square) -> B {
    B::bit(index_in(board, square))
}
