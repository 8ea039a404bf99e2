//! Games: start, plies, repetition, quiet counter, forced passes, outcome.

mod history;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::piece::{Piece, Side};
use crate::position::{Played, Position};
use crate::refusal::Refusal;
use crate::rules::{AnyBoard, Rules};
use crate::setup::Setup;
use crate::square::{Move, Outcome, Square, join_squares};
use crate::text::format_move;
use crate::zobrist::Keys;

/// One move of one side, as it was played.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The side that moved.
    pub side: Side,
    /// The squares of captured soldiers, sorted; never the king's.
    pub captures: Box<[Square]>,
    /// Whether the other side could not move after it and passed.
    pub passed: bool,
}

/// Compares the captures written with a move with those it makes; `None` if none are written.
///
/// # Errors
/// `wrong_captures`.
pub fn check_captures(written: Option<&[Square]>, made: &[Square]) -> Result<(), Refusal> {
    match written {
        Some(written) if written != made => Err(Refusal::new("wrong_captures")
            .with("written", join_squares(written))
            .with("made", if made.is_empty() { "-".into() } else { join_squares(made) })),
        _ => Ok(()),
    }
}

impl Ply {
    /// Formats the move with its captures.
    #[must_use]
    pub fn text(&self) -> String {
        format_move(self.mv, &self.captures)
    }
}

/// A game: its moves, repetition, quiet counter, forced passes and outcome.
///
/// A game is a value: playing returns a new game that shares its past with the old one.
///
/// ```
/// use hnefi_rules::{Game, Rules, Side, parse_move};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let start = Game::new(rules);
/// let game = start.play(parse_move("d1-c1")?.0)?;
/// assert_eq!(game.turn(), Some(Side::Defenders));
/// assert_eq!(game.last().unwrap().text(), "d1-c1");
/// assert_eq!(game.parent(), Some(start));
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    node: Arc<Node>,
}

/// A game after some ply.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<Arc<Node>>,
    /// `None` at the start.
    ply: Option<Ply>,
    count: u32,
    board: AnyBoard,
    /// The side to move; after a forced pass the side that can.
    turn: Side,
    /// Whether the side to move had to pass.
    passed: bool,
    quiet: u32,
    /// The Zobrist key of the board alone.
    key: u64,
    outcome: Option<Outcome>,
}

impl Drop for Node {
    /// Frees a long past in a loop: the derived drop would recurse once for each ply.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(node) = next {
            next = Arc::try_unwrap(node).ok().and_then(|mut node| node.parent.take());
        }
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && self.node.count == other.node.count
            && self.node.outcome == other.node.outcome
            && self.nodes().zip(other.nodes()).all(|(one, two)| {
                Arc::ptr_eq(one, two)
                    || (one.board == two.board && one.turn == two.turn && one.quiet == two.quiet)
            })
    }
}

impl Eq for Game {}

