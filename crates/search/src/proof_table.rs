//! The tables of the prover: solved positions, and proof and disproof numbers of unsolved states.

/// A proof or disproof number: 0 is solved, `INFINITE` is impossible.
pub(crate) type Number = u32;

const NUMBER_BITS: u32 = 30;
pub(crate) const INFINITE: Number = (1 << NUMBER_BITS) - 1;

/// The proof and disproof numbers of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    pub(crate) proof: Number,
    pub(crate) disproof: Number,
}

pub(crate) const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
pub(crate) const NOT_WON: Numbers = Numbers { proof: INFINITE, disproof: 0 };

impl Numbers {
    /// Checks whether the state is proven or disproven.
    pub(crate) const fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A state of df-pn: a position with the quiet plies left and the depth of the search.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) key: u64,
    pub(crate) remaining: u16,
    pub(crate) depth: u16,
}

impl State {
    /// Returns the hash of the state. Quiet plies beyond the depth make no difference.
    const fn hash(self) -> u64 {
        let quiet = if self.remaining < self.depth { self.remaining } else { self.depth };
        let counter = ((quiet as u64) << 16 | self.depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key ^ counter ^ (counter >> 29)
    }
}

/// An unsolved state, packed in one word: 40 bits of the key, the work, the numbers.
#[derive(Clone, Copy)]
struct Slot {
    numbers: Numbers,
    /// Positions expanded below it.
    work: u64,
}

const KEY_BITS: u32 = 40;
const WORK_BITS: u32 = 128 - KEY_BITS - 2 * NUMBER_BITS;
const MAX_WORK: u64 = (1 << WORK_BITS) - 1;

impl Slot {
    const fn unpacked(word: u128) -> Self {
        let proof = (word >> NUMBER_BITS) as Number & INFINITE;
        let numbers = Numbers { proof, disproof: word as Number & INFINITE };
        Self { numbers, work: (word >> (2 * NUMBER_BITS)) as u64 & MAX_WORK }
    }

    const fn packed(self, tag: u64) -> u128 {
        let work = if self.work < MAX_WORK { self.work } else { MAX_WORK };
        (tag as u128) << (128 - KEY_BITS)
            | (work as u128) << (2 * NUMBER_BITS)
            | (self.numbers.proof as u128) << NUMBER_BITS
            | self.numbers.disproof as u128
    }
}

/// The solved states of a position, packed in one word with the key.
#[derive(Clone, Copy)]
struct Solved {
    /// Won with at least this many quiet plies left.
    won_from: u16,
    /// Not won with at most this many quiet plies left.
    not_won_to: u16,
    /// Not won within this many plies, quiet or not.
    not_won_within: u16,
    /// Won within this many plies, with the quiet plies of `won_from`; 0 in a table that does not count them.
    won_within: u16,
}

impl Solved {
    const fn unpacked(word: u128) -> Self {
        Self {
            won_within: (word >> 48) as u16,
            won_from: (word >> 32) as u16,
            not_won_to: (word >> 16) as u16,
            not_won_within: word as u16,
        }
    }

    const fn packed(self, key: u64) -> u128 {
        (key as u128) << 64
            | (self.won_within as u128) << 48
            | (self.won_from as u128) << 32
            | (self.not_won_to as u128) << 16
            | self.not_won_within as u128
    }
}

const NEVER_WON: u16 = u16::MAX;
const UNKNOWN: Solved =
    Solved { won_from: NEVER_WON, not_won_to: 0, not_won_within: 0, won_within: u16::MAX };
/// The depth of a search without a depth limit.
pub(crate) const UNLIMITED_DEPTH: u16 = u16::MAX;

/// Entries in a bucket, which is one cache line.
const BUCKET_SIZE: usize = 4;
const CACHE_LINE: usize = BUCKET_SIZE * size_of::<u128>();

/// Buckets of words, each bucket one cache line. Zero is an empty entry.
struct Buckets {
    words: Vec<u128>,
    /// Words before the first cache line.
    skipped: usize,
    mask: usize,
}

impl Buckets {
    fn new(bytes: usize) -> Self {
        let count = (bytes / CACHE_LINE).max(1).next_power_of_two();
        // The system provides zeroed pages as they are touched.
        let words = vec![0_u128; (count + 1) * BUCKET_SIZE];
        let skipped = words.as_ptr().align_offset(CACHE_LINE).min(BUCKET_SIZE - 1);
        Self { words, skipped, mask: count - 1 }
    }

    fn bucket(&self, key: u64) -> &[u128] {
        let first = self.skipped + (key as usize & self.mask) * BUCKET_SIZE;
        &self.words[first..first + BUCKET_SIZE]
    }

