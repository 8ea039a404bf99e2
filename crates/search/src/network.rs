//! A small quantised network as evaluation, and its file.
//!
//! Inputs are the soldiers by square, and the king's square. Where the network has buckets, the weights of the soldiers
//! depend on the square of the king, and the board is first mapped by a symmetry of the rules so that he stands on one
//! square of each class of symmetric squares. A hidden layer of [`HIDDEN`] sums is clipped from 0 to [`ONE`]; each side to
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
//! | 1 | version: 1, or 2 with terms |
//! | 1 | squares along a side of the board |
//! | 1 | classes of the king's squares |
//! | 1 | buckets: 1, or as many as classes |
//! | 4 | hundredths of a soldier for an output of 1 (a factor of e in the odds) |
//! | classes × 32 × 2 | first sums, by class of the king's square, within ±16,000 |
//! | buckets × 2 × squares × 32 × 1 | weights of a soldier: by bucket, side, square (rank · size + file) |
//! | 2 × (32 × 2 + 4) | by side to move: weights of the outputs and a constant; 256 is a weight of 1, 127 · 256 an output of 1 |
//! | 1 | in version 2: the number n of terms, the first ones of [`TERMS`](crate::TERMS) |
//! | 32 × n × 2 | in version 2: weights of the terms in the hidden layer, by unit; 127 · 64 adds 127 to a sum |
//! | 2 × n × 4 | in version 2: weights of the terms in the outputs, by side to move; 127 · 256 adds 1 |
//! | 4, n | length of the facts, and the facts about its origin as JSON |

use hnefi_rules::{Rules, Side};

use crate::base64;
use crate::folding::Folding;
use crate::score::{MAX_HEURISTIC_SCORE, Score};
use crate::weights::{TERM_COUNT, Terms};

/// Sums of the hidden layer.
pub const HIDDEN: usize = 32;
/// The sum at which a unit of the hidden layer is fully active; a weight of 1 in the first layer.
pub const ONE: i16 = 127;
/// A weight of 1 in the second layer.
pub const HEAD_ONE: i32 = 256;
/// The greatest first sum: with 128 soldiers, no sum of 16 bits overflows.
pub const MAX_FIRST_SUM: i16 = 16_000;

const MAGIC: &[u8; 8] = b"hnefinet";
const VERSION: u8 = 1;
const VERSION_WITH_TERMS: u8 = 2;
/// A weight of a term in the hidden layer that adds 1 to the sum.
pub const TERM_ONE: i32 = 1 << TERM_SHIFT;
const TERM_SHIFT: u32 = 6;
/// Terms with room for whole vectors.
const TERM_SLOTS: usize = TERM_COUNT.next_multiple_of(16);
/// No term counts more, so that no sum of 32 bits overflows.
const MAX_TERM: Score = 1_000;

pub(crate) type Sums = [i16; HIDDEN];
type Slots = [i16; TERM_SLOTS];

/// The output of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The weight of each unit of the hidden layer.
    pub weights: Sums,
    /// The constant.
    pub constant: i32,
}

/// The weights of the terms of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermInputs {
    /// By unit of the hidden layer; [`TERM_ONE`] adds 1 to its sum.
    hidden: [Slots; HIDDEN],
    /// By side to move: in the unit of the output.
    pub heads: [[i32; TERM_COUNT]; 2],
}

impl TermInputs {
    /// Creates them from the weights of each unit and each output.
    #[must_use]
    pub fn new(units: &[[i16; TERM_COUNT]; HIDDEN], heads: [[i32; TERM_COUNT]; 2]) -> Self {
        let slots =
            |unit: &[i16; TERM_COUNT]| std::array::from_fn(|term| unit.get(term).copied().unwrap_or(0));
        Self { hidden: units.each_ref().map(slots), heads }
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
    /// Hundredths of a soldier for an output of 1.
    pub scale: i32,
    /// First sums, by class of the king's square.
    pub king: Vec<Sums>,
    /// Weights of soldiers, by bucket, side and square.
    pub soldiers: Vec<[i8; HIDDEN]>,
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
        self.soldiers.len() / (2 * self.size * self.size)
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
        let [version, size, classes, buckets] = reader.array()?;
        if ![VERSION, VERSION_WITH_TERMS].contains(&version) {
            return Err(format!("network: version {version}, expected {VERSION} or {VERSION_WITH_TERMS}"));
        }
        if !(3..=19).contains(&size) || classes == 0 || (buckets != 1 && buckets != classes) {
            return Err(format!("network: size {size}, {classes} classes, {buckets} buckets"));
        }
        let (size, scale) = (size as usize, i32::from_le_bytes(reader.array()?));
        if !(1..=10_000).contains(&scale) {
            return Err(format!("network: scale {scale}, expected 1 to 10000"));
        }
        let king = (0..classes).map(|_| reader.sums()).collect::<Result<Vec<_>, _>>()?;
        if let Some(sum) = king.iter().flatten().find(|sum| sum.unsigned_abs() > MAX_FIRST_SUM.unsigned_abs())
        {
            return Err(format!("network: first sum {sum}, expected ±{MAX_FIRST_SUM}"));
        }
        let rows = buckets as usize * 2 * size * size;
        let soldiers = (0..rows)
            .map(|_| reader.array::<HIDDEN>().map(|row| row.map(|byte| byte as i8)))
            .collect::<Result<_, _>>()?;
        let mut head = || {
            Ok::<_, String>(Head { weights: reader.sums()?, constant: i32::from_le_bytes(reader.array()?) })
        };
        let heads = [head()?, head()?];
        let terms = if version == VERSION_WITH_TERMS { Some(Box::new(reader.terms()?)) } else { None };
        let length = u32::from_le_bytes(reader.array()?) as usize;
        if reader.0.len() != length {
            return Err(format!("network: {} bytes of facts, expected {length}", reader.0.len()));
        }
        let facts = String::from_utf8(reader.0.to_vec()).map_err(|error| format!("network: {error}"))?;
        Ok(Self { size, scale, king, soldiers, heads, terms, facts })
    }

