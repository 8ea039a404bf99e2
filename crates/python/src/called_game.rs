//! Games with calls.

use hnefi_rules as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors;
use crate::game::Game;
use crate::rules::square_tuple;
use crate::values::{Move, Square, Whole, Written, moves_from};

/// A game with announcements ("calls"): raichi, tuichi, and the sanction for forgetting them. A value.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct CalledGame(core::CalledGame);

type CallsFacts<'py> = (Bound<'py, PyTuple>, usize, bool, Option<(Game, Square)>, Option<Square>, bool);
type RestoredCalls = (Vec<Square>, usize, bool, Option<(Game, Square)>, Option<Square>, bool);

#[pymethods]
impl CalledGame {
    #[new]
    #[pyo3(signature = (game, mode, *, sanction = "none", replay = "same_piece", wrong_number = "call"))]
    fn new(game: &Game, mode: &str, sanction: &str, replay: &str, wrong_number: &str) -> PyResult<Self> {
        let protocol = core::Protocol {
            mode: core::Mode::parse("mode", mode).map_err(PyValueError::new_err)?,
            sanction: core::Sanction::parse("sanction", sanction).map_err(PyValueError::new_err)?,
            replay: core::Replay::parse("replay", replay).map_err(PyValueError::new_err)?,
            wrong_number: core::WrongNumber::parse("wrong_number", wrong_number)
                .map_err(PyValueError::new_err)?,
        };
        Ok(Self(core::CalledGame::new(game.0.clone(), protocol)))
    }

    /// The game itself.
    #[getter]
    fn game(&self) -> Game {
        Game(self.0.game().clone())
    }

    /// Who makes the calls: `off`, `auto` or `manual`.
    #[getter]
    fn mode(&self) -> &'static str {
        self.0.protocol().mode.name()
    }

    /// The sanction for forgetting: `none`, `replay` or `until_called`.
    #[getter]
    fn sanction(&self) -> &'static str {
        self.0.protocol().sanction.name()
    }

    /// The piece that is then played again: `same_piece` or `any_piece`.
    #[getter]
    fn replay(&self) -> &'static str {
        self.0.protocol().replay.name()
    }

    /// What a call of the wrong number is worth: `call`, or `forgotten`: nothing.
    #[getter]
    fn wrong_number(&self) -> &'static str {
        self.0.protocol().wrong_number.name()
    }

    /// The goals at the end of the king's open roads, which his side has to announce, sorted.
    #[getter]
    fn open_roads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        square_tuple(py, &self.0.calls().open_roads)
    }

    /// The call that the open roads require: 0 none, 1 one road, 2 two roads or more, also if they win.
    #[getter]
    fn required(&self) -> usize {
        self.0.calls().required
    }

    /// Whether the open roads count as announced.
    #[getter]
    fn called(&self) -> bool {
        self.0.calls().called
    }

    /// The square of the piece that the attackers have to play again.
    #[getter]
    fn must_replay(&self) -> Option<Square> {
        self.0.calls().must_replay.map(Square)
    }

    /// Whether the last move was an escape that was refused; `game` is then the one before it.
    #[getter]
    fn refused(&self) -> bool {
        self.0.calls().refused
    }

    /// Returns the legal moves, or those of the piece on a square.
    #[pyo3(signature = (from_square = None))]
    fn legal_moves(&self, from_square: Option<Square>) -> Vec<Move> {
        moves_from(self.0.legal_moves(), from_square)
    }

    /// Returns the game after a move with a call: 0 none, 1 one open road, 2 two open roads.
    #[pyo3(signature = (r#move, call = Whole(0)), text_signature = "($self, move, call=0)")]
    fn play(&self, r#move: &Bound<'_, PyAny>, call: Whole<u8, 0, 2>) -> PyResult<Self> {
        let written = Written::read(r#move)?;
        self.0
            .play(written.mv, written.captures.as_deref(), call.0)
            .map(Self)
            .map_err(errors::illegal_move(r#move.py()))
    }

    fn __hash__(&self) -> u64 {
        Game(self.0.game().clone()).__hash__()
    }

    fn __repr__(&self) -> String {
        format!("<CalledGame {} {}>", self.mode(), Game(self.0.game().clone()).__repr__())
    }

    /// Returns the board as lines of text, as `diagram.text` does.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        py.import("hnefi.diagram")?.call_method1("text", (self.game(),))?.extract()
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Py<PyAny>, (Game, [&'static str; 4], CallsFacts<'py>))> {
        let calls = self.0.calls();
        let before = calls.before.clone().map(|(game, square)| (Game(game), Square(square)));
        let facts =
            (self.open_roads(py)?, calls.required, calls.called, before, self.must_replay(), calls.refused);
        let protocol = [self.mode(), self.sanction(), self.replay(), self.wrong_number()];
        let restore = py.get_type::<Self>().getattr("_restore")?.unbind();
        Ok((restore, (self.game(), protocol, facts)))
    }

    // For pickling.
    #[staticmethod]
    fn _restore(game: &Game, protocol: [String; 4], calls: RestoredCalls) -> PyResult<Self> {
        let [mode, sanction, replay, wrong_number] = &protocol;
        let mut called = Self::new(game, mode, sanction, replay, wrong_number)?;
        let (open_roads, required, is_called, before, must_replay, refused) = calls;
        let calls = core::Calls {
            open_roads: open_roads.into_iter().map(|square| square.0).collect(),
            required,
            called: is_called,
            before: before.map(|(game, square)| (game.0, square.0)),
            must_replay: must_replay.map(|square| square.0),
            refused,
        };
        called.0 = core::CalledGame::restore(game.0.clone(), called.0.protocol(), calls);
        Ok(called)
    }
}
