//! What the threads of one search do now, so that no two of them do the same.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::node::Step;

/// Below this depth, in plies, asking costs more than doing it twice.
pub(crate) const SHARED_DEPTH: i32 = 3;

/// Far more than threads can fill: each is inside some ten moves at a time.
const BUCKETS: usize = 1 << 10;

/// One line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// The moves that are being searched. It may forget some and name others by mistake: it only says what to put off.
pub(crate) struct Busy {
    buckets: Vec<Bucket>,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Self { buckets: (0..BUCKETS).map(|_| Bucket::default()).collect() }
    }

    /// A number for a move in a position that is searched so deep, never 0.
    pub(crate) const fn name(key: u64, step: Step, depth: i32) -> u64 {
        let what = (step.packed() + 1) | ((depth.unsigned_abs() as u64) << 18);
        (key ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
    }

    fn bucket(&self, name: u64) -> &[AtomicU64; 8] {
        &self.buckets[(name >> 40) as usize % BUCKETS].0
    }

    /// Whether some thread searches a move.
    pub(crate) fn holds(&self, name: u64) -> bool {
        self.bucket(name).iter().any(|slot| slot.load(Ordering::Relaxed) == name)
    }

    /// Says that a move is being searched from now on.
    pub(crate) fn begin(&self, name: u64) {
        let free = self.bucket(name).iter().find(|slot| slot.load(Ordering::Relaxed) == 0);
        if let Some(slot) = free {
            slot.store(name, Ordering::Relaxed);
        }
    }

    /// Says that it is no longer.
    pub(crate) fn end(&self, name: u64) {
        for slot in self.bucket(name) {
            if slot.load(Ordering::Relaxed) == name {
                slot.store(0, Ordering::Relaxed);
                return;
            }
        }
    }
}