    fn bucket_mut(&mut self, key: u64) -> &mut [u128] {
        let first = self.skipped + (key as usize & self.mask) * BUCKET_SIZE;
        &mut self.words[first..first + BUCKET_SIZE]
    }
}

/// The transposition table of df-pn.
pub(crate) struct ProofTable {
    /// Whether a win found by a search of some depth counts for shallower searches too, although it may be longer.
    is_shared: bool,
    unsolved: Buckets,
    solved: Buckets,
    /// Bloom filter with one bit for many keys: most states are not in the table, and the filter is small. Position and
    /// state share a cache line, measured at 6% more expansions a second (docs/measurements/search.md).
    filter: Vec<FilterLine>,
}

/// One cache line of the Bloom filter, for a position and all its states.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct FilterLine([u64; 8]);

/// Returns the bits of a hash that an entry keeps; never 0, which is an empty entry.
const fn tag(hash: u64) -> u64 {
    let tag = hash >> (64 - KEY_BITS);
    if tag == 0 { 1 } else { tag }
}

impl ProofTable {
    /// Creates an empty table. With `is_shared`, wins found by searches of any depth count for all depths.
    pub(crate) fn new(mebibytes: usize, is_shared: bool) -> Self {
        let half = mebibytes.max(1) << 19;
        let unsolved = Buckets::new(half);
        let filter = vec![FilterLine([0; 8]); (unsolved.mask + 1).div_ceil(32)];
        Self { is_shared, unsolved, solved: Buckets::new(half), filter }
    }

    /// Returns the position of a key in the filter: line, word and bit.
    fn filter_bit(&self, position: u64, key: u64) -> (usize, usize, u64) {
        ((position >> 26) as usize & (self.filter.len() - 1), (key >> 20 & 7) as usize, 1 << (key >> 23 & 63))
    }

    /// Checks whether a key of a position may be stored; false is certain.
    fn may_contain(&self, position: u64, key: u64) -> bool {
        let (line, word, bit) = self.filter_bit(position, key);
        self.filter[line].0[word] & bit != 0
    }

    fn add_to_filter(&mut self, position: u64, key: u64) {
        let (line, word, bit) = self.filter_bit(position, key);
        self.filter[line].0[word] |= bit;
    }

    fn solved_of(&self, key: u64) -> Option<Solved> {
        if !self.may_contain(key, key) {
            return None;
        }
        let word = self.solved.bucket(key).iter().find(|word| (**word >> 64) as u64 == key | 1)?;
        Some(Solved::unpacked(*word))
    }

    /// Returns the least number of quiet plies left with which a position is known to be won.
    pub(crate) fn won_from(&self, key: u64) -> Option<u16> {
        self.solved_of(key).map(|solved| solved.won_from).filter(|plies| *plies != NEVER_WON)
    }

    /// Returns the stored numbers of a state.
    #[inline]
    pub(crate) fn probe(&self, state: State) -> Option<Numbers> {
        if let Some(solved) = self.solved_of(state.key) {
            if state.remaining >= solved.won_from && state.depth >= solved.won_within {
                return Some(WON);
            }
            if state.remaining <= solved.not_won_to || state.depth <= solved.not_won_within {
                return Some(NOT_WON);
            }
        }
        let key = state.hash();
        if !self.may_contain(state.key, key) {
            return None;
        }
        let tag = u128::from(tag(key));
        let word = self.unsolved.bucket(key).iter().find(|word| **word >> (128 - KEY_BITS) == tag)?;
        Some(Slot::unpacked(*word).numbers)
    }

    /// Stores the numbers of a state and the positions expanded below it. In a full bucket it replaces the entry with the
    /// least work.
    pub(crate) fn store(&mut self, state: State, numbers: Numbers, work: u64) {
        if numbers.is_solved() && self.store_solved(state, numbers.proof == 0) {
            return;
        }
        let key = state.hash();
        self.add_to_filter(state.key, key);
        let tag = tag(key);
        let is_same = |word: &u128| *word >> (128 - KEY_BITS) == u128::from(tag);
        let bucket = self.unsolved.bucket_mut(key);
        let cheapest = || (0..BUCKET_SIZE).min_by_key(|slot| Slot::unpacked(bucket[*slot]).work);
        let slot = bucket.iter().position(is_same).or_else(cheapest).unwrap_or(0);
        let before = if is_same(&bucket[slot]) { Slot::unpacked(bucket[slot]).work } else { 0 };
        bucket[slot] = Slot { numbers, work: work.saturating_add(before) }.packed(tag);
    }

    /// Stores a solved state; returns false if it holds only for this depth: a search without a win in which the quiet
    /// limit came before the depth limit.
    fn store_solved(&mut self, state: State, is_won: bool) -> bool {
        let State { key, remaining, depth } = state;
        let within = if self.is_shared { 0 } else { depth };
        if !is_won && depth != UNLIMITED_DEPTH && depth > remaining {
            return false;
        }
        self.add_to_filter(key, key);
        let is_same = |word: &u128| (*word >> 64) as u64 == key | 1;
        let bucket = self.solved.bucket_mut(key);
        // In a full bucket it replaces the entry that is the easiest to find again: entries without a win first.
        let priority = |word: u128| {
            let solved = Solved::unpacked(word);
            (word != 0, solved.won_from != NEVER_WON, solved.not_won_within)
        };
        let slot = bucket
            .iter()
            .position(is_same)
            .or_else(|| (0..BUCKET_SIZE).min_by_key(|slot| priority(bucket[*slot])))
            .unwrap_or(0);
        let mut solved = if is_same(&bucket[slot]) { Solved::unpacked(bucket[slot]) } else { UNKNOWN };
        if is_won {
            if within > solved.won_within || (within == solved.won_within && remaining > solved.won_from) {
                return false;
            }
            (solved.won_from, solved.won_within) = (remaining, within);
        } else if depth == UNLIMITED_DEPTH {
            solved.not_won_to = solved.not_won_to.max(remaining);
        } else {
            solved.not_won_within = solved.not_won_within.max(depth);
        }
        bucket[slot] = solved.packed(key | 1);
        true
    }
}
