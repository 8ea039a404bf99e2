//! Static evaluation: terms a tafl player would name, with weights as data.
//!
//! The search knows only the trait [`Evaluate`]; something else, such as a small network, can take its place.

use std::collections::BTreeMap;

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::law::{Goal, KingCapture, Law};
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Piece, Position, Side, Width};
use serde_json::{Map, Value};

use crate::score::{Score, UNPROVEN};

/// Judges a position in which the game is not over.
pub trait Evaluate<B: Bits> {
    /// What a piece is worth by where it stands, whatever else is on the board. The search adds it up move by move.
    fn standing(&self, piece: Piece, index: usize) -> Score;

    /// The score from the attackers' side, within ±`UNPROVEN`, given the sum of what the pieces are worth.
    fn evaluate(&self, tables: &Tables<B>, board: &Board<B>, turn: Side, standing: Score) -> Score;
}

/// The terms, in the order of `Weights::terms`. Each counts for the attackers.
pub const TERMS: [&str; 16] = [
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
    "goal_steps",
    "goal_sealed",
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
        let is_weak = law.king_capture[2] == KingCapture::Custodial;
        let to_corner = law.goal == Goal::Corner;
        let at_corner = |weight| if to_corner { weight } else { 0 };
        // Where taking the king only draws, men are all there is to win. Elsewhere who counts men forgets the king:
        // there the numbers are what the fittings for a dozen rule sets have in common (docs/measurements/weights.md).
        let (defender, king_moves, near_goal, beside_king, enclosed, attacker_moves, turn, steps, sealed) =
            if law.king_captured_draws {
                (-280, -7, if to_corner { -250 } else { -200 }, if is_weak { 25 } else { 18 }, 60, 2, 8, 0, 0)
            } else {
                let defender = if law.size() <= 7 { -62 } else { -28 };
                let near_goal = if to_corner { -90 } else { -60 };
                (defender, -9, near_goal, if is_weak { 12 } else { 6 }, 160, 4, 10, 8, at_corner(60))
            };
        let terms = [
            100,
            defender,
            king_moves,
            -150,
            near_goal,
            beside_king,
            -4,
            enclosed,
            -2,
            at_corner(14),
            at_corner(4),
            attacker_moves,
            -4,
            turn,
            steps,
            sealed,
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
            Piece::KINDS.iter().map(|piece| piece.name()).zip(&self.squares).collect();
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
    weights: [Score; TERM_COUNT],
    /// By index, then piece: its own square and the terms that count pieces on certain squares.
    standing: Vec<[Score; 3]>,
    /// Squares diagonal to a corner, from which an attacker watches it, if the king wins there.
    watch: B,
    /// Squares next to a corner along the edge.
    beside: B,
    /// Every square from which the king could come to a goal on an empty board.
    near_goals: B,
    /// The men that are counted from, those of the start: so it is near 0, as a draw is, whatever men weigh.
    start: [Score; 2],
}

/// The terms that a position owes to more than one piece.
struct Joint {
    king_moves: Score,
    king_road: Score,
    king_near_goal: Score,
    king_side_attacker: Score,
    king_side_guard: Score,
    enclosed_king: Score,
    open_area: Score,
    attacker_moves: Score,
    defender_moves: Score,
    turn: Score,
    goal_steps: Score,
    goal_sealed: Score,
}

impl<B: Bits> Evaluation<B> {
    /// Compiles weights.
    #[must_use]
    pub fn new(tables: &Tables<B>, weights: &Weights) -> Self {
        let corners = if tables.law.goal == Goal::Corner { tables.corners } else { B::EMPTY };
        let beside = tables.around(corners) & !corners;
        let watch = tables.around(beside) & !tables.edge;
        let near_goals = tables
            .goals
            .indices()
            .fold(B::EMPTY, |near, goal| near | tables.cross(Piece::King as usize, goal));
        let count = |piece| tables.law.start.count(piece) as Score;
        // Attackers who can hardly win play for the draw: it has to be worth more to them than the start.
        let is_for_draws = tables.law.king_captured_draws;
        let start = if is_for_draws { [0; 2] } else { [count(Piece::Attacker), count(Piece::Defender)] };
        let extra: Score =
            tables.law.start.pieces().map(|(_, piece)| rank_worth(&weights.terms, piece)).sum();
        let extra = if is_for_draws { 0 } else { extra };
        let mut standing = vec![[0; 3]; B::WIDTH];
        for index in tables.playable.indices() {
            let Some(square) = square_of::<B>(index) else { continue };
            let class = class_of(square.file(), square.rank(), tables.size);
            let one = |set: B| Score::from(set.meets(B::bit(index)));
            let terms = &weights.terms;
            standing[index] = [0, 1, 2].map(|piece| weights.squares[piece][class]);
            standing[index][0] += terms[0] + terms[9] * one(watch) + terms[10] * one(beside);
            standing[index][1] += terms[1];
            // There is always one king, so that he can bear what is the same in all positions.
            standing[index][2] -= terms[0] * start[0] + terms[1] * start[1] + extra;
        }
        Self { weights: weights.terms, standing, watch, beside, near_goals, start }
    }

    /// The terms of a position, each as it counts for the attackers before it is weighted.
    pub fn terms(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> [Score; TERM_COUNT] {
        let count = |set: B| set.count() as Score;
        let joint = self.joint(tables, board, turn);
        [
            count(board.men[0]) - self.start[0],
            count(board.men[1]) - self.start[1],
            joint.king_moves,
            joint.king_road,
            joint.king_near_goal,
            joint.king_side_attacker,
            joint.king_side_guard,
            joint.enclosed_king,
            joint.open_area,
            count(board.men[0] & self.watch),
            count(board.men[0] & self.beside),
            joint.attacker_moves,
            joint.defender_moves,
            joint.turn,
            joint.goal_steps,
            joint.goal_sealed,
        ]
    }

    #[inline(always)]
    fn joint(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> Joint {
        let count = |set: B| set.count() as Score;
        let (king, [attackers, guards]) = (board.king, board.men);
        let empty = tables.playable & !board.occupied();
        let around = tables.around(king);
        let slides = |piece: Piece, set: B| tables.slides(piece as usize, set, empty);
        let reach =
            if tables.is_uniform() { board.king_destinations(tables) } else { slides(Piece::King, king) };
        let sees_no_goal = tables.is_uniform() && !reach.meets(tables.goals);
        let open_roads = if sees_no_goal { 0 } else { board.count_open_roads(tables) };
        let next = reach & self.near_goals;
        let is_near = !next.is_empty() && (slides(Piece::King, next) & !reach).meets(tables.goals);
        let Flood { area, steps, is_sealed } = flood(tables, board, empty);
        Joint {
            king_moves: count(reach).min(12),
            king_road: open_roads.min(2) as Score,
            king_near_goal: Score::from(is_near),
            king_side_attacker: count(around & attackers),
            king_side_guard: count(around & guards),
            enclosed_king: Score::from(!area.meets(tables.edge)),
            open_area: count(area).min(40),
            attacker_moves: count(slides(Piece::Attacker, attackers)),
            defender_moves: count(slides(Piece::Defender, guards)),
            turn: if turn == Side::Attackers { 1 } else { -1 },
            goal_steps: steps,
            goal_sealed: Score::from(is_sealed),
        }
    }
}

/// What a rank is worth above a soldier: as much again, since commanders and knights go where he cannot, and the other
/// side wins a renegade who is captured.
fn rank_worth(terms: &[Score; TERM_COUNT], piece: Piece) -> Score {
    if piece.is_special() { terms[piece.as_kind() as usize] } else { 0 }
}

/// How the squares around the king fill, step by step, where no attacker stands.
struct Flood<B> {
    /// What is filled when the edge is reached, or in the end.
    area: B,
    /// After how many steps a goal is reached; 0 if none is.
    steps: Score,
    /// Whether the attackers keep all goals closed.
    is_sealed: bool,
}

/// Fills what the king and his men can reach without taking anybody: empty squares and men joined to him.
#[inline]
fn flood<B: Bits>(tables: &Tables<B>, board: &Board<B>, empty: B) -> Flood<B> {
    let inside = empty | board.men[1] | board.king;
    // Once the edge is reached the area is open, and how large it is matters little.
    let (mut area, mut filled, mut is_open) = (board.king, board.king, false);
    for step in 1.. {
        let grown = filled | (tables.around(filled) & inside);
        let is_done = grown == filled;
        filled = grown;
        if !is_open {
            area = filled;
            is_open = filled.meets(tables.edge);
        }
        if filled.meets(tables.goals) {
            return Flood { area, steps: step, is_sealed: false };
        }
        if is_done {
            break;
        }
    }
    Flood { area, steps: 0, is_sealed: true }
}

impl<B: Bits> Evaluate<B> for Evaluation<B> {
    #[inline(always)]
    fn standing(&self, piece: Piece, index: usize) -> Score {
        self.standing[index][piece.as_kind() as usize] + rank_worth(&self.weights, piece)
    }

    #[inline]
    fn evaluate(&self, tables: &Tables<B>, board: &Board<B>, turn: Side, standing: Score) -> Score {
        let joint = self.joint(tables, board, turn);
        let weights = &self.weights;
        let score = standing
            + weights[2] * joint.king_moves
            + weights[3] * joint.king_road
            + weights[4] * joint.king_near_goal
            + weights[5] * joint.king_side_attacker
            + weights[6] * joint.king_side_guard
            + weights[7] * joint.enclosed_king
            + weights[8] * joint.open_area
            + weights[11] * joint.attacker_moves
            + weights[12] * joint.defender_moves
            + weights[13] * joint.turn
            + weights[14] * joint.goal_steps
            + weights[15] * joint.goal_sealed;
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
            let evaluation = Evaluation::new(tables, self.0);
            let standing = board
                .occupied()
                .indices()
                .filter_map(|index| board.piece_at(index).map(|piece| evaluation.standing(piece, index)));
            evaluation.evaluate(tables, board, self.1, standing.sum())
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
                squares[piece.as_kind() as usize][class_of(square.file(), square.rank(), size)] += 1;
            }
            (terms.to_vec(), squares)
        }
    }
    position.in_width(Count(position))
}

/// Every square that pieces of a kind on a set can come to in one move, zones left aside.
#[inline]
pub(crate) fn slides<B: Bits>(tables: &Tables<B>, kind: usize, set: B, empty: B) -> B {
    tables.slides(kind, set, empty)
}
