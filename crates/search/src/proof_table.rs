//! The memory of the prover: what is known for good of positions, and working numbers of states.

/// A proof or disproof number: 0 is solved, `INFINITE` cannot be.
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
    pub(crate) const fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A position with the quiet plies that are left, and how deep it is to be searched.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) key: u64,
    pub(crate) remaining: u16,
    pub(crate) depth: u16,
}

impl State {
    /// Quiet plies beyond the depth make no difference.
    const fn mixed(self) -> u64 {
        let quiet = if self.remaining < self.depth { self.remaining } else { self.depth };
        let counter = ((quiet as u64) << 16 | self.depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key ^ counter ^ (counter >> 29)
    }
}

/// The working numbers of one state. In memory one word: 40 bits of the key, the numbers, the work.
#[derive(Clone, Copy)]
struct Slot {
    numbers: Numbers,
    /// How much work is under it.
    work: u64,
}

const KEY_BITS: u32 = 40;
const WORK_BITS: u32 = 128 - KEY_BITS - 2 * NUMBER_BITS;
const MOST_WORK: u64 = (1 << WORK_BITS) - 1;

impl Slot {
    const fn unpacked(word: u128) -> Self {
        let proof = (word >> NUMBER_BITS) as Number & INFINITE;
        let numbers = Numbers { proof, disproof: word as Number & INFINITE };
        Self { numbers, work: (word >> (2 * NUMBER_BITS)) as u64 & MOST_WORK }
    }

    const fn packed(self, tag: u64) -> u128 {
        let work = if self.work < MOST_WORK { self.work } else { MOST_WORK };
        (tag as u128) << (128 - KEY_BITS)
            | (work as u128) << (2 * NUMBER_BITS)
            | (self.numbers.proof as u128) << NUMBER_BITS
            | self.numbers.disproof as u128
    }
}

/// What is known for good of a position. In memory one word, with the key above.
#[derive(Clone, Copy)]
struct Solved {
    /// Won with at least so many quiet plies left.
    won_from: u16,
    /// Not won with at most so many quiet plies left.
    not_won_to: u16,
    /// Not won within so many plies, quiet or not.
    not_won_within: u16,
    /// Won within so many plies, with the quiet plies of `won_from`; 0 where nobody counts them.
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
/// The depth of a search without bounds.
const BOUNDLESS: u16 = u16::MAX;

const WAYS: usize = 4;
const LINE: usize = WAYS * size_of::<u128>();

/// Words in buckets, each in one line of the processor's memory. Zero is an empty place.
struct Buckets {
    words: Vec<u128>,
    /// Words before the first line.
    skipped: usize,
    mask: usize,
}

impl Buckets {
    fn new(bytes: usize) -> Self {
        let count = (bytes / LINE).max(1).next_power_of_two();
        // Zeros come from the system as they are needed.
        let words = vec![0_u128; (count + 1) * WAYS];
        let skipped = words.as_ptr().align_offset(LINE).min(WAYS - 1);
        Self { words, skipped, mask: count - 1 }
    }

    fn bucket(&self, key: u64) -> &[u128] {
        let first = self.skipped + (key as usize & self.mask) * WAYS;
        &self.words[first..first + WAYS]
    }

    fn bucket_mut(&mut self, key: u64) -> &mut [u128] {
        let first = self.skipped + (key as usize & self.mask) * WAYS;
        &mut self.words[first..first + WAYS]
    }
}

pub(crate) struct ProofTable {
    /// Whether a win found within some depth holds for shallower searches too, longer or not.
    is_shared: bool,
    slots: Buckets,
    solved: Buckets,
    /// One bit for many keys, set if something was stored of one of them: most states are not in the memory, and this
    /// is small enough to be asked quickly.
    stored: Vec<Bits>,
}

/// One line of the processor's cache, for a position and all its states: asking for both waits for memory once.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bits([u64; 8]);

const fn tag(mixed: u64) -> u64 {
    let tag = mixed >> (64 - KEY_BITS);
    // Nothing but an empty place is zero.
    if tag == 0 { 1 } else { tag }
}

impl ProofTable {
    /// Makes an empty memory; with `is_shared`, wins found by searches of any depth hold for those of all depths.
    pub(crate) fn new(mebibytes: usize, is_shared: bool) -> Self {
        let half = mebibytes.max(1) << 19;
        let slots = Buckets::new(half);
        let stored = vec![Bits([0; 8]); (slots.mask + 1).div_ceil(32)];
        Self { is_shared, slots, solved: Buckets::new(half), stored }
    }

