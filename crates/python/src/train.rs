//! Self-play and the training of networks.

use std::sync::atomic::Ordering;

use hnefi_search::TranspositionTable;
use hnefi_train as train;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::rules::Rules;
use crate::search::weights_for;
use crate::values::Move;

/// The time between two looks whether Python wants to stop the games.
const POLL: std::time::Duration = std::time::Duration::from_millis(100);

/// Plays games of the engine against itself, and returns their quiet positions in packed form.
///
/// The games depend on their numbers, the seed and the positions a move, not on the threads. `on_samples` is called ten times
/// a second with the number of positions so far; an exception that it raises ends the games. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (
    rules, *, first, count, nodes, seed = 1, threads = 1, weights = None, even_score = 0, steered = false,
    on_samples = None
))]
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
    steered: bool,
    on_samples: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let weights = weights_for(weights, &rules.0)?;
    let settings =
        train::SelfPlay { rules: rules.0.clone(), weights, nodes, seed, even_score, is_steered: steered };
    let progress = train::Progress::default();
    let samples = py.detach(|| {
        std::thread::scope(|scope| {
            let games = scope.spawn(|| train::play_games(&settings, first, count, threads, &progress));
            while !games.is_finished() {
                std::thread::sleep(POLL);
                let is_interrupted = Python::attach(|py| -> PyResult<()> {
                    py.check_signals()?;
                    if let Some(on_samples) = &on_samples {
                        on_samples.call1(py, (progress.samples.load(Ordering::Relaxed),))?;
                    }
                    Ok(())
                });
                if let Err(error) = is_interrupted {
                    progress.stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(games.join().ok().flatten())
        })
    })?;
    let samples = samples.ok_or_else(|| PyValueError::new_err("games were not played to their ends"))?;
    Ok(PyBytes::new(py, &samples))
}

/// Returns the moves of an opening with a score near `aim`, for the attackers; None if none was found.
///
/// The moves depend on the seed, the rules, the weights and the aim. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (rules, *, seed, aim, weights = None))]
pub(crate) fn steered_opening(
    py: Python<'_>,
    rules: &Rules,
    seed: u64,
    aim: i32,
    weights: Option<&str>,
) -> PyResult<Option<Vec<Move>>> {
    let weights = weights_for(weights, &rules.0)?;
    let mut state = seed;
    let game = py
        .detach(|| train::steered_opening(&rules.0, &weights, &TranspositionTable::new(1), &mut state, aim));
    Ok(game.map(|game| game.plies().iter().map(|ply| Move(ply.mv)).collect()))
}

/// Trains a network on samples of self-play, and returns it with measurements; None for too few samples.
///
/// `network` is the file in Base64, `samples` counts those it learned from, `curve` and `held_out_curve` have the loss of
/// each epoch, `attackers` and `defenders` the log-losses of held-out games by side to move. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (
    rules, samples, *, epochs = 12, batch = 1024, rate = 0.004, last_rate = 0.00002, result_share = 0.35, draws = true,
    buckets = true, terms = false, width = 32, seed = 1, facts = "{}"
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
    draws: bool,
    buckets: bool,
    terms: bool,
    width: usize,
    seed: u64,
    facts: &str,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if batch == 0 {
        return Err(PyValueError::new_err("batch: 0, expected 1 or more"));
    }
    if !(32..=256).contains(&width) || width % 32 != 0 {
        return Err(PyValueError::new_err(format!("width: {width}, expected a multiple of 32 up to 256")));
    }
    let settings = train::Settings {
        epochs,
        batch,
        rates: (rate, last_rate),
        lambda: result_share,
        has_buckets: buckets,
        has_terms: terms,
        blocks: width / 32,
        seed,
    };
    let rules = rules.0.clone();
    let trained = py.detach(|| {
        let samples = unpack(samples, rules.size(), draws);
        train::train(&rules, &samples, &settings)
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
        result.set_item(name, losses_of(py, losses)?)?;
    }
    Ok(Some(result))
}

/// Fits weights of the terms and squares to samples by logistic regression; None for too few.
///
/// `weights` is the JSON, `samples` counts those they were fitted to, `scale` is the score that multiplies the odds of a win
/// by e, `attackers` and `defenders` have the log-losses of held-out games by side to move. Releases the interpreter lock.
#[pyfunction]
#[pyo3(signature = (rules, samples, *, result_share = 0.15, draws = true))]
pub(crate) fn fit_weights<'py>(
    py: Python<'py>,
    rules: &Rules,
    samples: &[u8],
    result_share: f32,
    draws: bool,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let rules = rules.0.clone();
    let fitted =
        py.detach(|| train::fit_weights(&rules, &unpack(samples, rules.size(), draws), result_share));
    let Some(fitted) = fitted else { return Ok(None) };
    let result = PyDict::new(py);
    result.set_item("weights", fitted.weights.to_json())?;
    result.set_item("samples", fitted.samples)?;
    result.set_item("scale", fitted.scale)?;
    for (name, losses) in ["attackers", "defenders"].into_iter().zip(fitted.losses) {
        result.set_item(name, losses_of(py, losses)?)?;
    }
    Ok(Some(result))
}

/// Returns the samples, with those of drawn games or without.
fn unpack(samples: &[u8], size: usize, draws: bool) -> Vec<train::Sample> {
    let mut samples = train::Sample::unpack_all(samples, size);
    samples.retain(|one| draws || one.half_points != 1);
    samples
}

fn losses_of(py: Python<'_>, losses: train::Losses) -> PyResult<Bound<'_, PyDict>> {
    let of_side = PyDict::new(py);
    of_side.set_item("positions", losses.positions)?;
    of_side.set_item("nothing", losses.nothing)?;
    of_side.set_item("score", losses.score)?;
    of_side.set_item("learned", losses.learned)?;
    of_side.set_item("quantised", losses.quantised)?;
    Ok(of_side)
}
