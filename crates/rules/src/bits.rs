//! Sets of squares as machine words (bitboards), in three widths; `ranks` adds widths for rules with ranks.
//!
//! A square has the index `rank * STRIDE + file`. The stride belongs to the width, not to the board, so that
//! every shift is by a constant. Boards narrower than the stride leave guard columns empty; boards as wide as the
//! stride need the masks of `Tables` against wrapping round the edge.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::piece::Piece;

/// A set of squares of one width.
///
/// ```
/// use hnefi_rules::bits::Bits;
///
/// let set = u64::bit(3) | u64::bit(9);
/// assert_eq!(set.count(), 2);
/// assert_eq!(set.indices().collect::<Vec<_>>(), [3, 9]);
/// assert_eq!(set.up_rank().lowest(), 3 + u64::STRIDE);
/// ```
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
{
    /// The number of indices from one rank to the next.
    const STRIDE: usize;
    /// The number of bits in the word.
    const WIDTH: usize;
    /// The empty set.
    const EMPTY: Self;
    /// Whether boards of this width keep ranks and turns of several captures. Where they do not, the compiler removes
    /// the code for them.
    const HAS_RANKS: bool = false;
    /// The ranks and the turn that a board of this width keeps.
    type Ranks: Ranks<Self>;

    /// Returns the set of one index.
    fn bit(index: usize) -> Self;
    /// Checks whether the set is empty.
    fn is_empty(self) -> bool;
    /// Counts the indices in the set.
    fn count(self) -> u32;
    /// Returns the lowest index of a set that is not empty.
    fn lowest(self) -> usize;
    /// Returns the set without its lowest index.
    fn without_lowest(self) -> Self;
    /// Returns all indices moved by one file towards the last.
    fn up_file(self) -> Self;
    /// Returns all indices moved by one file towards `a`.
    fn down_file(self) -> Self;
    /// Returns all indices moved up by one rank.
    fn up_rank(self) -> Self;
    /// Returns all indices moved down by one rank.
    fn down_rank(self) -> Self;
    /// Returns all indices up to the lowest of the set, included; every index if the set is empty.
    fn up_to_lowest(self) -> Self;
    /// Returns all indices from the highest of the set on, included; every index if the set is empty.
    fn highest_on(self) -> Self;

    /// Checks whether the two sets have an index in common.
    #[inline(always)]
    fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Checks whether the set has more than one index.
    #[inline(always)]
    fn has_multiple(self) -> bool {
        !self.is_empty() && !self.without_lowest().is_empty()
    }

    /// Calls `visit` with every index, lowest first. Faster than `indices`, as it goes word by word.
    fn for_each(self, visit: impl FnMut(usize));

    /// Iterates over the indices, lowest first.
    #[inline(always)]
    fn indices(self) -> Indices<Self> {
        Indices(self)
    }
}

/// The ranks of soldiers, and the piece in mid-turn (a turn of several captures).
pub trait Ranks<B>: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Returns all commanders, of both sides.
    fn commanders(&self) -> B;
    /// Returns all knights, of both sides.
    fn knights(&self) -> B;
    /// Returns all renegades, of both sides.
    fn renegades(&self) -> B;
    /// Returns the piece that has captured and may go on, or nothing.
    fn going(&self) -> B;
    /// Sets the rank of the soldier on a square to that of a piece, if it has one.
    fn promote(&mut self, bit: B, piece: Piece);
    /// Moves the rank on the first of two squares to the other.
    fn move_rank(&mut self, from: B, to: B);
    /// Removes the ranks on all squares outside a set.
    fn retain(&mut self, left: B);
    /// Sets the piece that may go on; the empty set ends the turn.
    fn set_going(&mut self, going: B);
}

