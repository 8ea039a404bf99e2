//! A small generator of pseudo-random numbers: the same seed gives the same numbers on every machine.

use hnefi_rules::zobrist::split_mix;

/// A generator, with the state of `SplitMix64`.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator from a text and a number (FNV-1a of the text).
    pub(crate) fn new(seed: &str, number: u64) -> Self {
        let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(hash ^ number)
    }

    /// Draws a number from 0 to less than 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (split_mix(&mut self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
