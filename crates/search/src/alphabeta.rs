//! The search: principal variation search with all that tafl needs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hnefi_rules::Outcome;
use hnefi_rules::Side;
use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;

use crate::busy::{Busy, SHARED_DEPTH};
use crate::evaluate::Evaluate;
pub(crate) use crate::moves::each_step;
use crate::node::{Child, Field, Node, Step};
use crate::order::{Memory, Ranked, TABLE_RANK};
use crate::score::{INFINITE, MAX_PLY, PROVEN, Score, UNPROVEN, WIN, of_outcome};
use crate::table::{Bound, Entry, TranspositionTable};
use crate::team::Team;

/// What a search may do. Everything off, it is plain minimax with a horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// Bounds, null moves, reductions, extensions, quiescence and the table.
    pub is_on: bool,
}

/// Shared between the threads of one search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Set to stop at once.
    pub stop: AtomicBool,
    /// Positions visited by all threads, a little behind.
    pub nodes: AtomicU64,
}

/// How many positions are visited between two looks at the signals.
const BEAT: u64 = 512;

/// One thread's search.
pub(crate) struct Searcher<'a, B: Bits, E> {
    pub(crate) field: &'a Field<'a, B>,
    pub(crate) evaluation: &'a E,
    table: &'a TranspositionTable,
    signals: &'a Signals,
    /// The threads of this search, if they are several.
    team: Option<&'a Team>,
    /// Positions that all threads together may visit.
    pub(crate) node_limit: u64,
    pruning: Pruning,
    pub(crate) memory: Memory,
    /// Keys of occurrences, for repetition: the game's, then the line's.
    pub(crate) occurrences: Vec<u64>,
    pub(crate) moves: Vec<Ranked>,
    /// Moves put off because another thread searches them, with their places in the order.
    pub(crate) deferred: Vec<(Step, usize)>,
    line: Vec<Vec<Step>>,
    pub(crate) nodes: u64,
    pub(crate) deepest: usize,
    pub(crate) is_stopped: bool,
    /// Whether it was stopped because another thread has finished the iteration.
    is_overtaken: bool,
    root_depth: i32,
}

/// Where in the line a node stands.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) ply: usize,
    /// Where in `occurrences` those since the last capture begin.
    pub(crate) since: usize,
    /// The move that led here.
    pub(crate) before: Step,
    pub(crate) may_skip: bool,
}

impl<'a, B: Bits, E: Evaluate<B>> Searcher<'a, B, E> {
    pub(crate) fn new(
        field: &'a Field<'a, B>,
        evaluation: &'a E,
        table: &'a TranspositionTable,
        signals: &'a Signals,
        team: Option<&'a Team>,
        pruning: Pruning,
        occurrences: Vec<u64>,
    ) -> Self {
        Self {
            field,
            evaluation,
            table,
            signals,
            team,
            node_limit: u64::MAX,
            pruning,
            memory: Memory::new(B::WIDTH),
            occurrences,
            moves: Vec::with_capacity(4096),
            deferred: Vec::new(),
            line: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            deepest: 0,
            is_stopped: false,
            is_overtaken: false,
            root_depth: 1,
        }
    }

    /// Positions visited by all threads, a little behind.
    pub(crate) fn visited(&self) -> u64 {
        let by_all = if self.team.is_some() { self.signals.nodes.load(Ordering::Relaxed) } else { 0 };
        by_all.max(self.nodes)
    }

    /// Goes on if the search was stopped only because another thread has finished the iteration.
    pub(crate) fn resume(&mut self) {
        if self.is_overtaken {
            (self.is_stopped, self.is_overtaken) = (false, false);
        }
    }