impl Game {
    /// Creates a game from the start position of the rules.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self::from_position(&Position::start(rules))
    }

    /// Creates a game from a setup.
    ///
    /// # Errors
    /// As `Position::new`.
    pub fn from_setup(rules: Arc<Rules>, setup: &Setup) -> Result<Self, Refusal> {
        Ok(Self::from_position(&Position::new(rules, setup)?))
    }

    fn from_position(position: &Position) -> Self {
        let rules = position.rules().clone();
        let outcome = position.outcome();
        let turn = position.turn();
        // A side that cannot move and does not lose by it has passed.
        let passed = outcome.is_none() && !position.can_move(turn);
        let node = Node {
            parent: None,
            ply: None,
            count: 0,
            board: position.board,
            turn: if passed { turn.opponent() } else { turn },
            passed,
            quiet: position.quiet(),
            key: position.zobrist() ^ Keys::turn(turn),
            outcome,
        };
        Self { rules, node: Arc::new(node) }
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the position; after a forced pass the side to move is the one that can.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::from_parts(self.rules.clone(), self.node.board, self.node.turn, self.node.quiet)
    }

    /// Returns the setup the game started from.
    #[must_use]
    pub fn start(&self) -> Setup {
        let first = self.nodes().last().unwrap_or(&self.node);
        let turn = if first.passed { first.turn.opponent() } else { first.turn };
        Position::from_parts(self.rules.clone(), first.board, turn, first.quiet).setup()
    }

    /// Returns the side to move; `None` when the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        if self.node.outcome.is_some() { None } else { Some(self.node.turn) }
    }

    /// Returns the number of plies since the last capture.
    #[must_use]
    pub fn quiet(&self) -> u32 {
        self.node.quiet
    }

    /// Returns the number of plies played.
    #[must_use]
    pub fn ply_count(&self) -> u32 {
        self.node.count
    }

    /// Returns the last ply; `None` at the start.
    #[must_use]
    pub fn last(&self) -> Option<&Ply> {
        self.node.ply.as_ref()
    }

    /// Returns all plies from the start.
    #[must_use]
    pub fn plies(&self) -> Vec<Ply> {
        let mut plies: Vec<Ply> = self.nodes().filter_map(|node| node.ply.clone()).collect();
        plies.reverse();
        plies
    }

    /// Returns how many soldiers a side has captured.
    #[must_use]
    pub fn captured_by(&self, side: Side) -> u32 {
        let captures = |node: &Arc<Node>| match &node.ply {
            Some(ply) if ply.side == side => ply.captures.len() as u32,
            _ => 0,
        };
        self.nodes().map(captures).sum()
    }

    /// Returns all positions from the start to the current one. After a forced pass the other side is to move.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let of =
            |node: &Arc<Node>| Position::from_parts(self.rules.clone(), node.board, node.turn, node.quiet);
        let mut positions: Vec<Position> = self.nodes().map(of).collect();
        positions.reverse();
        positions
    }

    /// Returns the game before the last ply; `None` at the start.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let node = self.node.parent.clone()?;
        Some(Self { rules: self.rules.clone(), node })
    }

    /// Checks whether a side had to pass just before this position.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.node.passed
    }

    /// Returns the outcome; `None` while the game goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.node.outcome
    }

    /// Returns how many times the present position has occurred, itself included; in a row if the rules count them so.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        self.occurrences(&self.node, self.node.turn)
    }

    /// Returns the Zobrist key of the position.
    #[must_use]
    pub fn zobrist(&self) -> u64 {
        self.node.key ^ Keys::turn(self.node.turn)
    }

    /// Returns the legal moves; none when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.node.outcome.is_none() {
            moves.reserve(64);
            self.position().for_each_possible_move(|mv| moves.push(mv));
        }
        moves
    }

    /// Checks whether a move is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.node.outcome.is_none() && self.position().is_possible(mv)
    }

    /// Returns the game after a move.
    ///
    /// # Errors
    /// `game_over`, or the reason for which the rules refuse the move.
    pub fn play(&self, mv: Move) -> Result<Self, Refusal> {
        if let Some(outcome) = self.node.outcome {
            return Err(Refusal::game_over(outcome));
        }
        let played = self.position().make(mv)?;
        let mover = self.node.turn;
        let key = self.key_after(mv, &played);
        let mut node = Node {
            parent: Some(self.node.clone()),
            count: self.node.count + 1,
            board: played.board,
            turn: played.turn,
            passed: false,
            quiet: played.quiet_after(self.node.quiet),
            key,
            outcome: played.outcome,
            ply: None,
        };
        if node.outcome.is_none() {
            self.finish_turn(&mut node, mover);
        }
        node.ply =
            Some(Ply { mv, side: mover, captures: played.captures.into_boxed_slice(), passed: node.passed });
        Ok(Self { rules: self.rules.clone(), node: Arc::new(node) })
    }

    /// Returns the game after a move that was written with its captures: they must be those it makes.
    ///
    /// ```
    /// use hnefi_rules::{Game, Rules, parse_move};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let (mv, captures) = parse_move("d1-c1xc2")?;
    /// let refusal = Game::new(rules).play_written(mv, captures.as_deref()).unwrap_err();
    /// assert_eq!(refusal.code, "wrong_captures");
    /// # Ok::<(), hnefi_rules::Refusal>(())
    /// ```
    ///
    /// # Errors
    /// As `play`, and `wrong_captures`.
    pub fn play_written(&self, mv: Move, captures: Option<&[Square]>) -> Result<Self, Refusal> {
        let next = self.play(mv)?;
        check_captures(captures, next.last().map_or(&[][..], |ply| &ply.captures))?;
        Ok(next)
    }

    /// Returns the game ended by the players or a clock. `None` if it is over, or if only the rules give such a reason.
    #[must_use]
    pub fn end(&self, outcome: Outcome) -> Option<Self> {
        if self.node.outcome.is_some() || !outcome.reason.is_external() {
            return None;
        }
        let mut node = Node::clone(&self.node);
        node.outcome = Some(outcome);
        Some(Self { rules: self.rules.clone(), node: Arc::new(node) })
    }

    /// Returns the game after at most `plies` random plies; the same seed gives the same game.
    ///
    /// ```
    /// use hnefi_rules::{Game, Rules};
    /// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
    /// let game = Game::new(rules);
    /// assert_eq!(game.play_random(7, 10), game.play_random(7, 10));
    /// ```
    #[must_use]
    pub fn play_random(&self, seed: u64, plies: u32) -> Self {
        let mut state = seed;
        let mut game = self.clone();
        for _ in 0..plies {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            // The bias of the remainder is below 2⁻⁵⁰ for so few moves.
            let choice = crate::zobrist::split_mix(&mut state) % moves.len() as u64;
            let Ok(next) = game.play(moves[choice as usize]) else { break };
            game = next;
        }
        game
    }

    fn key_after(&self, mv: Move, played: &Played) -> u64 {
        if self.rules.has_ranks() {
            return self.key_after_ranked(mv, played);
        }
        let keys = &self.rules.keys;
        let taken = if played.piece.side() == Side::Attackers { Piece::Defender } else { Piece::Attacker };
        let mut key = self.node.key ^ keys.piece(played.piece, mv.from) ^ keys.piece(played.piece, mv.to);
        for square in &played.captures {
            key ^= keys.piece(taken, *square);
        }
        if played.king_captured {
            if let Some(king) = self.position().king() {
                key ^= keys.piece(Piece::King, king);
            }
        }
        key
    }

    fn key_after_ranked(&self, mv: Move, played: &Played) -> u64 {
        let keys = &self.rules.keys;
        let before = self.position();
        let mut key = self.node.key ^ keys.piece(played.piece, mv.from) ^ keys.piece(played.piece, mv.to);
        let king = before.king().filter(|_| played.king_captured);
        let after = Position::from_parts(self.rules.clone(), played.board, played.turn, 0);
        for square in played.captures.iter().copied().chain(king) {
            // A captured renegade stays on its square and changes sides.
            for position in [&before, &after] {
                key ^= position.piece_at(square).map_or(0, |piece| keys.piece(piece, square));
            }
        }
        let going = |position: &Position| position.going().map_or(0, |square| keys.going(square));
        key ^ going(&before) ^ going(&after)
    }

    fn nodes(&self) -> impl Iterator<Item = &Arc<Node>> {
        core::iter::successors(Some(&self.node), |node| node.parent.as_ref())
    }
}
