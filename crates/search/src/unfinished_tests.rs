//! Tests of what unfinished iterations contribute, with a clock that goes on by a millisecond whenever it is read.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use hnefi_rules::Game;

use crate::score::for_side;
use crate::test_rules::brandub;
use crate::{Clock, Limit, Options, Report, Signals, TranspositionTable, Weights, analyse};

static READS: AtomicU32 = AtomicU32::new(0);
/// The clock is that of all tests here: two that search at once would make it go twice as fast.
static ALONE: Mutex<()> = Mutex::new(());

/// Searches with a limit of time; returns all reports.
fn reports(game: &Game, lines: usize, time_ms: u64, nodes: Option<u64>) -> Vec<Report> {
    let weights = Weights::default_for(game.rules().law());
    let options = Options {
        lines,
        clock: Clock(|| f64::from(READS.fetch_add(1, Ordering::Relaxed))),
        ..Options::default()
    };
    let limit = Limit { time_ms: Some(time_ms), nodes, ..Limit::default() };
    let mut found = Vec::new();
    let table = TranspositionTable::new(1);
    let last = analyse(game, &weights, &table, &Signals::default(), limit, &options, &mut |report| {
        found.push(report.clone());
    });
    assert_eq!(found.last().map(|report| &report.lines), Some(&last.lines));
    found
}

/// Searches for several times; returns how often an unfinished iteration added a report, after checking its lines.
fn count_unfinished(lines: usize, nodes: Option<u64>) -> usize {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let game = Game::new(brandub()).play_random(7, 5);
    let side = game.turn().unwrap();
    let is_unfinished = |time_ms| {
        let found = reports(&game, lines, time_ms, nodes);
        let [.., before, last] = found.as_slice() else { return false };
        let moves: HashSet<_> = last.lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!((moves.len(), last.lines.len()), (lines, lines));
        assert!(last.lines.is_sorted_by_key(|line| -for_side(line.score, side)));
        for line in &last.lines {
            line.moves.iter().fold(game.clone(), |after, mv| after.play(*mv).unwrap());
        }
        before.depth == last.depth && before.lines != last.lines
    };
    (40..200).step_by(20).filter(|time_ms| is_unfinished(*time_ms)).count()
}

#[test]
fn unfinished_iterations_count_for_one_line_and_several() {
    assert!(count_unfinished(1, None) > 1);
    assert!(count_unfinished(3, None) > 1);
}

#[test]
fn several_lines_are_of_one_depth_where_positions_limit_the_search() {
    assert_eq!(count_unfinished(3, Some(1_000_000)), 0);
    assert!(count_unfinished(1, Some(1_000_000)) > 1);
}
