//! Depth-first proof-number search (df-pn, Nagai 2002) over positions with the quiet plies that remain.
//!
//! The state searched is a position with the plies that may still pass without a capture. Every move lowers that number
//! or the material, so no line comes back to a state, and stored results never depend on the path (no graph-history
//! interaction). Unsolved numbers are stored for each position *and* counter: with one entry for all counters of a position
//! they would replace each other without end. Solved states hold more widely: won with r plies left is won with more, not
//! won with r is not won with fewer.
//!
//! Under rules without a quiet limit the prover uses a limit of its own. Its wins still hold: along a line the least
//! number of plies with which a position is won falls strictly, so no position repeats.
//!
//! Searches with a depth limit alternate with one without: the first find short wins in which a quiet move prepares a
//! threat, the other finds long chases. All share one table.
//!
//! Most moves are never made. Where the other side threatens to win at once, only moves that may answer the threat are
//! generated; without any, the position is lost. The counts of moves initialise the numbers (mobility).

use std::sync::atomic::Ordering;

use hnefi_rules::Side;
use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;

use crate::movegen::for_each_move;
use crate::node::Node;
use crate::proof_table::{INFINITE, Number, Numbers, State, UNLIMITED_DEPTH};
use crate::prover::{Branch, Prover};

/// The least depth limit of the searches that alternate, in plies. Not measured separately.
const MIN_DEPTH: u16 = 3;
/// Positions each search expands in its first turn. Not measured separately.
const FIRST_TURN_NODES: u64 = 1_000;
/// Factor by which the turns grow. Not measured separately.
const TURN_GROWTH: u64 = 4;
/// Thresholds exceed the second best number by 1 / this of it, so that the search does not switch between two moves all
/// the time (1 + ε trick, Pawlewicz and Lew 2007). Not measured separately.
const THRESHOLD_EPSILON_DIVISOR: Number = 4;
/// Positions expanded between two checks of the signals.
const POLL_INTERVAL: u64 = 256;

/// The numbers of a state, the index of its most proving branch, and the second best number.
struct Combined {
    numbers: Numbers,
    best: usize,
    second: Number,
}

