//! The Python module `hnefi._core`: the bindings of the rules core and the search.

// PyO3 hands arguments over as references.
#![allow(clippy::trivially_copy_pass_by_ref)]

mod book;
mod called_game;
mod errors;
mod game;
mod position;
mod rules;
mod search;
mod trace;
mod train;
mod values;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::book::{Book, BookMove};
    #[pymodule_export]
    use crate::called_game::CalledGame;
    #[pymodule_export]
    use crate::game::{Game, Ply, index_rows, match_score, random_game};
    #[pymodule_export]
    use crate::position::{Capture, Description, Position};
    #[pymodule_export]
    use crate::rules::{Rules, Setup};
    #[pymodule_export]
    use crate::search::{
        LevelChoice, Line, Report, Searcher, default_calibration, derived_weights, evaluate,
        evaluation_term_names, evaluation_terms, logistic, static_scores, win_rates,
    };
    #[pymodule_export]
    use crate::trace::{Trace, unwritten_hops};
    #[pymodule_export]
    use crate::train::{fit_weights, self_play, steered_opening, train_network};
    #[pymodule_export]
    use crate::values::{Move, Outcome, Square, format_move, parse_move};
}
