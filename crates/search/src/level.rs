//! The move of a level: which moves are compared, and the choice among them by preference and at random.
//!
//! Weak levels make human mistakes: they search few plies, sometimes none, and choose at random among moves of similar
//! score. The values of the levels are data (`levels.toml` of the Python package); nothing here names a level.

use hnefi_rules::{Book, BookMove, CalledGame, Game, Move, Piece, Position, describe};
use serde_json::Value;

use crate::evaluation::evaluate;
use crate::iterative_deepening::analyse;
use crate::options::{Limit, Options, Signals};
use crate::random::Random;
use crate::report::Report;
use crate::score::{Score, for_side};
use crate::transposition_table::TranspositionTable;
use crate::weights::Weights;

/// Candidates with at least this score win, and with less than its negative lose: the best of them is played, that is the
/// shortest win or the longest resistance.
const WON: Score = 10_000;
/// The penalty for moving a piece back to where it has just come from.
const MOVE_BACK_PENALTY: Score = 30;
/// The first plies vary at every level, so that games begin differently.
const OPENING_PLIES: u32 = 4;
const OPENING_LINES: usize = 4;
const OPENING_MARGIN: Score = 12;
/// A move of the book is played only if its score rests on so many searches: fewer know less than a search of the level.
const BOOK_SEARCHES: u32 = 4;
/// The margin of a move of the book divided by the temperature of the choice: at the margin, a move is played e⁻² times as
/// often as the best one.
const BOOK_COOLING: f64 = 2.0;

/// The strength and the weaknesses of a level.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    /// How often the level does not see its moves that win at once.
    pub overlooks: f64,
    /// How often it plays any legal move, all equally likely.
    pub random: f64,
    /// How often a move is chosen by the static evaluation after it, without a search.
    pub short_sight: f64,
    /// The depth of the search otherwise, in plies; 0 for no limit.
    pub depth: u32,
    /// The most positions to visit; 0 for no limit.
    pub nodes: u64,
    /// The most time, in milliseconds; 0 for no limit.
    pub time_ms: u64,
    /// How many moves are compared; 0 for all.
    pub lines: usize,
    /// How much worse than the best a chosen move may be.
    pub margin: Score,
    /// The temperature of the softmax over the moves within the margin.
    pub temperature: f64,
    /// The bonus for each captured piece.
    pub capture: Score,
    /// The bonus for moves of the king.
    pub king: Score,
    /// How much worse than the best a chosen move of the opening book may be; 0 for no book.
    pub book: Score,
}

impl Level {
    /// Parses a level from JSON: an object with the fields of this struct, of which `book` may be absent. Others are
    /// ignored but `mistake_odds`, a factor of the odds of its mistakes, 1 if absent: games differ in how much a mistake
    /// costs.
    ///
    /// # Errors
    /// Returns the first field that is missing or no number.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let tree: Value = serde_json::from_str(text).map_err(|error| format!("level: {error}"))?;
        let number = |name: &str| {
            let found = tree[name].as_f64();
            found.ok_or_else(|| format!("level.{name}: {}, expected a number", tree[name]))
        };
        let whole = |name: &str| number(name).map(|number| number as u64);
        let odds = tree.get("mistake_odds").and_then(Value::as_f64).unwrap_or(1.0);
        let chance = |name: &str| number(name).map(|chance| chance * odds / (1.0 - chance + chance * odds));
        Ok(Self {
            overlooks: chance("overlooks")?,
            random: chance("random")?,
            short_sight: chance("short_sight")?,
            depth: whole("depth")? as u32,
            nodes: whole("nodes")?,
            time_ms: whole("time_ms")?,
            lines: whole("lines")? as usize,
            margin: number("margin")? as Score,
            temperature: number("temperature")?,
            capture: number("capture")? as Score,
            king: number("king")? as Score,
            book: tree.get("book").and_then(Value::as_i64).unwrap_or(0) as Score,
        })
    }

    /// Returns the limit of its search.
    #[must_use]
    pub fn limit(&self) -> Limit {
        let known = |number: u64| Some(number).filter(|number| *number > 0);
        Limit {
            depth: known(u64::from(self.depth)).map(|depth| depth as u32),
            nodes: known(self.nodes),
            time_ms: known(self.time_ms),
            usual_ms: known(self.time_ms),
        }
    }

    /// Checks whether the same seed chooses the same move again; not if only time limits the search.
    #[must_use]
    pub fn is_repeatable(&self) -> bool {
        self.depth > 0 || self.nodes > 0
    }

    fn margin_at(&self, ply: u32) -> Score {
        if ply < OPENING_PLIES { self.margin.max(OPENING_MARGIN) } else { self.margin }
    }
}

/// A move with its score for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The score, for the side to move.
    pub value: Score,
}

