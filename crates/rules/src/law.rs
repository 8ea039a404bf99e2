//! The law of a variant: its rule tree as typed values.

use alloc::vec::Vec;

use crate::named::named;
use crate::piece::{Piece, Side};
use crate::setup::Setup;
use crate::square::{Direction, Outcome, Reason, Square};

named! {
    /// The condition under which a special square is hostile.
    Hostility {
        /// Never.
        Never = "never",
        /// While it is empty.
        Empty = "empty",
        /// Always, even when occupied.
        Always = "always",
    }

    /// The special corners.
    Corners {
        /// Corners are ordinary squares.
        None = "none",
        /// One square in each corner.
        Single = "1x1",
        /// Blocks of two by two.
        Blocks = "2x2",
    }

    /// The kinds of king capture.
    KingCapture {
        /// Between two enemies, like a soldier.
        Custodial = "custodial",
        /// On all four sides.
        FourSides = "four_sides",
        /// He cannot be captured.
        Never = "never",
    }

    /// Linnaean capture: of a defender between an attacker and the king on the throne.
    Linnaean {
        /// Not played.
        None = "none",
        /// The guard is captured.
        Guard = "guard",
        /// Guard and king are captured.
        GuardAndKing = "guard_and_king",
    }

    /// Capture of groups that cannot move.
    BlockedGroups {
        /// Not played.
        None = "none",
        /// The king with exactly one soldier.
        KingAndOne = "king_and_one",
        /// The same, and a free square that is hostile to the king counts as an enemy piece beside them.
        KingAndOneSurrounded = "king_and_one_surrounded",
        /// Any group of two or more.
        Groups = "groups",
        /// The same, and any row of two or more between two captors, whether it can move or not.
        GroupsAndRows = "groups_and_rows",
    }

    /// Shieldwall: capture of a row along the edge.
    Shieldwall {
        /// Not played.
        None = "none",
        /// Requires a piece at both ends.
        Pieces = "pieces",
        /// A corner may close one end.
        WithCorner = "with_corner",
    }

    /// The rule for a side to move that cannot move.
    NoMove {
        /// It loses.
        Loses = "loses",
        /// The game is a draw.
        Draw = "draw",
        /// It passes.
        Pass = "pass",
    }

    /// Whether a piece that has captured moves again in the same turn.
    Berserk {
        /// No: a turn is one move.
        None = "none",
        /// It may.
        May = "may",
        /// It must, as long as it can.
        Must = "must",
    }

    /// Whether a piece jumps over an ordinary enemy soldier.
    Jump {
        /// No.
        None = "none",
        /// From the throne or a corner, or to one.
        Restricted = "restricted",
        /// Anywhere.
        Over = "over",
        /// Anywhere, also over soldiers of its own side.
        Anyone = "anyone",
        /// Anywhere, and it captures the soldier.
        Capture = "capture",
    }

    /// Whether a commander captures the king against another commander or a hostile square.
    CommanderPair {
        /// No.
        None = "none",
        /// Yes, except on the throne and against it.
        Open = "open",
        /// Everywhere.
        Everywhere = "everywhere",
    }

    /// The squares on which the king wins.
    Goal {
        /// On a corner.
        Corner = "corner",
        /// On any edge square.
        Edge = "edge",
    }
}

/// The consequence of the n-th occurrence of a position.
///
/// ```
/// use hnefi_rules::Side;
/// use hnefi_rules::law::Repetition;
///
/// let rule = Repetition::MoverLoses(3);
/// assert_eq!(rule.count(), Some(3));
/// assert_eq!(rule.outcome(Side::Attackers).winner, Some(Side::Defenders));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// None.
    Ignored,
    /// The game is drawn.
    Draw(u32),
    /// The game is drawn if the occurrences follow one another, each after the same positions.
    DrawInARow(u32),
    /// The defenders lose.
    DefendersLose(u32),
    /// The side whose move repeats it loses.
    MoverLoses(u32),
}

