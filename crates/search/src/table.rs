//! The transposition table: shared by threads without locks, of a size the user chooses.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::node::Step;
use crate::score::{PROVEN, Score};

/// What a stored score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
    /// The value is the score.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) step: Step,
    pub(crate) score: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Entry {
    /// The value of its position, if it is known deeply enough for a narrow window.
    #[inline]
    pub(crate) const fn decides(self, depth: i32, alpha: Score, beta: Score) -> Option<Score> {
        let is_clear = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        if is_clear && self.depth >= depth { Some(self.score) } else { None }
    }
}

/// One stored position: the key mixed with the data, then the data. A torn write no longer matches its key.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Where a position may be stored: one line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Memory of the search, by position.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    mask: usize,
    generation: AtomicU64,
    /// What is left of keys, so that tests can make positions collide.
    #[cfg(test)]
    key_mask: u64,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TranspositionTable of {} positions", 4 * self.buckets.len())
    }
}

// Layout of the data: step 18 bits, bound 2, depth 8, generation 8, score 16 from bit 48.
/// Makes every score positive.
const SCORE_OFFSET: Score = 1 << 15;

const fn pack(entry: Entry, generation: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    let depth = if entry.depth < 0 { 0 } else { entry.depth.unsigned_abs() as u64 & 255 };
    entry.step.packed()
        | bound << 18
        | depth << 20
        | (generation & 255) << 28
        | ((entry.score + SCORE_OFFSET).unsigned_abs() as u64) << 48
}

const fn unpack(data: u64) -> Entry {
    let bound = match data >> 18 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    Entry {
        step: Step::unpacked(data),
        score: (data >> 48) as Score - SCORE_OFFSET,
        depth: (data >> 20 & 255) as i32,
        bound,
    }
}

impl TranspositionTable {
    /// A table of at most so many mebibytes, at least one.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        let wanted = mebibytes.max(1) * (1 << 20) / size_of::<Bucket>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Self {
            buckets: (0..count).map(|_| Bucket::default()).collect(),
            mask: count - 1,
            generation: AtomicU64::new(0),
            #[cfg(test)]
            key_mask: u64::MAX,
        }
    }

    /// A small table that takes all positions for one another whose keys agree in the bits of a mask.
    #[cfg(test)]
    pub(crate) fn colliding(key_mask: u64) -> Self {
        Self { key_mask, ..Self::new(1) }
    }

    #[cfg(test)]
    const fn masked(&self, key: u64) -> u64 {
        key & self.key_mask
    }

    #[cfg(not(test))]
    #[inline(always)]
    #[allow(clippy::unused_self)]
    const fn masked(&self, key: u64) -> u64 {
        key
    }

    /// Ages what is stored, so that new results take its place first.
    pub fn begin(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; 4] {
        &self.buckets[(key >> 20) as usize & self.mask].0
    }

    /// Begins to load what is stored of a position that will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(self.masked(key)).as_ptr();
            // Waiting for the table took a seventh of the time of a search; safe Rust has no way to ask early.
            // SAFETY: the pointer is one of a slice, and a prefetch reads nothing that the program could see.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is stored of a position, with win lengths counted from `ply` plies below the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let key = self.masked(key);
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key {
                let mut entry = unpack(data);
                entry.score = to_root(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores a result; of a full bucket the shallowest and oldest goes.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let key = self.masked(key);
        entry.score = from_root(entry.score, ply);
        let generation = self.generation.load(Ordering::Relaxed) & 255;
        let mut worst = (i64::MAX, 0);
        let bucket = self.bucket(key);
        for (place, slot) in bucket.iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.check.load(Ordering::Relaxed) ^ data == key {
                worst.1 = place;
                if data != 0 && entry.step == Step::NONE {
                    entry.step = unpack(data).step;
                }
                break;
            }
            let age = (generation.wrapping_sub(data >> 28) & 255) as i64;
            let worth = i64::from(unpack(data).depth) - 4 * age;
            if worth < worst.0 {
                worst = (worth, place);
            }
        }
        let data = pack(entry, generation);
        bucket[worst.1].data.store(data, Ordering::Relaxed);
        bucket[worst.1].check.store(key ^ data, Ordering::Relaxed);
    }
}

const fn to_root(score: Score, ply: usize) -> Score {
    if score >= PROVEN {
        score - ply as Score
    } else if score <= -PROVEN {
        score + ply as Score
    } else {
        score
    }
}

const fn from_root(score: Score, ply: usize) -> Score {
    if score >= PROVEN {
        score + ply as Score
    } else if score <= -PROVEN {
        score - ply as Score
    } else {
        score
    }
}
