//! Parallel search: simplified ABDADA (Kerrigan) over one transposition table, with shared iterations.
//!
//! All threads search the same root to the same depth. A thread defers a move that another thread is searching, so that
//! the result is likely to be in the transposition table when it comes back to it. The first thread that finishes an
//! iteration hands it to the others, which go on with the next depth.
//!
//! Measured on 30 positions of six games (docs/explanation/decisions/0027-threads.md): two threads reach a depth 1.45 times sooner
//! with deferred moves alone, 1.82 times sooner with shared iterations and a second probe of the table.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::move_ordering::ScoredMove;
use crate::node::PackedMove;
use crate::report::Line;

/// The least depth, in plies, at which moves are deferred. Not measured separately.
pub(crate) const DEFER_MIN_DEPTH: i32 = 3;

/// Buckets of the table of moves being searched. Each thread searches about ten moves at a time, so it stays sparse.
const BUCKETS: usize = 1 << 10;

/// Eight slots in one cache line; 0 is an empty slot.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// The moves that threads are searching now. Lossy: it may miss a move or report a wrong one, which only changes what
/// is deferred.
pub(crate) struct CurrentlySearching {
    buckets: Vec<Bucket>,
}

impl CurrentlySearching {
    fn new() -> Self {
        Self { buckets: (0..BUCKETS).map(|_| Bucket::default()).collect() }
    }

    /// Returns the hash of a move in a position searched to a depth; never 0.
    pub(crate) const fn move_hash(key: u64, mv: PackedMove, depth: i32) -> u64 {
        let move_and_depth = (mv.to_bits() + 1) | ((depth.unsigned_abs() as u64) << 18);
        (key ^ move_and_depth.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
    }

    fn bucket(&self, hash: u64) -> &[AtomicU64; 8] {
        &self.buckets[(hash >> 40) as usize % BUCKETS].0
    }

    /// Checks whether a thread is searching a move.
    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.bucket(hash).iter().any(|slot| slot.load(Ordering::Relaxed) == hash)
    }

    /// Marks a move as being searched; does nothing if its bucket is full.
    pub(crate) fn insert(&self, hash: u64) {
        let free = self.bucket(hash).iter().find(|slot| slot.load(Ordering::Relaxed) == 0);
        if let Some(slot) = free {
            slot.store(hash, Ordering::Relaxed);
        }
    }

    /// Removes the mark of a move.
    pub(crate) fn remove(&self, hash: u64) {
        for slot in self.bucket(hash) {
            if slot.load(Ordering::Relaxed) == hash {
                slot.store(0, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// A finished iteration of iterative deepening.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) lines: Vec<Line>,
    /// The moves of the root in the order for the next iteration.
    pub(crate) moves: Vec<ScoredMove>,
}

/// State that the threads of one search share besides the transposition table.
pub(crate) struct SharedState {
    pub(crate) currently_searching: CurrentlySearching,
    /// The depth of `last`, to be read without the lock.
    depth: AtomicU32,
    last: Mutex<Iteration>,
}

impl SharedState {
    pub(crate) fn new() -> Self {
        Self {
            currently_searching: CurrentlySearching::new(),
            depth: AtomicU32::new(0),
            last: Mutex::default(),
        }
    }

    /// Checks whether any thread has finished an iteration of this depth.
    #[inline]
    pub(crate) fn has_finished(&self, depth: u32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// Publishes an iteration and returns the deepest finished one, which may be that of another thread.
    pub(crate) fn publish(&self, iteration: Iteration) -> Iteration {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if iteration.depth > last.depth {
            *last = iteration;
            self.depth.store(last.depth, Ordering::Relaxed);
        }
        last.clone()
    }

    /// Returns the deepest finished iteration.
    pub(crate) fn last(&self) -> Iteration {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
