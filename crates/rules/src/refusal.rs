//! Why an input is refused: a stable code and the facts, without a sentence in any language.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::square::{Outcome, Side};

/// A refused position text, move text or move. Sentences are made from it where people read them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A stable `snake_case` word.
    pub code: &'static str,
    /// The facts, by name.
    pub parameters: Vec<(&'static str, String)>,
}

impl Refusal {
    /// A refusal without facts.
    #[must_use]
    pub const fn new(code: &'static str) -> Self {
        Self { code, parameters: Vec::new() }
    }

    /// Creates the refusal of anything in a game that is over.
    pub(crate) fn game_over(outcome: Outcome) -> Self {
        let winner = outcome.winner.map_or("none", Side::name);
        Self::new("game_over").with("winner", winner).with("reason", outcome.reason.name())
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.parameters.push((name, value.to_string()));
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.code)?;
        for (place, (name, value)) in self.parameters.iter().enumerate() {
            write!(out, "{} {name} = {value}", if place == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for Refusal {}

/// Shortens a piece of input for an error message, and makes visible what a terminal would obey or hide.
#[must_use]
pub(crate) fn shown(input: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = input
        .chars()
        .take(LONGEST)
        .map(|letter| if is_unseen(letter) { '\u{fffd}' } else { letter })
        .collect();
    if input.chars().count() > LONGEST {
        short.push('…');
    }
    short
}

/// Whether a character moves the cursor, turns the writing direction, or takes no place.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2066}'..='\u{2069}' | '\u{feff}')
}