    /// Searches the moves of the root that are not excluded. Gives the score for the side to move and the best line.
    pub(crate) fn root(
        &mut self,
        node: &Node<B>,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        moves: &mut [Ranked],
    ) -> (Score, Vec<Step>) {
        self.root_depth = depth;
        let threats = node.board.threats(self.field.tables, node.turn);
        let place = Place { ply: 0, since: 0, before: Step::NONE, may_skip: true };
        let (mut best, mut best_line) = (-INFINITE, Vec::new());
        let key = node.table_key(self.field);
        let busy = self.team.map(|team| &team.busy);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut turn = 0;
        while turn < order.len() {
            let index = order[turn];
            turn += 1;
            let step = moves[index].step();
            let name = Busy::name(key, step, depth);
            // Put off once: what another thread searches now it may know later.
            if index > 0 && turn <= moves.len() && busy.is_some_and(|busy| busy.holds(name)) {
                order.push(index);
                continue;
            }
            let before = self.nodes;
            busy.inspect(|busy| busy.begin(name));
            let value = self.try_move(node, &threats, step, place, index, depth, alpha, beta, best, false);
            busy.inspect(|busy| busy.end(name));
            if self.is_stopped {
                break;
            }
            // The size of the subtree orders the moves of the next iteration.
            moves[index] = Ranked::new(step, ((self.nodes - before) >> 3).min(1 << 24) as i32);
            if value > best {
                best = value;
                best_line = self.line_after(0, step);
                moves[index] = Ranked::new(step, TABLE_RANK);
                if value > alpha {
                    alpha = value;
                    for (_, earlier) in moves.iter_mut().enumerate().filter(|(place, _)| *place != index) {
                        if earlier.rank() == TABLE_RANK {
                            *earlier = Ranked::new(earlier.step(), (1 << 25) + index as i32);
                        }
                    }
                }
                if value >= beta {
                    break;
                }
            }
        }
        moves.sort_by_key(|ranked| -ranked.rank());
        (best, best_line)
    }

    fn line_after(&self, ply: usize, step: Step) -> Vec<Step> {
        let mut line = vec![step];
        line.extend_from_slice(&self.line[ply + 1]);
        line
    }

