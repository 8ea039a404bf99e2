//! Opening books.

use hnefi_rules as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::position::Position;
use crate::rules::Rules;
use crate::values::Move;

/// A move of an opening book at a position.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct BookMove(core::BookMove);

#[pymethods]
impl BookMove {
    /// The move, and the other moves that are equal to it by symmetry.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.moves.iter().copied().map(Move))
    }

    /// The score for the attackers, in hundredths of a soldier; beyond ±31,000 a proven win.
    #[getter]
    fn score(&self) -> i32 {
        self.0.score
    }

    /// How many searches of positions after the move the score rests on.
    ///
    /// 0 if it rests only on the search of the position itself.
    #[getter]
    fn searches(&self) -> u32 {
        self.0.searches
    }

    /// Games of self-play with the move: won by the attackers, drawn, won by the defenders.
    #[getter]
    fn self_play(&self) -> (u32, u32, u32) {
        self.0.self_play.into()
    }

    /// Recorded games with the move: the same, then those with unknown results.
    #[getter]
    fn recorded(&self) -> (u32, u32, u32, u32) {
        self.0.recorded.into()
    }

    fn __repr__(&self) -> String {
        let mv = self.0.moves.first().map_or_else(String::new, ToString::to_string);
        format!("<BookMove {mv} {} searches {}>", self.0.score, self.0.searches)
    }
}

/// The opening book of a set of rules, parsed from JSON.
#[pyclass(frozen, module = "hnefi")]
pub(crate) struct Book(pub(crate) core::Book);

#[pymethods]
impl Book {
    #[new]
    fn new(rules: &Rules, text: &str) -> PyResult<Self> {
        core::Book::from_json(rules.0.clone(), text).map(Self).map_err(PyValueError::new_err)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Returns the moves of the book at a position or a symmetric image of it, in the order of the file.
    ///
    /// An empty list if the position is not in the book.
    fn moves(&self, position: &Position) -> Vec<BookMove> {
        self.0.moves(&position.0).into_iter().map(BookMove).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Book {} positions>", self.0.len())
    }
}
