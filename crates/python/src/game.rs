//! Games, with and without calls.

use std::hash::{DefaultHasher, Hash, Hasher};

use hnefi_rules as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::errors;
use crate::position::{Position, signed};
use crate::rules::{Rules, RulesOf, Setup, drawn, square_tuple};
use crate::values::{Move, Outcome, Square, Whole, Written, moves_from};

/// One move of one side, as it was played.
#[pyclass(frozen, eq, hash, module = "hnefi")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ply(core::Ply);

type PlyFacts<'py> = (Move, Py<PyAny>, Bound<'py, PyTuple>, bool);

#[pymethods]
impl Ply {
    #[new]
    #[pyo3(signature = (r#move, side, captures = Vec::new(), passed = false), text_signature = "(move, side, captures=(), passed=False)")]
    fn new(r#move: Move, side: &Bound<'_, PyAny>, captures: Vec<Square>, passed: bool) -> PyResult<Self> {
        let captures = captures.into_iter().map(|square| square.0).collect();
        Ok(Self(core::Ply { mv: r#move.0, side: errors::SIDES.read(side)?, captures, passed }))
    }

    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move(self.0.mv)
    }

    /// The side that moved.
    #[getter]
    fn side(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::SIDES.of(py, self.0.side)
    }

    /// The squares of captured soldiers, sorted; never the king's.
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        square_tuple(py, &self.0.captures)
    }

    /// Whether the other side could not move after it and passed.
    #[getter]
    fn passed(&self) -> bool {
        self.0.passed
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("<Ply {}{}>", self.0.text(), if self.0.passed { " --" } else { "" })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, PlyFacts<'py>)> {
        Ok((py.get_type::<Self>(), (self.r#move(), self.side(py)?, self.captures(py)?, self.passed())))
    }
}

/// A game: its moves, repetition, quiet counter, forced passes and outcome. A value.
#[pyclass(frozen, eq, from_py_object, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Game(pub(crate) core::Game);

type Replayed = (Rules, Setup, Vec<Move>, Option<Outcome>);

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, setup = None))]
    fn new(py: Python<'_>, rules: RulesOf, setup: Option<Setup>) -> PyResult<Self> {
        Self::begin(py, &rules.0, setup)
    }

    /// Returns the game after moves from a setup, ended by the players or a clock if an outcome says so.
    #[staticmethod]
    #[pyo3(signature = (rules, setup, moves, outcome = None))]
    fn replay(
        py: Python<'_>,
        rules: RulesOf,
        setup: Option<Setup>,
        moves: Vec<Bound<'_, PyAny>>,
        outcome: Option<&Outcome>,
    ) -> PyResult<Self> {
        let mut game = Self::begin(py, &rules.0, setup)?;
        for mv in &moves {
            game = game.play(mv)?;
        }
        match outcome {
            Some(outcome) if game.0.outcome() != Some(outcome.0) => game.end(outcome),
            _ => Ok(game),
        }
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
    }

    /// The setup the game started from.
    #[getter]
    fn start(&self) -> Setup {
        Setup(self.0.start())
    }

