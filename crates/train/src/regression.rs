//! Weights of the terms and piece-square scores by logistic regression (ridge, Newton's method), in numbers of 64 bits.
//!
//! They learn what a network learns: λ · result + (1 − λ) · expected result of the score. The constant becomes part of the
//! king's piece-square scores, so that a score of 0 is even.

use std::sync::Arc;

use hnefi_rules::{Rules, Side};
use hnefi_search::{TERM_COUNT, Terms, Weights, features};

use crate::inputs::is_held_out;
use crate::losses::{Logistic, Losses, logistic};
use crate::quantise::middle;
use crate::samples::Sample;

/// How strongly weights are drawn to 0: the penalty on the square of a weight, for a column of deviation 1.
const RIDGE: f64 = 2e-4;
/// Steps of Newton's method; the loss no longer changes after about eight.
const STEPS: usize = 10;
const MAX_WEIGHT: f64 = 9_999.0;
/// Positions of each side to move that are needed.
const LEAST_POSITIONS: usize = 1_000;

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct FittedWeights {
    /// The weights.
    pub weights: Weights,
    /// Samples they were fitted to.
    pub samples: usize,
    /// Hundredths of a soldier for a factor of e in the odds.
    pub scale: f32,
    /// Log-losses of held-out games, by side to move.
    pub losses: [Losses; 2],
}

/// A sample as numbers: the terms, then the pieces on each class of squares.
struct Row {
    numbers: Vec<i16>,
    turn: Side,
    result: Option<f32>,
    score: f32,
}

/// Fits weights to samples; `None` if there are too few of a side.
///
/// `result_share` is λ. Cost: about 0.1 µs a sample and pair of columns; memory two bytes a column and sample.
#[must_use]
pub fn fit_weights(rules: &Arc<Rules>, samples: &[Sample], result_share: f32) -> Option<FittedWeights> {
    let (held_out, fitted): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|one| is_held_out(one));
    let [held_out, fitted] = [held_out, fitted]
        .map(|part| part.into_iter().filter_map(|sample| row(rules, sample)).collect::<Vec<Row>>());
    let count = |rows: &[Row], side| rows.iter().filter(|row| row.turn == side).count();
    let sides = [Side::Attackers, Side::Defenders];
    if sides.iter().any(|side| count(&fitted, *side) < LEAST_POSITIONS || count(&held_out, *side) == 0) {
        return None;
    }
    let curves = sides.map(|side| {
        let of_side = fitted.iter().filter(|row| row.turn == side);
        Logistic::fit(of_side.filter_map(|row| Some((row.score, row.result?))))
    });
    let target = |row: &Row| curves[row.turn as usize].target(row.score, row.result, result_share);
    let targets: Vec<f64> = fitted.iter().map(|row| f64::from(target(row))).collect();
    let standard = Standard::of(&fitted);
    let solution = regress(&fitted, &targets, &standard);
    let linear = standard.in_numbers(&solution);
    let outputs = fitted.iter().map(|row| linear.output(row) as f32).collect();
    let scale = middle(fitted.iter().map(|row| row.score).collect()) / middle(outputs).max(0.01);
    let (weights, rounded) = linear.rounded(f64::from(scale), &standard.means);
    let losses = sides.map(|side| {
        let expected = |row: &Row| {
            let [learned, quantised] = [linear.output(row) as f32, rounded.output(row) as f32 / scale];
            [curves[side as usize].expected(row.score), logistic(learned), logistic(quantised)]
        };
        let is_of_side = |row: &&Row| row.turn == side;
        let tests = held_out.iter().filter(is_of_side);
        Losses::of(
            fitted.iter().filter(is_of_side).filter_map(|row| row.result),
            tests.filter_map(|row| Some((row.result?, expected(row)))),
        )
    });
    Some(FittedWeights { weights, samples: fitted.len(), scale, losses })
}

fn row(rules: &Arc<Rules>, sample: &Sample) -> Option<Row> {
    let (terms, squares) = features(&sample.position(rules)?);
    let numbers = terms.iter().chain(squares.iter().flatten()).map(|number| *number as i16).collect();
    Some(Row { numbers, turn: sample.turn, result: sample.result(), score: f32::from(sample.score) })
}

