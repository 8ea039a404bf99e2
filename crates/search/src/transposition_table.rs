//! The transposition table: shared by threads without locks, with buckets of one cache line.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::node::PackedMove;
use crate::score::{PROVEN, Score};

/// The relation of a stored score to the value of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// The value is the score.
    Exact = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: PackedMove,
    pub(crate) score: Score,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Entry {
    /// Returns the score if it is deep enough and its bound causes a cutoff in a zero window.
    #[inline]
    pub(crate) const fn cutoff(self, depth: i32, alpha: Score, beta: Score) -> Option<Score> {
        let is_decisive = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        if is_decisive && self.depth >= depth { Some(self.score) } else { None }
    }
}

/// One stored position: key XOR data, and the data (Hyatt's lockless hashing). A torn write no longer matches its key.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Positions in a bucket. A bucket is one cache line, so that a probe waits for memory once.
const BUCKET_SIZE: usize = 4;
/// Depth, in plies, that an entry loses for each search since it was stored when entries compete for a place. Not
/// measured separately.
const AGE_PENALTY: i64 = 4;

/// The slots where a position may be stored: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_SIZE]);

/// Results of searched positions. Searches with other rules or weights do not find them.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    mask: usize,
    generation: AtomicU64,
    /// The bits of keys that are used, so that tests can make positions collide.
    #[cfg(test)]
    key_mask: u64,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TranspositionTable of {} positions", BUCKET_SIZE * self.buckets.len())
    }
}

// Layout of the data: mv 18 bits, bound 2, depth 8, generation 8, score 16 from bit 48.
/// Added to scores so that they are stored as positive numbers.
const SCORE_OFFSET: Score = 1 << 15;

const fn pack(entry: Entry, generation: u64) -> u64 {
    let depth = if entry.depth < 0 { 0 } else { entry.depth.unsigned_abs() as u64 & 255 };
    entry.mv.to_bits()
        | (entry.bound as u64) << 18
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
        mv: PackedMove::from_bits(data),
        score: (data >> 48) as Score - SCORE_OFFSET,
        depth: (data >> 20 & 255) as i32,
        bound,
    }
}

impl TranspositionTable {
    /// Creates an empty table: `mebibytes` (1 if it is 0), rounded down to a power of two of buckets.
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

    /// Creates a small table that confuses positions whose keys agree in the bits of a mask.
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

    /// Ages all entries, so that those of the new search replace them first.
    pub fn new_search(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; BUCKET_SIZE] {
        &self.buckets[(key >> 20) as usize & self.mask].0
    }

    /// Prefetches the bucket of a position that will be probed soon.
    ///
    /// Measured: waiting for the table took a seventh of the time of a search.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket = self.bucket(self.masked(key)).as_ptr();
            // SAFETY: the pointer is one of a slice, and a prefetch reads nothing that the program could see. Safe Rust
            // has no prefetch.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the entry of a position, with win lengths counted from the root, `ply` plies above.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let key = self.masked(key);
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key {
                let mut entry = unpack(data);
                entry.score = lengthened(entry.score, ply as Score);
                return Some(entry);
            }
        }
        None
    }

    /// Stores a result. In a full bucket it replaces the entry with the least depth, less `AGE_PENALTY` for its age.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let key = self.masked(key);
        entry.score = lengthened(entry.score, -(ply as Score));
        let generation = self.generation.load(Ordering::Relaxed) & 255;
        let mut replaced = (i64::MAX, 0);
        let bucket = self.bucket(key);
        for (index, slot) in bucket.iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.check.load(Ordering::Relaxed) ^ data == key {
                replaced.1 = index;
                if data != 0 && entry.mv == PackedMove::NONE {
                    entry.mv = unpack(data).mv;
                }
                break;
            }
            let age = (generation.wrapping_sub(data >> 28) & 255) as i64;
            let priority = i64::from(unpack(data).depth) - AGE_PENALTY * age;
            if priority < replaced.0 {
                replaced = (priority, index);
            }
        }
        let data = pack(entry, generation);
        bucket[replaced.1].data.store(data, Ordering::Relaxed);
        bucket[replaced.1].check.store(key ^ data, Ordering::Relaxed);
    }
}

/// Adds plies to the length of a proven win; takes them away if they are negative.
const fn lengthened(score: Score, plies: Score) -> Score {
    if score >= PROVEN {
        score - plies
    } else if score <= -PROVEN {
        score + plies
    } else {
        score
    }
}
