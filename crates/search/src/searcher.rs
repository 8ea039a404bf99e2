//! The state of one search thread: making moves, repetition, limits and the static evaluation.

use std::sync::atomic::Ordering;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;
use hnefi_rules::law::Repetition;
use hnefi_rules::{Outcome, Side};

use crate::evaluator::Evaluator;
use crate::move_ordering::{OrderingHeuristics, ScoredMove};
use crate::network_evaluation::NetworkState;
use crate::node::{Child, Node, PackedMove, SearchContext};
use crate::options::Signals;
use crate::parallel::SharedState;
use crate::score::{MAX_PLY, Score, of_outcome};
use crate::time_budget::Deadlines;
use crate::transposition_table::TranspositionTable;

/// Positions visited between two checks of the signals.
const POLL_INTERVAL: u64 = 512;

/// One thread of a search.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Searcher<'a, B: Bits> {
    pub(crate) context: &'a SearchContext<'a, B>,
    pub(crate) evaluation: &'a Evaluator<B>,
    /// What the evaluation keeps from one position to the next.
    evaluation_state: Option<NetworkState<B>>,
    pub(crate) table: &'a TranspositionTable,
    signals: &'a Signals,
    /// State shared with other threads; `None` if there is one thread.
    pub(crate) shared: Option<&'a SharedState>,
    /// Positions that all threads together may visit.
    pub(crate) node_limit: u64,
    pub(crate) deadlines: Option<Deadlines>,
    pub(crate) may_prune: bool,
    pub(crate) ordering: OrderingHeuristics,
    /// Repetition keys of the positions that occurred: in the game, then in the current line.
    pub(crate) occurrences: Vec<u64>,
    /// Stack of the moves listed at the nodes of the current line.
    pub(crate) moves: Vec<ScoredMove>,
    /// Stack of moves deferred because another thread searches them, with their move numbers.
    pub(crate) deferred: Vec<(PackedMove, usize)>,
    /// Principal variations, by ply (triangular table).
    pub(crate) pv: Vec<Vec<PackedMove>>,
    pub(crate) nodes: u64,
    pub(crate) deepest: usize,
    pub(crate) is_stopped: bool,
    /// Whether it was stopped because another thread has finished the iteration.
    is_overtaken: bool,
    pub(crate) root_depth: i32,
    /// The best line that the current iteration has found, with its score or a lower bound.
    pub(crate) found: Option<(Score, Vec<PackedMove>)>,
    /// The move of the root that is being searched, if it is better than `found`, with a lower bound of its score.
    pub(crate) failing_high: Option<(Score, PackedMove)>,
    /// Whether the first move of the root is worse than expected and no better one has been found.
    pub(crate) is_failing_low: bool,
    /// Moves of the root that lose by force, as far as the current pass over them has come.
    pub(crate) lost_moves: usize,
}

/// The path from the root to a node.
#[derive(Clone, Copy)]
pub(crate) struct PathInfo {
    pub(crate) ply: usize,
    /// Index in `occurrences` of the first position since the last capture.
    pub(crate) repetition_start: usize,
    /// The move that led here.
    pub(crate) previous_move: PackedMove,
    /// False right after a null move: two in a row would only lower the depth.
    pub(crate) allow_null_move: bool,
}

/// The result of a move in the search.
pub(crate) enum Successor<B: Bits> {
    /// The end of the game, with its score for the side that moved.
    Terminal(Score),
    /// A position, and the `repetition_start` that holds for it.
    Open(Child<B>, usize),
}

