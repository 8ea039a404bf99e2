//! Benchmarks the rules core against a hand-specialised baseline in one run, and prints the rates as JSON.
//!
//! Usage: `hnefi-benchmarks FOLDER`, where FOLDER has the rule trees `brandub.json`, `tablut.json`, `eleven.json`.

mod baseline;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use hnefi_rules::{Position, Rules};

const ROUNDS: usize = 5;

struct Game {
    name: &'static str,
    rows: &'static str,
    depth: u32,
    by_hand: fn(&str, u32) -> u64,
}

const GAMES: [Game; 3] = [
    Game {
        name: "brandub",
        rows: "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3",
        depth: 5,
        by_hand: |rows, depth| baseline::brandub::perft::<true>(&baseline::brandub::Board::read(rows), depth),
    },
    Game {
        name: "tablut",
        rows: "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3",
        depth: 4,
        by_hand: |rows, depth| baseline::tablut::perft::<true>(&baseline::tablut::Board::read(rows), depth),
    },
    Game {
        name: "eleven",
        rows: "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3",
        depth: 4,
        by_hand: |rows, depth| baseline::eleven::perft::<true>(&baseline::eleven::Board::read(rows), depth),
    },
];

/// Returns leaves, and leaves a second of core and baseline, the best of several rounds. Both alternate, so that load
/// affects both.
fn measure(game: &Game, position: &Position) -> Result<(u64, f64, f64), String> {
    let (mut core, mut by_hand) = (f64::MAX, f64::MAX);
    let mut nodes = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        nodes = position.perft(game.depth).nodes;
        core = core.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let counted = (game.by_hand)(game.rows, game.depth);
        by_hand = by_hand.min(start.elapsed().as_secs_f64());
        if counted != nodes {
            return Err(format!("{}: {nodes} leaves, the baseline counts {counted}", game.name));
        }
    }
    Ok((nodes, nodes as f64 / core, nodes as f64 / by_hand))
}

fn run(folder: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    for game in &GAMES {
        let path = format!("{folder}/{}.json", game.name);
        let tree = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let rules = Rules::from_json(&tree).map_err(|faults| format!("{path}: {faults:?}"))?;
        let (nodes, core, by_hand) = measure(game, &Position::start(rules))?;
        let line = format!(
            r#"{{"game": "{}", "depth": {}, "leaves": {nodes}, "core": {core:.0}, "baseline": {by_hand:.0}, "ratio": {:.2}}}"#,
            game.name,
            game.depth,
            by_hand / core
        );
        writeln!(out, "{line}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: hnefi-benchmarks FOLDER");
        return ExitCode::from(2);
    };
    match run(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