    /// Makes a move and the line after it the line of its position. Where the window is narrow nobody asks for it.
    fn keep_line(&mut self, ply: usize, step: Step) {
        let (above, below) = self.line.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(step);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The value of one move for the side that makes it, by a window that is narrow after the first.
    #[allow(clippy::too_many_arguments)]
    fn try_move(
        &mut self,
        node: &Node<B>,
        threats: &Threats<B>,
        step: Step,
        place: Place,
        index: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        best: Score,
        is_forced: bool,
    ) -> Score {
        let (child, since) = match self.enter(node, threats, step, place) {
            Entered::Over(score) => {
                self.line[place.ply + 1].clear();
                return score;
            }
            Entered::Open(child, since) => (child, since),
        };
        let next = Place { ply: place.ply + 1, since, before: step, may_skip: true };
        let mark = self.mark(&child);
        let same_side = child.node.turn == node.turn;
        let deeper = depth - 1;
        if deeper > 0 {
            self.table.prefetch(child.node.table_key(self.field));
        }
        let mut value = -INFINITE;
        let is_first = index == 0 || !self.pruning.is_on;
        if !is_first {
            let reduction =
                self.reduction(node, step, index, depth, child.captures || is_forced || best <= -PROVEN);
            value = self.below(&child.node, deeper - reduction, alpha, alpha + 1, next, same_side);
            if value > alpha && reduction > 0 {
                value = self.below(&child.node, deeper, alpha, alpha + 1, next, same_side);
            }
        }
        if is_first || (value > alpha && value < beta) {
            value = self.below(&child.node, deeper, alpha, beta, next, same_side);
        }
        self.occurrences.truncate(mark);
        value
    }

    /// Makes a move and finds every end, repetition among them.
    pub(crate) fn enter(
        &mut self,
        node: &Node<B>,
        threats: &Threats<B>,
        step: Step,
        place: Place,
    ) -> Entered<B> {
        let mut child = node.play(self.field, threats, step);
        let ply = place.ply + 1;
        let since = if child.captures { self.occurrences.len() } else { place.since };
        if child.outcome.is_none() {
            child.outcome = self.repeated(&child, child.node.turn, node.turn, since);
        }
        if child.outcome.is_none() {
            child.settle(self.field);
            if child.passed {
                child.outcome = self.repeated(&child, child.node.turn, node.turn, since);
            }
        }
        match child.outcome {
            Some(outcome) => Entered::Over(of_outcome(outcome, node.turn, ply)),
            None => Entered::Open(child, since),
        }
    }

    /// Writes the occurrences of a position down; gives the mark to go back to.
    pub(crate) fn mark(&mut self, child: &Child<B>) -> usize {
        let mark = self.occurrences.len();
        if self.field.tables.law.repetition.count().is_some() {
            self.occurrences.push(child.node.repetition_key());
            if child.passed {
                self.occurrences.push(child.node.repetition_key_of(child.node.turn.opponent()));
            }
        }
        mark
    }

    fn repeated(&self, child: &Child<B>, turn: Side, mover: Side, since: usize) -> Option<Outcome> {
        let rule = self.field.tables.law.repetition;
        let count = rule.count()?;
        if child.captures {
            return None;
        }
        let key = child.node.repetition_key_of(turn);
        let times = 1 + self.occurrences[since..].iter().filter(|other| **other == key).count() as u32;
        (times >= count).then_some(rule.outcome(mover))
    }

    /// The value of a position for the side that moved before it.
    #[inline]
    pub(crate) fn below(
        &mut self,
        node: &Node<B>,
        depth: i32,
        alpha: Score,
        beta: Score,
        place: Place,
        same: bool,
    ) -> Score {
        if same {
            return self.search(node, depth, alpha, beta, place);
        }
        -self.search(node, depth, -beta, -alpha, place)
    }

    fn visit(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes % BEAT == 0 {
            let all = self.signals.nodes.fetch_add(BEAT, Ordering::Relaxed) + BEAT;
            if all >= self.node_limit || self.signals.stop.load(Ordering::Relaxed) {
                self.is_stopped = true;
            } else if self.team.is_some_and(|team| team.has_finished(self.root_depth.unsigned_abs())) {
                (self.is_stopped, self.is_overtaken) = (true, true);
            }
        }
        self.is_stopped
    }

    /// The value of a position for the side to move.
    fn search(&mut self, node: &Node<B>, depth: i32, mut alpha: Score, beta: Score, place: Place) -> Score {
        self.line[place.ply].clear();
        if self.visit(place.ply) {
            return 0;
        }
        if !self.pruning.is_on {
            return self.minimax(node, depth, place);
        }
        let ply = place.ply;
        let tables = self.field.tables;
        if node.king_may_move() && !node.board.open_road_goals(tables).is_empty() {
            return WIN - (ply as Score + 1);
        }
        let threats = node.board.threats(tables, node.turn);
        if self.takes_king(node, &threats) {
            return WIN - (ply as Score + 1);
        }
        if ply + 2 >= MAX_PLY {
            return self.evaluate(node);
        }
        let roads = self.roads(node);
        // A king with an open road leaves the attackers hardly any choice: look one ply further.
        let is_forced = !roads.is_empty();
        let is_extended = is_forced && depth >= 0 && (ply as i32) < 2 * self.root_depth;
        let depth = depth + i32::from(is_extended);
        if depth <= 0 {
            return self.quiesce(node, alpha, beta, place, &threats, roads, -depth);
        }
        // No win from here can be shorter than one ply more: not all wins at once were looked for.
        let beta = beta.min(WIN - (ply as Score + 1));
        if alpha >= beta {
            return beta;
        }
        let is_wide = beta - alpha > 1;
        let key = node.table_key(self.field);
        let known = self.table.probe(key, ply);
        if let Some(score) = known.filter(|_| !is_wide).and_then(|entry| entry.decides(depth, alpha, beta)) {
            return score;
        }
        if !is_wide && !is_forced && depth < 7 && beta.abs() < UNPROVEN {
            let guess = self.evaluate(node);
            if guess - 90 * depth >= beta && depth < 4 {
                return guess;
            }
            if place.may_skip
                && node.board.going().is_none()
                && depth >= 3
                && guess >= beta
                && self.skip_refutes(node, depth, beta, place)
            {
                return beta;
            }
        }
        let mut stages = self.stages(node, known.map(|entry| entry.step), threats.events, roads);
        let (mut best, mut best_step) = (-INFINITE, Step::NONE);
        let original = alpha;
        let busy = self.team.filter(|_| depth >= SHARED_DEPTH).map(|team| &team.busy);
        while let Some((step, index)) = self.next_free(&mut stages, node, place, busy, key, depth) {
            // Another thread may have settled this position while a move was tried.
            if index > 0 && busy.is_some() && !is_wide {
                let known = self.table.probe(key, ply).and_then(|entry| entry.decides(depth, alpha, beta));
                if let Some(score) = known {
                    self.end(&stages);
                    return score;
                }
            }
            let name = Busy::name(key, step, depth);
            busy.inspect(|busy| busy.begin(name));
            let value =
                self.try_move(node, &threats, step, place, index, depth, alpha, beta, best, is_forced);
            busy.inspect(|busy| busy.end(name));
            if self.is_stopped {
                break;
            }
            if value > best {
                (best, best_step) = (value, step);
                if value > alpha {
                    alpha = value;
                    if is_wide {
                        self.keep_line(ply, step);
                    }
                }
                if value >= beta {
                    if !threats.events.meets(B::bit(step.to as usize)) {
                        self.reward(node, &stages, place, step, depth);
                    }
                    break;
                }
            }
        }
        self.end(&stages);
        if !self.is_stopped && best > -INFINITE {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.table.store(key, ply, Entry { step: best_step, score: best, depth, bound });
        }
        best
    }

    /// Whether even doing nothing keeps the score above `beta`. Never asked when a king has a road.
    fn skip_refutes(&mut self, node: &Node<B>, depth: i32, beta: Score, place: Place) -> bool {
        let mut other = *node;
        other.turn = node.turn.opponent();
        if !other.board.can_move(self.field.tables, other.turn) {
            return false;
        }
        self.table.prefetch(other.table_key(self.field));
        let next =
            Place { ply: place.ply + 1, since: self.occurrences.len(), before: Step::NONE, may_skip: false };
        let value = -self.search(&other, depth - 3 - depth / 4, -beta, 1 - beta, next);
        !self.is_stopped && value >= beta && value < PROVEN
    }

    fn reduction(&self, node: &Node<B>, step: Step, index: usize, depth: i32, is_tactical: bool) -> i32 {
        if depth < 3 || index < 3 || is_tactical {
            return 0;
        }
        let worth = self.memory.history(node.turn as usize, step);
        let by_place = quarter_log(depth.unsigned_abs()) * quarter_log(index as u32) / 64;
        let reduction = by_place - i32::from(worth > 1 << 17) + i32::from(worth < -(1 << 17));
        reduction.clamp(0, depth - 2)
    }

    pub(crate) fn evaluate(&self, node: &Node<B>) -> Score {
        let score = self.evaluation.evaluate(self.field.tables, &node.board, node.turn, node.standing);
        if node.turn == Side::Attackers { score } else { -score }
    }
}

/// Four times the binary logarithm, in whole numbers, so that every machine reduces alike.
const fn quarter_log(number: u32) -> i32 {
    let whole = number.ilog2();
    (4 * whole + ((number << 2 >> whole) & 3)) as i32
}

/// What a move leads into.
pub(crate) enum Entered<B: Bits> {
    /// The end, with its score for the mover.
    Over(Score),
    /// A position, and where the occurrences that count for it begin.
    Open(Child<B>, usize),
}
