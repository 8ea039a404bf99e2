//! Self-play, and what evaluates positions learned from it: weights of the terms ([`hnefi_search::Weights`]) and small
//! networks ([`hnefi_search::Network`]).
//!
//! | Step | Module |
//! |---|---|
//! | Games of the engine against itself, in threads | `self_play` |
//! | Openings that are steered to a score | `openings` |
//! | Positions with results and scores, packed | `samples` |
//! | Weights of the terms, by logistic regression | `regression` |
//! | Inputs of the network, and what a network learns from | `inputs` |
//! | Training with Adam, in numbers of 32 bits | `trainer` |
//! | Numbers of 8 and 16 bits, and the loss this costs | `quantise` |

mod inputs;
mod losses;
mod openings;
mod quantise;
mod regression;
mod samples;
mod self_play;
mod trainer;

pub use losses::Losses;
pub use openings::steered_opening;
pub use regression::{FittedWeights, fit_weights};
pub use samples::Sample;
pub use self_play::{Progress, SelfPlay, play_games};
pub use trainer::{Settings, Trained, train};
