//! The law of a variant: its rules tree as typed values.

use alloc::vec::Vec;

use crate::setup::Setup;
use crate::square::{Direction, Outcome, Piece, Reason, Side, Square};

/// When a special square counts as an enemy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hostility {
    /// Never.
    Never,
    /// While it is empty.
    Empty,
    /// Also while a piece stands on it.
    Always,
}

/// The special corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corners {
    /// Corners are ordinary squares.
    None,
    /// One square in each corner.
    Single,
    /// Blocks of two by two.
    Blocks,
}

/// How the king is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingCapture {
    /// Between two, like a soldier.
    Custodial,
    /// On all four sides.
    FourSides,
    /// Not at all.
    Never,
}

/// Capture of a defender between an attacker and his king on the throne.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linnaean {
    /// Not played.
    None,
    /// The guard is taken.
    Guard,
    /// Guard and king are taken.
    GuardAndKing,
}

/// Capture of groups that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockedGroups {
    /// Not played.
    None,
    /// The king with exactly one soldier.
    KingAndOne,
    /// Any group of two or more.
    Groups,
}

/// Capture of a row along the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shieldwall {
    /// Not played.
    None,
    /// Closed by pieces at both ends.
    Pieces,
    /// A corner may close one end.
    WithCorner,
}

/// What happens to a side that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// It loses.
    Loses,
    /// The game is a draw.
    Draw,
    /// It passes.
    Pass,
}

/// What the n-th occurrence of a position does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Nothing.
    Ignored,
    /// The game is drawn.
    Draw(u32),
    /// The defenders lose.
    DefendersLose(u32),
    /// The side that brought it about loses.
    MoverLoses(u32),
}

impl Repetition {
    /// How often a position has to occur for it; `None` if it may occur as often as it likes.
    #[must_use]
    pub const fn count(self) -> Option<u32> {
        match self {
            Self::Ignored => None,
            Self::Draw(count) | Self::DefendersLose(count) | Self::MoverLoses(count) => Some(count),
        }
    }

    /// How the game ends when a side has brought a position about that often.
    #[must_use]
    pub const fn outcome(self, mover: Side) -> Outcome {
        let winner = match self {
            Self::Ignored | Self::Draw(_) => None,
            Self::DefendersLose(_) => Some(Side::Attackers),
            Self::MoverLoses(_) => Some(mover.opponent()),
        };
        Outcome { winner, reason: Reason::Repetition }
    }
}

/// Whether a piece that has captured goes on in the same turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Berserk {
    /// No: a turn is one move.
    None,
    /// It may.
    May,
    /// It must, as long as it can.
    Must,
}

/// Whether a piece jumps over an ordinary soldier of the enemy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// No.
    None,
    /// From the throne or a corner, or to one.
    Restricted,
    /// Anywhere.
    Over,
    /// Anywhere, over those of its own side too.
    Anyone,
    /// Anywhere, and it captures the soldier.
    Capture,
}

/// Whether a commander takes the king against another commander or a hostile square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommanderPair {
    /// No.
    None,
    /// But not on the throne, and not against it.
    Open,
    /// Everywhere.
    Everywhere,
}

/// Where the king wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// On a corner.
    Corner,
    /// On any edge square.
    Edge,
}

