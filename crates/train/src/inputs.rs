//! The inputs of a network, by sample, and how games are shared between training and testing.

use std::collections::HashSet;
use std::sync::Arc;

use hnefi_rules::{Piece, Rules, Side};
use hnefi_search::{BLOCK, Folding, TERM_COUNT, TermValues, kind_of, kinds_of, term_values};

use crate::samples::Sample;
use crate::trainer::Settings;

/// One of so many games is held out.
const HELD_OUT: u32 = 8;

/// Checks whether the game of a sample is held out.
pub(crate) fn is_held_out(sample: &Sample) -> bool {
    sample.game % HELD_OUT == 0
}

/// Inputs of a position: the class of the king's square, then the rows of the soldiers.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) class: u16,
    pub(crate) rows: Vec<u16>,
}

/// A sample with its inputs.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// One for each image that has the king on the same square.
    pub(crate) images: Vec<Input>,
    pub(crate) turn: Side,
    /// The result for the attackers, from 0 to 1; `None` for a position beside the game.
    pub(crate) result: Option<f32>,
    /// The score for the attackers.
    pub(crate) score: f32,
    /// The terms, if they are inputs. Every image has the same ones.
    pub(crate) terms: Option<TermValues>,
}

/// The layout of the first layer.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) size: usize,
    pub(crate) classes: usize,
    pub(crate) buckets: usize,
    /// Kinds of soldiers.
    pub(crate) kinds: usize,
    /// The terms that are inputs: all or none.
    pub(crate) terms: usize,
    /// Sums of the hidden layer.
    pub(crate) width: usize,
}

/// Examples for training, and those of the games held out.
pub(crate) struct Examples {
    pub(crate) layout: Layout,
    pub(crate) training: Vec<Example>,
    pub(crate) held_out: Vec<Example>,
}

impl Examples {
    /// Creates examples. A held-out position that also occurs in other games is left out.
    pub(crate) fn new(rules: &Arc<Rules>, samples: &[Sample], settings: &Settings) -> Self {
        let folding = Folding::new(rules);
        let classes = folding.class_count;
        let layout = Layout {
            size: rules.size(),
            classes,
            buckets: if settings.has_buckets { classes } else { 1 },
            kinds: kinds_of(rules),
            terms: if settings.has_terms { TERM_COUNT } else { 0 },
            width: settings.blocks * BLOCK,
        };
        let known: HashSet<(&[u8], Side)> = samples
            .iter()
            .filter(|sample| !is_held_out(sample))
            .map(|sample| (&sample.board[..], sample.turn))
            .collect();
        let (mut training, mut held_out) = (Vec::new(), Vec::new());
        for sample in samples {
            let Some(example) = example(rules, &folding, &layout, sample) else { continue };
            if !is_held_out(sample) {
                training.push(example);
            } else if example.result.is_some() && !known.contains(&(&sample.board[..], sample.turn)) {
                held_out.push(example);
            }
        }
        Self { layout, training, held_out }
    }
}

fn example(rules: &Arc<Rules>, folding: &Folding, layout: &Layout, sample: &Sample) -> Option<Example> {
    let size = layout.size;
    let king = sample.pieces(size).find(|(_, piece)| *piece == Piece::King)?.0;
    if sample.pieces(size).any(|(_, piece)| kind_of(piece) >= layout.kinds) {
        return None; // of other rules
    }
    let (symmetry, class) = folding.of_king(king);
    let folded = folding.image(symmetry, king);
    let bucket = if layout.buckets == 1 { 0 } else { class };
    // Symmetries that leave the king where he is.
    let images = rules.symmetries().iter().filter(|one| folding.image(**one, folded) == folded).map(|one| {
        let soldiers = sample.pieces(size).filter(|(_, piece)| *piece != Piece::King);
        let row = |(number, piece): (usize, Piece)| {
            let square = folding.image(*one, folding.image(symmetry, number));
            ((bucket * layout.kinds + kind_of(piece)) * size * size + square) as u16
        };
        Input { class: class as u16, rows: soldiers.map(row).collect() }
    });
    Some(Example {
        images: images.collect(),
        turn: sample.turn,
        result: sample.result(),
        score: f32::from(sample.score),
        terms: if layout.terms == 0 { None } else { Some(term_values(&sample.position(rules)?)) },
    })
}
