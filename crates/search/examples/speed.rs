//! Prints depth and speed of a search from the start position of a rule tree: `speed RULES.json MILLISECONDS`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]
use hnefi_rules::{Game, Rules};
use hnefi_search::{Limit, Options, Signals, TranspositionTable, Weights, analyse};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let time: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let rules = Rules::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let weights = Weights::default_for(rules.law());
    let table = TranspositionTable::new(64);
    let limit = Limit { time_ms: Some(time), ..Limit::default() };
    let last = analyse(
        &Game::new(rules),
        &weights,
        &table,
        &Signals::default(),
        limit,
        &Options::default(),
        &mut |r| {
            let line: Vec<String> = r.lines[0].moves.iter().map(ToString::to_string).collect();
            println!(
                "{:>3}/{:<3} {:>7} {:>10} {:>6}ms {}",
                r.depth,
                r.deepest,
                r.lines[0].score,
                r.nodes,
                r.time_ms,
                line.join(" ")
            );
        },
    );
    println!("{} knps", last.nodes / last.time_ms.max(1));
}
