//! Positions and descriptions of moves.

use std::hash::{DefaultHasher, Hash, Hasher};

use hnefi_rules as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::errors::{self, illegal_move};
use crate::rules::{Rules, RulesOf, Setup, check_symmetry, drawn, square_tuple};
use crate::values::{Move, Outcome, Square, Whole, Written, moves_from};

/// One capture of a move, with its reason.
#[pyclass(frozen, eq, hash, from_py_object, module = "hnefi")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Capture(core::Capture);

/// The kinds of capture.
const HOW: [&str; 9] = [
    "custodial",
    "three_sides",
    "four_sides",
    "commanders",
    "linnaean",
    "shieldwall",
    "row",
    "blocked_group",
    "jump",
];

type CaptureFacts<'py> = (Square, Py<PyAny>, &'static str, Bound<'py, PyTuple>);

#[pymethods]
impl Capture {
    #[new]
    fn new(square: Square, piece: &Bound<'_, PyAny>, how: &str, by: Vec<Square>) -> PyResult<Self> {
        let kind = HOW.iter().find(|kind| **kind == how);
        let how =
            kind.ok_or_else(|| PyValueError::new_err(format!("how: {how:?}, expected {}", HOW.join(" | "))))?;
        let by = by.into_iter().map(|square| square.0).collect();
        Ok(Self(core::Capture { square: square.0, piece: errors::PIECES.read(piece)?, how, by }))
    }

    /// The square of the captured piece.
    #[getter]
    fn square(&self) -> Square {
        Square(self.0.square)
    }

    /// The captured piece.
    #[getter]
    fn piece(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::PIECES.of(py, self.0.piece)
    }

    /// The kind of capture.
    ///
    /// `custodial`, `three_sides`, `four_sides`, `commanders`, `linnaean`, `shieldwall`, `row`, `blocked_group` or `jump`.
    #[getter]
    fn how(&self) -> &'static str {
        self.0.how
    }

    /// The squares that enclose it, the hammer first, special squares included.
    #[getter]
    fn by<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        square_tuple(py, &self.0.by)
    }

    fn __repr__(&self) -> String {
        let by: Vec<String> = self.0.by.iter().map(ToString::to_string).collect();
        format!("<Capture {} {} {} by {}>", self.0.piece.name(), self.0.square, self.0.how, by.join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, CaptureFacts<'py>)> {
        Ok((py.get_type::<Self>(), (self.square(), self.piece(py)?, self.how(), self.by(py)?)))
    }
}

/// The effects of a move: `captures` and, if it ends the game, `outcome`.
#[pyclass(frozen, eq, hash, module = "hnefi")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Description(core::Description);

type DescriptionFacts<'py> = (Move, Py<PyAny>, Bound<'py, PyTuple>, Option<Outcome>);

#[pymethods]
impl Description {
    #[new]
    #[pyo3(signature = (r#move, piece, captures, outcome = None))]
    fn new(
        r#move: Move,
        piece: &Bound<'_, PyAny>,
        captures: Vec<Capture>,
        outcome: Option<Outcome>,
    ) -> PyResult<Self> {
        let captures = captures.into_iter().map(|capture| capture.0).collect();
        let outcome = outcome.map(|outcome| outcome.0);
        Ok(Self(core::Description { mv: r#move.0, piece: errors::PIECES.read(piece)?, captures, outcome }))
    }

    /// The move.
    #[getter]
    fn r#move(&self) -> Move {
        Move(self.0.mv)
    }

    /// The moved piece.
    #[getter]
    fn piece(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::PIECES.of(py, self.0.piece)
    }

    /// All captures, the king included.
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.captures.iter().cloned().map(Capture))
    }

