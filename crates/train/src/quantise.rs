//! A network in integers, from one in numbers of 32 bits.

use hnefi_rules::Side;
use hnefi_search::{HEAD_ONE, HIDDEN, Head, MAX_FIRST_SUM, Network, ONE};

use crate::inputs::{Example, Input, Layout};
use crate::trainer::Model;

/// A network in integers, with the rows that its inputs name.
pub(crate) struct Quantised {
    pub(crate) network: Network,
}

/// Rounds a network. Its scale makes the middle 80 % of its scores as wide as those of the searches.
pub(crate) fn quantise(layout: &Layout, model: &Model, examples: &[Example]) -> Quantised {
    let (parts, one) = (&model.parts, f32::from(ONE));
    let first_sum = |number: f32| {
        let most = f32::from(MAX_FIRST_SUM);
        (number * one).round().clamp(-most, most) as i16
    };
    let rows = |range: std::ops::Range<usize>| model.numbers[range].chunks_exact(HIDDEN);
    let king = rows(parts.king..parts.heads).map(|row| std::array::from_fn(|unit| first_sum(row[unit])));
    let soldiers = rows(0..parts.king)
        .map(|row| std::array::from_fn(|unit| (row[unit] * one).round().clamp(-127.0, 127.0) as i8));
    let heads = [0, 1].map(|turn| {
        let row = &model.numbers[parts.heads + turn * HIDDEN..][..HIDDEN];
        let constant = model.numbers[parts.constants + turn];
        Head {
            weights: std::array::from_fn(|unit| {
                (row[unit] * HEAD_ONE as f32).round().clamp(-32_000.0, 32_000.0) as i16
            }),
            constant: (constant * one * HEAD_ONE as f32).round() as i32,
        }
    });
    let network = Network {
        size: layout.size,
        scale: 1,
        king: king.collect(),
        soldiers: soldiers.collect(),
        heads,
        facts: String::new(),
    };
    let mut quantised = Quantised { network };
    let outputs = examples.iter().map(|one| quantised.output(&one.images[0], one.turn)).collect();
    let scores = examples.iter().map(|one| one.score).collect();
    quantised.network.scale =
        (middle(scores) / middle(outputs).max(0.01)).round().clamp(1.0, 10_000.0) as i32;
    quantised
}

impl Quantised {
    /// Returns the output for the attackers, in the units of the trainer.
    pub(crate) fn output(&self, input: &Input, turn: Side) -> f32 {
        let mut sums = self.network.king[input.class as usize];
        for row in &input.rows {
            for (sum, weight) in sums.iter_mut().zip(&self.network.soldiers[*row as usize]) {
                *sum = sum.wrapping_add(i16::from(*weight));
            }
        }
        let head = &self.network.heads[turn as usize];
        let products = sums
            .iter()
            .zip(&head.weights)
            .map(|(sum, weight)| i32::from((*sum).clamp(0, ONE)) * i32::from(*weight));
        let output = i64::from(products.sum::<i32>()) + i64::from(head.constant);
        (output as f64 / f64::from(i32::from(ONE) * HEAD_ONE)) as f32
    }
}

/// Returns the width of the middle 80 %.
pub(crate) fn middle(mut numbers: Vec<f32>) -> f32 {
    numbers.sort_unstable_by(f32::total_cmp);
    let last = numbers.len().saturating_sub(1);
    numbers.get(last * 9 / 10).zip(numbers.get(last / 10)).map_or(1.0, |(high, low)| high - low)
}
