//! Static evaluation: a weighted sum of the terms in [`TERMS`](crate::TERMS) and of piece-square scores.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::law::Goal;
use hnefi_rules::tables::{Tables, square_of};
use hnefi_rules::{Direction, Piece, Position, Side, Square, Width};

use crate::evaluator::Evaluator;
use crate::network::TermValues;
use crate::open_roads::near_goals;
use crate::score::{MAX_HEURISTIC_SCORE, Score};
use crate::weights::{TERM_COUNT, Terms, Weights, class_count, class_of};

/// Weights compiled for one width of board.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation<B> {
    weights: Terms,
    /// By index, then piece: piece-square scores and the terms that count pieces on certain squares.
    piece_square_scores: Vec<[Score; 3]>,
    /// Squares diagonal to a corner, if the king wins in corners.
    corner_watch: B,
    /// Squares beside a corner along the edge, if the king wins in corners.
    corner_beside: B,
    /// Squares from which the king can move to a goal on an empty board.
    near_goals: B,
    /// The quarters of the board; the middle lines belong to both sides of them.
    quarters: [B; 4],
    /// Attackers and defenders at the start, from which soldiers are counted: so an even position scores near 0, as a
    /// draw does, whatever a soldier weighs.
    start: [Score; 2],
}

impl<B: Bits> Evaluation<B> {
    /// Compiles weights.
    pub(crate) fn new(tables: &Tables<B>, weights: &Weights) -> Self {
        let corners = if tables.law.goal == Goal::Corner { tables.corners } else { B::EMPTY };
        let corner_beside = tables.around(corners) & !corners;
        let corner_watch = tables.around(corner_beside) & !tables.edge;
        let count = |piece| tables.law.start.count(piece) as Score;
        // Attackers who can hardly win play for the draw: it has to score more for them than the start.
        let plays_for_draws = tables.law.king_captured_draws;
        let start = if plays_for_draws { [0; 2] } else { [count(Piece::Attacker), count(Piece::Defender)] };
        let Weights { terms, squares, .. } = weights;
        let ranks: Score = tables.law.start.pieces().map(|(_, piece)| rank_score(terms, piece)).sum();
        let ranks = if plays_for_draws { 0 } else { ranks };
        let mut piece_square_scores = vec![[0; 3]; B::WIDTH];
        for index in tables.playable.indices() {
            let Some(square) = square_of::<B>(index) else { continue };
            let class = class_of(square.file(), square.rank(), tables.size);
            let is_in = |set: B| Score::from(set.intersects(B::bit(index)));
            let [mut attacker, mut defender, mut king] = [0, 1, 2].map(|piece| squares[piece][class]);
            attacker += terms.attacker
                + terms.corner_watch * is_in(corner_watch)
                + terms.corner_beside * is_in(corner_beside);
            defender += terms.defender;
            // There is always one king, so that his score can hold the constant part of the evaluation.
            king -= terms.attacker * start[0] + terms.defender * start[1] + ranks;
            piece_square_scores[index] = [attacker, defender, king];
        }
        Self {
            weights: *terms,
            piece_square_scores,
            corner_watch,
            corner_beside,
            near_goals: near_goals(tables),
            quarters: quarters(tables),
            start,
        }
    }