impl Repetition {
    /// Returns how often a position has to occur; `None` if repetition is allowed.
    #[must_use]
    pub const fn count(self) -> Option<u32> {
        match self {
            Self::Ignored => None,
            Self::Draw(count)
            | Self::DrawInARow(count)
            | Self::DefendersLose(count)
            | Self::MoverLoses(count) => Some(count),
        }
    }

    /// Counts the occurrences of a position that follow one another, each after the same positions: those that
    /// [`Self::DrawInARow`] counts.
    ///
    /// `before` returns the position so many turns earlier, that position for 0, and `None` before the last capture.
    ///
    /// ```
    /// use hnefi_rules::law::Repetition;
    /// let count = |line: &str| Repetition::occurrences_in_a_row(|back| line.bytes().rev().nth(back));
    /// assert_eq!([count("abab"), count("ababa"), count("acaba")], [2, 3, 2]);
    /// ```
    pub fn occurrences_in_a_row<T: PartialEq>(before: impl Fn(usize) -> Option<T>) -> u32 {
        let newest = before(0);
        let Some(others) = (1..).map_while(&before).position(|one| Some(one) == newest) else { return 1 };
        let cycle = others + 1;
        let is_again = |back: usize| before(back + cycle).is_some_and(|one| Some(one) == before(back));
        let repeated = (0..).map_while(|back| is_again(back).then_some(())).count();
        ((repeated - 1) / cycle) as u32 + 2
    }

    /// Returns the outcome once a side's move reaches the repetition limit.
    #[must_use]
    pub const fn outcome(self, mover: Side) -> Outcome {
        let winner = match self {
            Self::Ignored | Self::Draw(_) | Self::DrawInARow(_) => None,
            Self::DefendersLose(_) => Some(Side::Attackers),
            Self::MoverLoses(_) => Some(mover.opponent()),
        };
        Outcome { winner, reason: Reason::Repetition }
    }
}

/// The rules of a variant, one field for each rule key. Arrays are indexed by kind, except `jumps`.
///
/// ```
/// use hnefi_rules::Rules;
/// use hnefi_rules::law::{Corners, Goal};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let law = rules.law();
/// assert_eq!((law.size(), law.corners, law.goal), (7, Corners::Single, Goal::Corner));
/// assert_eq!(law.goals().len(), 4);
/// ```
// Each boolean rule key is one field: a set of flags would hide their names.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Law {
    /// The start position, with the side that moves first.
    pub start: Setup,
    /// Whether the centre is special.
    pub throne: bool,
    /// The special corners.
    pub corners: Corners,
    /// The attackers' camps.
    pub camps: Vec<Vec<Square>>,
    /// The longest move, 0 = unlimited.
    pub range: [usize; 3],
    /// Whether a kind may end a move on the empty throne.
    pub throne_stop: [bool; 3],
    /// Whether a kind may cross the empty throne.
    pub throne_pass: [bool; 3],
    /// Whether a kind may end a move on a corner.
    pub corner_stop: [bool; 3],
    /// Hostility of the throne to a kind.
    pub throne_hostile: [Hostility; 3],
    /// Hostility of corners to a kind.
    pub corner_hostile: [Hostility; 3],
    /// Whether the edge of the board closes a side of the king.
    pub edge_hostile_king: bool,
    /// Whether empty camp squares are hostile to a kind.
    pub camp_hostile: [bool; 3],
    /// Whether the king can be the hammer of a capture.
    pub king_is_hammer: bool,
    /// Whether the king can be the anvil of a capture.
    pub king_is_anvil: bool,
    /// The king capture on the throne, beside it, elsewhere.
    pub king_capture: [KingCapture; 3],
    /// Capture of a defender against his king on the throne.
    pub linnaean: Linnaean,
    /// Capture of blocked groups.
    pub blocked_groups: BlockedGroups,
    /// Capture of a row along the edge.
    pub shieldwall: Shieldwall,
    /// The squares on which the king wins.
    pub goal: Goal,
    /// Whether a game in which the king is captured is drawn.
    pub king_captured_draws: bool,
    /// Whether capturing all defenders wins.
    pub guards_captured: bool,
    /// Whether capturing all attackers wins.
    pub attackers_captured: bool,
    /// Whether two open roads win.
    pub tuichi: bool,
    /// Whether enclosing all defenders wins.
    pub enclosure: bool,
    /// Whether a fort on the edge wins.
    pub exit_fort: bool,
    /// The consequence for a side that cannot move.
    pub no_move: NoMove,
    /// The consequence of repetition.
    pub repetition: Repetition,
    /// The number of plies without capture after which the game is drawn; 0 = unlimited.
    pub quiet_limit: u32,
    /// Turns of several captures.
    pub berserk: Berserk,
    /// The jumps of king, commanders and knights.
    pub jumps: [Jump; 3],
    /// Captures of the king by commanders.
    pub commander_pair: CommanderPair,
    /// Whether a knight is captured only when closed in on three sides.
    pub knights_by_three: bool,
    /// Whether camp squares beside a square of no camp are hostile to attackers even while occupied.
    pub occupied_camps_hostile: bool,
}