/// Scores moves by the static evaluation of the position after them, without a search. Moves that are not legal are
/// left out.
#[must_use]
pub fn static_candidates(game: &Game, moves: &[Move], weights: &Weights) -> Vec<Candidate> {
    let Some(side) = game.turn() else { return Vec::new() };
    let scored = moves.iter().filter_map(|mv| {
        let after = game.play(*mv).ok()?;
        let value = match after.outcome() {
            None => for_side(evaluate(&after.position(), weights), side),
            Some(outcome) => outcome.winner.map_or(0, |winner| if winner == side { WON } else { -WON }),
        };
        Some(Candidate { mv: *mv, value })
    });
    scored.collect()
}

/// Returns the moves that do not win at once; all of them if each does.
fn without_wins(game: &Game, moves: &[Move]) -> Vec<Move> {
    let wins = |mv: &Move| {
        let outcome = game.play(*mv).ok().and_then(|after| after.outcome());
        outcome.is_some_and(|outcome| outcome.winner == game.turn())
    };
    let others: Vec<Move> = moves.iter().copied().filter(|mv| !wins(mv)).collect();
    if others.is_empty() { moves.to_vec() } else { others }
}

/// The choice of one move at a level. It draws from its own generator: the same seed chooses the same in a position.
#[derive(Clone, Debug)]
pub struct Choice {
    game: Game,
    level: Level,
    random: Random,
    /// The legal moves that the level sees.
    pub seen: Vec<Move>,
    /// The move, if it is played without a look at the others.
    pub blind: Option<Move>,
    /// Whether the moves are scored by the static evaluation, not by a search.
    pub is_short_sighted: bool,
}

impl Choice {
    /// Begins a choice among the legal moves.
    #[must_use]
    pub fn new(game: &Game, legal: &[Move], level: Level, seed: &str) -> Self {
        let mut random = Random::new(seed, game.zobrist() ^ u64::from(game.ply_count()));
        let overlooks = random.unit() < level.overlooks;
        let seen = if overlooks { without_wins(game, legal) } else { legal.to_vec() };
        let is_blind = random.unit() < level.random;
        let drawn = (random.unit() * seen.len() as f64) as usize;
        let blind = seen.get(drawn).copied().filter(|_| is_blind);
        let is_short_sighted = random.unit() < level.short_sight;
        Self { game: game.clone(), level, random, seen, blind, is_short_sighted }
    }

    /// Returns the position.
    #[must_use]
    pub fn position(&self) -> Position {
        self.game.position()
    }

    /// Returns how many moves are compared, of so many legal ones.
    #[must_use]
    pub fn lines(&self, legal: usize) -> usize {
        match self.level.lines {
            0 => legal,
            lines if self.game.ply_count() < OPENING_PLIES => lines.max(OPENING_LINES),
            lines => lines,
        }
    }

    /// Chooses a move of the opening book at random, by softmax of the scores within the margin of the level, and among the
    /// moves that are equal to it by symmetry. `None` without a book, or if no move of it is fit to be played.
    ///
    /// A move is fit if its score rests on four searches or more, and if it neither loses nor repeats a position.
    pub fn choose_from_book(&mut self, book: &[BookMove]) -> Option<Move> {
        let side = self.game.turn().filter(|_| self.level.book > 0)?;
        let best = book.iter().map(|one| for_side(one.score, side)).max()?;
        let least = (best - self.level.book).max(1 - WON);
        let is_fit = |mv: &Move| {
            self.seen.contains(mv)
                && self.game.play(*mv).is_ok_and(|after| after.outcome().is_none() && after.repetitions() < 2)
        };
        let fit: Vec<(Score, Vec<Move>)> = book
            .iter()
            .filter(|one| one.searches >= BOOK_SEARCHES && for_side(one.score, side) >= least)
            .map(|one| (for_side(one.score, side), one.moves.iter().copied().filter(is_fit).collect()))
            .filter(|(_, moves): &(_, Vec<Move>)| !moves.is_empty())
            .collect();
        let temperature = f64::from(self.level.book) / BOOK_COOLING;
        let weights: Vec<f64> =
            fit.iter().map(|(value, _)| (f64::from(value - best) / temperature).exp()).collect();
        let moves = &fit.get(self.drawn(&weights)?)?.1;
        moves.get(self.drawn(&vec![1.0; moves.len()])?).copied()
    }

    /// Draws a place of a list at random, by weight. `None` for an empty list, without drawing.
    fn drawn(&mut self, weights: &[f64]) -> Option<usize> {
        let last = weights.len().checked_sub(1)?;
        let mut rest = self.random.unit() * weights.iter().sum::<f64>();
        let place = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        Some(place.unwrap_or(last))
    }

