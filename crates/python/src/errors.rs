//! Conversions to the exceptions of `hnefi.errors` and from and to the enumerations of `hnefi.pieces`.

use hnefi_rules::{Fault, Piece, Reason, Refusal, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// The exception that a refusal becomes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Setup,
    Move,
}

fn exception<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("hnefi.errors")?.getattr(name)
}

/// Creates the exception of a refusal.
pub(crate) fn refused(py: Python<'_>, kind: Kind, refusal: &Refusal) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let name = match kind {
            Kind::Setup => "SetupError",
            Kind::Move => "IllegalMove",
        };
        let error = exception(py, name)?.call1((
            refusal.code,
            refusal.to_string(),
            dict(py, &refusal.parameters)?,
        ))?;
        Ok(PyErr::from_value(error))
    };
    make().unwrap_or_else(|error| error)
}

/// Creates the exception of a faulty rule tree.
pub(crate) fn faulty(py: Python<'_>, faults: &[Fault]) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let from_facts = exception(py, "Fault")?.getattr("from_facts")?;
        let list = faults
            .iter()
            .map(|fault| from_facts.call1((fault.code, fault.kind, &fault.path, dict(py, &fault.facts)?)))
            .collect::<PyResult<Vec<_>>>()?;
        let error = exception(py, "VariantError")?.call_method1("of_rules", (list,))?;
        Ok(PyErr::from_value(error))
    };
    make().unwrap_or_else(|error| error)
}

fn dict<'py>(py: Python<'py>, facts: &[(&'static str, String)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in facts {
        dict.set_item(name, value)?;
    }
    Ok(dict)
}

/// The members of one enumeration of `hnefi.pieces`, in the order of the Rust enumeration.
struct Members {
    class: &'static str,
    cell: PyOnceLock<Vec<Py<PyAny>>>,
}

static SIDES: Members = Members { class: "Side", cell: PyOnceLock::new() };
static PIECES: Members = Members { class: "Piece", cell: PyOnceLock::new() };
static REASONS: Members = Members { class: "Reason", cell: PyOnceLock::new() };

impl Members {
    fn all<'py>(&'static self, py: Python<'py>, names: &[&str]) -> PyResult<&'py [Py<PyAny>]> {
        let members = self.cell.get_or_try_init(py, || {
            let class = py.import("hnefi.pieces")?.getattr(self.class)?;
            names.iter().map(|name| Ok(class.call1((*name,))?.unbind())).collect::<PyResult<Vec<_>>>()
        })?;
        Ok(members)
    }

    fn get(&'static self, py: Python<'_>, names: &[&str], place: usize) -> PyResult<Py<PyAny>> {
        Ok(self.all(py, names)?[place].clone_ref(py))
    }

    fn find(&'static self, member: &Bound<'_, PyAny>, names: &[&str]) -> PyResult<usize> {
        let members = self.all(member.py(), names)?;
        members.iter().position(|one| one.is(member)).ok_or_else(|| {
            let found = member.get_type().to_string();
            PyTypeError::new_err(format!("{found}, expected {}", self.class))
        })
    }
}

const SIDE_NAMES: [&str; 2] = [Side::Attackers.name(), Side::Defenders.name()];
fn piece_names() -> [&'static str; Piece::COUNT] {
    Piece::ALL.map(Piece::name)
}

fn reason_names() -> Vec<&'static str> {
    Reason::ALL.iter().map(|reason| reason.name()).collect()
}

/// Returns the member of `hnefi.Side`.
pub(crate) fn side(py: Python<'_>, side: Side) -> PyResult<Py<PyAny>> {
    SIDES.get(py, &SIDE_NAMES, side as usize)
}

/// Returns the member of `hnefi.Piece`.
pub(crate) fn piece(py: Python<'_>, piece: Piece) -> PyResult<Py<PyAny>> {
    PIECES.get(py, &piece_names(), piece as usize)
}

/// Returns the member of `hnefi.Reason`.
pub(crate) fn reason(py: Python<'_>, reason: Reason) -> PyResult<Py<PyAny>> {
    REASONS.get(py, &reason_names(), reason as usize)
}

/// Returns the side of a member of `hnefi.Side`.
pub(crate) fn read_side(member: &Bound<'_, PyAny>) -> PyResult<Side> {
    Ok([Side::Attackers, Side::Defenders][SIDES.find(member, &SIDE_NAMES)?])
}

/// Returns the piece of a member of `hnefi.Piece`.
pub(crate) fn read_piece(member: &Bound<'_, PyAny>) -> PyResult<Piece> {
    Ok(Piece::ALL[PIECES.find(member, &piece_names())?])
}

/// Returns the reason of a member of `hnefi.Reason`.
pub(crate) fn read_reason(member: &Bound<'_, PyAny>) -> PyResult<Reason> {
    Ok(Reason::ALL[REASONS.find(member, &reason_names())?])
}
