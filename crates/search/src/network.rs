//! A small quantised network as evaluation, and its file.
//!
//! Inputs are the soldiers by square, those with a rank apart, and the king's square. Where the network has buckets, the weights of the soldiers
//! depend on the square of the king, and the board is first mapped by a symmetry of the rules so that he stands on one
//! square of each class of symmetric squares. A hidden layer of blocks of [`BLOCK`] sums is clipped from 0 to [`ONE`]; each side to
//! move has an output of its own. The terms of the evaluation may be inputs too, both of the hidden layer and of the outputs:
//! on large boards a small network learns from them what squares alone do not tell. Everything is an integer, so every build
//! computes the same scores.
//!
//! # File
//!
//! Numbers are little-endian. In JSON the file stands as Base64 (RFC 4648, with padding).
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `hnefinet` |
//! | 1 | version: 3 |
//! | 1 | squares along a side of the board |
//! | 1 | classes of the king's squares |
//! | 1 | buckets: 1, or as many as classes |
//! | 1 | kinds of soldiers: 2, or 4 where some have a rank |
//! | 1 | blocks of the hidden layer, of 32 sums each |
//! | 1 | the number n of terms, the first ones of [`TERMS`](crate::TERMS); 0 if they are no inputs |
//! | 4 | hundredths of a soldier for an output of 1 (a factor of e in the odds) |
//! | classes × width × 2 | first sums, by class of the king's square, within ±16,000 |
//! | buckets × kinds × squares × width × 1 | weights of a soldier: by bucket, kind, square (rank · size + file); the kinds are attackers, defenders, and those of each side with a rank |
//! | 2 × (width × 2 + 4) | by side to move: weights of the outputs and a constant; 256 is a weight of 1, 127 · 256 an output of 1 |
//! | width × n × 2 | weights of the terms in the hidden layer, by unit; 127 · 64 adds 127 to a sum |
//! | 2 × n × 4 | weights of the terms in the outputs, by side to move; 127 · 256 adds 1 |
//! | 4, n | length of the facts, and the facts about its origin as JSON |

use hnefi_rules::{Piece, Rules, Side};

use crate::base64;
use crate::folding::Folding;
use crate::score::{MAX_HEURISTIC_SCORE, Score};
use crate::weights::{TERM_COUNT, Terms};

/// The sums of the hidden layer come in blocks of so many, whose loops the compiler turns into vectors.
pub const BLOCK: usize = 32;
/// The sum at which a unit of the hidden layer is fully active; a weight of 1 in the first layer.
pub const ONE: i16 = 127;
/// A weight of 1 in the second layer.
pub const HEAD_ONE: i32 = 256;
/// The greatest first sum: with 128 soldiers, no sum of 16 bits overflows.
pub const MAX_FIRST_SUM: i16 = 16_000;

const MAGIC: &[u8; 8] = b"hnefinet";
const VERSION: u8 = 3;
/// The most blocks that a file may have: 256 sums.
const MAX_BLOCKS: u8 = 8;
/// Kinds of soldiers where some have a rank: those of each side without one, then those with one.
pub(crate) const KINDS_WITH_RANKS: usize = 4;
/// A weight of a term in the hidden layer that adds 1 to the sum.
pub const TERM_ONE: i32 = 1 << TERM_SHIFT;
const TERM_SHIFT: u32 = 6;
/// Terms with room for whole vectors.
const TERM_SLOTS: usize = TERM_COUNT.next_multiple_of(16);
/// No term counts more, so that no sum of 32 bits overflows.
const MAX_TERM: Score = 1_000;

pub(crate) type Sums = [i16; BLOCK];
type Slots = [i16; TERM_SLOTS];

/// The output of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The weight of each unit of the hidden layer, by block.
    pub weights: Vec<Sums>,
    /// The constant.
    pub constant: i32,
}

/// The weights of the terms of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermInputs {
    /// By unit of the hidden layer; [`TERM_ONE`] adds 1 to its sum.
    hidden: Vec<[Slots; BLOCK]>,
    /// By side to move: in the unit of the output.
    pub heads: [[i32; TERM_COUNT]; 2],
}

impl TermInputs {
    /// Creates them from the weights of each unit and each output.
    #[must_use]
    pub fn new(units: &[[i16; TERM_COUNT]], heads: [[i32; TERM_COUNT]; 2]) -> Self {
        let slots =
            |unit: &[i16; TERM_COUNT]| std::array::from_fn(|term| unit.get(term).copied().unwrap_or(0));
        let block = |units: &[[i16; TERM_COUNT]]| std::array::from_fn(|unit| slots(&units[unit]));
        Self { hidden: units.chunks_exact(BLOCK).map(block).collect(), heads }
    }
}

/// The terms of a position, as a network takes them.
#[derive(Clone, Copy, Debug)]
pub struct TermValues(Slots);

impl TermValues {
    /// Creates them from the terms that depend on several pieces.
    #[inline]
    #[must_use]
    pub fn new(terms: Terms) -> Self {
        let mut slots = [0; TERM_SLOTS];
        for (slot, value) in slots.iter_mut().zip(terms.to_array()) {
            *slot = value.clamp(-MAX_TERM, MAX_TERM) as i16;
        }
        Self(slots)
    }

