//! Sides and pieces.

/// One of the two sides.
///
/// ```
/// use hnefi_rules::Side;
///
/// assert_eq!(Side::Attackers.opponent(), Side::Defenders);
/// assert_eq!(Side::Attackers.name(), "attackers");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The besiegers.
    Attackers,
    /// The king and his soldiers.
    Defenders,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Attackers, Self::Defenders];

    /// Returns the other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }

    /// Returns its name in data: `attackers` or `defenders`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attackers => "attackers",
            Self::Defenders => "defenders",
        }
    }
}

/// A piece: its kind and its side.
///
/// The first three are the kinds that the lists and maps of the rules name, in their order. Commanders, knights and
/// renegades are soldiers of their side, except for their jumps, for the capture of the king by commanders, and for
/// captured renegades, who change sides.
///
/// ```
/// use hnefi_rules::{Piece, Side};
///
/// let knight = Piece::from_letter('n').unwrap();
/// assert_eq!(knight, Piece::AttackerKnight);
/// assert_eq!(knight.side(), Side::Attackers);
/// assert_eq!(knight.as_kind(), Piece::Attacker);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// A soldier of the besiegers.
    Attacker,
    /// A soldier of the king.
    Defender,
    /// The king.
    King,
    /// A commander of the besiegers.
    AttackerCommander,
    /// A knight of the besiegers.
    AttackerKnight,
    /// A commander of the king's side.
    DefenderCommander,
    /// A knight of the king's side.
    DefenderKnight,
    /// A renegade on the besiegers' side.
    AttackerRenegade,
    /// A renegade on the king's side.
    DefenderRenegade,
}

impl Piece {
    /// The kinds that the rules name, in the order of their lists.
    pub const KINDS: [Self; 3] = [Self::Attacker, Self::Defender, Self::King];
    /// The number of pieces.
    pub const COUNT: usize = 9;
    /// All pieces.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Attacker,
        Self::Defender,
        Self::King,
        Self::AttackerCommander,
        Self::AttackerKnight,
        Self::DefenderCommander,
        Self::DefenderKnight,
        Self::AttackerRenegade,
        Self::DefenderRenegade,
    ];
    const LETTERS: [char; Self::COUNT] = ['t', 'T', 'K', 'c', 'n', 'C', 'N', 'r', 'R'];

    /// Returns the side it belongs to.
    #[must_use]
    #[inline(always)]
    pub const fn side(self) -> Side {
        match self {
            Self::Attacker | Self::AttackerCommander | Self::AttackerKnight | Self::AttackerRenegade => {
                Side::Attackers
            }
            _ => Side::Defenders,
        }
    }

    /// Returns the kind the rules treat it as: the soldier of its side if it has a rank.
    #[must_use]
    #[inline(always)]
    pub const fn as_kind(self) -> Self {
        match self {
            Self::AttackerCommander | Self::AttackerKnight | Self::AttackerRenegade => Self::Attacker,
            Self::DefenderCommander | Self::DefenderKnight | Self::DefenderRenegade => Self::Defender,
            other => other,
        }
    }

    /// Checks whether it has a rank: whether it is a commander, a knight or a renegade.
    #[must_use]
    pub const fn is_special(self) -> bool {
        self as usize >= Self::KINDS.len()
    }

    /// Returns its letter in position texts.
    #[must_use]
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// Returns the piece of a letter in position texts.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let index = Self::LETTERS.iter().position(|other| *other == letter)?;
        Some(Self::ALL[index])
    }

    /// Returns its name in data, such as `attacker_knight`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
            Self::King => "king",
            Self::AttackerCommander => "attacker_commander",
            Self::AttackerKnight => "attacker_knight",
            Self::DefenderCommander => "defender_commander",
            Self::DefenderKnight => "defender_knight",
            Self::AttackerRenegade => "attacker_renegade",
            Self::DefenderRenegade => "defender_renegade",
        }
    }

    /// Returns its name among the parts of a setup: `attackers`, `defenders`, `king`, or the name of its rank.
    #[must_use]
    pub const fn part(self) -> &'static str {
        if self.is_special() { self.name() } else { self.kind() }
    }

    /// Returns the name of its kind in the rule tree: `attackers`, `defenders` or `king`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self.as_kind() {
            Self::Attacker => "attackers",
            Self::King => "king",
            _ => "defenders",
        }
    }
}
