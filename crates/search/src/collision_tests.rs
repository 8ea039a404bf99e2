//! Tests with forced hash collisions: entries of the table may be wrong, but no move may be illegal and nothing may break.
#![allow(clippy::unwrap_used)]

use hnefi_rules::{Game, Side};

use crate::test_rules::brandub;
use crate::{Limit, Options, Signals, TranspositionTable, Weights, analyse};

/// Plays a game whose searches share one table, and checks every move of every line.
fn play_colliding(key_mask: u64, threads: usize, lines: usize) -> u32 {
    let rules = brandub();
    let weights = Weights::default_for(rules.law());
    let table = TranspositionTable::colliding(key_mask);
    let limit = Limit { depth: Some(5), nodes: Some(20_000), ..Limit::default() };
    let options = Options { lines, threads, ..Options::default() };
    let mut game = Game::new(rules).play_random(key_mask, 3);
    while game.turn().is_some() && game.ply_count() < 60 {
        let report = analyse(&game, &weights, &table, &Signals::default(), limit, &options, &mut |_| {});
        assert!(!report.lines.is_empty());
        for line in &report.lines {
            line.moves.iter().fold(game.clone(), |after, mv| after.play(*mv).unwrap());
        }
        game = game.play(report.lines[0].moves[0]).unwrap();
    }
    game.ply_count()
}

#[test]
fn colliding_keys_cause_no_illegal_move() {
    // From one key for all positions to some thousand keys.
    for key_mask in [0, 1 << 63, 0xf00_0000, 0xff00_0000_0f00_0000] {
        assert!(play_colliding(key_mask, 1, 1) > 3);
        assert!(play_colliding(key_mask, 1, 3) > 3);
    }
}

#[test]
fn colliding_keys_cause_no_illegal_move_with_two_threads() {
    for key_mask in [0, 0xf00_0000] {
        assert!(play_colliding(key_mask, 2, 1) > 3);
    }
}

#[test]
fn colliding_keys_change_the_search() {
    // One key for all positions: every probe finds an entry, so that the search differs from one with whole keys.
    let rules = brandub();
    let weights = Weights::default_for(rules.law());
    let game = Game::new(rules);
    assert_eq!(game.turn(), Some(Side::Attackers));
    let limit = Limit { depth: Some(5), ..Limit::default() };
    let nodes = |table: &TranspositionTable| {
        analyse(&game, &weights, table, &Signals::default(), limit, &Options::default(), &mut |_| {}).nodes
    };
    assert_ne!(nodes(&TranspositionTable::colliding(0)), nodes(&TranspositionTable::new(1)));
}
