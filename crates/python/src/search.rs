//! The search, the prover and the evaluation. Long calls release the interpreter lock.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hnefi_search as search;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::book::Book;
use crate::errors;
use crate::game::Game;
use crate::rules::{Rules, Setup};
use crate::values::{Move, Whole};

/// One line of an analysis.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Line(search::Line);

#[pymethods]
impl Line {
    /// The score for the attackers, in hundredths of a soldier; beyond ±31,000 a proven win.
    #[getter]
    fn score(&self) -> i32 {
        self.0.score
    }

    /// Plies to a proven win of the attackers, negative for the defenders; None if nothing is proven.
    #[getter]
    fn win_in(&self) -> Option<i32> {
        search::win_in(self.0.score)
    }

    /// The principal variation; its first move is the one that is scored.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.moves.iter().copied().map(Move))
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.0.moves.iter().map(ToString::to_string).collect();
        format!("<Line {} {}>", self.0.score, moves.join(" "))
    }
}

/// The state of an analysis after an iteration.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Report(search::Report);

#[pymethods]
impl Report {
    /// The depth to which all lines were searched, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The deepest line visited (selective depth), in plies.
    #[getter]
    fn deepest(&self) -> u32 {
        self.0.deepest
    }

    /// The number of positions visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// The time spent, in milliseconds.
    #[getter]
    fn time_ms(&self) -> u64 {
        self.0.time_ms
    }

    /// The best moves, best first for the side to move.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.lines.iter().cloned().map(Line))
    }

    fn __repr__(&self) -> String {
        format!("<Report depth {} nodes {} lines {}>", self.0.depth, self.0.nodes, self.0.lines.len())
    }
}

type Proof = (Vec<(Setup, Move)>, Vec<Move>, u32);

