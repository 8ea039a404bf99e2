//! Principal variation search with the transposition table, reverse futility pruning, null-move pruning, late move
//! reductions and an extension for open roads.
//!
//! The constants were chosen together by test matches while the search was written; those that were varied on their
//! own say so. docs/measurements/search.md has what was measured, and what was tried and rejected.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Threats;

use crate::move_ordering::{BEST_MOVE_SCORE, HISTORY_LIMIT, ScoredMove};
use crate::node::{Node, PackedMove};
use crate::parallel::{CurrentlySearching, DEFER_MIN_DEPTH};
use crate::score::{INFINITE, MAX_HEURISTIC_SCORE, MAX_PLY, PROVEN, Score, WIN};
use crate::searcher::{PathInfo, Searcher, Successor};
use crate::transposition_table::{Bound, Entry};

/// Greatest depth of reverse futility pruning and null-move pruning, in plies. Not measured separately.
const STATIC_PRUNING_MAX_DEPTH: i32 = 6;
/// Reverse futility pruning (static null move): a node fails high if the static evaluation exceeds beta by this margin
/// for each ply of depth. Not measured separately.
const RFP_MARGIN: Score = 90;
/// Greatest depth of reverse futility pruning, in plies. Not measured separately.
const RFP_MAX_DEPTH: i32 = 3;
/// Least depth of null-move pruning, in plies. Not measured separately.
const NULL_MOVE_MIN_DEPTH: i32 = 3;
/// Plies by which the search after a null move is shallower, the null move included. Not measured separately.
const NULL_MOVE_REDUCTION: i32 = 3;
/// The null-move reduction grows by one ply for this many plies of depth. Not measured separately.
const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// Least depth of late move reductions, in plies. Not measured separately.
const LMR_MIN_DEPTH: i32 = 3;
/// The first moves of a node are not reduced. Not measured separately.
const LMR_FULL_DEPTH_MOVES: usize = 3;
/// Late move reduction: log2(depth) · log2(move number) · 16 / this, in plies. A third more gained 8 to 34 Elo at 5,000
/// positions a move, nothing at 20,000, and solved fewer tactics (docs/measurements/search.md, "Rejected changes").
const LMR_DIVISOR: i32 = 64;
/// A move with a history score beyond this is reduced by one ply less, below its negative by one more. Not measured
/// separately.
const LMR_HISTORY_THRESHOLD: i32 = HISTORY_LIMIT / 8;
/// Lines are extended up to this multiple of the depth of the iteration. Not measured separately.
const EXTENSION_PLY_FACTOR: i32 = 2;