    /// Chooses one of the candidates that the level sees: the shortest win, or the longest resistance if all lose, else one
    /// within the margin of the level at random, by softmax of score and preference. `None` if it sees no candidate.
    pub fn choose(&mut self, candidates: &[Candidate]) -> Option<Move> {
        let candidates: Vec<Candidate> =
            candidates.iter().copied().filter(|candidate| self.seen.contains(&candidate.mv)).collect();
        let best = candidates.iter().map(|candidate| candidate.value).max()?;
        if best >= WON {
            return candidates.iter().find(|candidate| candidate.value == best).map(|candidate| candidate.mv);
        }
        // Between lost moves the margin would count plies as hundredths of a soldier.
        let margin = if best <= -WON { 0 } else { self.level.margin_at(self.game.ply_count()) };
        let least = best - margin;
        let near: Vec<Candidate> =
            candidates.iter().copied().filter(|candidate| candidate.value >= least).collect();
        if self.level.temperature <= 0.0 {
            return near.first().map(|candidate| candidate.mv);
        }
        let preferred: Vec<Score> =
            near.iter().map(|candidate| candidate.value + self.preference(candidate.mv)).collect();
        let top = preferred.iter().copied().max()?;
        let weights: Vec<f64> =
            preferred.iter().map(|value| (f64::from(value - top) / self.level.temperature).exp()).collect();
        near.get(self.drawn(&weights)?).map(|candidate| candidate.mv)
    }

    /// Returns the bonus that the level gives to kinds of moves, good or not.
    fn preference(&self, mv: Move) -> Score {
        let position = self.game.position();
        let mut bonus = if self.level.margin > 0 && self.moves_back(mv) { -MOVE_BACK_PENALTY } else { 0 };
        if self.level.capture != 0 {
            let captures = describe(&position, mv).map_or(0, |described| described.captures.len());
            bonus += self.level.capture * captures as Score;
        }
        if position.piece_at(mv.from) == Some(Piece::King) {
            bonus += self.level.king;
        }
        bonus
    }

    fn moves_back(&self, mv: Move) -> bool {
        let parent = self.game.parent();
        let previous = parent.as_ref().and_then(Game::last);
        previous.is_some_and(|previous| {
            Some(previous.side) == self.game.turn() && (previous.mv.from, previous.mv.to) == (mv.to, mv.from)
        })
    }
}

/// Chooses a move at a level: of the opening book, else with a search if the level makes one. Returns `None` if the game
/// is over, and the report of the search, empty without one.
///
/// A level that is repeatable clears the table first.
#[allow(clippy::too_many_arguments)]
pub fn move_at_level(
    called: &CalledGame,
    level: &Level,
    seed: &str,
    book: Option<&Book>,
    weights: &Weights,
    table: &TranspositionTable,
    signals: &Signals,
    options: &Options,
) -> Option<(Move, Report)> {
    let (game, legal) = (called.game(), called.legal_moves());
    if legal.len() < 2 {
        return legal.first().map(|mv| (*mv, Report::default()));
    }
    let mut choice = Choice::new(game, &legal, level.clone(), seed);
    if let Some(mv) = choice.blind {
        return Some((mv, Report::default()));
    }
    let known = book.map(|book| book.moves(&game.position())).unwrap_or_default();
    if let Some(mv) = choice.choose_from_book(&known) {
        return Some((mv, Report::default()));
    }
    let mut report = Report::default();
    let mut chosen = None;
    if !choice.is_short_sighted {
        if level.is_repeatable() {
            table.clear();
        }
        let lines = choice.lines(legal.len());
        let moves = if called.calls().must_replay.is_some() { legal } else { Vec::new() };
        let options = Options { lines, moves, ..options.clone() };
        report = analyse(game, weights, table, signals, level.limit(), &options, &mut |_| {});
        let side = game.turn()?;
        let candidates = report.lines.iter().filter_map(|line| {
            line.moves.first().map(|mv| Candidate { mv: *mv, value: for_side(line.score, side) })
        });
        chosen = choice.choose(&candidates.collect::<Vec<_>>());
    }
    let mv = chosen.or_else(|| {
        let seen = choice.seen.clone();
        choice.choose(&static_candidates(game, &seen, weights))
    });
    mv.map(|mv| (mv, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = r#"{"overlooks": 0.8, "random": 0.2, "short_sight": 0, "depth": 2, "nodes": 1, "time_ms": 0,
        "lines": 0, "margin": 10, "temperature": 5, "capture": 0, "king": 0"#;

    #[test]
    fn the_odds_of_mistakes_are_multiplied() {
        let plain = Level::from_json(&format!("{LEVEL}}}")).expect("a level");
        assert_eq!((plain.overlooks, plain.random, plain.short_sight), (0.8, 0.2, 0.0));
        let weaker = Level::from_json(&format!(r#"{LEVEL}, "mistake_odds": 4}}"#)).expect("a level");
        let near = |chance: f64, expected: f64| (chance - expected).abs() < 1e-12;
        assert!(near(weaker.overlooks, 16.0 / 17.0) && near(weaker.random, 0.5));
        assert_eq!(Level { overlooks: 0.8, random: 0.2, ..weaker }, plain);
    }
}
