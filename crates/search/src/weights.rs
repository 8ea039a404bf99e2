//! The terms of the evaluation with their default weights, and weights as JSON.

use std::sync::Arc;

use hnefi_rules::law::{Goal, KingCapture, Law};
use hnefi_rules::{Piece, Rules};
use serde_json::{Value, json};

use crate::network::Network;
use crate::score::Score;

/// One term of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The name, as in files of weights.
    pub name: &'static str,
    /// A description of the quantity that the term counts. A positive weight favours the attackers.
    pub counts: &'static str,
    /// Returns the weight for rules that no weights were fitted for, in hundredths of a soldier.
    pub default_weight: fn(&Law) -> Score,
}

/// Makes the struct [`Terms`] and the table [`TERMS`] from one list of name, description and default weight.
macro_rules! evaluation_terms {
    ($( #[doc = $counts:literal] $name:ident = $default_weight:expr; )+) => {
        /// One number for each term of the evaluation: weights, or what a position counts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Terms {
            $( #[doc = $counts] pub $name: Score, )+
        }

        /// The number of terms.
        pub const TERM_COUNT: usize = [$( stringify!($name) ),+].len();

        /// All terms of the evaluation.
        pub const TERMS: [Term; TERM_COUNT] = [
            $( Term { name: stringify!($name), counts: $counts.trim_ascii(), default_weight: $default_weight } ),+
        ];

        impl Terms {
            /// Returns the numbers in the order of [`TERMS`].
            #[must_use]
            pub const fn to_array(self) -> [Score; TERM_COUNT] {
                [$( self.$name ),+]
            }

            /// Returns the terms from numbers in the order of [`TERMS`].
            #[must_use]
            pub const fn from_array([$( $name ),+]: [Score; TERM_COUNT]) -> Self {
                Self { $( $name ),+ }
            }

            /// Returns the sum of the products of each term.
            #[inline(always)]
            #[must_use]
            pub const fn dot(&self, other: &Self) -> Score {
                0 $( + self.$name * other.$name )+
            }
        }
    };
}

// The defaults are what fittings for a dozen rule sets have in common, measured by matches (docs/measurements/weights.md). Where
// capturing the king only draws, they are those of Breyer's rules: soldiers are all there is to win there.
evaluation_terms! {
    /// Attackers on the board, compared with the start
    attacker = |_| 100;
    /// Defenders on the board, compared with the start
    defender = |law| or_drawn(law, on_board(law, -70, -42), -280);
    /// Squares the king can move to, at most 12
    king_moves = |law| or_drawn(law, -1, -7);
    /// Open roads of the king, at most 2
    king_road = |law| or_drawn(law, -75, -150);
    /// 1 if the king is two moves from a goal
    king_near_goal = |law| or_drawn(law, by_goal(law, -45, -25), by_goal(law, -250, -200));
    /// Attackers next to the king
    king_side_attacker = |law| or_drawn(law, 3, if is_king_weak(law) { 25 } else { 18 });
    /// Defenders next to the king
    king_side_guard = |law| or_drawn(law, -3, -4);
    /// 1 if the attackers enclose the king
    enclosed_king = |law| or_drawn(law, 100, 60);
    /// Squares open to the king and the defenders joined to him, at most 40
    open_area = |law| or_drawn(law, 0, -2);
    /// Attackers diagonal to a corner, if the king wins there
    corner_watch = |law| by_goal(law, or_drawn(law, on_board(law, 14, 25), 14), 0);
    /// Attackers beside a corner, if the king wins there
    corner_beside = |law| by_goal(law, or_drawn(law, 6, 4), 0);
    /// Squares the attackers can move to
    attacker_moves = |law| or_drawn(law, 5, 2);
    /// Squares the defenders can move to
    defender_moves = |law| or_drawn(law, -5, -4);
    /// 1 if the attackers are to move, else -1
    turn = |law| or_drawn(law, 10, 8);
    /// Steps to the nearest goal around the attackers, 0 if there is no way
    goal_steps = |law| or_drawn(law, on_board(law, 4, 12), 0);
    /// 1 if the attackers close the way to every goal
    goal_sealed = |law| or_drawn(law, on_board(law, 40, by_goal(law, 120, 100)), 0);
    /// Goals the king reaches in his second move, at most 4
    goals_in_two = |law| or_drawn(law, -5, 0);
    /// 1 if the king is three moves from a goal
    goal_in_three = |law| or_drawn(law, on_board(law, -10, -23), 0);
    /// Squares the king can reach in two moves, at most 60
    reach_in_two = |law| or_drawn(law, -3, 0);
    /// Squares at the narrowest place of the ways from the king to the nearest goal, at most 12
    narrowest_way = |_| 0;
    /// Pairs of attackers that touch diagonally
    attacker_chains = |_| 0;
    /// Pairs of attackers side by side
    attacker_walls = |_| 0;
    /// Pairs of the king's side that touch diagonally
    defender_chains = |_| 0;
    /// Attackers in the quarter of the board that has the fewest
    weakest_quarter = |law| or_drawn(law, 3, 0);
    /// Attackers within two steps of the king
    near_attackers = |law| or_drawn(law, 4, 0);
}

/// Returns a weight, or another one where capturing the king only draws.
fn or_drawn(law: &Law, weight: Score, drawn: Score) -> Score {
    if law.king_captured_draws { drawn } else { weight }
}

/// Returns the weight for boards up to 7 × 7, or for larger ones.
fn on_board(law: &Law, small: Score, large: Score) -> Score {
    if law.size() <= 7 { small } else { large }
}

/// Returns the weight for goals in the corners, or on the edge.
fn by_goal(law: &Law, corner: Score, edge: Score) -> Score {
    if law.goal == Goal::Corner { corner } else { edge }
}

/// Checks whether two attackers suffice to capture the king outside the throne.
fn is_king_weak(law: &Law) -> bool {
    law.king_capture[2] == KingCapture::Custodial
}

/// Returns the number of symmetry classes of squares on a board.
#[must_use]
pub const fn class_count(size: usize) -> usize {
    let half = size.div_ceil(2);
    half * (half + 1) / 2
}

/// Returns the symmetry class of a square, counted from the corner inwards. Symmetries of the board keep the class.
#[must_use]
pub fn class_of(file: usize, rank: usize, size: usize) -> usize {
    let (file, rank) = (file.min(size - 1 - file), rank.min(size - 1 - rank));
    let (low, high) = (file.min(rank), file.max(rank));
    high * (high + 1) / 2 + low
}

/// The weights of one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Weights of the terms.
    pub terms: Terms,
    /// Piece-square scores, by piece, then by symmetry class of squares.
    pub squares: [Vec<Score>; 3],
    /// The network that evaluates in their place.
    pub network: Option<Arc<Network>>,
}

