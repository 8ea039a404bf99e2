//! Analysis of a game: iterative deepening with aspiration windows, over several lines (multi-PV) and threads.

use std::sync::atomic::Ordering;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Position, Side, Width};

use crate::evaluator::Evaluator;
use crate::move_ordering::ScoredMove;
use crate::movegen::for_each_move;
use crate::node::{Node, PackedMove, SearchContext};
use crate::options::{Limit, Options, Signals};
use crate::parallel::{Iteration, SharedState};
use crate::report::{Line, Report};
use crate::score::{INFINITE, PROVEN, Score, WIN};
use crate::searcher::{PathInfo, Searcher, Successor};
use crate::time_budget::TimeBudget;
use crate::transposition_table::TranspositionTable;
use crate::weights::Weights;

/// Half the width of the first aspiration window around the score of the previous iteration. Not measured separately.
const ASPIRATION_WINDOW: Score = 40;
/// Factor by which the window grows when the search fails high or low. Not measured separately.
const ASPIRATION_GROWTH: Score = 4;
/// A window wider than this is opened completely. Not measured separately.
const ASPIRATION_MAX_WINDOW: Score = 2_000;
/// Least depth of an iteration with an aspiration window, in plies. Not measured separately.
const ASPIRATION_MIN_DEPTH: i32 = 4;

/// Analyses a game and returns the last report; an empty one if the game is over.
///
/// Calls `on_report` after every finished iteration, and at the end if an unfinished one found a better move or a new
/// score of the best. Stops when the limit is reached, `signals.stop` is set, or the outcome is proven. There is always a
/// line, even if the search is stopped at once.
pub fn analyse(
    game: &Game,
    weights: &Weights,
    table: &TranspositionTable,
    signals: &Signals,
    limit: Limit,
    options: &Options,
    on_report: &mut (dyn FnMut(&Report) + Send),
) -> Report {
    if game.turn().is_none() {
        return Report::default();
    }
    table.new_search();
    let position = game.position();
    let on_report = &mut |report: &Report| on_report(&report.clone().completed(game));
    position.in_width(Analysis { game, weights, table, signals, limit, options, on_report }).completed(game)
}

struct Analysis<'a> {
    game: &'a Game,
    weights: &'a Weights,
    table: &'a TranspositionTable,
    signals: &'a Signals,
    limit: Limit,
    options: &'a Options,
    on_report: &'a mut (dyn FnMut(&Report) + Send),
}

impl Width for Analysis<'_> {
    type Output = Report;

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Report {
        let position = self.game.position();
        let evaluation = Evaluator::new(tables, self.game.rules(), self.weights);
        let mut context = SearchContext::new(tables, self.game.rules())
            .with_piece_square_scores(&evaluation)
            .with_weights_in_keys(self.weights);
        context.open_roads_win = open_roads_win(self.game, tables.has_group_captures);
        let node = Node::new(&context, board, position.turn(), position.quiet());
        let mut moves = Vec::new();
        for_each_move(&context, &node, |mv| {
            if self.options.moves.is_empty()
                || mv.to_move::<B>().is_some_and(|mv| self.options.moves.contains(&mv))
            {
                moves.push(ScoredMove::new(mv, 0));
            }
        });
        let shared = (self.options.threads > 1).then(SharedState::new);
        let budget = TimeBudget::new(self.options.clock, &self.limit);
        let searcher = || {
            let occurrences = self.game.recent_keys();
            let Self { table, signals, options, .. } = self;
            let shared = shared.as_ref();
            let mut searcher =
                Searcher::new(&context, &evaluation, table, signals, shared, options.may_prune, occurrences);
            searcher.node_limit = self.limit.nodes.unwrap_or(u64::MAX);
            searcher
        };
        let iterative_deepening = IterativeDeepening {
            node: &node,
            limit: self.limit,
            options: self.options,
            shared: shared.as_ref(),
        };
        let (mut report, mut partial) = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.options.threads)
                .map(|_| {
                    let (mut helper, moves, deepening) = (searcher(), moves.clone(), &iterative_deepening);
                    let budget = budget.for_helper();
                    scope.spawn(move || deepening.run(&mut helper, moves, budget, &mut |_| {}).1)
                })
                .collect();
            let mut first = searcher();
            let (report, partial) =
                iterative_deepening.run(&mut first, moves, budget.clone(), self.on_report);
            self.signals.stop.store(true, Ordering::Relaxed);
            let others = helpers.into_iter().filter_map(|helper| helper.join().ok().flatten());
            let others = others.filter(|_| first.is_stopped);
            (report, others.chain(partial).max_by_key(|partial| (partial.depth, partial.score)))
        });
        if let Some(shared) = &shared {
            let last = shared.last();
            if last.depth > report.depth && !last.lines.is_empty() {
                (report.depth, report.lines) = (last.depth, last.lines);
                partial = partial.filter(|partial| partial.depth > last.depth);
            }
        }
        if let Some(partial) = partial.filter(|partial| partial.depth > report.depth && report.depth > 0) {
            report.lines = iterative_deepening.merged(partial.lines, report.lines);
            report.time_ms = budget.spent_ms();
            (self.on_report)(&report);
        }
        report
    }
}