impl Law {
    /// Returns the number of squares along a side of the board.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.start.size()
    }

    /// Checks whether turns of several captures, jumps or ranks are played.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.berserk != Berserk::None
            || self.jumps.iter().any(|jump| *jump != Jump::None)
            || self.commander_pair != CommanderPair::None
            || self.knights_by_three
            || self.start.first_special().is_some()
    }

    /// Checks whether occupied camp squares are hostile to a kind.
    #[must_use]
    pub fn occupied_camps_against(&self, piece: Piece) -> bool {
        self.occupied_camps_hostile && piece == Piece::Attacker
    }

    /// Iterates over the camp squares beside a square of no camp.
    pub fn outer_camps(&self) -> impl Iterator<Item = Square> + '_ {
        let of_camps = |square: &Square| self.camps.iter().any(|camp| camp.contains(square));
        self.camps.iter().flatten().copied().filter(move |square| {
            let beside = Direction::ALL.iter().filter_map(|one| square.step(*one, 1, self.size()));
            beside.into_iter().any(|square| !of_camps(&square))
        })
    }

    /// Returns the centre, if it is special.
    #[must_use]
    pub fn throne_square(&self) -> Option<Square> {
        Square::new(self.size() / 2, self.size() / 2).filter(|_| self.throne)
    }

    /// Returns the special corner squares, one list for each corner.
    #[must_use]
    pub fn corner_blocks(&self) -> Vec<Vec<Square>> {
        let depth = match self.corners {
            Corners::None => return Vec::new(),
            Corners::Single => 1,
            Corners::Blocks => 2,
        };
        let near = |end: usize, step: usize| if end == 0 { step } else { self.size() - 1 - step };
        let block = |(file_end, rank_end)| {
            let square =
                |step: usize| Square::new(near(file_end, step % depth), near(rank_end, step / depth));
            (0..depth * depth).filter_map(square).collect()
        };
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(block).into()
    }

    /// Returns the special corner squares of all corners, sorted.
    #[must_use]
    pub fn corner_squares(&self) -> Vec<Square> {
        let mut squares = self.corner_blocks().concat();
        squares.sort_unstable();
        squares
    }

    /// Returns the squares on which the king wins.
    #[must_use]
    pub fn goals(&self) -> Vec<Square> {
        match self.goal {
            Goal::Corner => self.corner_squares(),
            Goal::Edge => all_squares(self.size()).filter(|square| square.is_edge(self.size())).collect(),
        }
    }
}

/// Iterates over all squares of a board, from `a1` file by file.
pub fn all_squares(size: usize) -> impl Iterator<Item = Square> {
    (0..size * size).filter_map(move |index| Square::new(index / size, index % size))
}