/// A search with its transposition table. It runs one analysis at a time; others wait.
#[pyclass(frozen, module = "hnefi")]
pub(crate) struct Searcher {
    table: Mutex<search::TranspositionTable>,
    signals: Mutex<Arc<search::Signals>>,
    threads: usize,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The weights read last, with their text and the hash of their rules: a network takes longer to read than a short search.
static LAST_WEIGHTS: Mutex<Option<(String, String, search::Weights)>> = Mutex::new(None);

/// Reads weights for rules; the default ones for None.
pub(crate) fn weights_for(weights: Option<&str>, rules: &hnefi_rules::Rules) -> PyResult<search::Weights> {
    let Some(json) = weights else { return Ok(search::Weights::default_for(rules.law())) };
    if let Some((text, hash, weights)) = &*locked(&LAST_WEIGHTS) {
        if text == json && hash == rules.hash() {
            return Ok(weights.clone());
        }
    }
    let weights = search::Weights::from_json(json, rules.size()).map_err(PyValueError::new_err)?;
    weights.check(rules).map_err(PyValueError::new_err)?;
    *locked(&LAST_WEIGHTS) = Some((json.to_string(), rules.hash().to_string(), weights.clone()));
    Ok(weights)
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (table_mib = Whole(64), threads = Whole(1)), text_signature = "(table_mib=64, threads=1)")]
    fn new(table_mib: Whole<usize, 1, 65_536>, threads: Whole<usize, 1, 256>) -> Self {
        Self {
            table: Mutex::new(search::TranspositionTable::new(table_mib.0)),
            signals: Mutex::default(),
            threads: threads.0,
        }
    }

    /// Analyses a game until a limit is reached, `stop()` is called or the outcome is proven.
    ///
    /// `usual_ms` is the time for a move that is to be played: less if the best move is stable, more, up to `time_ms`, if
    /// it changes. Releases the interpreter lock.
    #[pyo3(signature = (
        game, *, depth = None, nodes = None, time_ms = None, usual_ms = None, lines = 1, moves = Vec::new(), weights = None,
        pruning = true, on_report = None
    ), text_signature = "($self, game, *, depth=None, nodes=None, time_ms=None, usual_ms=None, lines=1, moves=(), weights=None, \
        pruning=True, on_report=None)")]
    #[allow(clippy::too_many_arguments)]
    fn analyse(
        &self,
        py: Python<'_>,
        game: &Game,
        depth: Option<u32>,
        nodes: Option<u64>,
        time_ms: Option<u64>,
        usual_ms: Option<u64>,
        lines: usize,
        moves: Vec<Move>,
        weights: Option<&str>,
        pruning: bool,
        on_report: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let weights = weights_for(weights, game.0.rules())?;
        let options = search::Options {
            lines,
            threads: self.threads,
            may_prune: pruning,
            moves: moves.iter().map(|mv| mv.0).collect(),
            ..search::Options::default()
        };
        let limit = search::Limit { depth, nodes, time_ms, usual_ms };
        let game = game.0.clone();
        let failure: Mutex<Option<PyErr>> = Mutex::new(None);
        let report = py.detach(|| {
            let table = locked(&self.table);
            let signals = Arc::new(search::Signals::default());
            *locked(&self.signals) = signals.clone();
            let mut report_to_python = |report: &search::Report| {
                let Some(callback) = &on_report else { return };
                let result = Python::attach(|py| callback.call1(py, (Report(report.clone()),)).map(|_| ()));
                if let Err(error) = result {
                    *locked(&failure) = Some(error);
                    signals.stop.store(true, Ordering::Relaxed);
                }
            };
            search::analyse(&game, &weights, &table, &signals, limit, &options, &mut report_to_python)
        });
        match locked(&failure).take() {
            Some(error) => Err(error),
            None => Ok(Report(report)),
        }
    }

    /// Searches for a forced win of a side (proof-number search); releases the interpreter lock.
    ///
    /// Returns the answer (`proven`, `disproven` or `unknown`), the positions expanded, and the proof or None: the
    /// positions with their winning moves, the line against the longest defence, and its length in plies. `beside` is the
    /// number of threads of a search that it runs beside: it then works a tenth of the time unless a core is idle.
    #[pyo3(signature = (game, side, *, nodes = 1_000_000, quiet_limit = 40, table_mib = 64, beside = None))]
    #[allow(clippy::too_many_arguments)]
    fn prove(
        &self,
        py: Python<'_>,
        game: &Game,
        side: &Bound<'_, PyAny>,
        nodes: u64,
        quiet_limit: u32,
        table_mib: usize,
        beside: Option<usize>,
    ) -> PyResult<(&'static str, u64, Option<Proof>)> {
        let task = search::Task { side: errors::SIDES.read(side)?, nodes, quiet_limit, table_mib, beside };
        let game = game.0.clone();
        let (answer, nodes) = py.detach(|| {
            let signals = Arc::new(search::Signals::default());
            *locked(&self.signals) = signals.clone();
            search::prove(&game, task, &signals)
        });
        Ok(match answer {
            search::Answer::Disproven => ("disproven", nodes, None),
            search::Answer::Unknown => ("unknown", nodes, None),
            search::Answer::Proven(proof) => {
                let moves = proof.moves.into_iter().map(|(setup, mv)| (Setup(setup), Move(mv))).collect();
                let line = proof.line.into_iter().map(Move).collect();
                ("proven", nodes, Some((moves, line, proof.longest)))
            }
        })
    }

    /// Stops the analysis in progress, from any thread.
    fn stop(&self) {
        locked(&self.signals).stop.store(true, Ordering::Relaxed);
    }

    /// Clears the transposition table; waits for an analysis in progress.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| locked(&self.table).clear());
    }
}

/// Returns the default weights for rules that no weights were fitted for, as JSON.
#[pyfunction]
pub(crate) fn derived_weights(rules: &Rules) -> String {
    search::Weights::default_for(rules.0.law()).to_json()
}

/// Returns the features of a position that weights are fitted to.
///
/// These are what each term counts, in the order of `evaluation_term_names`, and the number of pieces on each class of
/// squares, by piece.
#[pyfunction]
pub(crate) fn evaluation_terms(game: &Game) -> (Vec<i32>, Vec<Vec<i32>>) {
    let (terms, squares) = search::features(&game.0.position());
    (terms.to_vec(), squares)
}

