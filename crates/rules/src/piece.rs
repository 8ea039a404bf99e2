//! Sides and pieces.

use crate::named::named;

named! {
    /// One of the two sides.
    ///
    /// ```
    /// use hnefi_rules::Side;
    ///
    /// assert_eq!(Side::Attackers.opponent(), Side::Defenders);
    /// assert_eq!(Side::Attackers.name(), "attackers");
    /// ```
    Side {
        /// The besiegers.
        Attackers = "attackers",
        /// The king and his soldiers.
        Defenders = "defenders",
    }
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }
}

named! {
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
    Piece {
        /// A soldier of the besiegers.
        Attacker = "attacker",
        /// A soldier of the king.
        Defender = "defender",
        /// The king.
        King = "king",
        /// A commander of the besiegers.
        AttackerCommander = "attacker_commander",
        /// A knight of the besiegers.
        AttackerKnight = "attacker_knight",
        /// A commander of the king's side.
        DefenderCommander = "defender_commander",
        /// A knight of the king's side.
        DefenderKnight = "defender_knight",
        /// A renegade on the besiegers' side.
        AttackerRenegade = "attacker_renegade",
        /// A renegade on the king's side.
        DefenderRenegade = "defender_renegade",
    }
}

impl Piece {
    /// The kinds that the rules name, in the order of their lists.
    pub const KINDS: [Self; 3] = [Self::Attacker, Self::Defender, Self::King];
    const LETTERS: [char; Self::ALL.len()] = ['t', 'T', 'K', 'c', 'n', 'C', 'N', 'r', 'R'];

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