    /// Returns the values in the order of [`TERMS`](crate::TERMS).
    #[must_use]
    pub fn values(&self) -> &[i16] {
        &self.0[..TERM_COUNT]
    }
}

/// A network, for a size of board and a number of classes of squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// Squares along a side.
    pub size: usize,
    /// Kinds of soldiers, see [`kinds_of`].
    pub kinds: usize,
    /// Hundredths of a soldier for an output of 1.
    pub scale: i32,
    /// Blocks of the hidden layer.
    pub blocks: usize,
    /// First sums, by class of the king's square and block.
    pub king: Vec<Sums>,
    /// Weights of soldiers, by bucket, kind, square and block.
    pub soldiers: Vec<[i8; BLOCK]>,
    /// Outputs, by side to move.
    pub heads: [Head; 2],
    /// The weights of the terms, if they are inputs.
    pub terms: Option<Box<TermInputs>>,
    /// Facts about its origin, as JSON.
    pub facts: String,
}

impl Network {
    /// Returns the number of buckets.
    #[must_use]
    pub fn buckets(&self) -> usize {
        self.soldiers.len() / (self.kinds * self.size * self.size * self.blocks)
    }

    /// Returns the number of classes of the king's squares.
    fn classes(&self) -> usize {
        self.king.len() / self.blocks
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = Reader(bytes);
        if reader.array::<8>()? != *MAGIC {
            return Err("network: it does not begin with hnefinet".to_string());
        }
        let [version] = reader.array()?;
        if version != VERSION {
            return Err(format!("network: version {version}, expected {VERSION}"));
        }
        let [size, classes, buckets, kinds, blocks, term_count] = reader.array()?;
        if !(3..=19).contains(&size)
            || classes == 0
            || (buckets != 1 && buckets != classes)
            || ![2, KINDS_WITH_RANKS].contains(&usize::from(kinds))
            || !(1..=MAX_BLOCKS).contains(&blocks)
            || usize::from(term_count) > TERM_COUNT
        {
            return Err(format!(
                "network: size {size}, {classes} classes, {buckets} buckets, {kinds} kinds of soldiers, {blocks} blocks, {term_count} terms"
            ));
        }
        let [size, classes, buckets, kinds, blocks] =
            [size, classes, buckets, kinds, blocks].map(usize::from);
        let scale = i32::from_le_bytes(reader.array()?);
        if !(1..=10_000).contains(&scale) {
            return Err(format!("network: scale {scale}, expected 1 to 10000"));
        }
        let king = reader.sums(classes * blocks)?;
        if let Some(sum) = king.iter().flatten().find(|sum| sum.unsigned_abs() > MAX_FIRST_SUM.unsigned_abs())
        {
            return Err(format!("network: first sum {sum}, expected ±{MAX_FIRST_SUM}"));
        }
        let soldiers = (0..buckets * kinds * size * size * blocks)
            .map(|_| reader.array::<BLOCK>().map(|row| row.map(|byte| byte as i8)))
            .collect::<Result<_, _>>()?;
        let mut head = || {
            Ok::<_, String>(Head {
                weights: reader.sums(blocks)?,
                constant: i32::from_le_bytes(reader.array()?),
            })
        };
        let heads = [head()?, head()?];
        let terms = if term_count == 0 {
            None
        } else {
            Some(Box::new(reader.terms(blocks * BLOCK, usize::from(term_count))?))
        };
        let length = u32::from_le_bytes(reader.array()?) as usize;
        if reader.0.len() != length {
            return Err(format!("network: {} bytes of facts, expected {length}", reader.0.len()));
        }
        let facts = String::from_utf8(reader.0.to_vec()).map_err(|error| format!("network: {error}"))?;
        Ok(Self { size, kinds, scale, blocks, king, soldiers, heads, terms, facts })
    }

