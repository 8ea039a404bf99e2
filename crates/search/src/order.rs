//! The order in which moves are tried.

use crate::node::Step;
use crate::score::MAX_PLY;

/// A move with its rank in the order, in one number: greater is earlier, and no two are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ranked(i64);

impl Ranked {
    #[inline(always)]
    pub(crate) const fn new(step: Step, rank: i32) -> Self {
        Self((rank as i64) << 32 | step.packed() as i64)
    }

    #[inline(always)]
    // The step lies in the lower half, which has no sign.
    #[allow(clippy::cast_sign_loss)]
    pub(crate) const fn step(self) -> Step {
        Step::unpacked(self.0 as u64)
    }

    pub(crate) const fn rank(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// Moves that are sought out one by one; the rest, which a node comes to only if nothing refutes, is sorted at once.
const SOUGHT: usize = 4;

/// Brings the best of the moves not yet tried forward, and gives it.
#[inline]
pub(crate) fn next_move(moves: &mut [Ranked], index: usize) -> Step {
    let rest = &mut moves[index..];
    if index < SOUGHT {
        let mut best = 0;
        for place in 1..rest.len() {
            if rest[place] > rest[best] {
                best = place;
            }
        }
        rest.swap(0, best);
    } else if index == SOUGHT {
        rest.sort_unstable_by(|one, other| other.cmp(one));
    }
    rest[0].step()
}

pub(crate) const TABLE_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 28;
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

    /// Quiet moves that were good in other positions at this place, best first. Perhaps impossible here.
    #[inline]
    pub(crate) fn remembered(&self, side: usize, ply: usize, before: Step) -> [Step; 3] {
        let [one, two] = self.killers[ply];
        [one, two, self.counters[side * self.width + before.to as usize]]
    }

    /// The rank of a move among those of its stage.
    #[inline(always)]
    pub(crate) fn rank(&self, side: usize, step: Step, is_capture: bool) -> i32 {
        self.history(side, step) + if is_capture { CAPTURE_RANK } else { 0 }
    }

    /// The worth of a quiet move so far, between -1 and 1 (times 2^20).
    #[inline(always)]
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
        for other in tried.iter().map(|other| other.step()).filter(|other| *other != best) {
            self.add(side, other, -bonus);
        }
    }

    /// Adds to a worth so that it never leaves its bounds.
    fn add(&mut self, side: usize, step: Step, bonus: i32) {
        let place = self.place(side, step);
        let worth = &mut self.history[place];
        *worth += bonus - (i64::from(*worth) * i64::from(bonus.abs()) / i64::from(HISTORY_LIMIT)) as i32;
    }
}