    /// Where it stands whether something was stored of a key of a position.
    fn mark(&self, position: u64, key: u64) -> (usize, usize, u64) {
        ((position >> 26) as usize & (self.stored.len() - 1), (key >> 20 & 7) as usize, 1 << (key >> 23 & 63))
    }

    fn is_stored(&self, position: u64, key: u64) -> bool {
        let (line, word, bit) = self.mark(position, key);
        self.stored[line].0[word] & bit != 0
    }

    fn note(&mut self, position: u64, key: u64) {
        let (line, word, bit) = self.mark(position, key);
        self.stored[line].0[word] |= bit;
    }

    fn solved_of(&self, key: u64) -> Option<Solved> {
        if !self.is_stored(key, key) {
            return None;
        }
        let word = self.solved.bucket(key).iter().find(|word| (**word >> 64) as u64 == key | 1)?;
        Some(Solved::unpacked(*word))
    }

    /// With how few quiet plies left a position is known to be won.
    pub(crate) fn won_from(&self, key: u64) -> Option<u16> {
        self.solved_of(key).map(|solved| solved.won_from).filter(|plies| *plies != NEVER_WON)
    }

    /// What is stored of a state.
    #[inline]
    pub(crate) fn recall(&self, state: State) -> Option<Numbers> {
        if let Some(solved) = self.solved_of(state.key) {
            if state.remaining >= solved.won_from && state.depth >= solved.won_within {
                return Some(WON);
            }
            if state.remaining <= solved.not_won_to || state.depth <= solved.not_won_within {
                return Some(NOT_WON);
            }
        }
        let key = state.mixed();
        if !self.is_stored(state.key, key) {
            return None;
        }
        let tag = u128::from(tag(key));
        let word = self.slots.bucket(key).iter().find(|word| **word >> (128 - KEY_BITS) == tag)?;
        Some(Slot::unpacked(*word).numbers)
    }

    /// Stores the numbers of a state, under which so much work was done; of a full bucket the cheapest goes.
    pub(crate) fn keep(&mut self, state: State, numbers: Numbers, work: u64) {
        if numbers.is_solved() && self.keep_solved(state, numbers.proof == 0) {
            return;
        }
        let key = state.mixed();
        self.note(state.key, key);
        let tag = tag(key);
        let is_same = |word: &u128| *word >> (128 - KEY_BITS) == u128::from(tag);
        let bucket = self.slots.bucket_mut(key);
        let cheapest = || (0..WAYS).min_by_key(|place| Slot::unpacked(bucket[*place]).work);
        let place = bucket.iter().position(is_same).or_else(cheapest).unwrap_or(0);
        let before = if is_same(&bucket[place]) { Slot::unpacked(bucket[place]).work } else { 0 };
        bucket[place] = Slot { numbers, work: work.saturating_add(before) }.packed(tag);
    }

    /// Keeps what holds for good; tells whether this did. A loss within a depth that the quiet limit cut short does not.
    fn keep_solved(&mut self, state: State, is_won: bool) -> bool {
        let State { key, remaining, depth } = state;
        let within = if self.is_shared { 0 } else { depth };
        if !is_won && depth != BOUNDLESS && depth > remaining {
            return false;
        }
        self.note(key, key);
        let is_same = |word: &u128| (*word >> 64) as u64 == key | 1;
        let shelf = self.solved.bucket_mut(key);
        // A full shelf loses what is the easiest to find again: rather what is not won than what is.
        let worth = |word: u128| {
            let solved = Solved::unpacked(word);
            (word != 0, solved.won_from != NEVER_WON, solved.not_won_within)
        };
        let place = shelf
            .iter()
            .position(is_same)
            .or_else(|| (0..WAYS).min_by_key(|place| worth(shelf[*place])))
            .unwrap_or(0);
        let mut solved = if is_same(&shelf[place]) { Solved::unpacked(shelf[place]) } else { UNKNOWN };
        if is_won {
            if within > solved.won_within || (within == solved.won_within && remaining > solved.won_from) {
                return false;
            }
            (solved.won_from, solved.won_within) = (remaining, within);
        } else if depth == BOUNDLESS {
            solved.not_won_to = solved.not_won_to.max(remaining);
        } else {
            solved.not_won_within = solved.not_won_within.max(depth);
        }
        shelf[place] = solved.packed(key | 1);
        true
    }
}
