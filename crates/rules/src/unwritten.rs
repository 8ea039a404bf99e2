//! Infers the hops of turns of which only the first capture is written, from the later moves.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use crate::game::Game;
use crate::piece::Side;
use crate::square::{Move, Square};
use crate::text::parse_move;

/// The maximum number of continuations tried in one game.
const MOST_TRIED: usize = 20_000;
const LONGEST_TURN: usize = 8;

/// The game after a turn, and the hops and the stop that follow its first move.
type Turn = (Game, Vec<Move>);

/// A written move.
struct Written {
    mv: Move,
    captures: Vec<Square>,
    /// Whether it states that it captures nothing else.
    is_marked: bool,
}

/// Returns the hops and stops to add behind each written move, so that as many moves as possible are legal.
///
/// Among several, those with the shortest earliest turns are chosen. Every written capture is made if the game can be
/// played to its end that way. The moves from the first one that remains illegal are left out.
///
/// ```
/// use hnefi_rules::{Game, Rules, unwritten_hops};
/// # let rules = Rules::from_json(include_str!("../tests/brandub-globe.json")).unwrap();
/// let added = unwritten_hops(&Game::new(rules), &["d2-c2", "d3-b3", "d1-d4"]);
/// assert_eq!(added, [vec![], vec![]]);
/// ```
#[must_use]
pub fn unwritten_hops(start: &Game, moves: &[impl AsRef<str>]) -> Vec<Vec<Move>> {
    let written: Vec<Option<Written>> = moves.iter().map(|text| Written::parse(text.as_ref())).collect();
    let with_all = search(start, &written, true);
    if with_all.len() == moves.len() {
        return with_all;
    }
    let with_some = search(start, &written, false);
    if with_some.len() > with_all.len() { with_some } else { with_all }
}

impl Written {
    fn parse(text: &str) -> Option<Self> {
        let (mv, captures) = parse_move(text).ok()?;
        Some(Self { mv, captures: captures.unwrap_or_default(), is_marked: text.contains('-') })
    }
}

/// Returns the added moves of as many turns as possible; `with_all` if a turn has to make every written capture.
fn search(start: &Game, written: &[Option<Written>], with_all: bool) -> Vec<Vec<Move>> {
    let at = |count: usize| written.get(count).and_then(Option::as_ref);
    let begin = |game: &Game, count: usize| {
        let turns = at(count).and_then(|first| Turns::of(game, first, at(count + 1), with_all));
        turns.into_iter().flatten()
    };
    let mut best = Vec::new();
    let mut chosen = Vec::new();
    let mut stack = vec![begin(start, 0)];
    for _ in 0..MOST_TRIED {
        let Some(turns) = stack.last_mut() else { break };
        if let Some((game, added)) = turns.next() {
            chosen.push(added);
            if chosen.len() == written.len() {
                break;
            }
            stack.push(begin(&game, chosen.len()));
            continue;
        }
        if chosen.len() > best.len() {
            best.clone_from(&chosen);
        }
        stack.pop();
        chosen.pop();
    }
    if chosen.len() > best.len() { chosen } else { best }
}

/// The turns that begin with a written move, the shortest first.
struct Turns {
    begun: Game,
    side: Side,
    /// The written captures that the first move does not make, if they all have to be made.
    missing: Vec<Square>,
    hops: usize,
    found: VecDeque<Turn>,
}

impl Turns {
    fn of(game: &Game, written: &Written, next: Option<&Written>, with_all: bool) -> Option<Self> {
        let side = game.turn()?;
        let begun = game.play(written.mv).ok()?;
        let made = &begun.last()?.captures;
        if written.is_marked && !made.iter().all(|square| written.captures.contains(square)) {
            return None;
        }
        let is_missing = |square: &Square| with_all && !made.contains(square);
        let missing = written.captures.iter().copied().filter(is_missing).collect();
        let mut turns = Self { begun, side, missing, hops: 0, found: VecDeque::new() };
        if turns.begun.turn() == Some(side) && next.is_some_and(|next| next.mv.from == written.mv.to) {
            // The next hop or the stop is written.
            turns.hops = LONGEST_TURN;
            turns.found.extend(turns.missing.is_empty().then(|| (turns.begun.clone(), Vec::new())));
        }
        Some(turns)
    }
}

impl Iterator for Turns {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        while self.found.is_empty() && self.hops < LONGEST_TURN {
            let turns = turns(&self.begun, self.side, self.hops);
            // There may be no turn without a hop, if the rules demand one.
            self.hops = if turns.is_empty() && self.hops > 0 { LONGEST_TURN } else { self.hops + 1 };
            self.found.extend(turns.into_iter().filter(|turn| has_captured(turn, &self.missing)));
        }
        self.found.pop_front()
    }
}

/// Checks whether the added moves of a turn capture all these squares.
fn has_captured((game, added): &Turn, squares: &[Square]) -> bool {
    squares.iter().all(|square| {
        let games = core::iter::successors(Some(game.clone()), Game::parent).take(added.len());
        games.into_iter().any(|game| game.last().is_some_and(|ply| ply.captures.contains(square)))
    })
}

/// Returns the turns that go on with this number of hops.
fn turns(game: &Game, side: Side, hops: usize) -> Vec<Turn> {
    if game.turn() != Some(side) {
        return if hops == 0 { vec![(game.clone(), Vec::new())] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for mv in game.legal_moves().into_iter().filter(|mv| mv.is_stop() == (hops == 0)) {
        let Ok(next) = game.play(mv) else { continue };
        let ends = if hops == 0 { vec![(next, Vec::new())] } else { turns(&next, side, hops - 1) };
        found.extend(ends.into_iter().map(|(end, mut added)| {
            added.insert(0, mv);
            (end, added)
        }));
    }
    found
}
