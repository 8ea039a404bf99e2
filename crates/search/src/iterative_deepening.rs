//! Analysis of a game: iterative deepening with aspiration windows, over several lines (multi-PV) and threads.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Side, Width};

use crate::evaluation::Evaluation;
use crate::move_ordering::ScoredMove;
use crate::movegen::for_each_move;
use crate::node::{Node, PackedMove, SearchContext};
use crate::options::{Limit, Options, Signals};
use crate::parallel::{Iteration, SharedState};
use crate::report::{Line, Report};
use crate::score::{INFINITE, PROVEN, Score, WIN};
use crate::searcher::Searcher;
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
/// No iteration begins when this share of the time is used: 1 / this. Not measured separately.
const LATEST_START: u64 = 2;

/// Analyses a game and returns the last report; an empty one if the game is over.
///
/// Calls `on_report` after every finished iteration. Stops when the limit is reached, `signals.stop` is set, or the
/// outcome is proven. There is always a line, even if the search is stopped at once.
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
    position.in_width(Analysis { game, weights, table, signals, limit, options, on_report })
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
        let evaluation = Evaluation::new(tables, self.weights);
        let context = SearchContext::new(tables, self.game.rules())
            .with_piece_square_scores(&evaluation)
            .with_weights_in_keys(self.weights);
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
        let searcher = || {
            let occurrences = self.game.recent_keys();
            let Self { table, signals, options, .. } = self;
            let shared = shared.as_ref();
            let mut searcher =
                Searcher::new(&context, &evaluation, table, signals, shared, options.pruning, occurrences);
            searcher.node_limit = self.limit.nodes.unwrap_or(u64::MAX);
            searcher
        };
        let timer = Timer::default();
        let start = Instant::now();
        let deadline = self.limit.time_ms.map(|time| start + Duration::from_millis(time));
        let iterative_deepening = IterativeDeepening {
            node: &node,
            start,
            limit: self.limit,
            options: self.options,
            shared: shared.as_ref(),
        };
        std::thread::scope(|scope| {
            if let Some(deadline) = deadline {
                let (timer, signals) = (&timer, self.signals);
                scope.spawn(move || timer.stop_at(deadline, signals));
            }
            for _ in 1..self.options.threads {
                let (mut helper, moves, deepening) = (searcher(), moves.clone(), &iterative_deepening);
                scope.spawn(move || deepening.run(&mut helper, moves, &mut |_| {}));
            }
            let mut first = searcher();
            let result = iterative_deepening.run(&mut first, moves, self.on_report);
            self.signals.stop.store(true, Ordering::Relaxed);
            timer.cancel();
            result
        })
    }
}

/// Sets the stop signal at a deadline, unless it is cancelled before.
#[derive(Default)]
struct Timer {
    is_cancelled: Mutex<bool>,
    wake: Condvar,
}

impl Timer {
    fn stop_at(&self, deadline: Instant, signals: &Signals) {
        let mut is_cancelled = self.is_cancelled.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_cancelled {
            let now = Instant::now();
            if now >= deadline {
                signals.stop.store(true, Ordering::Relaxed);
                return;
            }
            let waited = self.wake.wait_timeout(is_cancelled, deadline - now);
            is_cancelled = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn cancel(&self) {
        *self.is_cancelled.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_all();
    }
}

/// Iterative deepening of one thread; all threads of a search run it alike.
struct IterativeDeepening<'a, B: Bits> {
    node: &'a Node<B>,
    start: Instant,
    limit: Limit,
    options: &'a Options,
    shared: Option<&'a SharedState>,
}

impl<B: Bits> IterativeDeepening<'_, B> {
    /// Searches deeper and deeper, and returns the last report.
    fn run(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        mut moves: Vec<ScoredMove>,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        let mut report = Report::default();
        let deepest = self.limit.depth.unwrap_or(u32::MAX).clamp(1, crate::score::MAX_PLY as u32 / 2);
        let mut depth = 1;
        while depth <= deepest {
            let lines = self.iterate(searcher, &mut moves, depth as i32, &report);
            let mut iteration = Iteration { depth, lines, moves: std::mem::take(&mut moves) };
            searcher.resume();
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
            report.time_ms = self.start.elapsed().as_millis() as u64;
            if is_usable {
                on_report(&report);
            }
            if searcher.is_stopped || self.is_enough(&report) {
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
        report
    }

    /// Checks whether another iteration could change nothing, or would hardly be finished in time.
    fn is_enough(&self, report: &Report) -> bool {
        let is_decided = report
            .lines
            .iter()
            .all(|line| line.score.abs() >= PROVEN && WIN - line.score.abs() <= report.depth as Score);
        let is_late = self.limit.time_ms.is_some_and(|time| report.time_ms * LATEST_START > time);
        let is_spent = self.limit.nodes.is_some_and(|nodes| report.nodes >= nodes);
        (is_decided && !report.lines.is_empty()) || is_late || is_spent
    }

    /// Searches one depth: the best line, then the best of the other moves, and so on (multi-PV).
    fn iterate(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        moves: &mut [ScoredMove],
        depth: i32,
        report: &Report,
    ) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let wanted = self.options.lines.clamp(1, moves.len().max(1));
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
        if lines.len() < wanted && !report.lines.is_empty() {
            return Vec::new();
        }
        lines.sort_by_key(|line| -self.for_mover(line.score));
        lines
    }

    /// Searches with a window around the previous score, and with wider ones while it fails high or low.
    fn search_with_aspiration_window(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        moves: &mut [ScoredMove],
        depth: i32,
        previous: Option<Score>,
    ) -> (Score, Vec<PackedMove>) {
        let mut margin = ASPIRATION_WINDOW;
        let has_window = depth >= ASPIRATION_MIN_DEPTH && self.options.pruning.is_on;
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
