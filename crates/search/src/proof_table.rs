//! The memory of the prover: what is known for good of positions, and working numbers of states.

/// A proof or disproof number: 0 is solved, `INFINITE` cannot be.
pub(crate) type Number = u32;

pub(crate) const INFINITE: Number = 1 << 30;

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
        (self.key ^ counter ^ (counter >> 29)) | 1
    }
}

/// The working numbers of one state.
#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
    /// How much work is under it.
    work: u32,
}

const WAYS: usize = 4;
const EMPTY: Slot = Slot { key: 0, numbers: Numbers { proof: 1, disproof: 1 }, work: 0 };

/// What is known for good of a position.
#[derive(Clone, Copy)]
struct Solved {
    key: u64,
    /// Won with at least so many quiet plies left.
    won_from: u16,
    /// Not won with at most so many quiet plies left.
    not_won_to: u16,
    /// Not won within so many plies, quiet or not.
    not_won_within: u16,
}

const NEVER_WON: u16 = u16::MAX;
const UNKNOWN: Solved = Solved { key: 0, won_from: NEVER_WON, not_won_to: 0, not_won_within: 0 };
/// The depth of a search without bounds.
const BOUNDLESS: u16 = u16::MAX;

pub(crate) struct ProofTable {
    slots: Vec<Slot>,
    solved: Vec<Solved>,
}

impl ProofTable {
    pub(crate) fn new(mebibytes: usize) -> Self {
        let half = mebibytes.max(1) << 19;
        let slots = (half / size_of::<Slot>()).next_power_of_two() / 2;
        let solved = (half / size_of::<Solved>()).next_power_of_two() / 2;
        Self { slots: vec![EMPTY; slots.max(WAYS)], solved: vec![UNKNOWN; solved.max(WAYS)] }
    }

    /// Where what is known of a position may stand.
    fn shelf(&self, key: u64) -> usize {
        (key >> 16) as usize & (self.solved.len() - 1) & !(WAYS - 1)
    }

    fn solved_of(&self, key: u64) -> Option<&Solved> {
        let first = self.shelf(key);
        self.solved[first..first + WAYS].iter().find(|solved| solved.key == key | 1)
    }

    /// With how few quiet plies left a position is known to be won.
    pub(crate) fn won_from(&self, key: u64) -> Option<u16> {
        self.solved_of(key).map(|solved| solved.won_from).filter(|plies| *plies != NEVER_WON)
    }

    /// Where the working numbers of a state may stand.
    fn bucket(&self, mixed: u64) -> usize {
        (mixed >> 16) as usize & (self.slots.len() - 1) & !(WAYS - 1)
    }

    /// What is stored of a state.
    pub(crate) fn recall(&self, state: State) -> Option<Numbers> {
        if let Some(solved) = self.solved_of(state.key) {
            if state.remaining >= solved.won_from {
                return Some(WON);
            }
            if state.remaining <= solved.not_won_to || state.depth <= solved.not_won_within {
                return Some(NOT_WON);
            }
        }
        let key = state.mixed();
        let first = self.bucket(key);
        self.slots[first..first + WAYS].iter().find(|slot| slot.key == key).map(|slot| slot.numbers)
    }

    /// Stores the numbers of a state, under which so much work was done; of a full bucket the cheapest goes.
    pub(crate) fn keep(&mut self, state: State, numbers: Numbers, work: u64) {
        if numbers.is_solved() && self.keep_solved(state, numbers.proof == 0) {
            return;
        }
        let key = state.mixed();
        let first = self.bucket(key);
        let bucket = &mut self.slots[first..first + WAYS];
        let place = bucket
            .iter()
            .position(|slot| slot.key == key)
            .or_else(|| (0..WAYS).min_by_key(|place| bucket[*place].work))
            .unwrap_or(0);
        let work = work.min(u64::from(u32::MAX)) as u32;
        let before = if bucket[place].key == key { bucket[place].work } else { 0 };
        bucket[place] = Slot { key, numbers, work: work.saturating_add(before) };
    }

    /// Keeps what holds for good; tells whether this did. A loss within a depth that the quiet limit cut short does not.
    fn keep_solved(&mut self, state: State, is_won: bool) -> bool {
        let State { key, remaining, depth } = state;
        if !is_won && depth != BOUNDLESS && depth > remaining {
            return false;
        }
        let first = self.shelf(key);
        let shelf = &mut self.solved[first..first + WAYS];
        // A full shelf loses what is the easiest to find again: rather what is not won than what is.
        let worth = |solved: &Solved| (solved.key != 0, solved.won_from != NEVER_WON, solved.not_won_within);
        let place = shelf
            .iter()
            .position(|solved| solved.key == key | 1)
            .or_else(|| (0..WAYS).min_by_key(|place| worth(&shelf[*place])))
            .unwrap_or(0);
        let solved = &mut shelf[place];
        if solved.key != key | 1 {
            *solved = Solved { key: key | 1, ..UNKNOWN };
        }
        if is_won {
            solved.won_from = solved.won_from.min(remaining);
        } else if depth == BOUNDLESS {
            solved.not_won_to = solved.not_won_to.max(remaining);
        } else {
            solved.not_won_within = solved.not_won_within.max(depth);
        }
        true
    }
}