    /// Returns the value of each term in a position.
    pub(crate) fn terms(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> Terms {
        let count = |set: B| set.count() as Score;
        Terms {
            attacker: count(board.soldiers[0]) - self.start[0],
            defender: count(board.soldiers[1]) - self.start[1],
            corner_watch: count(board.soldiers[0] & self.corner_watch),
            corner_beside: count(board.soldiers[0] & self.corner_beside),
            ..self.positional_terms(tables, board, turn)
        }
    }

    /// Returns the terms that depend on several pieces. The others, part of the piece-square scores, are 0.
    #[inline(always)]
    pub(crate) fn positional_terms(&self, tables: &Tables<B>, board: &Board<B>, turn: Side) -> Terms {
        let count = |set: B| set.count() as Score;
        let (king, [attackers, defenders]) = (board.king, board.soldiers);
        let empty = tables.playable & !board.occupied();
        let around = tables.around(king);
        let slides = |piece: Piece, set: B| tables.slides(piece as usize, set, empty);
        let reach =
            if tables.is_uniform() { board.king_destinations(tables) } else { slides(Piece::King, king) };
        let sees_no_goal = tables.is_uniform() && !reach.intersects(tables.goals);
        let open_roads = if sees_no_goal { 0 } else { board.count_open_roads(tables) };
        let in_two = slides(Piece::King, reach) | reach;
        let goals_in_two = in_two & !reach & tables.goals;
        // From these squares he can reach a goal, unless something stands between.
        let before_goals = in_two & self.near_goals;
        let is_three_away = !before_goals.is_empty()
            && !in_two.intersects(tables.goals)
            && slides(Piece::King, before_goals).intersects(tables.goals);
        let Flood { area, steps, narrowest } = flood(tables, board, empty);
        Terms {
            attacker: 0,
            defender: 0,
            king_moves: count(reach).min(12),
            king_road: open_roads.min(2) as Score,
            king_near_goal: Score::from(!goals_in_two.is_empty()),
            king_side_attacker: count(around & attackers),
            king_side_guard: count(around & defenders),
            enclosed_king: Score::from(!area.intersects(tables.edge)),
            open_area: count(area).min(40),
            corner_watch: 0,
            corner_beside: 0,
            attacker_moves: count(slides(Piece::Attacker, attackers)),
            defender_moves: count(slides(Piece::Defender, defenders)),
            turn: if turn == Side::Attackers { 1 } else { -1 },
            goal_steps: steps,
            goal_sealed: Score::from(steps == 0),
            goals_in_two: count(goals_in_two).min(4),
            goal_in_three: Score::from(is_three_away),
            reach_in_two: count(in_two).min(60),
            narrowest_way: narrowest,
            attacker_chains: diagonal_pairs(tables, attackers),
            attacker_walls: [Direction::East, Direction::North]
                .iter()
                .map(|direction| count(attackers & tables.shift(attackers, *direction)))
                .sum(),
            defender_chains: diagonal_pairs(tables, defenders | king),
            weakest_quarter: self
                .quarters
                .iter()
                .map(|quarter| count(attackers & *quarter))
                .min()
                .unwrap_or(0),
            near_attackers: count(tables.around(around | king) & attackers),
        }
    }

    /// Returns the score of a piece on a square, with the terms that count pieces on certain squares.
    #[inline(always)]
    pub(crate) fn piece_square_score(&self, piece: Piece, index: usize) -> Score {
        self.piece_square_scores[index][piece.as_kind() as usize] + rank_score(&self.weights, piece)
    }

    /// Returns the score for the attackers, given the sum of the piece-square scores.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        tables: &Tables<B>,
        board: &Board<B>,
        turn: Side,
        piece_squares: Score,
    ) -> Score {
        let score = piece_squares + self.weights.dot(&self.positional_terms(tables, board, turn));
        score.clamp(-MAX_HEURISTIC_SCORE + 1, MAX_HEURISTIC_SCORE - 1)
    }
}

/// Returns what a rank scores above a soldier: as much again, since commanders and knights move where a soldier cannot,
/// and the other side wins a captured renegade.
fn rank_score(terms: &Terms, piece: Piece) -> Score {
    match (piece.is_special(), piece.as_kind()) {
        (true, Piece::Attacker) => terms.attacker,
        (true, Piece::Defender) => terms.defender,
        _ => 0,
    }
}

/// More squares than this at the narrowest place of the ways to a goal make no difference.
const MAX_NARROWEST: Score = 12;

/// The result of a flood fill from the king through squares without attackers.
struct Flood<B> {
    /// The squares filled when the fill reaches the edge, or all if it does not.
    area: B,
    /// Steps until a goal is reached; 0 if the attackers close the way to all goals.
    steps: Score,
    /// The least number of squares that a step adds on the way to the nearest goal: so many attackers would close it.
    narrowest: Score,
}