/// No ranks: every turn is one move.
impl<B: Bits> Ranks<B> for () {
    #[inline(always)]
    fn commanders(&self) -> B {
        B::EMPTY
    }
    #[inline(always)]
    fn knights(&self) -> B {
        B::EMPTY
    }
    #[inline(always)]
    fn renegades(&self) -> B {
        B::EMPTY
    }
    #[inline(always)]
    fn going(&self) -> B {
        B::EMPTY
    }
    #[inline(always)]
    fn promote(&mut self, _bit: B, _piece: Piece) {}
    #[inline(always)]
    fn move_rank(&mut self, _from: B, _to: B) {}
    #[inline(always)]
    fn retain(&mut self, _left: B) {}
    #[inline(always)]
    fn set_going(&mut self, _going: B) {}
}

/// Iterates over the indices of a set, lowest first.
#[derive(Debug, Clone)]
pub struct Indices<B>(B);

impl<B: Bits> Iterator for Indices<B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let index = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(index)
    }
}

/// Calls `visit` with every index of one word of a set.
#[inline(always)]
pub(crate) fn for_each_in_word(mut word: u64, first: usize, visit: &mut impl FnMut(usize)) {
    while word != 0 {
        visit(first + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

macro_rules! single_word {
    ($word:ty, $stride:expr, $words:expr) => {
        impl Bits for $word {
            const STRIDE: usize = $stride;
            const WIDTH: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;
            type Ranks = ();

            #[inline(always)]
            fn bit(index: usize) -> Self {
                // Loading two words is faster than shifting them; for one word it makes no difference.
                static SINGLE: [$word; <$word>::BITS as usize] = {
                    let mut single = [0; <$word>::BITS as usize];
                    let mut index = 0;
                    while index < single.len() {
                        single[index] = 1 << index;
                        index += 1;
                    }
                    single
                };
                if $words == 1 { 1 << index } else { SINGLE[index & (SINGLE.len() - 1)] }
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn for_each(self, mut visit: impl FnMut(usize)) {
                for word in 0..$words {
                    for_each_in_word((self >> (64 * word)) as u64, 64 * word, &mut visit);
                }
            }
            #[inline(always)]
            fn up_file(self) -> Self {
                self << 1
            }
            #[inline(always)]
            fn down_file(self) -> Self {
                self >> 1
            }
            #[inline(always)]
            fn up_rank(self) -> Self {
                self << $stride
            }
            #[inline(always)]
            fn down_rank(self) -> Self {
                self >> $stride
            }
            #[inline(always)]
            fn up_to_lowest(self) -> Self {
                self ^ self.wrapping_sub(1)
            }
            #[inline(always)]
            fn highest_on(self) -> Self {
                // With `| 1` an empty set gives every index; nothing else changes.
                <$word>::MAX << (self | 1).ilog2()
            }
        }
    };
}

single_word!(u64, 8, 1);
single_word!(u128, 11, 2);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::wide::Wide;

    pub(crate) fn check_set_operations<B: Bits>(indices: &[usize]) {
        let mut set = B::EMPTY;
        assert!((!set.up_to_lowest()).is_empty() && (!set.highest_on()).is_empty());
        for &index in indices {
            set |= B::bit(index);
        }
        assert_eq!(set.indices().collect::<alloc::vec::Vec<_>>(), indices);
        assert_eq!(set.count() as usize, indices.len());
        assert_eq!(set.lowest(), indices[0]);
        let (low, high) = (indices[0], indices[indices.len() - 1]);
        for index in 0..B::WIDTH {
            assert_eq!(set.up_to_lowest().intersects(B::bit(index)), index <= low);
            assert_eq!(set.highest_on().intersects(B::bit(index)), index >= high);
        }
        assert_eq!(set.up_rank().down_rank(), set);
        assert_eq!(set.up_file().down_file(), set);
        assert_eq!(set.up_rank().lowest(), low + B::STRIDE);
    }

    #[test]
    fn set_operations_hold_for_every_width() {
        check_set_operations::<u64>(&[0, 7, 31, 50]);
        check_set_operations::<u64>(&[5]);
        check_set_operations::<u128>(&[3, 63, 64, 101]);
        check_set_operations::<Wide>(&[0, 63, 64, 200, 340]);
        check_set_operations::<Wide>(&[130, 131]);
    }
}