impl<B: Bits> Searcher<'_, B> {
    /// Searches the given moves of the root. Returns the score for the side to move and the principal variation; sorts
    /// the moves for the next iteration. `found` has the best move as soon as it is known.
    pub(crate) fn search_root(
        &mut self,
        node: &Node<B>,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        moves: &mut [ScoredMove],
    ) -> (Score, Vec<PackedMove>) {
        self.root_depth = depth;
        let threats = node.board.threats(self.context.tables, node.turn);
        let path =
            PathInfo { ply: 0, repetition_start: 0, previous_move: PackedMove::NONE, allow_null_move: true };
        let (mut best, mut best_line) = (-INFINITE, Vec::new());
        let key = node.table_key(self.context);
        let searching = self.shared.map(|shared| &shared.currently_searching);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut next = 0;
        self.lost_moves = 0;
        while next < order.len() {
            let index = order[next];
            next += 1;
            let mv = moves[index].mv();
            let hash = CurrentlySearching::move_hash(key, mv, depth);
            // Deferred once: the other thread may have its result in the table later.
            if index > 0 && next <= moves.len() && searching.is_some_and(|searching| searching.contains(hash))
            {
                order.push(index);
                continue;
            }
            let nodes_before = self.nodes;
            searching.inspect(|searching| searching.insert(hash));
            let value = self.search_move(node, &threats, mv, path, index, depth, alpha, beta, best, false);
            searching.inspect(|searching| searching.remove(hash));
            if self.is_stopped {
                break;
            }
            self.failing_high = None;
            self.lost_moves += usize::from(value <= -PROVEN);
            self.is_failing_low |= index == 0 && value <= alpha;
            // The size of the subtree orders the moves of the next iteration.
            moves[index] = ScoredMove::new(mv, ((self.nodes - nodes_before) >> 3).min(1 << 24) as i32);
            if value > best {
                best = value;
                best_line = self.pv_after(0, mv);
                moves[index] = ScoredMove::new(mv, BEST_MOVE_SCORE);
                if value > alpha {
                    alpha = value;
                    self.is_failing_low = false;
                    self.found = Some((value, best_line.clone()));
                    for (_, earlier) in moves.iter_mut().enumerate().filter(|(other, _)| *other != index) {
                        if earlier.score() == BEST_MOVE_SCORE {
                            *earlier = ScoredMove::new(earlier.mv(), (1 << 25) + index as i32);
                        }
                    }
                }
                if value >= beta {
                    break;
                }
            }
        }
        moves.sort_by_cached_key(|scored| -scored.score());
        (best, best_line)
    }

    /// Returns a move with the principal variation after it.
    fn pv_after(&self, ply: usize, mv: PackedMove) -> Vec<PackedMove> {
        let mut line = vec![mv];
        line.extend_from_slice(&self.pv[ply + 1]);
        line
    }

    /// Sets the principal variation of a ply to a move and the variation after it.
    fn update_pv(&mut self, ply: usize, mv: PackedMove) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Returns the value of one move for the side that makes it: a zero-window search after the first move, with late
    /// move reductions, and a full search where that fails high.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn search_move(
        &mut self,
        node: &Node<B>,
        threats: &Threats<B>,
        mv: PackedMove,
        path: PathInfo,
        index: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        best: Score,
        is_forced: bool,
    ) -> Score {
        let (child, repetition_start) = match self.make_move(node, threats, mv, path) {
            Successor::Terminal(score) => {
                self.pv[path.ply + 1].clear();
                return score;
            }
            Successor::Open(child, repetition_start) => (child, repetition_start),
        };
        let next = PathInfo { ply: path.ply + 1, repetition_start, previous_move: mv, allow_null_move: true };
        let occurrences = self.push_occurrence(&child);
        let same_side = child.node.turn == node.turn;
        let deeper = depth - 1;
        if deeper > 0 {
            self.table.prefetch(child.node.table_key(self.context));
        }
        let mut value = -INFINITE;
        let is_first = index == 0 || !self.may_prune;
        if !is_first {
            let reduction = self.late_move_reduction(
                node,
                mv,
                index,
                depth,
                child.captures || is_forced || best <= -PROVEN,
            );
            value = self.search_child(&child.node, deeper - reduction, alpha, alpha + 1, next, same_side);
            if value > alpha && reduction > 0 {
                value = self.search_child(&child.node, deeper, alpha, alpha + 1, next, same_side);
            }
            if value > alpha && path.ply == 0 && !self.is_stopped {
                self.failing_high = Some((value, mv));
            }
        }
        if is_first || (value > alpha && value < beta) {
            value = self.search_child(&child.node, deeper, alpha, beta, next, same_side);
        }
        self.occurrences.truncate(occurrences);
        value
    }

    /// Returns the value of a child for the side that moved. `same_side` is true if the other side had to pass, or if
    /// the turn goes on.
    #[inline]
    pub(crate) fn search_child(
        &mut self,
        node: &Node<B>,
        depth: i32,
        alpha: Score,
        beta: Score,
        path: PathInfo,
        same_side: bool,
    ) -> Score {
        if same_side {
            return self.search(node, depth, alpha, beta, path);
        }
        -self.search(node, depth, -beta, -alpha, path)
    }

    /// Returns the value of a position for the side to move.
    fn search(&mut self, node: &Node<B>, depth: i32, mut alpha: Score, beta: Score, path: PathInfo) -> Score {
        self.pv[path.ply].clear();
        if self.count_node(path.ply) {
            return 0;
        }
        if !self.may_prune {
            return self.minimax(node, depth, path);
        }
        let ply = path.ply;
        let tables = self.context.tables;
        if node.king_may_move() && !node.board.open_road_goals(tables).is_empty() {
            return WIN - (ply as Score + 1);
        }
        let threats = node.board.threats(tables, node.turn);
        if self.can_capture_king(node, &threats) || (depth >= 0 && self.can_make_fort(node, &threats)) {
            return WIN - (ply as Score + 1);
        }
        if ply + 2 >= MAX_PLY {
            return self.evaluate(node);
        }
        let roads = self.open_roads(node);
        // Extension: an open road leaves the attackers few sensible moves, as a check does in chess.
        let is_forced = !roads.is_empty();
        let is_extended = is_forced && depth >= 0 && (ply as i32) < EXTENSION_PLY_FACTOR * self.root_depth;
        let depth = depth + i32::from(is_extended);
        if depth <= 0 {
            return self.quiescence(node, alpha, beta, path, &threats, roads, -depth);
        }
        // Win distance pruning: no win from here can be shorter than one ply more.
        let beta = beta.min(WIN - (ply as Score + 1));
        if alpha >= beta {
            return beta;
        }
        let is_pv_node = beta - alpha > 1;
        let key = node.table_key(self.context);
        let known = self.table.probe(key, ply);
        if let Some(score) = known.filter(|_| !is_pv_node).and_then(|entry| entry.cutoff(depth, alpha, beta))
        {
            return score;
        }
        if !is_pv_node && !is_forced && !self.may_fort_follow(node) {
            if let Some(score) = self.static_pruning(node, depth, beta, path) {
                return score;
            }
        }
        let evasions = self.evasions(node, &threats, roads);
        let mut picker =
            self.move_picker(node, known.map(|entry| entry.mv), threats.captures, roads.squares, evasions);
        // Of the moves that are no evasions, each loses to the king's next move.
        let lost = -(WIN - (ply as Score + 2));
        let (mut best, mut best_move) = (if evasions.is_some() { lost } else { -INFINITE }, PackedMove::NONE);
        let original_alpha = alpha;
        let searching =
            self.shared.filter(|_| depth >= DEFER_MIN_DEPTH).map(|shared| &shared.currently_searching);
        while let Some((mv, index)) = self.next_move(&mut picker, node, path, searching, key, depth) {
            // Another thread may have stored a result for this position while a move was searched.
            if index > 0 && searching.is_some() && !is_pv_node {
                let known = self.table.probe(key, ply).and_then(|entry| entry.cutoff(depth, alpha, beta));
                if let Some(score) = known {
                    self.end_picking(&picker);
                    return score;
                }
            }
            let hash = CurrentlySearching::move_hash(key, mv, depth);
            searching.inspect(|searching| searching.insert(hash));
            let value =
                self.search_move(node, &threats, mv, path, index, depth, alpha, beta, best, is_forced);
            searching.inspect(|searching| searching.remove(hash));
            if self.is_stopped {
                break;
            }
            if value > best {
                (best, best_move) = (value, mv);
                if value > alpha {
                    alpha = value;
                    if is_pv_node {
                        self.update_pv(ply, mv);
                    }
                }
                if value >= beta {
                    if !threats.captures.intersects(B::bit(mv.to as usize)) {
                        self.record_cutoff(node, &picker, path, mv, depth);
                    }
                    break;
                }
            }
        }
        self.end_picking(&picker);
        if !self.is_stopped && best > -INFINITE {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.table.store(key, ply, Entry { mv: best_move, score: best, depth, bound });
        }
        best
    }

    /// Reverse futility pruning and null-move pruning: returns a score at or above `beta` if the node may be pruned. Never
    /// called while the king has an open road.
    #[inline]
    fn static_pruning(&mut self, node: &Node<B>, depth: i32, beta: Score, path: PathInfo) -> Option<Score> {
        if depth > STATIC_PRUNING_MAX_DEPTH || beta.abs() >= MAX_HEURISTIC_SCORE {
            return None;
        }
        let static_eval = self.evaluate(node);
        if static_eval - RFP_MARGIN * depth >= beta && depth <= RFP_MAX_DEPTH {
            return Some(static_eval);
        }
        let is_pruned = path.allow_null_move
            && node.board.going().is_none()
            && depth >= NULL_MOVE_MIN_DEPTH
            && static_eval >= beta
            && self.null_move_fails_high(node, depth, beta, path);
        is_pruned.then_some(beta)
    }

    /// Null-move pruning: checks whether the score stays at or above `beta` when the side to move passes.
    fn null_move_fails_high(&mut self, node: &Node<B>, depth: i32, beta: Score, path: PathInfo) -> bool {
        let mut passed = *node;
        passed.turn = node.turn.opponent();
        if !passed.board.can_move(self.context.tables, passed.turn) {
            return false;
        }
        self.table.prefetch(passed.table_key(self.context));
        let next = PathInfo {
            ply: path.ply + 1,
            repetition_start: self.occurrences.len(),
            previous_move: PackedMove::NONE,
            allow_null_move: false,
        };
        let reduction = NULL_MOVE_REDUCTION + depth / NULL_MOVE_DEPTH_DIVISOR;
        let value = -self.search(&passed, depth - reduction, -beta, 1 - beta, next);
        !self.is_stopped && value >= beta && value < PROVEN
    }

    /// Returns the late move reduction of a move, in plies.
    fn late_move_reduction(
        &self,
        node: &Node<B>,
        mv: PackedMove,
        index: usize,
        depth: i32,
        is_tactical: bool,
    ) -> i32 {
        if depth < LMR_MIN_DEPTH || index < LMR_FULL_DEPTH_MOVES || is_tactical {
            return 0;
        }
        let history = self.ordering.history(node.turn as usize, mv);
        let by_index = quarter_log2(depth.unsigned_abs()) * quarter_log2(index as u32) / LMR_DIVISOR;
        let reduction = by_index - i32::from(history > LMR_HISTORY_THRESHOLD)
            + i32::from(history < -LMR_HISTORY_THRESHOLD);
        if reduction > 0 && self.may_build_fort(node, mv) { 0 } else { reduction.clamp(0, depth - 2) }
    }
}

/// Returns four times the binary logarithm in integers, so that the search is the same on every machine.
const fn quarter_log2(number: u32) -> i32 {
    let whole = number.ilog2();
    (4 * whole + ((number << 2 >> whole) & 3)) as i32
}