impl<'a, B: Bits> Searcher<'a, B> {
    pub(crate) fn new(
        context: &'a SearchContext<'a, B>,
        evaluation: &'a Evaluator<B>,
        table: &'a TranspositionTable,
        signals: &'a Signals,
        shared: Option<&'a SharedState>,
        may_prune: bool,
        occurrences: Vec<u64>,
    ) -> Self {
        Self {
            context,
            evaluation,
            evaluation_state: evaluation.new_state(),
            table,
            signals,
            shared,
            node_limit: u64::MAX,
            deadlines: None,
            may_prune,
            ordering: OrderingHeuristics::new(B::WIDTH),
            occurrences,
            moves: Vec::with_capacity(4096),
            deferred: Vec::new(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            deepest: 0,
            is_stopped: false,
            is_overtaken: false,
            root_depth: 1,
            found: None,
            failing_high: None,
            is_failing_low: false,
            lost_moves: 0,
        }
    }

    /// Returns the positions visited by all threads, up to `POLL_INTERVAL` behind for each other thread.
    pub(crate) fn visited(&self) -> u64 {
        let by_all = if self.shared.is_some() { self.signals.nodes.load(Ordering::Relaxed) } else { 0 };
        by_all.max(self.nodes)
    }

    /// Clears the stop if its only cause is that another thread has finished the iteration.
    pub(crate) fn resume(&mut self) {
        if self.is_overtaken {
            (self.is_stopped, self.is_overtaken) = (false, false);
        }
    }

    /// Counts a node, and returns whether the search has to stop.
    pub(crate) fn count_node(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes % POLL_INTERVAL == 0 {
            let all = self.signals.nodes.fetch_add(POLL_INTERVAL, Ordering::Relaxed) + POLL_INTERVAL;
            if all >= self.node_limit || self.signals.stop.load(Ordering::Relaxed) || self.is_out_of_time() {
                self.is_stopped = true;
            } else if self.shared.is_some_and(|shared| shared.has_finished(self.root_depth.unsigned_abs())) {
                (self.is_stopped, self.is_overtaken) = (true, true);
            }
        }
        self.is_stopped
    }

    fn is_out_of_time(&self) -> bool {
        self.deadlines.is_some_and(|deadlines| deadlines.have_passed(self.is_failing_low))
    }

    /// Makes a move and detects every end of the game, repetition included.
    pub(crate) fn make_move(
        &mut self,
        node: &Node<B>,
        threats: &Threats<B>,
        mv: PackedMove,
        path: PathInfo,
    ) -> Successor<B> {
        let mut child = node.play(self.context, threats, mv);
        let ply = path.ply + 1;
        let repetition_start = if child.captures { self.occurrences.len() } else { path.repetition_start };
        if child.outcome.is_none() {
            child.outcome = self.repetition_outcome(&child, node.turn, repetition_start);
        }
        if child.outcome.is_none() {
            child.finish_turn(self.context);
            if child.passed {
                child.outcome = self.repetition_outcome(&child, node.turn, repetition_start);
            }
        }
        match child.outcome {
            Some(outcome) => Successor::Terminal(of_outcome(outcome, node.turn, ply)),
            None => Successor::Open(child, repetition_start),
        }
    }

    /// Records the occurrence of a position; returns the length to truncate `occurrences` to when the move is unmade.
    pub(crate) fn push_occurrence(&mut self, child: &Child<B>) -> usize {
        let length = self.occurrences.len();
        if self.context.tables.law.repetition.count().is_some() {
            if child.passed {
                self.occurrences.push(child.node.repetition_key_of(child.node.turn.opponent()));
            }
            self.occurrences.push(child.node.repetition_key());
        }
        length
    }

    fn repetition_outcome(&self, child: &Child<B>, mover: Side, repetition_start: usize) -> Option<Outcome> {
        let rule = self.context.tables.law.repetition;
        let count = rule.count()?;
        if child.captures {
            return None;
        }
        let key = child.node.repetition_key();
        let earlier = &self.occurrences[repetition_start..];
        let occurrences = match rule {
            Repetition::DrawInARow(_) => {
                let passed = child.passed.then(|| child.node.repetition_key_of(child.node.turn.opponent()));
                let line = || [key].into_iter().chain(passed).chain(earlier.iter().rev().copied());
                Repetition::occurrences_in_a_row(|back| line().nth(back))
            }
            _ => 1 + earlier.iter().filter(|other| **other == key).count() as u32,
        };
        (occurrences >= count).then_some(rule.outcome(mover))
    }

    /// Returns the static evaluation for the side to move.
    pub(crate) fn evaluate(&mut self, node: &Node<B>) -> Score {
        let score = self.evaluation.evaluate(
            &mut self.evaluation_state,
            self.context.tables,
            &node.board,
            node.turn,
            node.piece_square_score,
        );
        if node.turn == Side::Attackers { score } else { -score }
    }
}
