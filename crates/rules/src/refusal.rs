//! Why an input is refused: a stable code and the facts, without a sentence in any language.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

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

/// Shortens a piece of input for an error message.
#[must_use]
pub(crate) fn shown(input: &str) -> String {
    const LONGEST: usize = 60;
    if input.chars().count() <= LONGEST {
        return input.to_string();
    }
    let mut short: String = input.chars().take(LONGEST).collect();
    short.push('…');
    short
}
