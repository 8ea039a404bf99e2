//! Announcements ("calls") as a state machine above `Game`: open roads, and the sanction for not announcing them.

use alloc::vec::Vec;

use crate::game::Game;
use crate::named::named;
use crate::piece::Side;
use crate::refusal::Refusal;
use crate::square::{Move, Reason, Square};

named! {
    /// The source of the calls.
    Mode {
        /// None: open roads are not computed.
        Off = "off",
        /// The program, for the players.
        Auto = "auto",
        /// The players.
        Manual = "manual",
    }

    /// The move that the attackers must replay after an escape was refused.
    Replay {
        /// The piece they moved last.
        SamePiece = "same_piece",
        /// Any piece.
        AnyPiece = "any_piece",
    }

    /// What follows an escape by a road that was not announced.
    Sanction {
        /// Nothing.
        None = "none",
        /// It is refused, and the attackers replay; after that the road counts as announced.
        Replay = "replay",
        /// The same, and the road still has to be announced: a side with no other move is spared.
        UntilCalled = "until_called",
    }

    /// What a call of the wrong number is worth: one road called for two, or two for one.
    WrongNumber {
        /// It is a call like any other.
        Call = "call",
        /// It is no call: the right one counts as forgotten.
        Forgotten = "forgotten",
    }
}

/// The rules of calls: their source, and the sanction for a missing call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Protocol {
    /// The source of the calls.
    pub mode: Mode,
    /// What follows an escape that was not announced.
    pub sanction: Sanction,
    /// The move that the attackers then replay.
    pub replay: Replay,
    /// What a call of the wrong number is worth.
    pub wrong_number: WrongNumber,
}

/// The state of the calls of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calls {
    /// Goals the king could reach when his side ended its last turn, sorted.
    pub open_roads: Vec<Square>,
    /// The call that they require: 0 none, 1 one road, 2 two roads or more. Roads are counted by direction, not by goal.
    /// Two roads are called even if they win the game.
    pub required: usize,
    /// Whether the open roads count as announced.
    pub called: bool,
    /// The game before the attackers' last turn, and the square on which that began.
    pub before: Option<(Game, Square)>,
    /// The square of the piece that the attackers have to play again.
    pub must_replay: Option<Square>,
    /// Whether the last move was an escape that was refused.
    pub refused: bool,
}

impl Calls {
    /// No open roads.
    pub const NONE: Self = Self {
        open_roads: Vec::new(),
        required: 0,
        called: true,
        before: None,
        must_replay: None,
        refused: false,
    };
}

/// A game with calls. A value, like `Game`.
///
/// ```
/// use hnefi_rules::{CalledGame, Game, Mode, Protocol, Replay, Rules, Sanction, Setup, WrongNumber};
/// use hnefi_rules::parse_move;
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let game = Game::from_setup(rules, &Setup::parse("7/3K3/7/7/7/7/3t3 d")?)?;
/// let protocol = Protocol {
///     mode: Mode::Manual,
///     sanction: Sanction::Replay,
///     replay: Replay::SamePiece,
///     wrong_number: WrongNumber::Forgotten,
/// };
/// let called = CalledGame::new(game, protocol).play(parse_move("d6-a6")?.0, None, 1)?;
/// let goals: Vec<String> = called.calls().open_roads.iter().map(ToString::to_string).collect();
/// assert_eq!(goals, ["a1", "a7"]);
/// assert!(!called.calls().called);
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalledGame {
    game: Game,
    protocol: Protocol,
    calls: Calls,
}

impl CalledGame {
    /// Creates a game with calls from this game on; its present open roads need no call.
    #[must_use]
    pub const fn new(game: Game, protocol: Protocol) -> Self {
        Self::restore(game, protocol, Calls::NONE)
    }

    /// Returns a game with calls in a state that another one had.
    #[must_use]
    pub const fn restore(game: Game, protocol: Protocol, calls: Calls) -> Self {
        Self { game, protocol, calls }
    }

