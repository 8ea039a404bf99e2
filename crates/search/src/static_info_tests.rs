//! Tests that the static evaluation of a move agrees with making the move.

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Side, Width};

use crate::Signals;
use crate::movegen::for_each_move;
use crate::node::{Node, SearchContext};
use crate::prover::{Prover, Task};
use crate::test_rules::{CHANGES, Change, changed};

/// More changes of what the static analysis looks at: blocked groups and tuichi.
const MORE_CHANGES: [Change; 4] = [
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"groups_and_rows""#)],
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"king_and_one""#)],
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"king_and_one_surrounded""#)],
    &[
        (r#""tuichi":"none""#, r#""tuichi":"defenders_win""#),
        (r#""throne_pass":["attackers","defenders","king"]"#, r#""throne_pass":[]"#),
    ],
];

/// Compares every move of a position; returns how many have a static evaluation, and how many there are.
struct Comparison<'a>(&'a Game, Side);

impl Width for Comparison<'_> {
    type Output = (u32, u32);

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> (u32, u32) {
        let (game, side) = (self.0, self.1);
        let context = SearchContext::new(tables, game.rules());
        let task = Task { side, nodes: 1, quiet_limit: 20, table_mib: 1, beside: None };
        let signals = Signals::default();
        let position = game.position();
        let rules_limit = if tables.law.quiet_limit > 0 { tables.law.quiet_limit } else { u32::MAX };
        let limit = rules_limit.min(position.quiet() + 1 + game.ply_count() % 4);
        let prover = Prover::new(&context, task, &signals, limit, game.recent_keys());
        let node = Node::new(&context, board, position.turn(), position.quiet());
        let threats = board.threats(tables, node.turn);
        let info = prover.quiet_move_info(&node, &threats);
        let (mut evaluated, mut all) = (0, 0);
        for_each_move(&context, &node, |mv| {
            all += 1;
            let Some(expected) = prover.static_eval_move(&node, &info, mv, 8) else { return };
            let made = prover.static_eval_child(&prover.child(&node, &threats, mv), 8);
            let solved = (expected.proof == 0, expected.disproof == 0);
            assert_eq!(solved, (made.proof == 0, made.disproof == 0), "{} {mv:?}", position.setup());
            evaluated += 1;
        });
        (evaluated, all)
    }
}

#[test]
fn static_evaluation_of_a_move_agrees_with_making_it() {
    for changes in CHANGES.into_iter().chain(MORE_CHANGES) {
        let rules = changed(changes);
        let (mut evaluated, mut all) = (0, 0);
        for seed in 0..20 {
            for plies in 1..40 {
                let game = Game::new(rules.clone()).play_random(seed, plies);
                if game.turn().is_none() {
                    break;
                }
                for side in [Side::Attackers, Side::Defenders] {
                    let (some, of) = game.position().in_width(Comparison(&game, side));
                    (evaluated, all) = (evaluated + some, all + of);
                }
            }
        }
        assert!(evaluated * 3 > all, "{evaluated} of {all} evaluated");
    }
}
