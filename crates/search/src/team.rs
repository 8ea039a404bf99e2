//! What the threads of one search share besides the table: who searches what, and the iterations one of them finished.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::busy::Busy;
use crate::engine::Line;
use crate::order::Ranked;

/// A finished iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) lines: Vec<Line>,
    /// The moves of the root in the order for the next iteration.
    pub(crate) moves: Vec<Ranked>,
}

/// The threads of one search. They deepen together: what one has finished the others take over and go on from there.
pub(crate) struct Team {
    pub(crate) busy: Busy,
    /// The depth of `last`, for a look without a lock.
    depth: AtomicU32,
    last: Mutex<Iteration>,
}

impl Team {
    pub(crate) fn new() -> Self {
        Self { busy: Busy::new(), depth: AtomicU32::new(0), last: Mutex::default() }
    }

    /// Whether somebody has finished an iteration of this depth.
    #[inline]
    pub(crate) fn has_finished(&self, depth: u32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// Hands in an iteration. Gives the deepest one that is finished: another one where somebody was faster.
    pub(crate) fn agree(&self, own: Iteration) -> Iteration {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if own.depth > last.depth {
            *last = own;
            self.depth.store(last.depth, Ordering::Relaxed);
        }
        last.clone()
    }
}