    /// Returns the game itself.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the rules of calls.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Returns the state of the calls.
    #[must_use]
    pub const fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Returns the legal moves, limited to the piece that has to be played again.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.game.legal_moves();
        moves.retain(|mv| self.calls.must_replay.is_none_or(|square| mv.from == square));
        moves
    }

    /// Plays a move with a call: 0 none, 1 one open road, 2 two open roads. The protocol says what a call of the
    /// wrong number is worth.
    ///
    /// # Errors
    /// As `Game::play_written`; `must_replay` if another piece has to be played.
    pub fn play(&self, mv: Move, captures: Option<&[Square]>, call: u8) -> Result<Self, Refusal> {
        let next = self.game.play_written(mv, captures)?;
        if let Some(square) = self.calls.must_replay.filter(|square| *square != mv.from) {
            return Err(Refusal::new("must_replay").with("square", square));
        }
        if self.game.turn() == Some(Side::Attackers) {
            return Ok(self.after_attackers(next, mv.from));
        }
        if self.must_refuse(mv) {
            if let Some(restored) = self.restored() {
                return Ok(restored);
            }
        }
        Ok(self.after_defenders(next, call))
    }

    fn after_attackers(&self, next: Game, from: Square) -> Self {
        let mut calls = Calls { must_replay: None, refused: false, ..self.calls.clone() };
        // A refusal takes a turn of several captures back as a whole.
        if self.game.position().going().is_none() {
            calls.before = Some((self.game.clone(), from));
        }
        if next.passed() {
            // A pass counts as a call, so that a road opened later is never refused.
            calls.before = None;
            (calls.open_roads, calls.required) = self.find_open_roads(&next);
            calls.called = true;
        }
        Self::restore(next, self.protocol, calls)
    }

    fn after_defenders(&self, next: Game, call: u8) -> Self {
        let mut calls = Calls { must_replay: None, refused: false, ..self.calls.clone() };
        // Open roads are announced when the turn ends.
        if next.position().going().is_none() {
            (calls.open_roads, calls.required) = self.find_open_roads(&next);
            let is_call = match self.protocol.wrong_number {
                WrongNumber::Call => call > 0,
                WrongNumber::Forgotten => usize::from(call) == calls.required,
            };
            calls.called = calls.open_roads.is_empty() || is_call || self.protocol.mode != Mode::Manual;
            calls.before = calls.before.filter(|_| !next.passed());
        }
        Self::restore(next, self.protocol, calls)
    }

    /// Returns the goals of the king's open roads, and the call they require; none after an end for another reason.
    fn find_open_roads(&self, game: &Game) -> (Vec<Square>, usize) {
        let is_over = game.outcome().is_some_and(|outcome| outcome.reason != Reason::Tuichi);
        if self.protocol.mode == Mode::Off || is_over {
            return (Vec::new(), 0);
        }
        let position = game.position();
        (position.open_road_goals(), position.open_roads().len().min(2))
    }

    fn must_refuse(&self, mv: Move) -> bool {
        let is_escape = |mv: &Move| {
            self.calls.open_roads.contains(&mv.to) && self.game.position().king() == Some(mv.from)
        };
        self.protocol.mode == Mode::Manual
            && self.protocol.sanction != Sanction::None
            && !self.calls.called
            && is_escape(&mv)
            && (self.protocol.sanction == Sanction::Replay || !self.game.legal_moves().iter().all(is_escape))
    }

    /// Returns the state after a refused escape: the game before the attackers' last turn. The escape announces the
    /// roads, unless they still have to be called.
    fn restored(&self) -> Option<Self> {
        let (game, replayed) = self.calls.before.clone()?;
        let must_replay = (self.protocol.replay == Replay::SamePiece).then_some(replayed);
        let called = self.protocol.sanction != Sanction::UntilCalled;
        let calls = Calls { called, before: None, must_replay, refused: true, ..self.calls.clone() };
        Some(Self::restore(game, self.protocol, calls))
    }
}