    /// Formats the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let version = if self.terms.is_some() { VERSION_WITH_TERMS } else { VERSION };
        bytes.extend([version, self.size as u8, self.king.len() as u8, self.buckets() as u8]);
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(self.king.iter().flatten().flat_map(|sum| sum.to_le_bytes()));
        bytes.extend(self.soldiers.iter().flatten().map(|weight| *weight as u8));
        for head in &self.heads {
            bytes.extend(head.weights.iter().flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(head.constant.to_le_bytes());
        }
        if let Some(terms) = &self.terms {
            bytes.push(TERM_COUNT as u8);
            let units = terms.hidden.iter().flat_map(|slots| &slots[..TERM_COUNT]);
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

    /// Checks whether the network can evaluate positions of these rules: of its size, without ranks.
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
        if rules.law().start.pieces().any(|(_, piece)| piece.is_special()) {
            return Err("network: rules with commanders, knights or renegades have none".to_string());
        }
        let classes = Folding::new(rules).class_count;
        if self.king.len() != classes {
            return Err(format!("network: {} classes of squares, expected {classes}", self.king.len()));
        }
        Ok(())
    }

    /// Returns the score for the attackers of the sums of a hidden layer, and of the terms.
    #[inline]
    pub(crate) fn score(&self, sums: &Sums, terms: Option<&TermValues>, turn: Side) -> Score {
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
    pub fn output(&self, sums: &[i16; HIDDEN], terms: Option<&TermValues>, turn: Side) -> i64 {
        let head = &self.heads[turn as usize];
        let mut output = i64::from(head.constant);
        let mut hidden = *sums;
        if let (Some(inputs), Some(TermValues(values))) = (&self.terms, terms) {
            for (sum, weights) in hidden.iter_mut().zip(&inputs.hidden) {
                let mut added = 0;
                for (value, weight) in values.iter().zip(weights) {
                    added += i32::from(*value) * i32::from(*weight);
                }
                *sum = (i32::from(*sum) + (added >> TERM_SHIFT)).clamp(0, i32::from(ONE)) as i16;
            }
            let weights = &inputs.heads[turn as usize];
            output += values
                .iter()
                .zip(weights)
                .map(|(value, weight)| i64::from(*value) * i64::from(*weight))
                .sum::<i64>();
        }
        let mut sum = 0;
        for (unit, weight) in hidden.iter().zip(&head.weights) {
            sum += i32::from((*unit).clamp(0, ONE)) * i32::from(*weight);
        }
        output + i64::from(sum)
    }
}

/// The bytes of a file that are not read yet.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or("network: it ends too early")?;
        self.0 = rest;
        Ok(*first)
    }

    fn sums(&mut self) -> Result<Sums, String> {
        let mut sums = [0; HIDDEN];
        for sum in &mut sums {
            *sum = i16::from_le_bytes(self.array()?);
        }
        Ok(sums)
    }

    fn terms(&mut self) -> Result<TermInputs, String> {
        let [count] = self.array()?;
        let count = usize::from(count);
        if count > TERM_COUNT {
            return Err(format!("network: {count} terms, expected at most {TERM_COUNT}"));
        }
        let (mut units, mut heads) = ([[0; TERM_COUNT]; HIDDEN], [[0; TERM_COUNT]; 2]);
        for weight in units.iter_mut().flat_map(|unit| &mut unit[..count]) {
            *weight = i16::from_le_bytes(self.array()?);
        }
        for weight in heads.iter_mut().flat_map(|head| &mut head[..count]) {
            *weight = i32::from_le_bytes(self.array()?);
        }
        Ok(TermInputs::new(&units, heads))
    }
}