/// Means and deviations of the columns.
struct Standard {
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Standard {
    fn of(rows: &[Row]) -> Self {
        let columns = rows[0].numbers.len();
        let (mut sums, mut squares) = (vec![0.0; columns], vec![0.0; columns]);
        for row in rows {
            for ((sum, square), number) in sums.iter_mut().zip(&mut squares).zip(&row.numbers) {
                let number = f64::from(*number);
                *sum += number;
                *square += number * number;
            }
        }
        let count = rows.len() as f64;
        let means: Vec<f64> = sums.iter().map(|sum| sum / count).collect();
        let deviation = |(square, mean): (&f64, &f64)| (square / count - mean * mean).max(0.0).sqrt();
        let deviations = squares.iter().zip(&means).map(deviation).collect();
        Self { means, deviations }
    }

    /// Writes the standardised numbers of a row, and 1 for the constant.
    fn standardise(&self, row: &Row, into: &mut [f64]) {
        let columns = self.means.iter().zip(&self.deviations);
        for ((number, into), (mean, deviation)) in row.numbers.iter().zip(&mut *into).zip(columns) {
            *into = if *deviation > 0.0 { (f64::from(*number) - mean) / deviation } else { 0.0 };
        }
        into[self.means.len()] = 1.0;
    }

    /// Converts weights of standardised numbers to those of the numbers themselves.
    fn in_numbers(&self, solution: &[f64]) -> Linear {
        let (mut constant, mut weights) = (solution[self.means.len()], Vec::new());
        for ((weight, mean), deviation) in solution.iter().zip(&self.means).zip(&self.deviations) {
            let weight = if *deviation > 0.0 { weight / deviation } else { 0.0 };
            constant -= weight * mean;
            weights.push(weight);
        }
        Linear { weights, constant }
    }
}

/// A weighted sum with a constant.
struct Linear {
    weights: Vec<f64>,
    constant: f64,
}

impl Linear {
    fn output(&self, row: &Row) -> f64 {
        let products =
            self.weights.iter().zip(&row.numbers).map(|(weight, number)| weight * f64::from(*number));
        self.constant + products.sum::<f64>()
    }

    /// Returns the weights in hundredths of a soldier, and the sum that they make.
    ///
    /// The mean of the squares of a side's soldiers becomes part of the term that counts them, whose zero is the start.
    fn rounded(&self, scale: f64, means: &[f64]) -> (Weights, Self) {
        let mut numbers: Vec<f64> = self.weights.iter().map(|weight| weight * scale).collect();
        let classes = (numbers.len() - TERM_COUNT) / 3;
        let mut constant = self.constant * scale;
        for side in 0..2 {
            let squares = TERM_COUNT + side * classes..TERM_COUNT + (side + 1) * classes;
            let soldiers: f64 = means[squares.clone()].iter().sum();
            let sum: f64 = squares.clone().map(|column| means[column] * numbers[column]).sum();
            let mean = if soldiers > 0.0 { sum / soldiers } else { 0.0 };
            // The columns of attackers and defenders are the first two terms.
            let at_start = soldiers - means[side];
            numbers[side] += mean;
            squares.for_each(|column| numbers[column] -= mean);
            constant += mean * at_start;
        }
        numbers[TERM_COUNT + 2 * classes..].iter_mut().for_each(|number| *number += constant);
        let integers: Vec<i32> =
            numbers.iter().map(|number| number.clamp(-MAX_WEIGHT, MAX_WEIGHT).round() as i32).collect();
        let (terms, squares) = integers.split_at(TERM_COUNT);
        let of_piece = |piece: usize| squares[piece * classes..(piece + 1) * classes].to_vec();
        let weights = Weights {
            terms: Terms::from_array(std::array::from_fn(|term| terms[term])),
            squares: [0, 1, 2].map(of_piece),
            network: None,
        };
        (weights, Self { weights: integers.iter().map(|one| f64::from(*one)).collect(), constant: 0.0 })
    }
}

/// Minimises the mean log-loss with the penalty; the last weight is the constant.
fn regress(rows: &[Row], targets: &[f64], standard: &Standard) -> Vec<f64> {
    let columns = standard.means.len() + 1;
    let mut solution = vec![0.0; columns];
    let mut numbers = vec![0.0; columns];
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = (vec![0.0; columns], vec![0.0; columns * columns]);
        for (row, target) in rows.iter().zip(targets) {
            standard.standardise(row, &mut numbers);
            let output: f64 = numbers.iter().zip(&solution).map(|(number, weight)| number * weight).sum();
            let expected = f64::from(logistic(output as f32));
            let (error, weight) = (expected - target, expected * (1.0 - expected));
            for column in 0..columns {
                gradient[column] += error * numbers[column];
                let scaled = weight * numbers[column];
                let line = &mut curvature[column * columns..][..=column];
                line.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += scaled * number);
            }
        }
        let count = rows.len() as f64;
        for column in 0..columns {
            let penalty = if column + 1 < columns { RIDGE } else { 0.0 };
            gradient[column] = gradient[column] / count + penalty * solution[column];
            curvature[column * columns..][..=column].iter_mut().for_each(|sum| *sum /= count);
            // A column without deviation, and an even result, keep the system solvable.
            curvature[column * columns + column] += penalty + 1e-9;
        }
        let step = solve(curvature, gradient);
        solution.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    solution
}

/// Solves a symmetric positive definite system, of which the lower half is given, by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for row in 0..count {
        for column in 0..=row {
            let products = (0..column).map(|k| matrix[row * count + k] * matrix[column * count + k]);
            let rest = matrix[row * count + column] - products.sum::<f64>();
            matrix[row * count + column] =
                if row == column { rest.max(1e-12).sqrt() } else { rest / matrix[column * count + column] };
        }
    }
    for row in 0..count {
        let known: f64 = (0..row).map(|k| matrix[row * count + k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row * count + row];
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|k| matrix[k * count + row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row * count + row];
    }
    right
}
