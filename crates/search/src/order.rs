//! The order in which moves are tried.

use crate::node::Step;
use crate::score::MAX_PLY;

/// A move with its rank in the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub(crate) step: Step,
    pub(crate) rank: i32,
}

pub(crate) const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 28;
const BLOCK_RANK: i32 = 1 << 27;
const KILLER_RANK: i32 = 1 << 26;
const COUNTER_RANK: i32 = 1 << 25;
const HISTORY_LIMIT: i32 = 1 << 20;

/// What the search remembers of moves that were good elsewhere.
#[derive(Debug)]
pub(crate) struct Memory {
    killers: Vec<[Step; 2]>,
    /// The best answer to a move, by its destination and the side that answers.
    counters: Vec<Step>,
    /// By side, origin and destination.
    history: Vec<i32>,
    width: usize,
}

impl Memory {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            killers: vec![[Step::NONE; 2]; MAX_PLY + 2],
            counters: vec![Step::NONE; 2 * width],
            history: vec![0; 2 * width * width],
            width,
        }
    }

    fn place(&self, side: usize, step: Step) -> usize {
        (side * self.width + step.from as usize) * self.width + step.to as usize
    }

    /// The rank of a move that is not the table's.
    #[inline]
    pub(crate) fn rank(
        &self,
        side: usize,
        ply: usize,
        before: Step,
        step: Step,
        is_capture: bool,
        blocks: bool,
    ) -> i32 {
        let history = self.history[self.place(side, step)];
        if is_capture {
            return CAPTURE_RANK + history;
        }
        if blocks {
            return BLOCK_RANK + history;
        }
        if self.killers[ply].contains(&step) {
            return KILLER_RANK + i32::from(self.killers[ply][0] == step);
        }
        if self.counters[side * self.width + before.to as usize] == step {
            return COUNTER_RANK;
        }
        history
    }

    /// The worth of a quiet move so far, between -1 and 1 (times 2^20).
    pub(crate) fn history(&self, side: usize, step: Step) -> i32 {
        self.history[self.place(side, step)]
    }

    /// Remembers a quiet move that refuted the one before, and those tried in vain.
    pub(crate) fn reward(
        &mut self,
        side: usize,
        ply: usize,
        before: Step,
        best: Step,
        tried: &[Ranked],
        depth: i32,
    ) {
        if self.killers[ply][0] != best {
            self.killers[ply][1] = self.killers[ply][0];
            self.killers[ply][0] = best;
        }
        self.counters[side * self.width + before.to as usize] = best;
        let bonus = (depth * depth * 64).min(HISTORY_LIMIT / 8);
        self.add(side, best, bonus);
        for other in tried.iter().filter(|other| other.step != best) {
            self.add(side, other.step, -bonus);
        }
    }

    /// Adds to a worth so that it never leaves its bounds.
    fn add(&mut self, side: usize, step: Step, bonus: i32) {
        let place = self.place(side, step);
        let worth = &mut self.history[place];
        *worth += bonus - (i64::from(*worth) * i64::from(bonus.abs()) / i64::from(HISTORY_LIMIT)) as i32;
    }
}