impl Weights {
    /// Returns the default weights, which depend only on the rules, for rules without fitted weights.
    #[must_use]
    pub fn default_for(law: &Law) -> Self {
        let terms = Terms::from_array(TERMS.map(|term| (term.default_weight)(law)));
        let classes = class_count(law.size());
        Self { terms, squares: [vec![0; classes], vec![0; classes], vec![0; classes]], network: None }
    }

    /// Parses weights from JSON: `{"terms": {…}, "squares": {"attacker": […], "defender": […], "king": […]}}`, and
    /// optionally `"network"`, the file of a network in Base64.
    ///
    /// The size of the board, in squares along a side, fixes the length of the three lists: `class_count(board_size)`
    /// numbers each. Every number lies within ±9999.
    ///
    /// # Errors
    /// Returns the first number that is missing or out of range, or the first list of another length, with its path.
    pub fn from_json(text: &str, board_size: usize) -> Result<Self, String> {
        let tree: Value = serde_json::from_str(text).map_err(|error| format!("weights: {error}"))?;
        let number = |path: &str, value: &Value| {
            let parsed = value.as_i64().and_then(|number| Score::try_from(number).ok());
            parsed
                .filter(|number| number.abs() < 10_000)
                .ok_or_else(|| format!("{path}: {value}, expected ±9999"))
        };
        let mut terms = [0; TERM_COUNT];
        let given =
            tree["terms"].as_object().ok_or_else(|| format!("terms: {}, expected weights", tree["terms"]))?;
        // Files from before a term existed do not have it.
        for (weight, Term { name, .. }) in terms.iter_mut().zip(TERMS) {
            *weight = given.get(name).map_or(Ok(0), |value| number(&format!("terms.{name}"), value))?;
        }
        let read = |piece: Piece| {
            let path = format!("squares.{}", piece.name());
            let list = tree["squares"][piece.name()].as_array().cloned().unwrap_or_default();
            let expected = class_count(board_size);
            if list.len() != expected {
                return Err(format!("{path}: {} numbers, expected {expected}", list.len()));
            }
            list.iter().map(|value| number(&path, value)).collect()
        };
        let squares = [read(Piece::Attacker)?, read(Piece::Defender)?, read(Piece::King)?];
        let network = match tree.get("network") {
            None => None,
            Some(Value::String(text)) => Some(Arc::new(Network::from_text(text)?)),
            Some(other) => return Err(format!("network: {other}, expected text")),
        };
        if let Some(size) = network.as_ref().map(|network| network.size).filter(|size| *size != board_size) {
            return Err(format!("network: for boards of {size} squares along a side, found {board_size}"));
        }
        Ok(Self { terms: Terms::from_array(terms), squares, network })
    }

    /// Checks whether the network, if there is one, fits the rules.
    ///
    /// # Errors
    /// Returns the difference.
    pub fn check(&self, rules: &Rules) -> Result<(), String> {
        self.network.as_ref().map_or(Ok(()), |network| network.check(rules))
    }

    /// Formats the weights as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let terms: Value = TERMS.map(|term| term.name).into_iter().zip(self.terms.to_array()).collect();
        let squares: Value = Piece::KINDS.map(Piece::name).into_iter().zip(self.squares.clone()).collect();
        let mut tree = json!({"terms": terms, "squares": squares});
        if let Some(network) = &self.network {
            tree["network"] = network.to_text().into();
        }
        tree.to_string()
    }
}