    /// The position, with the side that can move after a forced pass.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position())
    }

    /// The side to move, None when the game is over.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.turn().map(|side| errors::SIDES.of(py, side)).transpose()
    }

    /// The number of plies since the last capture.
    #[getter]
    fn quiet(&self) -> u32 {
        self.0.quiet()
    }

    /// The number of plies played.
    #[getter]
    fn ply_count(&self) -> u32 {
        self.0.ply_count()
    }

    /// All plies from the start. Complexity is O(n).
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.plies().into_iter().map(Ply))
    }

    /// Returns how many soldiers a side has captured. Complexity is O(n).
    fn captured_by(&self, side: &Bound<'_, PyAny>) -> PyResult<u32> {
        Ok(self.0.captured_by(errors::SIDES.read(side)?))
    }

    /// The last ply. Complexity is O(1).
    #[getter]
    fn last(&self) -> Option<Ply> {
        self.0.last().cloned().map(Ply)
    }

    /// The game before the last ply, None at the start.
    #[getter]
    fn parent(&self) -> Option<Self> {
        self.0.parent().map(Self)
    }

    /// How many times the present position has occurred, itself included; in a row if the rules say so.
    #[getter]
    fn repetitions(&self) -> u32 {
        self.0.repetitions()
    }

    /// The outcome, None while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome)
    }

    /// Whether the side that would have been to move had to pass just before this position.
    #[getter]
    fn passed(&self) -> bool {
        self.0.passed()
    }

    /// The Zobrist key of the position, updated move by move.
    #[getter]
    fn zobrist(&self) -> u64 {
        self.0.zobrist()
    }

    /// Returns the canonical key of each position from the start on, with the number of the move played.
    fn canonical_line(&self) -> Vec<(i64, Option<u32>)> {
        let line = self.0.canonical_line();
        line.into_iter().map(|(key, mv)| (signed(key), mv.map(core::move_number))).collect()
    }

    /// Returns all plies as text, with captures and separated by spaces.
    fn moves_text(&self) -> String {
        let texts: Vec<String> = self.0.plies().iter().map(core::Ply::text).collect();
        texts.join(" ")
    }

    /// Returns the legal moves, or those of the piece on a square; empty when the game is over.
    #[pyo3(signature = (from_square = None))]
    fn legal_moves(&self, from_square: Option<Square>) -> Vec<Move> {
        moves_from(self.0.legal_moves(), from_square)
    }

    /// Checks whether a move is legal. Captures written with it do not count.
    fn is_legal(&self, r#move: Move) -> bool {
        self.0.is_legal(r#move.0)
    }

    /// Returns the game after a move. Captures written with the move must be those it makes.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let written = Written::read(r#move)?;
        self.0
            .play_written(written.mv, written.captures.as_deref())
            .map(Self)
            .map_err(errors::illegal_move(r#move.py()))
    }

    /// Returns the game ended from outside the rules, such as by resignation or adjudication.
    fn end(&self, outcome: &Outcome) -> PyResult<Self> {
        self.0.end(outcome.0).map(Self).ok_or_else(|| {
            let reason = outcome.0.reason.name();
            let found = if self.0.outcome().is_some() { "the game is over" } else { reason };
            let expected = "agreement, resignation, time, abandoned or adjudication in a game that goes on";
            PyValueError::new_err(format!("outcome: {found}, expected {expected}"))
        })
    }

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.rules().hash(), self.0.zobrist(), self.0.ply_count()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the board as lines of text, as `diagram.text` does.
    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.py().import("hnefi.diagram")?.call_method1("text", (slf,))?.extract()
    }

    pub(crate) fn __repr__(&self) -> String {
        format!("<Game ply {} {}>", self.0.ply_count(), self.0.position().setup())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Replayed)> {
        let moves = self.0.plies().into_iter().map(|ply| Move(ply.mv)).collect();
        let replay = py.get_type::<Self>().getattr("replay")?.unbind();
        Ok((replay, (self.rules(), self.start(), moves, self.outcome())))
    }

    /// Returns the board with the last ply as SVG for notebooks, as `diagram.svg` does.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any())
    }
}

impl Game {
    /// Creates a game from a setup; from the start position without one.
    pub(crate) fn begin(py: Python<'_>, rules: &Rules, setup: Option<Setup>) -> PyResult<Self> {
        match setup {
            None => Ok(Self(core::Game::new(rules.0.clone()))),
            Some(setup) => {
                core::Game::from_setup(rules.0.clone(), &setup.0).map(Self).map_err(errors::bad_setup(py))
            }
        }
    }
}

/// Returns a game of at most `plies` random plies from the start; the same seed gives the same game.
#[pyfunction]
pub(crate) fn random_game(
    py: Python<'_>,
    rules: RulesOf,
    seed: Whole<u64, 0, { u64::MAX }>,
    plies: Whole<u32>,
) -> Game {
    py.detach(|| Game(core::Game::new(rules.0.0).play_random(seed.0, plies.0)))
}

const MOST_INDEXED_PLIES: usize = 1 << 20;

/// Returns the sorted rows of the position index for games, each with its number and its rules and result.
#[pyfunction]
pub(crate) fn index_rows<'py>(
    py: Python<'py>,
    games: Vec<(PyRef<'py, Game>, i64, i64)>,
    no_move: u32,
    ply_shift: Whole<u32, 0, 43>,
) -> Bound<'py, PyBytes> {
    let mut rows: Vec<[i64; 3]> = Vec::new();
    for (game, number, what) in games {
        rows.extend(game.0.canonical_line().into_iter().take(MOST_INDEXED_PLIES).enumerate().map(
            |(ply, (key, mv))| {
                let mv = mv.map_or(no_move, core::move_number);
                [signed(key), number, (ply as i64) << ply_shift.0 | what | i64::from(mv)]
            },
        ));
    }
    rows.sort_unstable();
    // The first row of a game with a key is the one with the lowest ply.
    rows.dedup_by_key(|row| (row[0], row[1]));
    let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_ne_bytes()).collect();
    PyBytes::new(py, &bytes)
}

/// A leg as `match_score` takes it: the player with the attackers, the outcome, and the captures of each side.
type LegFacts<'py> = (usize, Option<PyRef<'py, Outcome>>, u32, u32);

/// Returns the score of a match of players 0 and 1.
///
/// These are the half points and the captures of each player, the number of the leader, and what decides.
#[pyfunction]
pub(crate) fn match_score(
    legs: Vec<LegFacts<'_>>,
    captures_break_ties: bool,
) -> ([u32; 2], [u32; 2], Option<usize>, &'static str) {
    let legs: Vec<core::Leg> = legs
        .iter()
        .map(|(attackers, outcome, by_attackers, by_defenders)| core::Leg {
            attackers: attackers % 2,
            outcome: outcome.as_ref().map(|outcome| outcome.0),
            captures: [*by_attackers, *by_defenders],
        })
        .collect();
    let score = core::MatchScore::of(&legs, captures_break_ties);
    (score.half_points, score.captures, score.leader, score.decision.name())
}
