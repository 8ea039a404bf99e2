//! Games of the engine against itself. A game depends only on its number and the settings, whatever the threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use hnefi_rules::zobrist::split_mix;
use hnefi_rules::{Game, Move, Rules, Side};
use hnefi_search::{TranspositionTable, Weights, win_in};

use crate::openings::{OPENING_NODES, search, steered_opening};
use crate::samples::{NO_RESULT, Sample};

/// Half a mebibyte would do for a few thousand positions; one is the least.
const TABLE_MIB: usize = 1;
/// A game of so many plies is drawn.
const MAX_PLIES: u32 = 300;
/// Openings that are tried for a game, until one does not end it.
const OPENING_TRIES: u32 = 8;
/// Random moves that are tried for a ply of an opening; if none keeps the balance, the best move is played.
const MOVE_TRIES: u32 = 6;
/// Plies of an opening: at least 2, and up to 10 more.
const OPENING_PLIES: (u32, u64) = (2, 11);
/// A move of an opening keeps the balance up to this distance from an even score.
const OPENING_DISTANCE: i32 = 300;
/// After the opening, one of so many moves is random: games from one position would be the same.
const RANDOM_MOVES: u64 = 8;
/// Where openings are steered, beside one of so many positions one after a random move is recorded with its score.
const POSITIONS_BESIDE: u64 = 2;
/// A random move after the opening changes the score by this at most.
const RANDOM_MOVE_LOSS: i32 = 120;

/// The settings of games.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The weights of both sides.
    pub weights: Weights,
    /// Positions a move.
    pub nodes: u64,
    /// The seed.
    pub seed: u64,
    /// The score at which both sides have the same chances. Openings are near it: else one side wins nearly all games.
    pub even_score: i32,
    /// Whether openings are steered to the even score ([`steered_opening`]), and positions beside the games are recorded.
    pub is_steered: bool,
}

/// What another thread reads and sets while games are played.
#[derive(Debug, Default)]
pub struct Progress {
    /// Samples of the games that have ended.
    pub samples: AtomicU32,
    /// Set to stop the games.
    pub stop: AtomicBool,
}

/// Plays games with consecutive numbers in threads, and returns their samples in packed form, in the order of the games;
/// `None` if it was stopped before all had ended.
#[must_use]
pub fn play_games(
    settings: &SelfPlay,
    first: u32,
    count: u32,
    threads: usize,
    progress: &Progress,
) -> Option<Vec<u8>> {
    let next = AtomicU32::new(0);
    let games: Mutex<Vec<(u32, Vec<u8>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let table = TranspositionTable::new(TABLE_MIB);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || progress.stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let samples = SelfPlayGame { settings, table: &table, number: first + index }.play();
                    progress.samples.fetch_add(samples.len() as u32, Ordering::Relaxed);
                    let mut bytes = Vec::new();
                    for sample in &samples {
                        sample.pack(&mut bytes);
                    }
                    games.lock().unwrap_or_else(PoisonError::into_inner).push((index, bytes));
                }
            });
        }
    });
    let mut games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
    games.sort_unstable_by_key(|(index, _)| *index);
    (games.len() == count as usize).then(|| games.into_iter().flat_map(|(_, bytes)| bytes).collect())
}

struct SelfPlayGame<'a> {
    settings: &'a SelfPlay,
    table: &'a TranspositionTable,
    number: u32,
}

impl SelfPlayGame<'_> {
    /// Plays the game until it ends or its outcome is proven; returns its quiet positions.
    fn play(&self) -> Vec<Sample> {
        let mut state = self.settings.seed ^ u64::from(self.number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.table.clear();
        let Some(mut game) = self.opening(&mut state) else { return Vec::new() };
        let mut samples = Vec::new();
        let winner = loop {
            if game.turn().is_none() {
                break game.outcome().and_then(|outcome| outcome.winner);
            }
            if game.ply_count() >= MAX_PLIES {
                break None;
            }
            let Some((mv, score)) = self.search(&game, self.settings.nodes) else { break None };
            if let Some(plies) = win_in(score) {
                break Some(if plies > 0 { Side::Attackers } else { Side::Defenders });
            }
            let Ok(next) = game.play(mv) else { break None };
            if next.last().is_some_and(|ply| ply.captures.is_empty()) {
                samples.push(Sample::new(&game.position(), score, self.number));
            }
            if self.settings.is_steered && split_mix(&mut state) % POSITIONS_BESIDE == 0 {
                samples.extend(self.beside(&game, &mut state));
            }
            let is_random = split_mix(&mut state) % RANDOM_MOVES == 0;
            let random = || self.random_move(&game, &mut state, score, RANDOM_MOVE_LOSS);
            game = is_random.then(random).flatten().unwrap_or(next);
        };
        let half_points = match winner {
            Some(Side::Attackers) => 2,
            Some(Side::Defenders) => 0,
            None => 1,
        };
        for sample in samples.iter_mut().filter(|sample| sample.half_points != NO_RESULT) {
            sample.half_points = half_points;
        }
        samples
    }

    /// Returns the best move and its score for the attackers.
    fn search(&self, game: &Game, nodes: u64) -> Option<(Move, i32)> {
        search(game, &self.settings.weights, self.table, nodes)
    }

    /// Returns the position after a random quiet move, if its best move is quiet too.
    fn beside(&self, game: &Game, state: &mut u64) -> Option<Sample> {
        let is_quiet = |game: &Game| game.last().is_some_and(|ply| ply.captures.is_empty());
        let next = game.play_random(split_mix(state), 1);
        next.turn().filter(|_| is_quiet(&next))?;
        let (best, score) = self.search(&next, self.settings.nodes)?;
        let is_kept = win_in(score).is_none() && next.play(best).is_ok_and(|after| is_quiet(&after));
        is_kept
            .then(|| Sample { half_points: NO_RESULT, ..Sample::new(&next.position(), score, self.number) })
    }

    /// Returns a game after some random moves, each with a score near an even one after it.
    fn opening(&self, state: &mut u64) -> Option<Game> {
        let SelfPlay { rules, weights, even_score, is_steered, .. } = self.settings;
        if *is_steered {
            return steered_opening(rules, weights, self.table, state, *even_score);
        }
        let (least, more) = OPENING_PLIES;
        for _ in 0..OPENING_TRIES {
            let plies = least + (split_mix(state) % more) as u32;
            let mut game = Game::new(self.settings.rules.clone());
            while game.turn().is_some() && game.ply_count() < plies {
                let balanced = self.random_move(&game, state, self.settings.even_score, OPENING_DISTANCE);
                let best = || self.search(&game, OPENING_NODES).and_then(|(mv, _)| game.play(mv).ok());
                game = balanced.or_else(best)?;
            }
            if game.turn().is_some() {
                return Some(game);
            }
        }
        None
    }

    /// Returns the game after a random move with a score near another one; `None` if none was found.
    fn random_move(&self, game: &Game, state: &mut u64, score: i32, distance: i32) -> Option<Game> {
        let mut tried = (0..MOVE_TRIES).map(|_| game.play_random(split_mix(state), 1));
        tried.find(|next| {
            let best = next.turn().and_then(|_| self.search(next, OPENING_NODES));
            best.is_some_and(|(_, found)| (found - score).abs() <= distance)
        })
    }
}
