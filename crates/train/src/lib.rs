//! Self-play and training of the small networks that evaluate positions ([`hnefi_search::Network`]).
//!
//! | Step | Module |
//! |---|---|
//! | Games of the engine against itself, in threads | `self_play` |
//! | Positions with results and scores, packed | `samples` |
//! | Inputs of the network, and what a network learns from | `inputs` |
//! | Training with Adam, in numbers of 32 bits | `trainer` |
//! | Numbers of 8 and 16 bits, and the loss this costs | `quantise` |

mod inputs;
mod quantise;
mod samples;
mod self_play;
mod trainer;

pub use samples::Sample;
pub use self_play::{SelfPlay, play_games};
pub use trainer::{Losses, Settings, Trained, train};
