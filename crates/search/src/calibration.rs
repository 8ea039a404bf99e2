//! The expected result of a score under a set of rules.

use crate::score::win_in;

/// Converts scores to expected results. Measured by `hnefi lab calibrate`, or a default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Calibration {
    /// The difference in score that multiplies the odds of a win by e.
    pub scale: f64,
    /// The score at which both sides have the same expected result.
    pub offset: f64,
    /// The distance above the offset at which the attackers win half of the games, below it the defenders.
    pub margin: f64,
    /// How far the expected results were from those of held-out games; `None` if no games of these rules were measured.
    pub spread: Option<f64>,
}

impl Default for Calibration {
    /// Returns the medians of seven rule sets (docs/measurements/weights.md), for rules that none was measured for.
    fn default() -> Self {
        Self { scale: 140.0, offset: 0.0, margin: 120.0, spread: None }
    }
}

impl Calibration {
    /// Returns how often the attackers win at a score, from 0 to 1.
    #[must_use]
    pub fn wins(&self, score: f64) -> f64 {
        logistic((score - self.offset - self.margin) / self.scale)
    }

    /// Returns how often the attackers win or draw at a score, from 0 to 1.
    #[must_use]
    pub fn holds(&self, score: f64) -> f64 {
        logistic((score - self.offset + self.margin) / self.scale)
    }

    /// Returns the uncertainty of the expected result at a score; 0 if a win is proven.
    #[must_use]
    pub fn spread_at(&self, score: i32) -> Option<f64> {
        if win_in(score).is_some() { Some(0.0) } else { self.spread }
    }

    /// Returns the expected result of the attackers, draws counting half; 0 or 1 if a win is proven.
    #[must_use]
    pub fn chances(&self, score: i32) -> f64 {
        match win_in(score) {
            Some(plies) => f64::from(plies > 0),
            None => f64::midpoint(self.wins(f64::from(score)), self.holds(f64::from(score))),
        }
    }
}

/// Returns 1 / (1 + e⁻ˣ), bounded so that it is never exactly 0 or 1.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x.clamp(-30.0, 30.0)).exp())
}
