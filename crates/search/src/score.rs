//! Scores: centipoints of evaluation, and wins counted in plies.

use hnefi_rules::{Outcome, Side};

/// A score from the side of whoever is named beside it.
pub type Score = i32;

/// The score of a won game. A win in n plies is `WIN - n`.
pub const WIN: Score = 32_000;
/// Scores from here on are wins whose length is known.
pub const PROVEN: Score = WIN - 1_000;
/// The best that evaluation and unproven tactics may say.
pub(crate) const UNPROVEN: Score = 20_000;
/// Beyond every score.
pub(crate) const INFINITE: Score = WIN + 1;
/// The deepest line looked at, in plies.
pub(crate) const MAX_PLY: usize = 200;

/// The score of a finished game, `ply` plies from the root, for a side.
#[inline]
pub(crate) fn of_outcome(outcome: Outcome, side: Side, ply: usize) -> Score {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply as Score,
        Some(_) => ply as Score - WIN,
    }
}

/// The length of a proven win in plies: positive if the side wins, negative if it loses; `None` if nothing is proven.
#[must_use]
pub fn win_in(score: Score) -> Option<i32> {
    if score >= PROVEN {
        return Some(WIN - score);
    }
    (score <= -PROVEN).then_some(-WIN - score)
}
