//! Move ordering: scored moves, killer moves, counter-moves and the history heuristic.

use crate::node::PackedMove;
use crate::score::MAX_PLY;

/// A move with its ordering score, in one number: greater is earlier, and no two moves of a position compare equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    #[inline(always)]
    pub(crate) const fn new(mv: PackedMove, score: i32) -> Self {
        Self((score as i64) << 32 | mv.to_bits() as i64)
    }

    #[inline(always)]
    // The move lies in the lower half, which has no sign.
    pub(crate) const fn mv(self) -> PackedMove {
        PackedMove::from_bits(self.0 as u64)
    }

    pub(crate) const fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

/// Moves picked one by one (selection sort). The rest is sorted at once: a node that gets there rarely has a cutoff.
/// Measured with staged move picking: docs/measurements/search.md, "Strength".
const SELECTION_SORT_MOVES: usize = 4;

/// Moves the best of the moves from `index` on to `index`, and returns it.
#[inline]
pub(crate) fn pick_best(moves: &mut [ScoredMove], index: usize) -> PackedMove {
    let rest = &mut moves[index..];
    if index < SELECTION_SORT_MOVES {
        let mut best = 0;
        for candidate in 1..rest.len() {
            if rest[candidate] > rest[best] {
                best = candidate;
            }
        }
        rest.swap(0, best);
    } else if index == SELECTION_SORT_MOVES {
        rest.sort_unstable_by(|one, other| other.cmp(one));
    }
    rest[0].mv()
}

/// Ordering score of the best move of the previous iteration at the root.
pub(crate) const BEST_MOVE_SCORE: i32 = 1 << 30;
/// Ordering score of captures, above every history score.
const CAPTURE_SCORE: i32 = 1 << 28;
/// Bound of history scores.
pub(crate) const HISTORY_LIMIT: i32 = 1 << 20;
/// History bonus of a move that caused a cutoff: this times depth squared. Not measured separately.
const HISTORY_BONUS: i32 = 64;
/// Largest history bonus of one cutoff. Not measured separately.
const HISTORY_MAX_BONUS: i32 = HISTORY_LIMIT / 8;
/// Killer moves kept for each ply. Not measured separately.
const KILLERS: usize = 2;

/// Quiet moves that caused cutoffs elsewhere in the tree. Each thread has its own: a history shared by the threads
/// changed nothing (1.85 beside 1.87, docs/measurements/search.md).
#[derive(Debug)]
pub(crate) struct OrderingHeuristics {
    /// Killer moves, by ply.
    killers: Vec<[PackedMove; KILLERS]>,
    /// Counter-moves: the last refutation of a move, by the side that answers and the destination of the move.
    counter_moves: Vec<PackedMove>,
    /// History scores, by side, origin and destination.
    history: Vec<i32>,
    width: usize,
}

impl OrderingHeuristics {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            killers: vec![[PackedMove::NONE; KILLERS]; MAX_PLY + 2],
            counter_moves: vec![PackedMove::NONE; 2 * width],
            history: vec![0; 2 * width * width],
            width,
        }
    }

    fn history_index(&self, side: usize, mv: PackedMove) -> usize {
        (side * self.width + mv.from as usize) * self.width + mv.to as usize
    }

    /// Returns the killer moves of a ply and the counter-move, best first. They may be illegal here.
    #[inline]
    pub(crate) fn refutations(&self, side: usize, ply: usize, previous_move: PackedMove) -> [PackedMove; 3] {
        let [first_killer, second_killer] = self.killers[ply];
        [first_killer, second_killer, self.counter_moves[side * self.width + previous_move.to as usize]]
    }

    /// Returns the ordering score of a move within its stage.
    #[inline(always)]
    pub(crate) fn move_score(&self, side: usize, mv: PackedMove, is_capture: bool) -> i32 {
        self.history(side, mv) + if is_capture { CAPTURE_SCORE } else { 0 }
    }

    /// Returns the history score of a move, within ±`HISTORY_LIMIT`.
    #[inline(always)]
    pub(crate) fn history(&self, side: usize, mv: PackedMove) -> i32 {
        self.history[self.history_index(side, mv)]
    }

    /// Updates killers, counter-move and history after a quiet move caused a cutoff.
    ///
    /// The moves tried before it lose the history that it gains.
    pub(crate) fn record_cutoff(
        &mut self,
        side: usize,
        ply: usize,
        previous_move: PackedMove,
        best: PackedMove,
        tried: &[ScoredMove],
        depth: i32,
    ) {
        if self.killers[ply][0] != best {
            self.killers[ply][1] = self.killers[ply][0];
            self.killers[ply][0] = best;
        }
        self.counter_moves[side * self.width + previous_move.to as usize] = best;
        let bonus = (depth * depth * HISTORY_BONUS).min(HISTORY_MAX_BONUS);
        self.update_history(side, best, bonus);
        for other in tried.iter().map(|scored| scored.mv()).filter(|other| *other != best) {
            self.update_history(side, other, -bonus);
        }
    }

    /// Adds a bonus with gravity: the nearer a score is to its limit, the less is added.
    fn update_history(&mut self, side: usize, mv: PackedMove, bonus: i32) {
        let index = self.history_index(side, mv);
        let score = &mut self.history[index];
        *score += bonus - (i64::from(*score) * i64::from(bonus.abs()) / i64::from(HISTORY_LIMIT)) as i32;
    }
}
