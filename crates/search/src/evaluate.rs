//! Static evaluation: terms a tafl player would name, with weights as data.
//!
//! The search knows only the trait [`Evaluate`]; something else, such as a small network, can take its place.

use std::collections::BTreeMap;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::law::{Goal, KingCapture, Law};
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Direction, Piece, Position, Side, Width};
use serde_json::{Map, Value};

use crate::score::{Score, UNPROVEN};

/// Judges a position in which the game is not over.
pub trait Evaluate<B> {
    /// The score from the attackers' side, within ±`UNPROVEN`.
    fn evaluate(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> Score;
}

/// The terms, in the order of `Weights::terms`. Each counts for the attackers.
pub const TERMS: [&str; 14] = [
    "attacker",
    "defender",
    "king_moves",
    "king_road",
    "king_near_goal",
    "king_side_attacker",
    "king_side_guard",
    "enclosed_king",
    "open_area",
    "corner_watch",
    "corner_beside",
    "attacker_moves",
    "defender_moves",
    "turn",
];

/// How many terms there are.
pub const TERM_COUNT: usize = TERMS.len();

/// The weights of one variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// By `TERMS`.
    pub terms: [Score; TERM_COUNT],
    /// By piece, then class of square: squares that the symmetries of the board make alike.
    pub squares: [Vec<Score>; 3],
}

/// How many classes of alike squares a board has.
#[must_use]
pub const fn class_count(size: usize) -> usize {
    let half = size.div_ceil(2);
    half * (half + 1) / 2
}

/// The class of a square, counted from the corner inwards.
#[must_use]
pub fn class_of(file: usize, rank: usize, size: usize) -> usize {
    let (file, rank) = (file.min(size - 1 - file), rank.min(size - 1 - rank));
    let (low, high) = (file.min(rank), file.max(rank));
    high * (high + 1) / 2 + low
}

impl Weights {
    /// Sensible weights for rules that nobody has fitted any for.
    #[must_use]
    pub fn derived(law: &Law) -> Self {
        let attackers = law.start.count(Piece::Attacker).max(1) as Score;
        let defenders = law.start.count(Piece::Defender).max(1) as Score;
        let defender =
            (100 * attackers / defenders).clamp(100, 250) + if law.guards_captured { 80 } else { 0 };
        let is_weak = law.king_capture[2] == KingCapture::Custodial;
        let to_corner = law.goal == Goal::Corner;
        let terms = [
            100,
            -defender,
            -3,
            -120,
            // Two moves from the goal is the threat of raichi: measured, this is what attackers must watch most.
            if to_corner { -250 } else { -120 },
            if is_weak { 25 } else { 18 },
            -4,
            if law.king_captured_draws { 60 } else { 160 },
            -2,
            if to_corner { 14 } else { 0 },
            if to_corner { 4 } else { 0 },
            1,
            -1,
            8,
        ];
        let classes = class_count(law.size());
        Self { terms, squares: [vec![0; classes], vec![0; classes], vec![0; classes]] }
    }

    /// Reads weights as JSON: `{"terms": {…}, "squares": {"attacker": […], "defender": […], "king": […]}}`.
    ///
    /// # Errors
    /// What is missing or wrong, with its path.
    pub fn from_json(text: &str, size: usize) -> Result<Self, String> {
        let tree: Value = serde_json::from_str(text).map_err(|error| format!("weights: {error}"))?;
        let number = |path: &str, value: &Value| {
            let found = value.as_i64().and_then(|number| Score::try_from(number).ok());
            found
                .filter(|number| number.abs() < 10_000)
                .ok_or_else(|| format!("{path}: {value}, expected ±9999"))
        };
        let mut terms = [0; TERM_COUNT];
        for (term, name) in terms.iter_mut().zip(TERMS) {
            *term = number(&format!("terms.{name}"), &tree["terms"][name])?;
        }
        let read = |piece: Piece| {
            let path = format!("squares.{}", piece.name());
            let list = tree["squares"][piece.name()].as_array().cloned().unwrap_or_default();
            if list.len() != class_count(size) {
                return Err(format!("{path}: {} numbers, expected {}", list.len(), class_count(size)));
            }
            list.iter().map(|value| number(&path, value)).collect()
        };
        let squares = [read(Piece::Attacker)?, read(Piece::Defender)?, read(Piece::King)?];
        Ok(Self { terms, squares })
    }

    /// Writes them as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let terms: Map<String, Value> =
            TERMS.iter().zip(self.terms).map(|(name, weight)| ((*name).to_string(), weight.into())).collect();
        let squares: BTreeMap<&str, &Vec<Score>> =
            Piece::ALL.iter().map(|piece| piece.name()).zip(&self.squares).collect();
        let squares: Map<String, Value> =
            squares.into_iter().map(|(name, list)| (name.to_string(), list.clone().into())).collect();
        Value::Object(Map::from_iter([
            ("terms".to_string(), Value::Object(terms)),
            ("squares".to_string(), Value::Object(squares)),
        ]))
        .to_string()
    }
}

/// Weights compiled for one width.
#[derive(Clone, Debug)]
pub struct Evaluation<B> {
    weights: Weights,
    /// The squares of each class on which some weight is not 0, with the weights by piece.
    classes: Vec<(B, [Score; 3])>,
    /// Squares diagonal to a corner, from which an attacker watches it, if the king wins there.
    watch: B,
    /// Squares next to a corner along the edge.
    beside: B,
}