/// Flood-fills the squares that the king and the defenders joined to him can reach without a capture.
///
/// Measured when the terms of goals came: 3 to 10% of the time of a search on 11 × 11, nothing elsewhere.
#[inline]
fn flood<B: Bits>(tables: &Tables<B>, board: &Board<B>, empty: B) -> Flood<B> {
    let inside = empty | board.soldiers[1] | board.king;
    // An area that reaches the edge is open, and its size matters little.
    let (mut area, mut filled, mut is_open) = (board.king, board.king, false);
    let mut narrowest = MAX_NARROWEST;
    for step in 1.. {
        let grown = filled | (tables.around(filled) & inside);
        let is_done = grown == filled;
        narrowest = narrowest.min((grown & !filled).count() as Score);
        filled = grown;
        if !is_open {
            area = filled;
            is_open = filled.intersects(tables.edge);
        }
        if filled.intersects(tables.goals) {
            return Flood { area, steps: step, narrowest };
        }
        if is_done {
            break;
        }
    }
    Flood { area, steps: 0, narrowest }
}

/// Returns the quarters of the board.
fn quarters<B: Bits>(tables: &Tables<B>) -> [B; 4] {
    let half = tables.size / 2;
    let is_in = |quarter: usize, square: Square| {
        let is_on = |at: usize, side: usize| if side == 0 { at <= half } else { at >= half };
        is_on(square.file(), quarter & 1) && is_on(square.rank(), quarter >> 1)
    };
    let in_quarter = |quarter| {
        let inside = tables
            .playable
            .indices()
            .filter(|index| square_of::<B>(*index).is_some_and(|at| is_in(quarter, at)));
        inside.fold(B::EMPTY, |set, index| set | B::bit(index))
    };
    [0, 1, 2, 3].map(in_quarter)
}

/// Counts the pairs of squares of a set that touch diagonally.
#[inline]
fn diagonal_pairs<B: Bits>(tables: &Tables<B>, set: B) -> Score {
    let above = tables.shift(set, Direction::North);
    let pairs = |direction| (tables.shift(above, direction) & set).count() as Score;
    pairs(Direction::East) + pairs(Direction::West)
}

/// Returns the static evaluation of a position, for the attackers.
#[must_use]
pub fn evaluate(position: &Position, weights: &Weights) -> Score {
    struct StaticEvaluation<'a>(&'a Position, &'a Weights);
    impl Width for StaticEvaluation<'_> {
        type Output = Score;
        fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Score {
            let evaluation = Evaluator::new(tables, self.0.rules(), self.1);
            let piece_squares = board.occupied().indices().filter_map(|index| {
                board.piece_at(index).map(|piece| evaluation.piece_square_score(piece, index))
            });
            let mut state = evaluation.new_state();
            evaluation.evaluate(&mut state, tables, board, self.0.turn(), piece_squares.sum())
        }
    }
    position.in_width(StaticEvaluation(position, weights))
}

/// Returns the features that weights are fitted to: the value of each term, in the order of [`TERMS`](crate::TERMS), and
/// the number of pieces on each symmetry class of squares, by piece.
#[must_use]
pub fn features(position: &Position) -> ([Score; TERM_COUNT], Vec<Vec<Score>>) {
    struct Features<'a>(&'a Position);
    impl Width for Features<'_> {
        type Output = ([Score; TERM_COUNT], Vec<Vec<Score>>);
        fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> Self::Output {
            let size = tables.size;
            let evaluation = Evaluation::new(tables, &Weights::default_for(&tables.law));
            let mut squares = vec![vec![0; class_count(size)]; 3];
            for (square, piece) in self.0.setup().pieces() {
                squares[piece.as_kind() as usize][class_of(square.file(), square.rank(), size)] += 1;
            }
            (evaluation.terms(tables, board, self.0.turn()).to_array(), squares)
        }
    }
    position.in_width(Features(position))
}

/// Returns the terms of a position as a network takes them: those that depend on several pieces.
#[must_use]
pub fn term_values(position: &Position) -> TermValues {
    struct Values<'a>(&'a Position);
    impl Width for Values<'_> {
        type Output = TermValues;
        fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> TermValues {
            let evaluation = Evaluation::new(tables, &Weights::default_for(&tables.law));
            TermValues::new(evaluation.positional_terms(tables, board, self.0.turn()))
        }
    }
    position.in_width(Values(position))
}
