//! Setups and rules.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hnefi_rules as core;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::errors;
use crate::values::{Square, Whole};

/// Pieces, the side to move and the quiet counter, not necessarily playable, as editors hold them.
#[pyclass(frozen, eq, hash, module = "hnefi")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Setup(pub(crate) core::Setup);

#[pymethods]
impl Setup {
    #[new]
    fn new(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        core::Setup::parse(&text.to_string_lossy()).map(Self).map_err(errors::bad_setup(py))
    }

    /// Creates the setup with these pieces on an empty board.
    #[staticmethod]
    #[pyo3(signature = (size, pieces, turn, quiet = Whole(0), going = None), text_signature = "(size, pieces, turn, quiet=0, going=None)")]
    fn of(
        size: Whole<usize>,
        pieces: &Bound<'_, PyDict>,
        turn: &Bound<'_, PyAny>,
        quiet: Whole<u32>,
        going: Option<Square>,
    ) -> PyResult<Self> {
        let refuse = errors::bad_setup(turn.py());
        let mut setup = core::Setup::empty(size.0, errors::SIDES.read(turn)?, quiet.0).map_err(&refuse)?;
        for (square, piece) in pieces {
            let square = square.extract::<Square>()?.0;
            setup.put(square, Some(errors::PIECES.read(&piece)?)).map_err(&refuse)?;
        }
        setup.going = going.map(|square| square.0);
        Ok(Self(setup))
    }

    /// The number of squares along a side of the board.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The pieces by square, from `a1` rank by rank. A new dictionary each time.
    #[getter]
    pub(crate) fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for (square, piece) in self.0.pieces() {
            pieces.set_item(Square(square), errors::PIECES.of(py, piece)?)?;
        }
        Ok(pieces)
    }

    /// The side to move.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        errors::SIDES.of(py, self.0.turn)
    }

    /// The number of plies since the last capture.
    #[getter]
    fn quiet(&self) -> u32 {
        self.0.quiet
    }

    /// The piece that has captured and may go on in the same turn.
    #[getter]
    fn going(&self) -> Option<Square> {
        self.0.going.map(Square)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Setup('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }

    /// Returns the board as SVG for notebooks, as `diagram.svg` does.
    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any())
    }
}

/// Returns an object as SVG by `hnefi.diagram`, for notebooks.
pub(crate) fn drawn(object: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    Ok(object.py().import("hnefi.diagram")?.call_method1("svg", (object,))?.unbind())
}

/// The rules of a variant: a rule tree, checked and compiled.
///
/// Rules are equal if their hashes are.
#[pyclass(frozen, eq, module = "hnefi")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Rules(pub(crate) Arc<core::Rules>);

#[pymethods]
impl Rules {
    #[new]
    fn new(py: Python<'_>, tree: &Bound<'_, PyString>) -> PyResult<Self> {
        core::Rules::from_json(&tree.to_string_lossy())
            .map(Self)
            .map_err(|faults| errors::faulty(py, &faults))
    }

    /// Returns the parameters as JSON, in order: a list of `{name, path, kind, values, keys, neutral}`.
    #[staticmethod]
    fn schema() -> String {
        core::schema::to_json()
    }

    /// Returns the complete tree as JSON, which the constructor parses.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The rules as typed values.
    #[getter]
    fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("hnefi.rule_tree")?.call_method1("parse_rule_tree", (self.0.to_json(),))
    }

    /// Returns the tree without its neutral values, in the form that is hashed.
    fn canonical_json(&self) -> &str {
        self.0.canonical_json()
    }

    /// SHA-256 of the canonical form, 64 hexadecimal digits.
    #[getter]
    fn hash(&self) -> &str {
        self.0.hash()
    }

    /// The number of squares along a side of the board.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The start position, with the side that moves first.
    #[getter]
    fn start(&self) -> Setup {
        Setup(self.0.law().start.clone())
    }

    /// The centre, if it is special.
    #[getter]
    fn throne(&self) -> Option<Square> {
        self.0.law().throne_square().map(Square)
    }

    /// The corner squares, if they are special.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        square_tuple(py, &self.0.law().corner_squares())
    }

    /// The attackers' camps.
    #[getter]
    fn camps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let camps =
            self.0.law().camps.iter().map(|camp| square_tuple(py, camp)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, camps)
    }

    /// The squares on which the king wins.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        square_tuple(py, &self.0.law().goals())
    }

    /// The symmetries of the special squares, among the eight of the square: 0 (none) to 7.
    #[getter]
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.symmetries().iter().copied())
    }

    /// Returns the image of a square: bit 0 mirrors the files, bit 1 the ranks, bit 2 then swaps the two.
    fn map_square(&self, square: Square, symmetry: Whole<u8, 0, 7>) -> PyResult<Square> {
        check_symmetry(&self.0, symmetry.0)?;
        Ok(Square(self.0.map_square(square.0, symmetry.0)))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<Rules {} {}×{}>", &self.0.hash()[..12], self.0.size(), self.0.size())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_json(),))
    }
}

/// A parameter that takes rules, or a variant or its id or name.
pub(crate) struct RulesOf(pub(crate) Rules);

impl<'py> FromPyObject<'_, 'py> for RulesOf {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rules) = given.cast::<Rules>() {
            return Ok(Self(rules.get().clone()));
        }
        let rules = given.py().import("hnefi.variants.finding")?.call_method1("rules_of", (given,))?;
        Ok(Self(rules.cast::<Rules>()?.get().clone()))
    }
}

/// A parameter of type `Setup` takes its text as well.
impl<'py> FromPyObject<'_, 'py> for Setup {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(setup) = given.cast::<Self>() {
            return Ok(setup.get().clone());
        }
        let text = given
            .cast::<PyString>()
            .map_err(|_| PyTypeError::new_err(format!("{}, expected Setup or str", given.get_type())))?;
        Self::new(given.py(), &text)
    }
}

/// Checks that the rules have a symmetry.
pub(crate) fn check_symmetry(rules: &core::Rules, symmetry: u8) -> PyResult<()> {
    if rules.symmetries().contains(&symmetry) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("symmetry: {symmetry}, expected one of {:?}", rules.symmetries())))
}

pub(crate) fn square_tuple<'py>(py: Python<'py>, squares: &[core::Square]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, squares.iter().copied().map(Square))
}