impl<B: Bits> Evaluation<B> {
    /// Compiles weights.
    #[must_use]
    pub fn new(tables: &Tables<B>, weights: &Weights) -> Self {
        let mut classes = vec![(B::EMPTY, [0; 3]); class_count(tables.size)];
        for index in tables.playable.indices() {
            let Some(square) = square_of::<B>(index) else { continue };
            let class = class_of(square.file(), square.rank(), tables.size);
            classes[class].0 |= B::bit(index);
            classes[class].1 = [0, 1, 2].map(|piece| weights.squares[piece][class]);
        }
        classes.retain(|(_, weights)| weights.iter().any(|weight| *weight != 0));
        let corners = if tables.law.goal == Goal::Corner { tables.corners } else { B::EMPTY };
        let beside = tables.around(corners) & !corners;
        let watch = tables.around(beside) & !tables.edge;
        Self { weights: weights.clone(), classes, watch, beside }
    }

    /// The terms of a position, each as it counts for the attackers before it is weighted.
    #[inline]
    pub fn terms(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> [Score; TERM_COUNT] {
        let occupied = board.occupied();
        let empty = tables.playable & !occupied;
        let king = board.king;
        let around = tables.around(king);
        let count = |set: B| set.count() as Score;
        let reach = slides(tables, Piece::King as usize, king, empty);
        let next = slides(tables, Piece::King as usize, reach, empty);
        let area = king_area(tables, board, empty);
        let attackers = board.men[0];
        [
            count(attackers),
            count(board.men[1]),
            count(reach).min(12),
            board.routes(tables).min(2) as Score,
            Score::from((next & !reach).meets(tables.goals)),
            count(around & attackers),
            count(around & board.men[1]),
            Score::from(!area.meets(tables.edge)),
            count(area).min(40),
            count(attackers & self.watch),
            count(attackers & self.beside),
            count(slides(tables, Piece::Attacker as usize, attackers, empty)),
            count(slides(tables, Piece::Defender as usize, board.men[1], empty)),
            if turn == Side::Attackers { 1 } else { -1 },
        ]
    }
}

/// What the king and his men can reach without taking anybody: empty squares joined to them.
#[inline]
fn king_area<B: Bits>(tables: &Tables<B>, board: &Board<B>, empty: B) -> B {
    let inside = empty | board.men[1] | board.king;
    let mut area = board.king;
    // Once the edge is reached the area is open, and how large it is matters little.
    for _ in 0..2 * tables.size {
        let grown = area | (tables.around(area) & inside);
        if grown == area || grown.meets(tables.edge) {
            return grown;
        }
        area = grown;
    }
    area
}

impl<B: Bits> Evaluate<B> for Evaluation<B> {
    #[inline]
    fn evaluate(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> Score {
        let terms = self.terms(tables, board, turn);
        let mut score: Score = terms.iter().zip(self.weights.terms).map(|(term, weight)| term * weight).sum();
        for (squares, weights) in &self.classes {
            score += weights[0] * (board.men[0] & *squares).count() as Score
                + weights[1] * (board.men[1] & *squares).count() as Score
                + weights[2] * (board.king & *squares).count() as Score;
        }
        score.clamp(-UNPROVEN + 1, UNPROVEN - 1)
    }
}

/// The static evaluation of a position, for the attackers.
#[must_use]
pub fn evaluate(position: &Position, weights: &Weights) -> Score {
    struct Judge<'a>(&'a Weights, Side);
    impl Width for Judge<'_> {
        type Output = Score;
        fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Score {
            Evaluation::new(tables, self.0).evaluate(tables, board, self.1)
        }
    }
    position.in_width(Judge(weights, position.turn()))
}

/// The terms of a position, and for each piece how many stand on each class of squares: what weights are fitted to.
#[must_use]
pub fn features(position: &Position) -> (Vec<Score>, Vec<Vec<Score>>) {
    struct Count<'a>(&'a Position);
    impl Width for Count<'_> {
        type Output = (Vec<Score>, Vec<Vec<Score>>);
        fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Self::Output {
            let size = tables.size;
            let terms =
                Evaluation::new(tables, &Weights::derived(&tables.law)).terms(tables, board, self.0.turn());
            let mut squares = vec![vec![0; class_count(size)]; 3];
            for (square, piece) in self.0.setup().pieces() {
                squares[piece as usize][class_of(square.file(), square.rank(), size)] += 1;
            }
            (terms.to_vec(), squares)
        }
    }
    position.in_width(Count(position))
}

/// Every square that pieces of a kind on a set can come to in one move, zones left aside.
#[inline]
pub(crate) fn slides<B: Bits>(tables: &Tables<B>, kind: usize, set: B, empty: B) -> B {
    let passage = tables.passage(kind, 0);
    let mut reached = B::EMPTY;
    for direction in Direction::ALL {
        let mut front = set;
        for _ in 0..tables.reach[kind] {
            front = tables.shift(front, direction) & empty;
            if front.is_empty() {
                break;
            }
            reached |= front;
            front = front & !passage.barrier;
        }
    }
    reached & passage.landing
}