/// Checks whether the king wins on every open road that the attackers neither close nor answer by a capture.
///
/// Not where a turn may have several captures, of which the second may close the road; nor where a group capture may take
/// the last defenders from far away; nor where a position in which the king overlooked a road may be repeated.
fn open_roads_win(game: &Game, has_group_captures: bool) -> bool {
    let law = game.rules().law();
    if law.is_special() || (law.guards_captured && has_group_captures) {
        return false;
    }
    let overlooks =
        |position: &Position| position.turn() == Side::Defenders && !position.open_roads().is_empty();
    !(law.repetition.count().is_some()
        && game.positions().iter().rev().take(game.quiet() as usize + 1).any(overlooks))
}

/// What an unfinished iteration has found: the best lines, and the score of the first for the side to move.
struct Partial {
    depth: u32,
    score: Score,
    lines: Vec<Line>,
}

/// Iterative deepening of one thread; all threads of a search run it alike.
struct IterativeDeepening<'a, B: Bits> {
    node: &'a Node<B>,
    limit: Limit,
    options: &'a Options,
    shared: Option<&'a SharedState>,
}

impl<B: Bits> IterativeDeepening<'_, B> {
    /// Searches deeper and deeper, and returns the last report, and what the iteration after it found.
    fn run(
        &self,
        searcher: &mut Searcher<'_, B>,
        mut moves: Vec<ScoredMove>,
        mut budget: TimeBudget,
        on_report: &mut dyn FnMut(&Report),
    ) -> (Report, Option<Partial>) {
        let mut report = Report::default();
        let deepest = self.limit.depth.unwrap_or(u32::MAX).clamp(1, crate::score::MAX_PLY as u32 / 2);
        let mut depth = 1;
        let mut partial = None;
        while depth <= deepest {
            searcher.deadlines = budget.deadlines();
            let lines = self.iterate(searcher, &mut moves, depth as i32, &report);
            let mut iteration = Iteration { depth, lines, moves: std::mem::take(&mut moves) };
            searcher.resume();
            if searcher.is_stopped {
                partial = self.partial(searcher, depth, &iteration.lines);
            }
            if iteration.lines.len() < self.wanted(iteration.moves.len()) && !report.lines.is_empty() {
                iteration.lines.clear();
            }
            let is_forced = budget.is_for_play()
                && !searcher.is_stopped
                && self.wanted(iteration.moves.len()) == 1
                && searcher.lost_moves + 1 >= iteration.moves.len();
            if let Some(shared) = self.shared.filter(|_| !searcher.is_stopped) {
                iteration = shared.publish(iteration);
            }
            let is_usable = !searcher.is_stopped || report.lines.is_empty();
            if is_usable && !iteration.lines.is_empty() {
                report.depth = iteration.depth;
                report.lines = iteration.lines;
            }
            (depth, moves) = (iteration.depth + 1, iteration.moves);
            report.deepest = searcher.deepest as u32;
            report.nodes = searcher.visited();
            report.time_ms = budget.spent_ms();
            if is_usable {
                on_report(&report);
            }
            if let Some((line, mv)) = report.lines.first().zip(moves.first()) {
                budget.update(mv.mv(), self.for_mover(line.score));
            }
            if searcher.is_stopped || is_forced || self.is_enough(&report) || budget.is_late() {
                break;
            }
        }
        if report.lines.is_empty() {
            // Stopped before the first move was searched: any moves, with the static evaluation.
            let score = self.for_mover(searcher.evaluate(self.node));
            let any = moves.iter().filter_map(|scored| scored.mv().to_move::<B>());
            report.lines =
                any.take(self.options.lines.max(1)).map(|mv| Line { score, moves: vec![mv] }).collect();
        }
        (report, partial)
    }

    /// Returns how many lines are searched, of so many moves.
    fn wanted(&self, moves: usize) -> usize {
        self.options.lines.clamp(1, moves.max(1))
    }

    /// Returns what an iteration found before it was stopped, with the lines it has finished. Of several lines none counts
    /// where positions limit the search, since levels compare lines of one depth. A loss by one line does not count,
    /// since other moves may avoid it.
    fn partial(&self, searcher: &mut Searcher<'_, B>, depth: u32, finished: &[Line]) -> Option<Partial> {
        if self.options.lines > 1 {
            let score = self.for_mover(finished.first()?.score);
            return self.limit.nodes.is_none().then(|| Partial { depth, score, lines: finished.to_vec() });
        }
        let failing_high = searcher.failing_high.take().map(|(score, mv)| (score, vec![mv]));
        let (score, mut line) = failing_high.or_else(|| searcher.found.take())?;
        if line.len() == 1 {
            line = self.line_from_table(searcher, line[0], depth);
        }
        let moves = line.iter().map_while(|mv| mv.to_move::<B>()).collect();
        let lines = vec![Line { score: self.for_mover(score), moves }];
        (score > -PROVEN).then_some(Partial { depth, score, lines })
    }

    /// Returns the lines of an unfinished iteration, then those of the finished one with other moves. These are no better,
    /// so that their scores are bounded by the last of the former.
    fn merged(&self, mut lines: Vec<Line>, finished: Vec<Line>) -> Vec<Line> {
        let wanted = finished.len();
        let most = lines.last().map_or(INFINITE, |line| self.for_mover(line.score));
        for Line { score, moves } in finished {
            if lines.len() < wanted && lines.iter().all(|line| line.moves.first() != moves.first()) {
                lines.push(Line { score: self.for_mover(self.for_mover(score).min(most)), moves });
            }
        }
        lines
    }

    /// Returns a move of the root with the line after it, at most `depth` plies, as far as the table knows it: a search
    /// that fails high keeps no line.
    fn line_from_table(&self, searcher: &mut Searcher<'_, B>, mv: PackedMove, depth: u32) -> Vec<PackedMove> {
        let (mut line, mut node, context) = (vec![mv], *self.node, searcher.context);
        let mut path =
            PathInfo { ply: 0, repetition_start: 0, previous_move: PackedMove::NONE, allow_null_move: true };
        let occurrences = searcher.occurrences.len();
        while line.len() < depth as usize {
            let threats = node.board.threats(context.tables, node.turn);
            let mv = line[path.ply];
            let Successor::Open(child, repetition_start) = searcher.make_move(&node, &threats, mv, path)
            else {
                break;
            };
            searcher.push_occurrence(&child);
            node = child.node;
            path = PathInfo { ply: path.ply + 1, repetition_start, ..path };
            let known = searcher.table.probe(node.table_key(context), path.ply).map(|entry| entry.mv);
            let mut is_legal = false;
            for_each_move(context, &node, |mv| is_legal |= Some(mv) == known);
            line.extend(known.filter(|_| is_legal));
            if !is_legal {
                break;
            }
        }
        searcher.occurrences.truncate(occurrences);
        line
    }

    /// Checks whether another iteration could change nothing, or exceeds the limit of positions.
    fn is_enough(&self, report: &Report) -> bool {
        let is_decided = report
            .lines
            .iter()
            .all(|line| line.score.abs() >= PROVEN && WIN - line.score.abs() <= report.depth as Score);
        let is_spent = self.limit.nodes.is_some_and(|nodes| report.nodes >= nodes);
        (is_decided && !report.lines.is_empty()) || is_spent
    }

    /// Searches one depth: the best line, then the best of the other moves, and so on (multi-PV). Returns fewer lines if it
    /// was stopped.
    fn iterate(
        &self,
        searcher: &mut Searcher<'_, B>,
        moves: &mut [ScoredMove],
        depth: i32,
        report: &Report,
    ) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let wanted = self.wanted(moves.len());
        (searcher.found, searcher.failing_high, searcher.is_failing_low) = (None, None, false);
        for index in 0..wanted {
            let previous = report.lines.get(index).map(|line| self.for_mover(line.score));
            let (score, pv) =
                self.search_with_aspiration_window(searcher, &mut moves[index..], depth, previous);
            if pv.is_empty() || (searcher.is_stopped && !(report.lines.is_empty() && depth == 1)) {
                break;
            }
            let best = moves[index..].iter().position(|scored| scored.mv() == pv[0]).unwrap_or(0);
            moves[index..=index + best].rotate_right(1);
            let moves = pv.iter().map_while(|mv| mv.to_move::<B>()).collect();
            lines.push(Line { score: self.for_mover(score), moves });
        }
        lines.sort_by_cached_key(|line| -self.for_mover(line.score));
        lines
    }

    /// Searches with a window around the previous score, and with wider ones while it fails high or low.
    fn search_with_aspiration_window(
        &self,
        searcher: &mut Searcher<'_, B>,
        moves: &mut [ScoredMove],
        depth: i32,
        previous: Option<Score>,
    ) -> (Score, Vec<PackedMove>) {
        let mut margin = ASPIRATION_WINDOW;
        let has_window = depth >= ASPIRATION_MIN_DEPTH && self.options.may_prune;
        let (mut alpha, mut beta) = match previous.filter(|_| has_window) {
            Some(score) if score.abs() < PROVEN => (score - margin, score + margin),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let (score, line) = searcher.search_root(self.node, depth, alpha, beta, moves);
            if searcher.is_stopped
                || (score > alpha && score < beta)
                || (alpha, beta) == (-INFINITE, INFINITE)
            {
                return (score, line);
            }
            margin *= ASPIRATION_GROWTH;
            if margin > ASPIRATION_MAX_WINDOW {
                (alpha, beta) = (-INFINITE, INFINITE);
            } else if score <= alpha {
                alpha = score - margin;
            } else {
                beta = score + margin;
            }
        }
    }

    /// Converts a score for the side to move to one for the attackers, or back.
    fn for_mover(&self, score: Score) -> Score {
        if self.node.turn == Side::Attackers { score } else { -score }
    }
}
