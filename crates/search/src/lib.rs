//! A strong opponent and analyst for every tafl game.
//!
//! [`analyse`] searches any game of any valid rules. The evaluation is data ([`Weights`]); nothing here names a variant.

mod alphabeta;
mod busy;
#[cfg(test)]
mod collisions;
mod engine;
mod evaluate;
#[cfg(test)]
mod glances;
mod minimax;
mod moves;
mod node;
mod order;
mod outlook;
mod proof;
mod proof_table;
mod prover;
mod score;
mod table;
mod tactics;
mod team;

pub use alphabeta::{Pruning, Signals};
pub use engine::{Limit, Line, Options, Report, analyse};
pub use evaluate::{
    Evaluate, Evaluation, TERM_COUNT, TERMS, Weights, class_count, class_of, evaluate, features,
};
pub use prover::{Answer, Proof, Task, prove};
pub use score::{PROVEN, Score, WIN, win_in};
pub use table::TranspositionTable;
