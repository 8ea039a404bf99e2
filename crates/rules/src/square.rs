//! Squares, directions, moves and outcomes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::named::named;
use crate::piece::Side;

/// The number of squares along the side of the largest board.
pub const MAX_SIZE: usize = 19;

/// A square of the board. Ordered by file, then rank, like its name.
///
/// ```
/// use hnefi_rules::Square;
///
/// let square = Square::parse("d4").unwrap();
/// assert_eq!((square.file(), square.rank()), (3, 3));
/// assert_eq!(square.to_string(), "d4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// Returns the square of a file and a rank, both counted from 0; `None` from 19 on.
    ///
    /// ```
    /// use hnefi_rules::Square;
    ///
    /// assert_eq!(Square::new(0, 18), Square::parse("a19"));
    /// assert_eq!(Square::new(19, 0), None);
    /// ```
    #[must_use]
    pub const fn new(file: usize, rank: usize) -> Option<Self> {
        if file < MAX_SIZE && rank < MAX_SIZE {
            // Both are below 19.
            return Some(Self { file: file as u8, rank: rank as u8 });
        }
        None
    }

    /// Returns the file, counted from 0 (`a`).
    #[must_use]
    pub const fn file(self) -> usize {
        self.file as usize
    }

    /// Returns the rank, counted from 0 (`1`).
    #[must_use]
    pub const fn rank(self) -> usize {
        self.rank as usize
    }

    /// Checks whether it is on a board of this size.
    #[must_use]
    pub const fn is_on(self, size: usize) -> bool {
        self.file() < size && self.rank() < size
    }

    /// Checks whether it is on the edge of a board of this size.
    #[must_use]
    pub const fn is_edge(self, size: usize) -> bool {
        self.file == 0 || self.rank == 0 || self.file() + 1 == size || self.rank() + 1 == size
    }

    /// Returns the square `steps` squares away in a direction; `None` off a board of this size.
    ///
    /// ```
    /// use hnefi_rules::{Direction, Square};
    ///
    /// let square = Square::parse("d4").unwrap();
    /// assert_eq!(square.step(Direction::North, 3, 7), Square::parse("d7"));
    /// assert_eq!(square.step(Direction::North, 4, 7), None);
    /// ```
    #[must_use]
    pub fn step(self, direction: Direction, steps: usize, size: usize) -> Option<Self> {
        let (file, rank) = direction.vector();
        let steps = isize::try_from(steps).ok()?;
        let file = self.file().checked_add_signed(file * steps)?;
        let rank = self.rank().checked_add_signed(rank * steps)?;
        Self::new(file, rank).filter(|square| square.is_on(size))
    }

    /// Parses a name such as `d4`, in either case.
    ///
    /// ```
    /// use hnefi_rules::Square;
    ///
    /// assert_eq!(Square::parse("S19"), Square::new(18, 18));
    /// assert_eq!(Square::parse("a0"), None);
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let file = letters.next()?.to_ascii_lowercase();
        let digits = letters.as_str();
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
        if !file.is_ascii_lowercase()
            || !plain
            || digits.is_empty()
            || digits.len() > 2
            || digits.starts_with('0')
        {
            return None;
        }
        let rank: usize = digits.parse().ok()?;
        Self::new(file as usize - 'a' as usize, rank - 1)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

named! {
    /// A direction along a file or a rank.
    ///
    /// ```
    /// use hnefi_rules::{Direction, Square};
    ///
    /// let (from, to) = (Square::parse("d1").unwrap(), Square::parse("d5").unwrap());
    /// assert_eq!(Direction::between(from, to), Some(Direction::North));
    /// ```
    Direction {
        /// Towards the top rank.
        North = "north",
        /// Towards the last file.
        East = "east",
        /// Towards rank 1.
        South = "south",
        /// Towards file a.
        West = "west",
    }
}

impl Direction {
    /// Returns one step in this direction as (file, rank).
    #[must_use]
    pub const fn vector(self) -> (isize, isize) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::South => (0, -1),
            Self::West => (-1, 0),
        }
    }

    /// Returns the direction from one square to another on the same line; `None` off the line or for the same square.
    #[must_use]
    pub fn between(from: Square, to: Square) -> Option<Self> {
        match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
            (core::cmp::Ordering::Equal, core::cmp::Ordering::Greater) => Some(Self::North),
            (core::cmp::Ordering::Equal, core::cmp::Ordering::Less) => Some(Self::South),
            (core::cmp::Ordering::Greater, core::cmp::Ordering::Equal) => Some(Self::East),
            (core::cmp::Ordering::Less, core::cmp::Ordering::Equal) => Some(Self::West),
            _ => None,
        }
    }
}

/// A move: the square a piece leaves and the square it comes to.
///
/// `describe` computes its captures. A move to its own square ends a turn of several captures.
///
/// ```
/// use hnefi_rules::{Move, Square};
///
/// let mv = Move { from: Square::parse("d1").unwrap(), to: Square::parse("c1").unwrap() };
/// assert_eq!(mv.to_string(), "d1-c1");
/// assert!(!mv.is_stop());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it comes to.
    pub to: Square,
}

impl Move {
    /// Checks whether it ends a turn of several captures and moves nothing.
    #[must_use]
    pub fn is_stop(self) -> bool {
        self.from == self.to
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}", self.from, self.to)
    }
}

/// The end of a game: who won and why.
///
/// ```
/// use hnefi_rules::{Game, Outcome, Reason, Rules, Side};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let resigned = Outcome { winner: Some(Side::Defenders), reason: Reason::Resignation };
/// let game = Game::new(rules).end(resigned).unwrap();
/// assert_eq!(game.outcome(), Some(resigned));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Outcome {
    /// The winning side; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason of the end.
    pub reason: Reason,
}

named! {
    /// The reason of the end of a game.
    Reason {
        /// The king reached a corner.
        Corner = "corner",
        /// The king reached the edge.
        Edge = "edge",
        /// The king was captured, or is missing.
        KingCaptured = "king_captured",
        /// The last of the king's soldiers was captured.
        GuardsCaptured = "guards_captured",
        /// The last attacker was captured.
        AttackersCaptured = "attackers_captured",
        /// The king has two open roads after his side's move.
        Tuichi = "tuichi",
        /// No defender can reach the edge.
        Enclosure = "enclosure",
        /// The king stands in a fort on the edge.
        ExitFort = "exit_fort",
        /// The position occurred too often.
        Repetition = "repetition",
        /// Too many plies without a capture.
        QuietMoves = "quiet_moves",
        /// The side to move cannot.
        NoMove = "no_move",
        /// Neither side can move.
        Blocked = "blocked",
        /// The players agreed.
        Agreement = "agreement",
        /// A player resigned.
        Resignation = "resignation",
        /// A player ran out of time.
        Time = "time",
        /// The game was abandoned.
        Abandoned = "abandoned",
        /// An arbiter decided the result, such as the host of a class.
        Adjudication = "adjudication",
    }
}

impl Reason {
    /// Checks whether a player, a clock or an arbiter ended the game, rather than the rules.
    #[must_use]
    pub const fn is_external(self) -> bool {
        matches!(
            self,
            Self::Agreement | Self::Resignation | Self::Time | Self::Abandoned | Self::Adjudication
        )
    }
}

/// Formats squares as `e9/f8`.
#[must_use]
pub(crate) fn join_squares(squares: &[Square]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join("/")
}
