//! Written lines of moves, played as far as possible.

use hnefi_rules as core;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors;
use crate::game::Game;
use crate::rules::{Rules, Setup, square_tuple};
use crate::values::Move;

/// A written line of moves, played as far as possible, with the captures written wrongly.
#[pyclass(frozen, module = "hnefi")]
pub(crate) struct Trace {
    game: core::Game,
    refusal: Option<core::Refusal>,
    differences: Vec<(u32, Vec<core::Square>)>,
}

#[pymethods]
impl Trace {
    /// Plays written moves one after the other until one cannot be played.
    #[new]
    #[pyo3(signature = (rules, setup, moves, *, marked = false))]
    fn new(
        py: Python<'_>,
        rules: &Rules,
        setup: Option<&Setup>,
        moves: Vec<Bound<'_, PyString>>,
        marked: bool,
    ) -> PyResult<Self> {
        let mut trace =
            Self { game: Game::begin(py, rules, setup.cloned())?.0, refusal: None, differences: Vec::new() };
        for text in &moves {
            if let Err(refusal) = trace.play(&text.to_string_lossy(), marked) {
                trace.refusal = Some(refusal);
                break;
            }
        }
        Ok(trace)
    }

    /// The game after the last move that could be played.
    #[getter]
    fn game(&self) -> Game {
        Game(self.game.clone())
    }

    /// The reason why the next move could not be played; None if all were.
    #[getter]
    fn refusal(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let refusal = self.refusal.clone()?;
        Some(errors::illegal_move(py)(refusal).into_value(py).into_any())
    }

    /// The plies whose captures were written wrongly, counted from 1, with the written captures.
    #[getter]
    fn differences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let pairs = self
            .differences
            .iter()
            .map(|(ply, written)| Ok((*ply, square_tuple(py, written)?)))
            .collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, pairs)
    }

    fn __repr__(&self) -> String {
        let refusal = self.refusal.as_ref().map_or("", |refusal| refusal.code);
        format!("<Trace ply {} {refusal}>", self.game.ply_count())
    }
}

impl Trace {
    fn play(&mut self, text: &str, marked: bool) -> Result<(), core::Refusal> {
        let (mv, captures) = core::parse_move(text)?;
        let next = self.game.play(mv)?;
        let made = next.last().map_or(&[][..], |ply| &ply.captures);
        match captures {
            Some(written) if written != made => self.differences.push((next.ply_count(), written)),
            None if marked && text.contains('-') && !made.is_empty() => {
                self.differences.push((next.ply_count(), Vec::new()));
            }
            _ => {}
        }
        self.game = next;
        Ok(())
    }
}

/// Returns the hops and stops to add behind written moves, so that as many moves as possible are legal.
#[pyfunction]
#[pyo3(signature = (rules, setup, moves))]
pub(crate) fn unwritten_hops(
    py: Python<'_>,
    rules: &Rules,
    setup: Option<&Setup>,
    moves: Vec<Bound<'_, PyString>>,
) -> PyResult<Vec<(usize, Vec<Move>)>> {
    let texts: Vec<_> = moves.iter().map(|text| text.to_string_lossy()).collect();
    let added = core::unwritten_hops(&Game::begin(py, rules, setup.cloned())?.0, &texts);
    let numbered = (1..).zip(added).filter(|(_, moves)| !moves.is_empty());
    Ok(numbered.map(|(ply, moves)| (ply, moves.into_iter().map(Move).collect())).collect())
}
