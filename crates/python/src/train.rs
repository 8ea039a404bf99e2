//! Self-play and the training of networks.

use std::sync::atomic::{AtomicBool, Ordering};

use hnefi_train as train;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::rules::Rules;
use crate::search::weights_for;

/// The time between two looks whether Python wants to stop the games.
const POLL: std::time::Duration = std::time::Duration::from_millis(100);

/// Plays games of the engine against itself, and returns their quiet positions in packed form.
///
/// The games depend on their numbers, the seed and the positions a move, not on the threads. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (rules, *, first, count, nodes, seed = 1, threads = 1, weights = None, even_score = 0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn self_play<'py>(
    py: Python<'py>,
    rules: &Rules,
    first: u32,
    count: u32,
    nodes: u64,
    seed: u64,
    threads: usize,
    weights: Option<&str>,
    even_score: i32,
) -> PyResult<Bound<'py, PyBytes>> {
    let weights = weights_for(weights, &rules.0)?;
    let settings = train::SelfPlay { rules: rules.0.clone(), weights, nodes, seed, even_score };
    let stop = AtomicBool::new(false);
    let samples = py.detach(|| {
        std::thread::scope(|scope| {
            let games = scope.spawn(|| train::play_games(&settings, first, count, threads, &stop));
            while !games.is_finished() {
                std::thread::sleep(POLL);
                let is_interrupted = Python::attach(|py| -> PyResult<()> {
                    py.check_signals()?;
                    Ok(())
                });
                if let Err(error) = is_interrupted {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(games.join().ok().flatten())
        })
    })?;
    let samples = samples.ok_or_else(|| PyValueError::new_err("games were not played to their ends"))?;
    Ok(PyBytes::new(py, &samples))
}

/// Trains a network on samples of self-play, and returns it with measurements; None for too few samples.
///
/// `network` is the file in Base64, `samples` counts those it learned from, `curve` and `held_out_curve` have the loss of
/// each epoch, `attackers` and `defenders` the log-losses of held-out games by side to move. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (
    rules, samples, *, epochs = 12, batch = 1024, rate = 0.004, last_rate = 0.00002, result_share = 0.35, buckets = true,
    seed = 1, facts = "{}"
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn train_network<'py>(
    py: Python<'py>,
    rules: &Rules,
    samples: &[u8],
    epochs: u32,
    batch: usize,
    rate: f32,
    last_rate: f32,
    result_share: f32,
    buckets: bool,
    seed: u64,
    facts: &str,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if batch == 0 {
        return Err(PyValueError::new_err("batch: 0, expected 1 or more"));
    }
    let settings = train::Settings {
        epochs,
        batch,
        rates: (rate, last_rate),
        lambda: result_share,
        has_buckets: buckets,
        seed,
    };
    let rules = rules.0.clone();
    let trained = py.detach(|| {
        let size = rules.size();
        let samples = train::Sample::unpack_all(samples, size);
        train::train(&rules, &samples, &settings, &mut |_| {})
    });
    let Some(mut trained) = trained else { return Ok(None) };
    trained.network.facts = facts.to_string();
    let result = PyDict::new(py);
    result.set_item("network", trained.network.to_text())?;
    result.set_item("samples", trained.samples)?;
    result.set_item("scale", trained.network.scale)?;
    result.set_item("curve", trained.curve)?;
    result.set_item("held_out_curve", trained.held_out_curve)?;
    for (name, losses) in ["attackers", "defenders"].into_iter().zip(trained.losses) {
        let of_side = PyDict::new(py);
        of_side.set_item("positions", losses.positions)?;
        of_side.set_item("nothing", losses.nothing)?;
        of_side.set_item("score", losses.score)?;
        of_side.set_item("network", losses.network)?;
        of_side.set_item("quantised", losses.quantised)?;
        result.set_item(name, of_side)?;
    }
    Ok(Some(result))
}