/// The rules of a variant, one field a parameter. Arrays are indexed by kind, but for `jumps`.
// Each parameter that says yes or no is one field: a set of flags would hide their names.
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
    /// Who may end a move on the empty throne.
    pub throne_stop: [bool; 3],
    /// Who may cross the empty throne.
    pub throne_pass: [bool; 3],
    /// Who may end a move on a corner.
    pub corner_stop: [bool; 3],
    /// Against whom the throne is hostile.
    pub throne_hostile: [Hostility; 3],
    /// Against whom corners are hostile.
    pub corner_hostile: [Hostility; 3],
    /// Whether the rim closes a side of the king.
    pub edge_hostile_king: bool,
    /// Against whom empty camp squares are hostile.
    pub camp_hostile: [bool; 3],
    /// Whether the king captures by moving.
    pub king_is_hammer: bool,
    /// Whether the king captures by standing.
    pub king_is_anvil: bool,
    /// How the king is taken on the throne, beside it, elsewhere.
    pub king_capture: [KingCapture; 3],
    /// Capture of a defender against his king on the throne.
    pub linnaean: Linnaean,
    /// Capture of blocked groups.
    pub blocked_groups: BlockedGroups,
    /// Capture of a row along the edge.
    pub shieldwall: Shieldwall,
    /// Where the king wins.
    pub goal: Goal,
    /// Whether taking the king only draws.
    pub king_captured_draws: bool,
    /// Whether taking all defenders wins.
    pub guards_captured: bool,
    /// Whether taking all attackers wins.
    pub attackers_captured: bool,
    /// Whether two open roads win.
    pub tuichi: bool,
    /// Whether enclosing all defenders wins.
    pub enclosure: bool,
    /// Whether a fort on the edge wins.
    pub exit_fort: bool,
    /// What happens to a side that cannot move.
    pub no_move: NoMove,
    /// What repetition does.
    pub repetition: Repetition,
    /// Draw after so many plies without capture, 0 = off.
    pub quiet_limit: u32,
    /// Turns of several captures.
    pub berserk: Berserk,
    /// The jumps of king, commanders and knights.
    pub jumps: [Jump; 3],
    /// What commanders can do to the king.
    pub commander_pair: CommanderPair,
    /// Whether a knight is taken only when he is closed in on three sides.
    pub knights_by_three: bool,
    /// Whether camp squares are hostile to attackers with a piece on them too, where they border on what is no camp.
    pub occupied_camps_hostile: bool,
}

impl Law {
    /// The side of the board, in squares.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.start.size()
    }

    /// Whether turns of several captures, jumps or ranks are played.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.berserk != Berserk::None
            || self.jumps.iter().any(|jump| *jump != Jump::None)
            || self.commander_pair != CommanderPair::None
            || self.knights_by_three
            || self.start.first_special().is_some()
    }

    /// Whether a camp square is hostile to a kind whatever stands on it.
    #[must_use]
    pub fn occupied_camps_against(&self, piece: Piece) -> bool {
        self.occupied_camps_hostile && piece == Piece::Attacker
    }

    /// The camp squares that border on a square of no camp.
    pub fn outer_camps(&self) -> impl Iterator<Item = Square> + '_ {
        let of_camps = |square: &Square| self.camps.iter().any(|camp| camp.contains(square));
        self.camps.iter().flatten().copied().filter(move |square| {
            let beside = Direction::ALL.iter().filter_map(|one| square.step(*one, 1, self.size()));
            beside.into_iter().any(|square| !of_camps(&square))
        })
    }

    /// The centre, if it is special.
    #[must_use]
    pub fn throne_square(&self) -> Option<Square> {
        Square::new(self.size() / 2, self.size() / 2).filter(|_| self.throne)
    }

    /// The special corners, one list a corner.
    #[must_use]
    pub fn corner_blocks(&self) -> Vec<Vec<Square>> {
        let depth = match self.corners {
            Corners::None => return Vec::new(),
            Corners::Single => 1,
            Corners::Blocks => 2,
        };
        let near = |end: usize, step: usize| if end == 0 { step } else { self.size() - 1 - step };
        let block = |file_end: usize, rank_end: usize| {
            let mut squares: Vec<Square> = (0..depth * depth)
                .filter_map(|step| Square::new(near(file_end, step % depth), near(rank_end, step / depth)))
                .collect();
            squares.sort_unstable();
            squares
        };
        [(0, 0), (0, 1), (1, 0), (1, 1)].iter().map(|(file, rank)| block(*file, *rank)).collect()
    }

    /// The squares on which the king wins.
    #[must_use]
    pub fn goals(&self) -> Vec<Square> {
        match self.goal {
            Goal::Corner => {
                let mut squares: Vec<Square> = self.corner_blocks().into_iter().flatten().collect();
                squares.sort_unstable();
                squares
            }
            Goal::Edge => all_squares(self.size()).filter(|square| square.is_edge(self.size())).collect(),
        }
    }
}

/// Every square of a board, in the order of their names.
pub fn all_squares(size: usize) -> impl Iterator<Item = Square> {
    (0..size * size).filter_map(move |place| Square::new(place / size, place % size))
}
