//! Sets of squares of boards with 13 to 19 files.

use core::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::bits::{Bits, for_each_in_word};

const WORDS: usize = 6;

/// A set of squares for boards of 13 to 19 files: six words, a stride of 19.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide(pub [u64; WORDS]);

macro_rules! wide_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for Wide {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(core::array::from_fn(|word| self.0[word] $operator other.0[word]))
            }
        }
    };
}

wide_operator!(BitAnd, bitand, &);
wide_operator!(BitOr, bitor, |);
wide_operator!(BitXor, bitxor, ^);

impl BitOrAssign for Wide {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Wide {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl Not for Wide {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl Wide {
    #[inline(always)]
    fn shifted_up<const BY: u32>(self) -> Self {
        Self(core::array::from_fn(|word| {
            let carried = if word == 0 { 0 } else { self.0[word - 1] >> (64 - BY) };
            (self.0[word] << BY) | carried
        }))
    }

    #[inline(always)]
    fn shifted_down<const BY: u32>(self) -> Self {
        Self(core::array::from_fn(|word| {
            let carried = if word + 1 == WORDS { 0 } else { self.0[word + 1] << (64 - BY) };
            (self.0[word] >> BY) | carried
        }))
    }
}

impl Bits for Wide {
    const STRIDE: usize = 19;
    const WIDTH: usize = 64 * WORDS;
    const EMPTY: Self = Self([0; WORDS]);
    type Ranks = ();

    #[inline(always)]
    fn bit(index: usize) -> Self {
        let mut words = [0; WORDS];
        words[index / 64] = 1 << (index % 64);
        Self(words)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline(always)]
    fn lowest(self) -> usize {
        for (index, word) in self.0.iter().enumerate() {
            if *word != 0 {
                return index * 64 + word.trailing_zeros() as usize;
            }
        }
        Self::WIDTH
    }
    #[inline(always)]
    fn without_lowest(mut self) -> Self {
        for word in &mut self.0 {
            if *word != 0 {
                *word &= *word - 1;
                break;
            }
        }
        self
    }
    #[inline(always)]
    fn for_each(self, mut visit: impl FnMut(usize)) {
        for (index, word) in self.0.iter().enumerate() {
            for_each_in_word(*word, 64 * index, &mut visit);
        }
    }
    #[inline(always)]
    fn up_file(self) -> Self {
        self.shifted_up::<1>()
    }
    #[inline(always)]
    fn down_file(self) -> Self {
        self.shifted_down::<1>()
    }
    #[inline(always)]
    fn up_rank(self) -> Self {
        self.shifted_up::<19>()
    }
    #[inline(always)]
    fn down_rank(self) -> Self {
        self.shifted_down::<19>()
    }
    #[inline(always)]
    fn up_to_lowest(self) -> Self {
        let mut found = false;
        Self(self.0.map(|word| {
            if found {
                return 0;
            }
            found = word != 0;
            word ^ word.wrapping_sub(1)
        }))
    }
    #[inline(always)]
    fn highest_on(self) -> Self {
        let mut result = [u64::MAX; WORDS];
        let mut found = false;
        for index in (0..WORDS).rev() {
            if found {
                result[index] = 0;
            } else if self.0[index] != 0 {
                found = true;
                result[index] = u64::MAX << self.0[index].ilog2();
            }
        }
        Self(result)
    }
}
