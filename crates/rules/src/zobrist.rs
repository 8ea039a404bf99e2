//! Zobrist keys: one 64-bit number per piece and square. They never change, so keys may be stored.

use alloc::vec::Vec;

use crate::piece::{Piece, Side};
use crate::square::{MAX_SIZE, Square};

/// The numbers from which the key of a position is made.
///
/// ```
/// use hnefi_rules::{Game, Rules, Side, zobrist::Keys};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let position = Game::new(rules.clone()).position();
/// let pieces = position.setup().pieces().fold(0, |key, (square, piece)| key ^ rules.keys().piece(piece, square));
/// assert_eq!(position.zobrist(), pieces ^ Keys::turn(Side::Attackers));
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    squares: Vec<u64>,
}

/// The index of the numbers of pieces in mid-turn. They come before those of the renegades, which were
/// added later, because stored keys must not change.
const GOING: usize = Piece::DefenderKnight as usize + 1;

/// The number of the attackers being to move.
const ATTACKERS_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

/// Returns the next number of the `SplitMix64` generator of Steele, Lea and Flood (2014).
pub const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Keys {
    pub(crate) fn new() -> Self {
        let mut state = 1;
        // One more set: the piece on the square is in mid-turn.
        Self {
            squares: (0..(Piece::ALL.len() + 1) * MAX_SIZE * MAX_SIZE)
                .map(|_| split_mix(&mut state))
                .collect(),
        }
    }

    /// Returns the number of a piece on a square.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> u64 {
        let of = piece as usize;
        self.number(if of < GOING { of } else { of + 1 }, square)
    }

    /// Returns the Zobrist number of a piece in mid-turn on a square.
    #[inline]
    pub fn going(&self, square: Square) -> u64 {
        self.number(GOING, square)
    }

    #[inline]
    fn number(&self, of: usize, square: Square) -> u64 {
        self.squares[(of * MAX_SIZE + square.rank()) * MAX_SIZE + square.file()]
    }

    /// Returns the number of a side being to move.
    #[inline]
    pub const fn turn(side: Side) -> u64 {
        match side {
            Side::Attackers => ATTACKERS_TO_MOVE,
            Side::Defenders => 0,
        }
    }
}