    /// Formats the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let terms = if self.terms.is_some() { TERM_COUNT } else { 0 };
        let layout = [self.size, self.classes(), self.buckets(), self.kinds, self.blocks, terms];
        bytes.push(VERSION);
        bytes.extend(layout.map(|number| number as u8));
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(self.king.iter().flatten().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(self.soldiers.iter().flatten().map(|weight| *weight as u8));
        for head in &self.heads {
            bytes.extend(head.weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(head.constant.to_le_bytes());
        }
        if let Some(terms) = &self.terms {
            let units = terms.hidden.iter().flatten().flat_map(|slots| &slots[..TERM_COUNT]);
            bytes.extend(units.flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(terms.heads.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend((self.facts.len() as u32).to_le_bytes());
        bytes.extend(self.facts.as_bytes());
        bytes
    }

    /// Returns numbers that other networks do not have all alike, for the keys of tables.
    pub(crate) fn identity(&self) -> impl Iterator<Item = i32> + use<> {
        let bytes = self.to_bytes();
        let number = |chunk: &[u8]| chunk.iter().fold(0, |number, byte| number << 8 | i32::from(*byte));
        bytes.chunks(3).map(number).collect::<Vec<_>>().into_iter()
    }

    /// Parses a file in Base64.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub fn from_text(text: &str) -> Result<Self, String> {
        Self::from_bytes(&base64::decode(text).ok_or("network: no Base64")?)
    }

    /// Formats the file in Base64.
    #[must_use]
    pub fn to_text(&self) -> String {
        base64::encode(&self.to_bytes())
    }

    /// Checks whether the network can evaluate positions of these rules: of its size, with ranks if it has some.
    ///
    /// # Errors
    /// Returns the difference.
    pub fn check(&self, rules: &Rules) -> Result<(), String> {
        if self.size != rules.size() {
            return Err(format!(
                "network: for boards of {} squares along a side, found {}",
                self.size,
                rules.size()
            ));
        }
        if self.kinds != kinds_of(rules) {
            let (found, expected) = (self.kinds, kinds_of(rules));
            return Err(format!("network: {found} kinds of soldiers, expected {expected}"));
        }
        let classes = Folding::new(rules).class_count;
        if self.classes() != classes {
            return Err(format!("network: {} classes of squares, expected {classes}", self.classes()));
        }
        Ok(())
    }

    /// Returns the score for the attackers of the sums of a hidden layer, and of the terms.
    #[inline]
    pub(crate) fn score(&self, sums: &[Sums], terms: Option<&TermValues>, turn: Side) -> Score {
        let output = self.output(sums, terms, turn);
        let score = output * i64::from(self.scale) / i64::from(i32::from(ONE) * HEAD_ONE);
        let most = i64::from(MAX_HEURISTIC_SCORE - 1);
        score.clamp(-most, most) as Score
    }

    /// Returns the output for the attackers, of which 127 · 256 is 1.
    ///
    /// The terms are left out where the network has no weights for them.
    #[inline]
    #[must_use]
    pub fn output(&self, sums: &[[i16; BLOCK]], terms: Option<&TermValues>, turn: Side) -> i64 {
        let head = &self.heads[turn as usize];
        let inputs = self.terms.as_ref().zip(terms);
        let of_block = |block: usize| {
            let added = inputs.map(|(inputs, values)| (&inputs.hidden[block], values));
            i64::from(block_output(&sums[block], added, &head.weights[block]))
        };
        // Most networks have one block; a loop takes more of a search.
        let hidden = if self.blocks == 1 { of_block(0) } else { (0..self.blocks).map(of_block).sum() };
        let mut output = i64::from(head.constant) + hidden;
        if let Some((inputs, TermValues(values))) = inputs {
            let weights = &inputs.heads[turn as usize];
            let product = |(value, weight): (&i16, &i32)| i64::from(*value) * i64::from(*weight);
            output += values.iter().zip(weights).map(product).sum::<i64>();
        }
        output
    }
}

/// Returns what a block of the hidden layer adds to the output, with what the terms add to its sums.
#[inline(always)]
fn block_output(sums: &Sums, added: Option<(&[Slots; BLOCK], &TermValues)>, head: &Sums) -> i32 {
    let mut hidden = *sums;
    if let Some((inputs, TermValues(values))) = added {
        for (sum, weights) in hidden.iter_mut().zip(inputs) {
            let mut added = 0;
            for (value, weight) in values.iter().zip(weights) {
                added += i32::from(*value) * i32::from(*weight);
            }
            *sum = (i32::from(*sum) + (added >> TERM_SHIFT)).clamp(0, i32::from(ONE)) as i16;
        }
    }
    let mut output = 0;
    for (unit, weight) in hidden.iter().zip(head) {
        output += i32::from((*unit).clamp(0, ONE)) * i32::from(*weight);
    }
    output
}

/// Returns the kinds of soldiers that a network of these rules tells apart: the sides, and those with a rank if there are some.
#[must_use]
pub fn kinds_of(rules: &Rules) -> usize {
    if rules.law().start.first_special().is_some() { KINDS_WITH_RANKS } else { 2 }
}

/// Returns the kind of a soldier.
#[must_use]
pub const fn kind_of(piece: Piece) -> usize {
    piece.side() as usize + if piece.is_special() { 2 } else { 0 }
}

/// The bytes of a file that are not read yet.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or("network: it ends too early")?;
        self.0 = rest;
        Ok(*first)
    }

    fn sums(&mut self, blocks: usize) -> Result<Vec<Sums>, String> {
        let mut sums = vec![[0; BLOCK]; blocks];
        for sum in sums.iter_mut().flatten() {
            *sum = i16::from_le_bytes(self.array()?);
        }
        Ok(sums)
    }

    fn terms(&mut self, width: usize, count: usize) -> Result<TermInputs, String> {
        let (mut units, mut heads) = (vec![[0; TERM_COUNT]; width], [[0; TERM_COUNT]; 2]);
        for weight in units.iter_mut().flat_map(|unit| &mut unit[..count]) {
            *weight = i16::from_le_bytes(self.array()?);
        }
        for weight in heads.iter_mut().flat_map(|head| &mut head[..count]) {
            *weight = i32::from_le_bytes(self.array()?);
        }
        Ok(TermInputs::new(&units, heads))
    }
}
