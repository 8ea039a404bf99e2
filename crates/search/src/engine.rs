//! Analysis of a game: iterative deepening over several lines and threads, reported as it goes.

use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Move, Side, Width};

use crate::alphabeta::{Pruning, Searcher, Signals, each_step};
use crate::evaluate::{Evaluation, Weights};
use crate::node::{Field, Node, Step};
use crate::order::Ranked;
use crate::score::{INFINITE, PROVEN, Score, WIN};
use crate::table::TranspositionTable;
use crate::team::{Iteration, Team};

/// When to stop. Without any limit a search goes on until it is stopped, or the game is proven.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Positions visited by all threads.
    pub nodes: Option<u64>,
    /// Time, in milliseconds.
    pub time_ms: Option<u64>,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many best moves to report, at least 1.
    pub lines: usize,
    /// How many threads search, at least 1.
    pub threads: usize,
    /// What the search may leave out.
    pub pruning: Pruning,
    /// The moves to consider; all if empty.
    pub moves: Vec<Move>,
}

impl Default for Options {
    fn default() -> Self {
        Self { lines: 1, threads: 1, pruning: Pruning { is_on: true }, moves: Vec::new() }
    }
}

/// One line of an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For the attackers.
    pub score: Score,
    /// The moves, the first being the one judged.
    pub moves: Vec<Move>,
}

/// What an analysis knows so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The depth all lines were searched to, in plies.
    pub depth: u32,
    /// The deepest line looked at.
    pub deepest: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub time_ms: u64,
    /// The best moves, best first.
    pub lines: Vec<Line>,
}

/// Analyses a game whose turn it is to somebody; an empty report if it is over.
///
/// Calls `report` after every finished iteration. Stops when the limit is reached, `signals.stop` is set, or the outcome
/// is proven. At least one iteration is always finished, whatever the limit.
pub fn analyse(
    game: &Game,
    weights: &Weights,
    table: &TranspositionTable,
    signals: &Signals,
    limit: Limit,
    options: &Options,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Report {
    if game.turn().is_none() {
        return Report::default();
    }
    table.begin();
    let position = game.position();
    position.in_width(Analysis { game, weights, table, signals, limit, options, report })
}

struct Analysis<'a> {
    game: &'a Game,
    weights: &'a Weights,
    table: &'a TranspositionTable,
    signals: &'a Signals,
    limit: Limit,
    options: &'a Options,
    report: &'a mut (dyn FnMut(&Report) + Send),
}

impl Width for Analysis<'_> {
    type Output = Report;

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Report {
        let position = self.game.position();
        let evaluation = Evaluation::new(tables, self.weights);
        let field = Field::new(tables, self.game.rules()).judged(&evaluation).keyed_by(self.weights);
        let node = Node::new(&field, board, position.turn(), position.quiet());
        let mut moves = Vec::new();
        each_step(&field, &node, |step| {
            if self.options.moves.is_empty()
                || step.to_move::<B>().is_some_and(|mv| self.options.moves.contains(&mv))
            {
                moves.push(Ranked::new(step, 0));
            }
        });
        let team = (self.options.threads > 1).then(Team::new);
        let searcher = || {
            let occurrences = self.game.recent_keys();
            let Self { table, signals, options, .. } = self;
            let team = team.as_ref();
            let mut searcher =
                Searcher::new(&field, &evaluation, table, signals, team, options.pruning, occurrences);
            searcher.node_limit = self.limit.nodes.unwrap_or(u64::MAX);
            searcher
        };
        let clock = Clock::default();
        let start = Instant::now();
        let deadline = self.limit.time_ms.map(|time| start + Duration::from_millis(time));
        let run = Run { node: &node, start, limit: self.limit, options: self.options, team: team.as_ref() };
        std::thread::scope(|scope| {
            if let Some(deadline) = deadline {
                let (clock, signals) = (&clock, self.signals);
                scope.spawn(move || clock.stop_at(deadline, signals));
            }
            for _ in 1..self.options.threads {
                let (mut helper, moves, run) = (searcher(), moves.clone(), &run);
                scope.spawn(move || run.deepen(&mut helper, moves, &mut |_| {}));
            }
            let mut first = searcher();
            let result = run.deepen(&mut first, moves, self.report);
            self.signals.stop.store(true, Ordering::Relaxed);
            clock.end();
            result
        })
    }
}

/// Sets the stop signal when time is up, unless the search ends before.
#[derive(Default)]
struct Clock {
    has_ended: Mutex<bool>,
    wake: Condvar,
}

