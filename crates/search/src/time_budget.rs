//! The time of a search: the most it may use, and what it uses as a rule.

use crate::clock::Clock;
use crate::node::PackedMove;
use crate::options::Limit;
use crate::score::Score;

/// The share of the usual time that is used, in percent, by the number of iterations for which the best move has been
/// the same. Not measured separately.
const STABLE_PERCENT: [u32; 6] = [160, 130, 110, 95, 80, 70];
/// A score that is worse than that of the previous iteration by this counts as a change of the best move. Not measured
/// separately.
const FALL: Score = 40;
/// No iteration begins when this share of the time to use is spent, in percent: it would hardly search its first move.
/// Only where the time that is left serves later moves. Not measured separately.
const LATEST_START_PERCENT: u32 = 70;

/// The moments at which a search stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadlines {
    clock: Clock,
    /// The search always stops then.
    last: f64,
    /// It stops then unless the best move so far turns out to be worse than it was.
    usual: f64,
}

impl Deadlines {
    /// Checks whether the search has to stop.
    pub(crate) fn have_passed(&self, is_failing_low: bool) -> bool {
        let now = self.clock.now();
        now >= self.last || (now >= self.usual && !is_failing_low)
    }
}

/// The time of a search.
#[derive(Clone, Debug)]
pub(crate) struct TimeBudget {
    clock: Clock,
    start: f64,
    most_ms: Option<f64>,
    usual_ms: Option<f64>,
    /// The best move and its score after the last iteration, and for how many iterations it has been the best.
    best: Option<(PackedMove, Score)>,
    stable: usize,
}

impl TimeBudget {
    pub(crate) fn new(clock: Clock, limit: &Limit) -> Self {
        Self {
            clock,
            start: clock.now(),
            most_ms: limit.time_ms.map(|time| time as f64),
            usual_ms: limit.usual_ms.map(|time| time as f64),
            best: None,
            stable: 0,
        }
    }

    /// Returns the budget of a thread that helps another one, which stops it.
    pub(crate) fn for_helper(&self) -> Self {
        Self { usual_ms: None, ..self.clone() }
    }

    /// Returns the time spent, in milliseconds.
    pub(crate) fn spent_ms(&self) -> u64 {
        (self.clock.now() - self.start) as u64
    }

    /// Checks whether the move is to be played as soon as it is known.
    pub(crate) fn is_for_play(&self) -> bool {
        self.usual_ms.is_some()
    }

    /// Takes the best move after an iteration and its score for the side to move.
    pub(crate) fn update(&mut self, mv: PackedMove, score: Score) {
        let is_stable = self.best.is_some_and(|(best, before)| best == mv && score > before - FALL);
        self.stable = if is_stable { self.stable + 1 } else { 0 };
        self.best = Some((mv, score));
    }

    /// Returns the time to use if all goes on as it is, in milliseconds; `None` for no limit.
    fn target_ms(&self) -> Option<f64> {
        let most = self.most_ms.unwrap_or(f64::INFINITY);
        let Some(usual) = self.usual_ms.filter(|usual| *usual < most) else { return self.most_ms };
        let percent = STABLE_PERCENT[self.stable.min(STABLE_PERCENT.len() - 1)];
        Some((usual * f64::from(percent) / 100.0).min(most))
    }

    /// Returns the deadlines of the next iteration; `None` without a limit.
    pub(crate) fn deadlines(&self) -> Option<Deadlines> {
        let usual = self.start + self.target_ms()?;
        let last = self.most_ms.map_or(f64::INFINITY, |most| self.start + most);
        Some(Deadlines { clock: self.clock, last, usual })
    }

    /// Checks whether no further iteration should begin.
    pub(crate) fn is_late(&self) -> bool {
        let Some(target) = self.target_ms() else { return false };
        let saves = self.usual_ms.is_some_and(|usual| self.most_ms.is_none_or(|most| usual < most));
        let percent = if saves { LATEST_START_PERCENT } else { 100 };
        self.clock.now() - self.start >= target * f64::from(percent) / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: PackedMove = PackedMove { from: 1, to: 2 };
    const OTHER: PackedMove = PackedMove { from: 1, to: 3 };

    fn budget(time_ms: Option<u64>, usual_ms: Option<u64>) -> TimeBudget {
        TimeBudget::new(Clock(|| 0.0), &Limit { time_ms, usual_ms, ..Limit::default() })
    }

    #[test]
    fn a_stable_move_takes_less_time_and_a_new_or_falling_one_more() {
        let mut budget = budget(Some(1_000), Some(200));
        let mut targets = Vec::new();
        for (best, score) in
            [(MOVE, 0), (MOVE, 0), (MOVE, 5), (MOVE, 0), (MOVE, -100), (MOVE, -100), (OTHER, -90)]
        {
            budget.update(best, score);
            targets.push(budget.target_ms().unwrap_or(0.0));
        }
        assert_eq!(targets, [320.0, 260.0, 220.0, 190.0, 320.0, 260.0, 320.0]);
    }

    #[test]
    fn time_for_one_move_is_used_whether_the_move_is_stable_or_not() {
        for usual in [None, Some(500), Some(900)] {
            let mut budget = budget(Some(500), usual);
            for _ in 0..9 {
                budget.update(MOVE, 0);
                assert_eq!(budget.target_ms(), Some(500.0));
            }
        }
        assert!(budget(None, None).deadlines().is_none());
    }
}
