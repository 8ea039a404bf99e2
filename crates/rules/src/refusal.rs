//! Refusals of moves and positions: a stable code and the facts, without a sentence in any language.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::piece::Side;
use crate::square::Outcome;

/// The reason for which a position text, a move text or a move is refused.
///
/// ```
/// use hnefi_rules::{Game, Rules, parse_move};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let (mv, _) = parse_move("d4-d5")?;
/// let refusal = Game::new(rules).play(mv).unwrap_err();
/// assert_eq!(refusal.to_string(), "not_your_piece: square = d4, piece = king, turn = attackers");
/// # Ok::<(), hnefi_rules::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A stable `snake_case` word.
    pub code: &'static str,
    /// The facts, by name.
    pub parameters: Vec<(&'static str, String)>,
}

impl Refusal {
    /// Creates a refusal without facts.
    #[must_use]
    pub const fn new(code: &'static str) -> Self {
        Self { code, parameters: Vec::new() }
    }

    /// Creates the refusal of a move in a game that is over.
    pub(crate) fn game_over(outcome: Outcome) -> Self {
        let winner = outcome.winner.map_or("none", Side::name);
        Self::new("game_over").with("winner", winner).with("reason", outcome.reason.name())
    }

    /// Returns the refusal with one more fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.parameters.push((name, value.to_string()));
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.code)?;
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            write!(out, "{} {name} = {value}", if index == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for Refusal {}

/// Creates the refusal of a part of a position: the number of its row, if it has one, what was found and expected.
pub(crate) fn bad_position(
    part: &str,
    row: impl ToString,
    found: impl ToString,
    expected: impl ToString,
) -> Refusal {
    let refusal = Refusal::new("bad_position").with("part", part).with("row", row);
    refusal.with("found", shorten(&found.to_string())).with("expected", expected)
}

/// Shortens input for an error message, and replaces control characters and invisible ones.
#[must_use]
pub(crate) fn shorten(input: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = input
        .chars()
        .take(LONGEST)
        .map(|letter| if is_invisible(letter) { '\u{fffd}' } else { letter })
        .collect();
    if input.chars().count() > LONGEST {
        short.push('…');
    }
    short
}

/// Checks whether a character moves the cursor, changes the writing direction, or has no width.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2066}'..='\u{2069}' | '\u{feff}')
}
