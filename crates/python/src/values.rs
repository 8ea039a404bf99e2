//! Squares, moves and outcomes.

use hnefi_rules as core;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors;

/// A square of the board: a file letter and a rank number, `a1` at the bottom left.
#[pyclass(frozen, eq, ord, hash, module = "hnefi")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Square(pub(crate) core::Square);

#[pymethods]
impl Square {
    #[new]
    fn new(name: Self) -> Self {
        name
    }

    /// Returns the square of a file and a rank, both counted from 0 and below 19.
    #[staticmethod]
    fn at(file: Whole<usize, 0, 18>, rank: Whole<usize, 0, 18>) -> Option<Self> {
        core::Square::new(file.0, rank.0).map(Self)
    }

    /// The file, counted from 0 (`a`).
    #[getter]
    fn file(&self) -> usize {
        self.0.file()
    }

    /// The rank, counted from 0 (`1`).
    #[getter]
    fn rank(&self) -> usize {
        self.0.rank()
    }

    /// The name, such as `d4`.
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Square('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

/// A move: the square a piece leaves and the square it comes to.
#[pyclass(frozen, eq, ord, hash, module = "hnefi")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Move(pub(crate) core::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(text: Self) -> Self {
        text
    }

    /// Returns the move between two squares.
    #[staticmethod]
    fn of(from_square: Square, to_square: Square) -> Self {
        Self(core::Move { from: from_square.0, to: to_square.0 })
    }

    /// The square the piece leaves.
    #[getter(from_square)]
    fn origin(&self) -> Square {
        Square(self.0.from)
    }

    /// The square it comes to.
    #[getter(to_square)]
    fn destination(&self) -> Square {
        Square(self.0.to)
    }

    /// Whether it ends a turn of several captures; it is then a move of the piece to its own square.
    #[getter]
    fn is_stop(&self) -> bool {
        self.0.is_stop()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

/// A parameter that is a whole number from `LEAST` to `MOST`.
pub(crate) struct Whole<T, const LEAST: u64 = 0, const MOST: u64 = { u32::MAX as u64 }>(pub(crate) T);

impl<T: TryFrom<u64>, const LEAST: u64, const MOST: u64> FromPyObject<'_, '_> for Whole<T, LEAST, MOST> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let number = match given.extract::<u64>() {
            Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => return Err(error),
            number => number.ok().filter(|number| (LEAST..=MOST).contains(number)),
        };
        number.and_then(|number| T::try_from(number).ok()).map(Self).ok_or_else(|| {
            let shown: String = given.to_string().chars().take(60).collect();
            PyValueError::new_err(format!("{shown}, expected {LEAST} to {MOST}"))
        })
    }
}

/// A parameter of type `Square` or `Move` takes its text as well.
impl<'py> FromPyObject<'_, 'py> for Square {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(square) = given.cast::<Self>() {
            return Ok(*square.get());
        }
        let name = given
            .cast::<PyString>()
            .map_err(|_| PyTypeError::new_err(format!("{}, expected Square or str", given.get_type())))?;
        let name = name.to_string_lossy();
        core::Square::parse(&name).map(Self).ok_or_else(|| {
            let shown: String = name.chars().take(60).collect();
            errors::bad_setup(given.py())(core::Refusal::new("bad_square").with("text", shown))
        })
    }
}

impl<'py> FromPyObject<'_, 'py> for Move {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(Written::read(&given)?.mv))
    }
}

/// Parses a move. Text with lone surrogates is refused, and shown with replacement characters.
fn parsed(text: &Bound<'_, PyString>) -> PyResult<(core::Move, Option<Vec<core::Square>>)> {
    core::parse_move(&text.to_string_lossy()).map_err(errors::illegal_move(text.py()))
}

/// A move, or its text with the captures written in it.
pub(crate) struct Written {
    pub(crate) mv: core::Move,
    pub(crate) captures: Option<Vec<core::Square>>,
}

impl Written {
    pub(crate) fn read(move_or_text: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = move_or_text.cast::<Move>() {
            return Ok(Self { mv: mv.get().0, captures: None });
        }
        let text = move_or_text.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!("{}, expected Move or str", move_or_text.get_type()))
        })?;
        let (mv, captures) = parsed(text)?;
        Ok(Self { mv, captures })
    }
}

/// Returns the moves that start on a square, or its name; all of them without one.
pub(crate) fn moves_from(moves: Vec<core::Move>, origin: Option<Square>) -> Vec<Move> {
    let starts_there = |mv: &core::Move| origin.is_none_or(|square| mv.from == square.0);
    moves.into_iter().filter(starts_there).map(Move).collect()
}

/// Parses a move and the captures written with it; None where none are written.
#[pyfunction]
pub(crate) fn parse_move<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
) -> PyResult<(Move, Option<Bound<'py, PyTuple>>)> {
    let (mv, captures) = parsed(text)?;
    let captures = captures.map(|squares| PyTuple::new(py, squares.into_iter().map(Square))).transpose()?;
    Ok((Move(mv), captures))
}

/// Formats a move with its captures: `e5-e8xe9/f8`.
#[pyfunction]
#[pyo3(signature = (r#move, captures = Vec::new()), text_signature = "(move, captures=())")]
pub(crate) fn format_move(r#move: Move, captures: Vec<Square>) -> String {
    let squares: Vec<core::Square> = captures.iter().map(|square| square.0).collect();
    core::format_move(r#move.0, &squares)
}

/// The end of a game: who won and why.
#[pyclass(frozen, eq, hash, from_py_object, module = "hnefi")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome(pub(crate) core::Outcome);

#[pymethods]
impl Outcome {
    #[new]
    #[pyo3(signature = (winner, reason))]
    fn new(winner: Option<&Bound<'_, PyAny>>, reason: &Bound<'_, PyAny>) -> PyResult<Self> {
        let winner = winner.map(|side| errors::SIDES.read(side)).transpose()?;
        Ok(Self(core::Outcome { winner, reason: errors::REASONS.read(reason)? }))
    }

    /// The winning side, None for a draw.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.winner.map(|side| errors::SIDES.of(py, side)).transpose()
    }

    /// The reason.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::REASONS.of(py, self.0.reason)
    }

    fn __repr__(&self) -> String {
        let winner =
            self.0.winner.map_or("None".to_string(), |side| format!("Side.{}", side.name().to_uppercase()));
        format!("Outcome({winner}, Reason.{})", self.0.reason.name().to_uppercase())
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, (Option<Py<PyAny>>, Py<PyAny>))> {
        Ok((py.get_type::<Self>(), (self.winner(py)?, self.reason(py)?)))
    }
}
