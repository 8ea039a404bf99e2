//! A network in integers, from one in numbers of 32 bits.

use hnefi_search::{BLOCK, HEAD_ONE, Head, MAX_FIRST_SUM, Network, ONE, TERM_COUNT, TERM_ONE, TermInputs};

use crate::inputs::{Example, Layout};
use crate::trainer::Model;

/// Rounds a network. Its scale makes the middle 80 % of its scores as wide as those of the searches.
pub(crate) fn quantise(layout: &Layout, model: &Model, examples: &[Example]) -> Network {
    let (parts, one) = (&model.parts, f32::from(ONE));
    let first_sum = |number: f32| {
        let most = f32::from(MAX_FIRST_SUM);
        (number * one).round().clamp(-most, most) as i16
    };
    let rows = |range: std::ops::Range<usize>| model.numbers[range].chunks_exact(BLOCK);
    let king = rows(parts.king..parts.terms).map(|row| std::array::from_fn(|unit| first_sum(row[unit])));
    let soldiers = rows(0..parts.king)
        .map(|row| std::array::from_fn(|unit| (row[unit] * one).round().clamp(-127.0, 127.0) as i8));
    let heads = [0, 1].map(|turn| {
        let first = parts.heads + turn * parts.width;
        let constant = model.numbers[parts.constants + turn];
        let weight = |number: f32| (number * HEAD_ONE as f32).round().clamp(-32_000.0, 32_000.0) as i16;
        Head {
            weights: rows(first..first + parts.width)
                .map(|row| std::array::from_fn(|unit| weight(row[unit])))
                .collect(),
            constant: (constant * one * HEAD_ONE as f32).round() as i32,
        }
    });
    let terms = (layout.terms > 0).then(|| Box::new(terms_of(model)));
    let mut network = Network {
        size: layout.size,
        kinds: layout.kinds,
        blocks: layout.width / BLOCK,
        scale: 1,
        king: king.collect(),
        soldiers: soldiers.collect(),
        heads,
        terms,
        facts: String::new(),
    };
    let outputs = examples.iter().map(|one| output(&network, one)).collect();
    let scores = examples.iter().map(|one| one.score).collect();
    network.scale = (middle(scores) / middle(outputs).max(0.01)).round().clamp(1.0, 10_000.0) as i32;
    network
}

/// Returns the output of a network for the attackers, in the units of the trainer.
pub(crate) fn output(network: &Network, example: &Example) -> f32 {
    let input = &example.images[0];
    let Network { king, soldiers, blocks, .. } = network;
    let mut sums = king[input.class as usize * blocks..][..*blocks].to_vec();
    for row in &input.rows {
        let weights = soldiers[*row as usize * blocks..][..*blocks].as_flattened();
        for (sum, weight) in sums.as_flattened_mut().iter_mut().zip(weights) {
            *sum = sum.wrapping_add(i16::from(*weight));
        }
    }
    let output = network.output(&sums, example.terms.as_ref(), example.turn);
    (output as f64 / f64::from(i32::from(ONE) * HEAD_ONE)) as f32
}

/// Returns the weights of the terms in integers.
fn terms_of(model: &Model) -> TermInputs {
    let (parts, one) = (&model.parts, f32::from(ONE));
    let weight = |unit: usize, term: usize| {
        model.numbers[parts.terms + term * parts.width + unit] / model.divisors[term]
    };
    let hidden =
        |unit, term| (weight(unit, term) * one * TERM_ONE as f32).round().clamp(-32_000.0, 32_000.0) as i16;
    let direct = |turn: usize, term: usize| {
        model.numbers[parts.head_terms + turn * TERM_COUNT + term] / model.divisors[term]
    };
    let head = |turn, term| (direct(turn, term) * one * HEAD_ONE as f32).round() as i32;
    let unit = |unit| std::array::from_fn(|term| hidden(unit, term));
    TermInputs::new(
        &(0..parts.width).map(unit).collect::<Vec<_>>(),
        std::array::from_fn(|turn| std::array::from_fn(|term| head(turn, term))),
    )
}

/// Returns the width of the middle 80 %.
pub(crate) fn middle(mut numbers: Vec<f32>) -> f32 {
    numbers.sort_unstable_by(f32::total_cmp);
    let last = numbers.len().saturating_sub(1);
    numbers.get(last * 9 / 10).zip(numbers.get(last / 10)).map_or(1.0, |(high, low)| high - low)
}
