//! Training: Adam with a learning rate that falls as a cosine, in numbers of 32 bits, on one thread.
//!
//! The network learns λ · result + (1 − λ) · expected result of the score, where a logistic curve for each side to move
//! turns scores into expected results. Wherever several images of a position have the king on the same square, each epoch
//! takes another. The same samples and settings give the same network on one kind of machine.

use std::sync::Arc;

use hnefi_rules::zobrist::split_mix;
use hnefi_rules::{Rules, Side};
use hnefi_search::{Network, ONE, TERM_COUNT, TermValues};

use crate::inputs::{Example, Examples, Input, Layout};
use crate::losses::{Logistic, Losses, cross_entropy, logistic, mean_loss};
use crate::quantise::{output, quantise};
use crate::samples::Sample;

// Adam: how fast the means of the gradients and of their squares are forgotten, and what keeps divisions finite.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The greatest weight of the first layer that 8 bits hold.
const MAX_WEIGHT: f32 = 127.0 / ONE as f32;

/// The settings of a training.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over all samples.
    pub epochs: u32,
    /// Samples a step.
    pub batch: usize,
    /// The first and the last learning rate.
    pub rates: (f32, f32),
    /// The share of the result in what is learned.
    pub lambda: f32,
    /// Whether the weights of soldiers depend on the king's square.
    pub has_buckets: bool,
    /// Whether the terms of the evaluation are inputs.
    pub has_terms: bool,
    /// Blocks of the hidden layer.
    pub blocks: usize,
    /// The seed of the first weights and of the order of samples.
    pub seed: u64,
}

/// A trained network.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The network; its facts are empty.
    pub network: Network,
    /// Samples it learned from.
    pub samples: usize,
    /// The mean loss of each epoch, while training.
    pub curve: Vec<f64>,
    /// The log-loss of the held-out games after each epoch.
    pub held_out_curve: Vec<f64>,
    /// Log-losses of held-out games, by side to move.
    pub losses: [Losses; 2],
}

/// Where the numbers of a part begin: first layer, first sums, terms in the hidden layer, outputs, terms in the outputs,
/// constants.
pub(crate) struct Parts {
    pub(crate) width: usize,
    pub(crate) king: usize,
    pub(crate) terms: usize,
    pub(crate) heads: usize,
    pub(crate) head_terms: usize,
    pub(crate) constants: usize,
    pub(crate) count: usize,
}

impl Parts {
    pub(crate) fn new(layout: &Layout) -> Self {
        let width = layout.width;
        let king = layout.buckets * layout.kinds * layout.size * layout.size * width;
        let terms = king + layout.classes * width;
        let heads = terms + layout.terms * width;
        let head_terms = heads + 2 * width;
        let constants = head_terms + 2 * layout.terms;
        Self { width, king, terms, heads, head_terms, constants, count: constants + 2 }
    }
}

/// A network in numbers of 32 bits.
///
/// Terms are divided by twice their deviation.
pub(crate) struct Model {
    pub(crate) parts: Parts,
    pub(crate) numbers: Vec<f32>,
    pub(crate) divisors: [f32; TERM_COUNT],
}

impl Model {
    fn new(layout: &Layout, examples: &[Example], seed: u64) -> Self {
        let parts = Parts::new(layout);
        let mut state = seed ^ 0x6e65_7477_6f72_6b31;
        let mut unit = || (split_mix(&mut state) >> 40) as f32 / (1_u64 << 24) as f32;
        let mut numbers = vec![0.0; parts.count];
        for (part, middle, width) in [
            (0..parts.king, 0.0, 0.4),
            (parts.king..parts.terms, 0.3, 0.4),
            (parts.terms..parts.heads, 0.0, 0.2),
            (parts.heads..parts.head_terms, 0.0, 0.6),
        ] {
            numbers[part].fill_with(|| middle + (unit() - 0.5) * width);
        }
        Self { parts, numbers, divisors: divisors(examples) }
    }

