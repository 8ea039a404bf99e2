//! Limits and options of a search, and the signals that stop it.

use std::sync::atomic::{AtomicBool, AtomicU64};

use hnefi_rules::Move;

use crate::clock::Clock;

/// The limits of a search. Without any limit it runs until it is stopped or the outcome is proven.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Positions visited by all threads.
    pub nodes: Option<u64>,
    /// The most time, in milliseconds.
    pub time_ms: Option<u64>,
    /// The time to use as a rule, in milliseconds, for a move that is to be played: less if the best move is stable,
    /// more if it changes, all of `time_ms` if it is no less. A forced move ends the search.
    pub usual_ms: Option<u64>,
}

/// The options of a search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of best moves to report (multi-PV), at least 1.
    pub lines: usize,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// Whether the search may prune: alpha-beta bounds, null moves, reductions, extensions, quiescence search and the
    /// transposition table. If not, it is plain minimax with a fixed depth.
    pub may_prune: bool,
    /// The moves of the root to consider; all if empty.
    pub moves: Vec<Move>,
    /// The clock that measures the time.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Self {
        Self { lines: 1, threads: 1, may_prune: true, moves: Vec::new(), clock: Clock::default() }
    }
}

/// Signals between the caller and the threads of one search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Set to stop at once.
    pub stop: AtomicBool,
    /// Positions visited by all threads, updated every few hundred positions.
    pub nodes: AtomicU64,
}
