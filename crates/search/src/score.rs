//! Scores: the evaluation in hundredths of a soldier, and wins by their distance in plies.

use hnefi_rules::{Outcome, Side};

/// A score, from the point of view of the side named where it is used.
pub type Score = i32;

/// The score of a won game. A win in n plies is `WIN - n`.
pub const WIN: Score = 32_000;
/// The least score of a proven win. Its distance to `WIN` is the length of the win.
pub const PROVEN: Score = WIN - 1_000;
/// Bound of the evaluation and of tactics that prove nothing.
pub(crate) const MAX_HEURISTIC_SCORE: Score = 20_000;
/// Greater than every score.
pub(crate) const INFINITE: Score = WIN + 1;
/// The deepest line searched, in plies.
pub(crate) const MAX_PLY: usize = 200;

/// Returns the score for a side of a game that ended `ply` plies from the root.
#[inline]
pub(crate) fn of_outcome(outcome: Outcome, side: Side, ply: usize) -> Score {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply as Score,
        Some(_) => ply as Score - WIN,
    }
}

/// Returns the length of a proven win in plies: positive if the side wins, negative if it loses; `None` if nothing is
/// proven.
#[must_use]
pub fn win_in(score: Score) -> Option<i32> {
    if score >= PROVEN {
        return Some(WIN - score);
    }
    (score <= -PROVEN).then_some(-WIN - score)
}

/// Converts a score for the attackers to one for a side, or back.
#[inline]
#[must_use]
pub const fn for_side(score: Score, side: Side) -> Score {
    match side {
        Side::Attackers => score,
        Side::Defenders => -score,
    }
}