    /// Returns the result that it expects of an example.
    fn expected(&self, one: &Example) -> f32 {
        let mut sums = vec![0.0; self.parts.width];
        logistic(self.output(&one.images[0], one.terms.as_ref(), one.turn, &mut sums))
    }

    /// Returns the terms in the numbers of the model; without terms, none.
    fn terms(&self, values: Option<&TermValues>) -> impl Iterator<Item = f32> {
        let values = values.map_or(&[][..], |values| values.values());
        values.iter().zip(&self.divisors).map(|(value, divisor)| f32::from(*value) / divisor)
    }

    /// Returns the output, and writes the sums of the hidden layer.
    #[inline]
    pub(crate) fn output(
        &self,
        input: &Input,
        values: Option<&TermValues>,
        turn: Side,
        sums: &mut [f32],
    ) -> f32 {
        let width = self.parts.width;
        let king = self.parts.king + input.class as usize * width;
        sums.copy_from_slice(&self.numbers[king..king + width]);
        for row in &input.rows {
            let first = *row as usize * width;
            for (sum, weight) in sums.iter_mut().zip(&self.numbers[first..first + width]) {
                *sum += weight;
            }
        }
        let mut output = self.numbers[self.parts.constants + turn as usize];
        let direct = self.parts.head_terms + turn as usize * TERM_COUNT;
        for (term, value) in self.terms(values).enumerate() {
            let first = self.parts.terms + term * width;
            for (sum, weight) in sums.iter_mut().zip(&self.numbers[first..first + width]) {
                *sum += value * weight;
            }
            output += value * self.numbers[direct + term];
        }
        let head = self.parts.heads + turn as usize * width;
        let products = sums
            .iter()
            .zip(&self.numbers[head..head + width])
            .map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight);
        output + products.sum::<f32>()
    }

    /// Adds the gradient of an example, for the error of its output. Overwrites the sums.
    #[inline]
    fn add_gradient(
        &self,
        gradient: &mut [f32],
        input: &Input,
        values: Option<&TermValues>,
        turn: Side,
        sums: &mut [f32],
        error: f32,
    ) {
        let width = self.parts.width;
        let head = self.parts.heads + turn as usize * width;
        for (unit, sum) in sums.iter_mut().enumerate() {
            gradient[head + unit] += error * sum.clamp(0.0, 1.0);
            let is_active = *sum > 0.0 && *sum < 1.0;
            *sum = if is_active { error * self.numbers[head + unit] } else { 0.0 };
        }
        let inner = sums;
        gradient[self.parts.constants + turn as usize] += error;
        let king = self.parts.king + input.class as usize * width;
        for first in std::iter::once(king).chain(input.rows.iter().map(|row| *row as usize * width)) {
            for (sum, inner) in gradient[first..first + width].iter_mut().zip(&*inner) {
                *sum += inner;
            }
        }
        let direct = self.parts.head_terms + turn as usize * TERM_COUNT;
        for (term, value) in self.terms(values).enumerate() {
            let first = self.parts.terms + term * width;
            for (sum, inner) in gradient[first..first + width].iter_mut().zip(&*inner) {
                *sum += value * inner;
            }
            gradient[direct + term] += error * value;
        }
    }
}

/// Returns twice the deviation of each term.
fn divisors(examples: &[Example]) -> [f32; TERM_COUNT] {
    let (mut sums, mut squares, mut count) = ([0.0_f64; TERM_COUNT], [0.0_f64; TERM_COUNT], 0.0);
    for values in examples.iter().filter_map(|one| one.terms.as_ref()) {
        count += 1.0;
        for ((sum, square), value) in sums.iter_mut().zip(&mut squares).zip(values.values()) {
            *sum += f64::from(*value);
            *square += f64::from(*value).powi(2);
        }
    }
    std::array::from_fn(|term| {
        let mean = sums[term] / f64::max(count, 1.0);
        let deviation = (squares[term] / f64::max(count, 1.0) - mean * mean).max(0.0).sqrt();
        2.0 * deviation.max(0.05) as f32
    })
}