impl Clock {
    fn stop_at(&self, deadline: Instant, signals: &Signals) {
        let mut has_ended = self.has_ended.lock().unwrap_or_else(PoisonError::into_inner);
        while !*has_ended {
            let now = Instant::now();
            if now >= deadline {
                signals.stop.store(true, Ordering::Relaxed);
                return;
            }
            let waited = self.wake.wait_timeout(has_ended, deadline - now);
            has_ended = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end(&self) {
        *self.has_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_all();
    }
}

struct Run<'a, B: Bits> {
    node: &'a Node<B>,
    start: Instant,
    limit: Limit,
    options: &'a Options,
    team: Option<&'a Team>,
}

impl<B: Bits> Run<'_, B> {
    /// What each thread does: all of them deepen alike, one of them reports.
    fn deepen(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        mut moves: Vec<Ranked>,
        report: &mut dyn FnMut(&Report),
    ) -> Report {
        let mut known = Report::default();
        let deepest = self.limit.depth.unwrap_or(u32::MAX).clamp(1, crate::score::MAX_PLY as u32 / 2);
        let mut depth = 1;
        while depth <= deepest {
            let lines = self.iterate(searcher, &mut moves, depth as i32, &known);
            let mut found = Iteration { depth, lines, moves: std::mem::take(&mut moves) };
            searcher.resume();
            if let Some(team) = self.team.filter(|_| !searcher.is_stopped) {
                found = team.agree(found);
            }
            let is_usable = !searcher.is_stopped || known.lines.is_empty();
            if is_usable && !found.lines.is_empty() {
                known.depth = found.depth;
                known.lines = found.lines;
            }
            (depth, moves) = (found.depth + 1, found.moves);
            known.deepest = searcher.deepest as u32;
            known.nodes = searcher.visited();
            known.time_ms = self.start.elapsed().as_millis() as u64;
            if is_usable {
                report(&known);
            }
            if searcher.is_stopped || self.is_enough(&known) {
                break;
            }
        }
        if known.lines.is_empty() {
            // Stopped before the first move was searched: any moves, with what the position looks like.
            let score = self.for_mover(searcher.evaluate(self.node));
            let any = moves.iter().filter_map(|ranked| ranked.step().to_move::<B>());
            known.lines =
                any.take(self.options.lines.max(1)).map(|mv| Line { score, moves: vec![mv] }).collect();
        }
        known
    }

    /// Whether another iteration could change nothing, or would not be finished in time.
    fn is_enough(&self, known: &Report) -> bool {
        let is_decided = known
            .lines
            .iter()
            .all(|line| line.score.abs() >= PROVEN && WIN - line.score.abs() <= known.depth as Score);
        let is_late = self.limit.time_ms.is_some_and(|time| known.time_ms * 2 > time);
        let is_spent = self.limit.nodes.is_some_and(|nodes| known.nodes >= nodes);
        (is_decided && !known.lines.is_empty()) || is_late || is_spent
    }

    /// One depth: the best line, then the best of the other moves, and so on.
    fn iterate(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        moves: &mut [Ranked],
        depth: i32,
        known: &Report,
    ) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let wanted = self.options.lines.clamp(1, moves.len().max(1));
        for place in 0..wanted {
            let guess = known.lines.get(place).map(|line| self.for_mover(line.score));
            let (score, steps) = self.aspire(searcher, &mut moves[place..], depth, guess);
            if steps.is_empty() || (searcher.is_stopped && !(known.lines.is_empty() && depth == 1)) {
                break;
            }
            let best = moves[place..].iter().position(|ranked| ranked.step() == steps[0]).unwrap_or(0);
            moves[place..=place + best].rotate_right(1);
            let moves = steps.iter().map_while(|step| step.to_move::<B>()).collect();
            lines.push(Line { score: self.for_mover(score), moves });
        }
        if lines.len() < wanted && !known.lines.is_empty() {
            return Vec::new();
        }
        lines.sort_by_key(|line| -self.for_mover(line.score));
        lines
    }

    /// Searches with a window about the last score, and wider where that fails.
    fn aspire(
        &self,
        searcher: &mut Searcher<'_, B, Evaluation<B>>,
        moves: &mut [Ranked],
        depth: i32,
        guess: Option<Score>,
    ) -> (Score, Vec<Step>) {
        let mut margin = 40;
        let (mut alpha, mut beta) = match guess.filter(|_| depth >= 4 && self.options.pruning.is_on) {
            Some(score) if score.abs() < PROVEN => (score - margin, score + margin),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let (score, line) = searcher.root(self.node, depth, alpha, beta, moves);
            if searcher.is_stopped
                || (score > alpha && score < beta)
                || (alpha, beta) == (-INFINITE, INFINITE)
            {
                return (score, line);
            }
            margin *= 4;
            if margin > 2_000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            } else if score <= alpha {
                alpha = score - margin;
            } else {
                beta = score + margin;
            }
        }
    }

    /// Turns a score of the side to move into one of the attackers, or back.
    fn for_mover(&self, score: Score) -> Score {
        if self.node.turn == Side::Attackers { score } else { -score }
    }
}