    /// The outcome, if the move ends the game; repetition does not count.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome.map(Outcome)
    }

    fn __str__(&self) -> String {
        core::format_move(self.0.mv, &self.0.soldiers())
    }

    fn __repr__(&self) -> String {
        format!("<Description {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, DescriptionFacts<'py>)> {
        Ok((py.get_type::<Self>(), (self.r#move(), self.piece(py)?, self.captures(py)?, self.outcome())))
    }
}

/// A board and a side to move under a set of rules.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Position(pub(crate) core::Position);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (rules, setup = None))]
    fn new(py: Python<'_>, rules: RulesOf, setup: Option<Setup>) -> PyResult<Self> {
        let rules = rules.0.0;
        match setup {
            None => Ok(Self(core::Position::start(rules))),
            Some(setup) => core::Position::new(rules, &setup.0).map(Self).map_err(errors::bad_setup(py)),
        }
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
    }

    /// The position as a setup.
    #[getter]
    fn setup(&self) -> Setup {
        Setup(self.0.setup())
    }

    /// The side to move.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::SIDES.of(py, self.0.turn())
    }

    /// The number of plies since the last capture.
    #[getter]
    fn quiet(&self) -> u32 {
        self.0.quiet()
    }

    /// The piece that has captured and may go on in the same turn; its side is then to move.
    #[getter]
    fn going(&self) -> Option<Square> {
        self.0.going().map(Square)
    }

    /// Whether the side to move may end a turn of several captures here.
    #[getter]
    fn may_end_turn(&self) -> bool {
        self.0.may_end_turn()
    }

    /// The pieces by square. A new dictionary each time.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.setup().pieces(py)
    }

    /// Returns the piece on a square, or None.
    fn piece_at(&self, py: Python<'_>, square: Square) -> PyResult<Option<Py<PyAny>>> {
        self.0.piece_at(square.0).map(|piece| errors::PIECES.of(py, piece)).transpose()
    }

    /// The king's square; None when he is captured.
    #[getter]
    fn king(&self) -> Option<Square> {
        self.0.king().map(Square)
    }

    /// The king's open roads: his move to the nearest goal in each direction, whoever is to move.
    #[getter]
    fn open_roads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.open_roads().into_iter().map(Move))
    }

    /// Whether the attackers could capture the king if they were to move: "gare au roi" (D13).
    #[getter]
    fn threatened_king(&self) -> bool {
        self.0.threatened_king()
    }

    /// The sides of the king closed by an attacker, a hostile square or the edge; none without a king.
    #[getter]
    fn closed_sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let closed = self.0.king_danger().map_or_else(Vec::new, |danger| danger.closed);
        PyTuple::new(py, closed.into_iter().map(core::Direction::name))
    }

    /// The special squares that are hostile as the pieces stand, with the kinds they are hostile to.
    #[getter]
    fn hostile_squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let hostile = PyDict::new(py);
        for (square, kinds) in self.0.hostile_squares() {
            let kinds: Vec<_> =
                kinds.into_iter().map(|kind| errors::PIECES.of(py, kind)).collect::<PyResult<_>>()?;
            hostile.set_item(Square(square), PyTuple::new(py, kinds)?)?;
        }
        Ok(hostile)
    }

    /// The outcome, if the position is over as loaded.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome)
    }

    /// Returns the legal moves of the side to move, or of the piece on a square.
    #[pyo3(signature = (from_square = None))]
    fn legal_moves(&self, from_square: Option<Square>) -> Vec<Move> {
        moves_from(self.0.legal_moves(), from_square)
    }

    /// Checks whether a move is legal, in O(1). Captures written with it do not count.
    fn is_legal(&self, r#move: Move) -> bool {
        self.0.is_legal(r#move.0)
    }

    /// Raises the reason why a move is not legal.
    fn check(&self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let written = Written::read(r#move)?;
        self.0.check(written.mv).map_err(illegal_move(r#move.py()))?;
        self.check_captures(r#move.py(), &written)
    }

    /// Describes what a legal move captures and why.
    fn describe(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Description> {
        let written = Written::read(r#move)?;
        self.check_captures(r#move.py(), &written)?;
        core::describe(&self.0, written.mv).map(Description).map_err(illegal_move(r#move.py()))
    }

    /// Returns the position after a legal move, before any forced pass.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let written = Written::read(r#move)?;
        self.check_captures(r#move.py(), &written)?;
        self.0.play(written.mv).map(Self).map_err(illegal_move(r#move.py()))
    }

    /// Counts the move sequences of `depth` plies, leaf by leaf.
    fn perft(&self, py: Python<'_>, depth: Whole<u32>) -> u64 {
        py.detach(|| self.0.perft(depth.0)).nodes
    }

    /// Counts the move sequences by first move; `depth` is at least 1.
    fn divide<'py>(&self, py: Python<'py>, depth: Whole<u32, 1>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        for (mv, counts) in py.detach(|| self.0.divide(depth.0)) {
            parts.set_item(Move(mv), counts.nodes)?;
        }
        Ok(parts)
    }

    /// The 64-bit Zobrist key of board and side to move. Equal positions have equal keys.
    #[getter]
    fn zobrist(&self) -> u64 {
        self.0.zobrist()
    }

    /// A signed 64-bit hash of board and side to move, the same for all images by `Rules.symmetries`.
    #[getter]
    fn canonical_key(&self) -> i64 {
        signed(self.0.canonical_key())
    }

    /// Returns a number below 2**17 for each move, the same for moves equivalent by symmetry.
    fn canonical_moves(&self, moves: Vec<Move>) -> Vec<u32> {
        let moves: Vec<core::Move> = moves.iter().map(|mv| mv.0).collect();
        self.0.canonical_moves(&moves).into_iter().map(core::move_number).collect()
    }

    /// Returns the image of the position by a symmetry (see `Rules.map_square`).
    fn transformed(&self, symmetry: Whole<u8, 0, 7>) -> PyResult<Self> {
        check_symmetry(self.0.rules(), symmetry.0)?;
        Ok(Self(self.0.transformed(symmetry.0)))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.rules().hash(), self.0.zobrist()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.setup().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Position {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Rules, Setup)) {
        (py.get_type::<Self>(), (self.rules(), self.setup()))
    }

    /// Returns the board as SVG for notebooks, as `diagram.svg` does.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any())
    }
}

impl Position {
    /// Raises an error if a legal move does not make the captures written with it.
    fn check_captures(&self, py: Python<'_>, written: &Written) -> PyResult<()> {
        if written.captures.is_none() {
            return Ok(());
        }
        let mut made = core::describe(&self.0, written.mv).map_err(illegal_move(py))?.soldiers();
        made.sort_unstable();
        core::check_captures(written.captures.as_deref(), &made).map_err(illegal_move(py))
    }
}

/// Returns a key as a signed number, which databases can store.
pub(crate) const fn signed(key: u64) -> i64 {
    i64::from_ne_bytes(key.to_ne_bytes())
}
