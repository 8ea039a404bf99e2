//! Widths of boards that keep ranks and turns of several captures.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::bits::{Bits, Ranks};
use crate::piece::Piece;

/// The ranks of a board that has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptRanks<B> {
    /// Commanders and renegades. The two sets are the bits of a two-bit code for the three ranks.
    low_bit: B,
    /// Knights and renegades.
    high_bit: B,
    /// An index, or `NONE`: a set would make every board much larger.
    going: u16,
}

const NONE: u16 = u16::MAX;

impl<B: Bits> Default for KeptRanks<B> {
    fn default() -> Self {
        Self { low_bit: B::EMPTY, high_bit: B::EMPTY, going: NONE }
    }
}

impl<B: Bits> Ranks<B> for KeptRanks<B> {
    fn commanders(&self) -> B {
        self.low_bit & !self.high_bit
    }
    fn knights(&self) -> B {
        self.high_bit & !self.low_bit
    }
    fn renegades(&self) -> B {
        self.low_bit & self.high_bit
    }
    fn going(&self) -> B {
        if self.going == NONE { B::EMPTY } else { B::bit(self.going as usize) }
    }
    fn promote(&mut self, bit: B, piece: Piece) {
        let (is_low, is_high) = match piece {
            Piece::AttackerCommander | Piece::DefenderCommander => (true, false),
            Piece::AttackerKnight | Piece::DefenderKnight => (false, true),
            Piece::AttackerRenegade | Piece::DefenderRenegade => (true, true),
            Piece::Attacker | Piece::Defender | Piece::King => (false, false),
        };
        let set = |is_in: bool| if is_in { bit } else { B::EMPTY };
        self.low_bit |= set(is_low);
        self.high_bit |= set(is_high);
    }
    fn move_rank(&mut self, from: B, to: B) {
        let moved = |set: B| if set.intersects(from) { (set & !from) | to } else { set };
        (self.low_bit, self.high_bit) = (moved(self.low_bit), moved(self.high_bit));
    }
    fn retain(&mut self, left: B) {
        (self.low_bit, self.high_bit) = (self.low_bit & left, self.high_bit & left);
    }
    fn set_going(&mut self, going: B) {
        self.going = if going.is_empty() { NONE } else { u16::try_from(going.lowest()).unwrap_or(NONE) };
    }
}

/// A width whose boards keep ranks and turns of several captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked<B>(pub B);

macro_rules! ranked_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<B: Bits> $trait for Ranked<B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }
    };
}

ranked_operator!(BitAnd, bitand, &);
ranked_operator!(BitOr, bitor, |);
ranked_operator!(BitXor, bitxor, ^);

impl<B: Bits> BitOrAssign for Ranked<B> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl<B: Bits> BitXorAssign for Ranked<B> {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl<B: Bits> Not for Ranked<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Delegates methods that return no set.
macro_rules! delegate_value {
    ($($method:ident -> $result:ty),*) => {
        $(#[inline(always)]
        fn $method(self) -> $result {
            self.0.$method()
        })*
    };
}

/// Delegates methods that return a set.
macro_rules! delegate_set {
    ($($method:ident),*) => {
        $(#[inline(always)]
        fn $method(self) -> Self {
            Self(self.0.$method())
        })*
    };
}

impl<B: Bits> Bits for Ranked<B> {
    const STRIDE: usize = B::STRIDE;
    const WIDTH: usize = B::WIDTH;
    const EMPTY: Self = Self(B::EMPTY);
    const HAS_RANKS: bool = true;
    type Ranks = KeptRanks<Self>;

    delegate_value!(is_empty -> bool, count -> u32, lowest -> usize);
    delegate_set!(without_lowest, up_file, down_file, up_rank, down_rank, up_to_lowest, highest_on);

    #[inline(always)]
    fn bit(index: usize) -> Self {
        Self(B::bit(index))
    }
    #[inline(always)]
    fn for_each(self, visit: impl FnMut(usize)) {
        self.0.for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::tests::check_set_operations;
    use crate::wide::Wide;

    #[test]
    fn set_operations_hold_for_ranked_widths() {
        check_set_operations::<Ranked<u128>>(&[3, 63, 64, 101]);
        check_set_operations::<Ranked<Wide>>(&[0, 63, 64, 200, 340]);
    }
}
