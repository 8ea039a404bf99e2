//! Conversions to the exceptions of `hnefi.errors` and from and to the enumerations of `hnefi.pieces`.

use hnefi_rules::{Fault, Piece, Reason, Refusal, Side};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

fn exception<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("hnefi.errors")?.getattr(name)
}

/// Returns what creates the exception of a refused move.
pub(crate) fn illegal_move(py: Python<'_>) -> impl Fn(Refusal) -> PyErr {
    move |refusal| refused(py, "IllegalMove", &refusal)
}

/// Returns what creates the exception of a refused setup.
pub(crate) fn bad_setup(py: Python<'_>) -> impl Fn(Refusal) -> PyErr {
    move |refusal| refused(py, "SetupError", &refusal)
}

fn refused(py: Python<'_>, name: &str, refusal: &Refusal) -> PyErr {
    let make = || {
        let facts = dict(py, &refusal.parameters)?;
        exception(py, name)?.call1((refusal.code, refusal.to_string(), facts))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// Creates the exception of a faulty rule tree.
pub(crate) fn faulty(py: Python<'_>, faults: &[Fault]) -> PyErr {
    let make = || {
        let from_facts = exception(py, "Fault")?.getattr("from_facts")?;
        let list = faults
            .iter()
            .map(|fault| from_facts.call1((fault.code, fault.kind, &fault.path, dict(py, &fault.facts)?)))
            .collect::<PyResult<Vec<_>>>()?;
        exception(py, "VariantError")?.call_method1("of_rules", (list,))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

fn dict<'py>(py: Python<'py>, facts: &[(&'static str, String)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in facts {
        dict.set_item(name, value)?;
    }
    Ok(dict)
}

/// The members of an enumeration of `hnefi.pieces`, in the order of the values in Rust.
pub(crate) struct Members<T: 'static> {
    class: &'static str,
    values: &'static [T],
    names: &'static [&'static str],
    cell: PyOnceLock<Vec<Py<PyAny>>>,
}

pub(crate) static SIDES: Members<Side> = Members::new("Side", &Side::ALL, Side::NAMES);
pub(crate) static PIECES: Members<Piece> = Members::new("Piece", &Piece::ALL, Piece::NAMES);
pub(crate) static REASONS: Members<Reason> = Members::new("Reason", &Reason::ALL, Reason::NAMES);

impl<T: Copy + PartialEq> Members<T> {
    const fn new(class: &'static str, values: &'static [T], names: &'static [&'static str]) -> Self {
        Self { class, values, names, cell: PyOnceLock::new() }
    }

    /// Iterates over the values with their members.
    fn pairs(&'static self, py: Python<'_>) -> PyResult<impl Iterator<Item = (T, &'static Py<PyAny>)>> {
        let members = self.cell.get_or_try_init(py, || {
            let class = py.import("hnefi.pieces")?.getattr(self.class)?;
            self.names.iter().map(|name| Ok(class.call1((*name,))?.unbind())).collect::<PyResult<Vec<_>>>()
        })?;
        Ok(self.values.iter().copied().zip(members))
    }

    /// Returns the member of a value.
    pub(crate) fn of(&'static self, py: Python<'_>, value: T) -> PyResult<Py<PyAny>> {
        let found = self.pairs(py)?.find(|(one, _)| *one == value);
        Ok(found.expect("every value has a member").1.clone_ref(py))
    }

    /// Returns the value of a member.
    pub(crate) fn read(&'static self, member: &Bound<'_, PyAny>) -> PyResult<T> {
        let mut pairs = self.pairs(member.py())?;
        pairs.find(|(_, one)| one.is(member)).map(|(value, _)| value).ok_or_else(|| {
            let found = member.get_type().to_string();
            PyTypeError::new_err(format!("{found}, expected {}", self.class))
        })
    }
}
