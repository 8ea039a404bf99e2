//! Openings that are steered to a score: from random ones, one side wins nearly all games of many variants.

use std::sync::Arc;

use hnefi_rules::zobrist::split_mix;
use hnefi_rules::{Game, Move, Rules, Side};
use hnefi_search::{Limit, Options, Signals, TranspositionTable, Weights, analyse, win_in};

/// Positions of the search that scores moves of openings.
pub(crate) const OPENING_NODES: u64 = 512;
/// Openings that are begun, until one is near its goal.
const TRIES: u32 = 10;
/// Moves that are tried for an opening.
const MOVE_TRIES: u32 = 90;
/// Plies of an opening: at least 6, up to 24 more, and as many as it takes to come near the goal, up to 70.
const PLIES: (u32, u64) = (6, 25);
const MOST_PLIES: u32 = 70;
/// The goal of an opening lies this far from the score aimed at, at most.
const SPREAD: i32 = 200;
/// An opening ends this near its goal.
const DISTANCE: i32 = 90;

/// Returns the best move and its score for the attackers.
pub(crate) fn search(
    game: &Game,
    weights: &Weights,
    table: &TranspositionTable,
    nodes: u64,
) -> Option<(Move, i32)> {
    let limit = Limit { nodes: Some(nodes), ..Limit::default() };
    let report = analyse(game, weights, table, &Signals::default(), limit, &Options::default(), &mut |_| {});
    report.lines.first().and_then(|line| line.moves.first().map(|mv| (*mv, line.score)))
}

/// Returns a game after an opening whose score is near `aim`; `None` if none was found.
///
/// Below its goal the attackers play the best move three times of four and the defenders once, above it the other way round;
/// all other moves are random. Cost: about fifty short searches.
#[must_use]
pub fn steered_opening(
    rules: &Arc<Rules>,
    weights: &Weights,
    table: &TranspositionTable,
    state: &mut u64,
    aim: i32,
) -> Option<Game> {
    (0..TRIES).find_map(|_| {
        let goal = aim + (split_mix(state) % (2 * SPREAD as u64 + 1)) as i32 - SPREAD;
        let plies = PLIES.0 + (split_mix(state) % PLIES.1) as u32;
        let mut game = Game::new(rules.clone());
        let mut before = game.clone();
        for _ in 0..MOVE_TRIES {
            let found =
                game.turn().and_then(|turn| Some((turn, search(&game, weights, table, OPENING_NODES)?)));
            let Some((turn, (best, score))) = found.filter(|(_, (_, score))| win_in(*score).is_none()) else {
                // The last move ended or decided the game.
                if game.ply_count() == before.ply_count() {
                    return None;
                }
                game = before.clone();
                continue;
            };
            if game.ply_count() >= plies && (score - goal).abs() <= DISTANCE {
                return Some(game);
            }
            if game.ply_count() >= MOST_PLIES {
                return None;
            }
            let favoured = if score < goal { Side::Attackers } else { Side::Defenders };
            let share = if turn == favoured { 3 } else { 1 };
            let is_best = split_mix(state) % 4 < share;
            let next = if is_best { game.play(best).ok()? } else { game.play_random(split_mix(state), 1) };
            before = std::mem::replace(&mut game, next);
        }
        None
    })
}