impl<B: Bits> Prover<'_, B> {
    /// Alternates between searches of several depths until one solves the root. Returns the numbers of the last.
    pub(crate) fn alternate(&mut self, root: &Node<B>) -> Numbers {
        let mut turn_nodes = FIRST_TURN_NODES;
        let mut depths: Vec<u16> = Vec::new();
        let mut next = MIN_DEPTH + u16::from(!self.is_winner(root.turn));
        loop {
            depths.push(next);
            next += 2;
            for depth in core::iter::once(UNLIMITED_DEPTH).chain(depths.clone()) {
                self.node_limit = self.budget.min(self.nodes + turn_nodes);
                self.is_stopped = false;
                let numbers = self.expand(root, depth, INFINITE, INFINITE);
                let is_over = self.nodes >= self.budget || self.signals.stop.load(Ordering::Relaxed);
                if numbers.proof == 0 || (depth == UNLIMITED_DEPTH && numbers.disproof == 0) {
                    return numbers;
                }
                if is_over {
                    return Numbers { proof: 1, disproof: 1 };
                }
                if numbers.disproof == 0 {
                    depths.retain(|other| *other != depth);
                }
            }
            turn_nodes *= TURN_GROWTH;
        }
    }

    /// Solves a state. Returns whether it is won; `None` if the search was stopped.
    pub(crate) fn solve(&mut self, node: &Node<B>, depth: u16) -> Option<bool> {
        let numbers = if depth == UNLIMITED_DEPTH {
            self.alternate(node)
        } else {
            self.node_limit = self.budget;
            self.is_stopped = self.nodes >= self.budget;
            self.expand(node, depth, INFINITE, INFINITE)
        };
        numbers.is_solved().then_some(numbers.proof == 0)
    }

    /// Searches a state, `depth` plies deep, until one of its numbers reaches its threshold.
    fn expand(
        &mut self,
        node: &Node<B>,
        depth: u16,
        proof_threshold: Number,
        disproof_threshold: Number,
    ) -> Numbers {
        let state = State { key: node.repetition_key(), remaining: self.remaining(node.quiet), depth };
        if let Some(numbers) = self.table.probe(state).filter(|numbers| numbers.is_solved()) {
            return numbers;
        }
        self.nodes += 1;
        if self.nodes % POLL_INTERVAL == 0 || self.nodes >= self.node_limit {
            if let Some(pace) = &mut self.pace {
                pace.keep(&self.signals.stop);
            }
            let has_signal = self.signals.stop.load(Ordering::Relaxed);
            self.is_stopped = has_signal || self.nodes >= self.node_limit;
        }
        let nodes_before = self.nodes;
        let begin = self.branches.len();
        let threats = node.board.threats(self.context.tables, node.turn);
        let below = shallower(depth);
        let mut solved = self.generate_branches(node, &threats, below);
        loop {
            let combined = match solved {
                Some(numbers) => Combined { numbers, best: 0, second: 0 },
                None => self.combine(node, begin),
            };
            let numbers = combined.numbers;
            let is_done = numbers.proof >= proof_threshold || numbers.disproof >= disproof_threshold;
            if is_done || self.is_stopped || numbers.is_solved() {
                self.branches.truncate(begin);
                self.table.store(state, numbers, self.nodes - nodes_before + 1);
                return numbers;
            }
            let branch = self.branches[begin + combined.best];
            let next_best = combined
                .second
                .saturating_add(combined.second / THRESHOLD_EPSILON_DIVISOR)
                .saturating_add(1)
                .min(INFINITE);
            let rest = |threshold: Number, sum: Number, part: Number| {
                (threshold.saturating_sub(sum) + part).min(INFINITE)
            };
            let next = self.child(node, &threats, branch.mv).node;
            let result = if self.is_winner(node.turn) {
                let threshold = rest(disproof_threshold, numbers.disproof, branch.numbers.disproof);
                self.expand(&next, below, proof_threshold.min(next_best), threshold)
            } else {
                let threshold = rest(proof_threshold, numbers.proof, branch.numbers.proof);
                self.expand(&next, below, threshold, disproof_threshold.min(next_best))
            };
            if !result.is_solved() {
                self.branches[begin + combined.best].numbers = result;
            } else if (result.proof == 0) == self.is_winner(node.turn) {
                solved = Some(result);
            } else {
                self.branches.swap_remove(begin + combined.best);
            }
        }
    }

    /// Pushes the unsolved moves of a state on `branches`; returns the result if one move decides the state.
    fn generate_branches(&mut self, node: &Node<B>, threats: &Threats<B>, below: u16) -> Option<Numbers> {
        let is_winner = self.is_winner(node.turn);
        let info = self.quiet_move_info(node, threats);
        let king = if node.turn == Side::Defenders { node.board.king } else { B::EMPTY };
        let has_indirect_answers = self.static_rules.has_indirect_answers[node.turn as usize];
        let mut solved = None;
        for_each_move(self.context, node, |mv| {
            let is_answer =
                info.answers.intersects(B::bit(mv.to as usize)) || king.intersects(B::bit(mv.from as usize));
            if solved.is_some() || (!is_answer && !has_indirect_answers) {
                return;
            }
            let numbers = if let Some(numbers) = self.static_eval_move(node, &info, mv, below) {
                numbers
            } else {
                let child = self.child(node, threats, mv);
                if !is_answer && !child.captures && child.outcome.is_none() {
                    return;
                }
                self.static_eval_child(&child, below)
            };
            if !numbers.is_solved() {
                self.branches.push(Branch { mv, numbers });
            } else if (numbers.proof == 0) == is_winner {
                solved = Some(numbers);
            }
        });
        solved
    }

    /// Returns the numbers of a state from those of its unsolved moves: at an OR node the least proof number and the sum of
    /// the disproof numbers, at an AND node the reverse.
    fn combine(&self, node: &Node<B>, begin: usize) -> Combined {
        let is_or_node = self.is_winner(node.turn);
        let (mut best, mut first, mut second, mut sum) = (0, INFINITE, INFINITE, 0_u32);
        for (index, branch) in self.branches[begin..].iter().enumerate() {
            let Numbers { proof, disproof } = branch.numbers;
            let (least, summed) = if is_or_node { (proof, disproof) } else { (disproof, proof) };
            sum = sum.saturating_add(summed);
            if least < first {
                (best, second, first) = (index, first, least);
            } else if least < second {
                second = least;
            }
        }
        let sum = sum.min(INFINITE);
        let numbers = if is_or_node {
            Numbers { proof: first, disproof: sum }
        } else {
            Numbers { proof: sum, disproof: first }
        };
        Combined { numbers, best, second }
    }
}

/// Returns the depth of the searches below a search.
pub(crate) const fn shallower(depth: u16) -> u16 {
    if depth == UNLIMITED_DEPTH { depth } else { depth.saturating_sub(1) }
}