/// Returns the names of the terms of the evaluation with what each counts.
#[pyfunction]
pub(crate) fn evaluation_term_names() -> Vec<(&'static str, &'static str)> {
    search::TERMS.iter().map(|term| (term.name, term.counts)).collect()
}

/// Returns the static evaluation of the position for the attackers, in hundredths of a soldier.
#[pyfunction]
#[pyo3(signature = (game, weights = None))]
pub(crate) fn evaluate(game: &Game, weights: Option<&str>) -> PyResult<i32> {
    Ok(search::evaluate(&game.0.position(), &weights_for(weights, game.0.rules())?))
}

/// The choice of one move at a level. The same seed chooses the same move in a position.
#[pyclass(module = "hnefi")]
pub(crate) struct LevelChoice(search::Choice);

#[pymethods]
impl LevelChoice {
    #[new]
    fn new(game: &Game, legal: Vec<Move>, level: &str, seed: &str) -> PyResult<Self> {
        let level = search::Level::from_json(level).map_err(PyValueError::new_err)?;
        let legal: Vec<_> = legal.iter().map(|mv| mv.0).collect();
        Ok(Self(search::Choice::new(&game.0, &legal, level, seed)))
    }

    /// The legal moves that the level sees.
    #[getter]
    fn seen(&self) -> Vec<Move> {
        self.0.seen.iter().copied().map(Move).collect()
    }

    /// The move, if it is played without a look at the others; else None.
    #[getter]
    fn blind(&self) -> Option<Move> {
        self.0.blind.map(Move)
    }

    /// Whether the moves are scored by the static evaluation, not by a search.
    #[getter]
    fn is_short_sighted(&self) -> bool {
        self.0.is_short_sighted
    }

    /// Returns how many moves are compared, of so many legal ones.
    fn lines(&self, legal: usize) -> usize {
        self.0.lines(legal)
    }

    /// Chooses a move of an opening book within the margin of the level; None if no move of it is fit.
    fn choose_from_book(&mut self, book: &Book) -> Option<Move> {
        self.0.choose_from_book(&book.0.moves(&self.0.position())).map(Move)
    }

    /// Chooses one of the candidates that the level sees, moves with scores for the side to move.
    fn choose(&mut self, candidates: Vec<(Move, i32)>) -> Option<Move> {
        let candidates: Vec<search::Candidate> =
            candidates.iter().map(|(mv, value)| search::Candidate { mv: mv.0, value: *value }).collect();
        self.0.choose(&candidates).map(Move)
    }
}

/// Scores moves by the static evaluation of the position after them, for the side to move.
#[pyfunction]
#[pyo3(signature = (game, moves, weights = None))]
pub(crate) fn static_scores(
    game: &Game,
    moves: Vec<Move>,
    weights: Option<&str>,
) -> PyResult<Vec<(Move, i32)>> {
    let weights = weights_for(weights, game.0.rules())?;
    let moves: Vec<_> = moves.iter().map(|mv| mv.0).collect();
    let candidates = search::static_candidates(&game.0, &moves, &weights);
    Ok(candidates.into_iter().map(|candidate| (Move(candidate.mv), candidate.value)).collect())
}

/// Returns how often the attackers win at a score, and how often they win or draw, from 0 to 1.
#[pyfunction]
pub(crate) fn win_rates(value: f64, scale: f64, offset: f64, margin: f64) -> (f64, f64) {
    let calibration = search::Calibration { scale, offset, margin, spread: None };
    (calibration.wins(value), calibration.holds(value))
}

/// Returns scale, offset and margin of the calibration for rules that none was measured for.
#[pyfunction]
pub(crate) fn default_calibration() -> (f64, f64, f64) {
    let search::Calibration { scale, offset, margin, .. } = search::Calibration::default();
    (scale, offset, margin)
}

/// Returns 1 / (1 + e⁻ˣ), bounded so that it is never exactly 0 or 1.
#[pyfunction]
pub(crate) fn logistic(x: f64) -> f64 {
    search::logistic(x)
}