/// Trains a network on samples; `None` if there are too few of a side to learn from or to test with.
#[must_use]
pub fn train(rules: &Arc<Rules>, samples: &[Sample], settings: &Settings) -> Option<Trained> {
    let Examples { layout, training, held_out } = Examples::new(rules, samples, settings);
    let of_side = |side: Side| training.iter().filter(move |one| one.turn == side);
    let is_enough = |side: Side| of_side(side).count() >= 100 && held_out.iter().any(|one| one.turn == side);
    if !is_enough(Side::Attackers) || !is_enough(Side::Defenders) {
        return None;
    }
    let curves = [Side::Attackers, Side::Defenders]
        .map(|side| Logistic::fit(of_side(side).filter_map(|one| Some((one.score, one.result?)))));
    let target = |one: &Example| curves[one.turn as usize].target(one.score, one.result, settings.lambda);
    let targets: Vec<f32> = training.iter().map(target).collect();
    let mut model = Model::new(&layout, &training, settings.seed);
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut state = settings.seed ^ 0x6f72_6465_7231;
    let (mut gradient, mut mean, mut square) =
        (vec![0.0; model.parts.count], vec![0.0; model.parts.count], vec![0.0; model.parts.count]);
    let steps = (settings.epochs as usize * training.len().div_ceil(settings.batch)) as f32;
    let mut sums = vec![0.0; layout.width];
    let (mut step, mut curve, mut held_out_curve) = (0_i32, Vec::new(), Vec::new());
    for _ in 0..settings.epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, (split_mix(&mut state) % (last as u64 + 1)) as usize);
        }
        let mut loss = 0.0;
        for batch in order.chunks(settings.batch) {
            gradient.fill(0.0);
            for index in batch {
                let one = &training[*index as usize];
                let input = &one.images[(split_mix(&mut state) % one.images.len() as u64) as usize];
                let terms = one.terms.as_ref();
                let output = model.output(input, terms, one.turn, &mut sums);
                let (expected, target) = (logistic(output), targets[*index as usize]);
                loss += cross_entropy(f64::from(target), f64::from(expected));
                model.add_gradient(&mut gradient, input, terms, one.turn, &mut sums, expected - target);
            }
            step += 1;
            let share = (step as f32 / steps * std::f32::consts::PI).cos();
            let (first, last) = settings.rates;
            let rate = last + (first - last) * 0.5 * (1.0 + share);
            let scale = 1.0 / batch.len() as f32;
            let (correction1, correction2) = (1.0 - BETA1.powi(step), 1.0 - BETA2.powi(step));
            for (((number, gradient), mean), square) in
                model.numbers.iter_mut().zip(&gradient).zip(&mut mean).zip(&mut square)
            {
                let gradient = gradient * scale;
                *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
                *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
                *number -= rate * (*mean / correction1) / ((*square / correction2).sqrt() + EPSILON);
            }
            // What the integers can hold.
            model.numbers[..model.parts.king]
                .iter_mut()
                .for_each(|number| *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        curve.push(loss / training.len() as f64);
        held_out_curve
            .push(mean_loss(held_out.iter().filter_map(|one| Some((one.result?, model.expected(one))))));
    }
    let network = quantise(&layout, &model, &training);
    let losses = [Side::Attackers, Side::Defenders].map(|side| {
        let expected = |one: &Example| {
            let quantised = logistic(output(&network, one));
            [curves[side as usize].expected(one.score), model.expected(one), quantised]
        };
        let tests = held_out.iter().filter(|one| one.turn == side);
        let tests = tests.filter_map(|one| Some((one.result?, expected(one))));
        Losses::of(of_side(side).filter_map(|one| one.result), tests)
    });
    Some(Trained { network, samples: training.len(), curve, held_out_curve, losses })
}
