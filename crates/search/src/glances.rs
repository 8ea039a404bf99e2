//! A test: what the prover sees of a move without making it is what making it shows.
#![allow(clippy::unwrap_used)]

use hnefi_rules::bits::Bits;
use hnefi_rules::board::Board;
use hnefi_rules::tables::Tables;
use hnefi_rules::{Game, Rules, Side, Width};

use crate::Signals;
use crate::alphabeta::each_step;
use crate::node::{Field, Node};
use crate::prover::{Prover, Task};

const RULES: &str = include_str!("../../rules/tests/brandub-globe.json");
/// Rules that differ where the prover looks: groups that are blocked, tuichi, a king who needs four, one who takes
/// nothing, no limit of quiet plies, steps of one square, other ends.
const CHANGES: [&[(&str, &str)]; 7] = [
    &[],
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"groups""#)],
    &[(r#""blocked_groups":"none""#, r#""blocked_groups":"king_and_one""#)],
    &[
        (r#""tuichi":"none""#, r#""tuichi":"defenders_win""#),
        (r#""throne_pass":["attackers","defenders","king"]"#, r#""throne_pass":[]"#),
    ],
    &[
        (r#""elsewhere":"custodial""#, r#""elsewhere":"four_sides""#),
        (r#""goal":"corner""#, r#""goal":"edge""#),
    ],
    &[
        (r#""quiet_limit":20"#, r#""quiet_limit":0"#),
        (r#""no_move":"pass""#, r#""no_move":"loses""#),
        (r#""count":0,"result":"none""#, r#""count":3,"result":"draw""#),
    ],
    &[(
        r#""range":{"attackers":0,"defenders":0,"king":0}"#,
        r#""range":{"attackers":1,"defenders":2,"king":1}"#,
    )],
];

/// Glances at every move of a position; gives how many were seen, and of how many.
struct Glances<'a>(&'a Game, Side);

impl Width for Glances<'_> {
    type Output = (u32, u32);

    fn run<B: Bits>(self, tables: &Tables<B>, board: &Board<B>) -> (u32, u32) {
        let (game, side) = (self.0, self.1);
        let field = Field::new(tables, game.rules());
        let task = Task { side, nodes: 1, quiet_limit: 20, table_mib: 1 };
        let signals = Signals::default();
        let position = game.position();
        let own = if tables.law.quiet_limit > 0 { tables.law.quiet_limit } else { u32::MAX };
        let limit = own.min(position.quiet() + 1 + game.ply_count() % 4);
        let prover = Prover::new(&field, task, &signals, limit, game.recent_keys());
        let node = Node::new(&field, board, position.turn(), position.quiet());
        let threats = board.threats(tables, node.turn);
        let outlook = prover.outlook(&node, &threats);
        let (mut seen, mut all) = (0, 0);
        each_step(&field, &node, |step| {
            all += 1;
            let Some(glance) = prover.glance(&node, &outlook, step, 8) else { return };
            let made = prover.first_numbers(&prover.child(&node, &threats, step), 8);
            let told = (glance.proof == 0, glance.disproof == 0);
            assert_eq!(told, (made.proof == 0, made.disproof == 0), "{} {step:?}", position.setup());
            seen += 1;
        });
        (seen, all)
    }
}

#[test]
fn a_glance_at_a_move_tells_what_making_it_tells() {
    let plain = Rules::from_json(RULES).unwrap().to_json();
    for changes in CHANGES {
        let text = changes.iter().fold(plain.clone(), |text, (old, new)| {
            let changed = text.replace(old, new);
            assert_ne!(changed, text, "{old}");
            changed
        });
        let rules = Rules::from_json(&text).unwrap();
        let (mut seen, mut all) = (0, 0);
        for seed in 0..20 {
            for plies in 1..40 {
                let game = Game::new(rules.clone()).play_random(seed, plies);
                if game.turn().is_none() {
                    break;
                }
                for side in [Side::Attackers, Side::Defenders] {
                    let (some, of) = game.position().in_width(Glances(&game, side));
                    (seen, all) = (seen + some, all + of);
                }
            }
        }
        assert!(seen * 3 > all, "{seen} of {all} seen");
    }
}
