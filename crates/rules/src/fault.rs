//! Faults of a rule tree: kind, path and facts, without a sentence in any language.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::refusal::shorten;

/// One fault of a rule tree.
///
/// Programs that show it make a sentence from the kind and the facts.
///
/// ```
/// use hnefi_rules::Rules;
///
/// let tree = include_str!("../tests/brandub-globe.json").replace("\"throne\": \"centre\"", "\"throne\": \"none\"");
/// let faults = Rules::from_json(&tree).unwrap_err();
/// assert_eq!(faults[0].kind, "needs_throne");
/// assert_eq!(faults[0].facts[0], ("key", "board.throne".to_string()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The family: `bad_json`, `unknown_key`, `missing_key`, `wrong_type`, `wrong_value`, `wrong_start` or
    /// `contradiction`.
    pub code: &'static str,
    /// The exact fault, such as `needs_throne`; the code itself if that is exact enough.
    pub kind: &'static str,
    /// The key or the element at fault, such as `board.camps.0`.
    pub path: String,
    /// Numbers, squares and values, by name. `found` and `expected` hold values of the key itself.
    pub facts: Vec<(&'static str, String)>,
}

impl Fault {
    pub(crate) fn new(code: &'static str, kind: &'static str, path: &str) -> Self {
        Self { code, kind, path: path.to_string(), facts: Vec::new() }
    }

    /// Creates the fault of a key with a value that is not allowed: the value found, and the allowed values.
    pub(crate) fn of_value(
        code: &'static str,
        path: &str,
        found: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::new(code, code, path).with("found", found).with("expected", expected)
    }

    /// Returns the fault with one more fact. Long values are shortened.
    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        let value = value.to_string();
        // The allowed values come from the schema, so they are not shortened.
        self.facts.push((name, if name == "expected" { value } else { shorten(&value) }));
        self
    }
}
