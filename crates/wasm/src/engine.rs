//! The engine for browsers: the verbs that search.
//!
//! A request holds the whole game (`tree`, `setup`, `calls`, `moves`), so that an engine that was ended and started again
//! answers alike. A search ends by its limits only: nothing reaches the module while it runs.

use std::collections::HashMap;
use std::sync::Arc;

use hnefi_rules::{Book, CalledGame, Move, Rules, parse_move};
use hnefi_search::{
    Calibration, Clock, Level, Limit, Line, Options, Report, Signals, TranspositionTable, Weights, analyse,
    move_at_level, win_in,
};
use serde_json::{Value, json};

use crate::session::{Failure, Response, game_from, load_rules, respond, text, unknown_verb};

/// Memory of the table of analyses, unless a request names another.
const TABLE_MIB: usize = 16;
/// Memory of the table of levels, as in `Engine` of the Python package: the same seed chooses the same move.
const LEVEL_TABLE_MIB: usize = 1;

/// The world outside the module.
#[derive(Clone, Copy)]
pub struct Outside {
    /// The clock.
    pub clock: Clock,
    /// Takes a report as JSON.
    pub report: fn(&str),
}

/// The verbs of requests to the engine.
pub const ENGINE_VERBS: [&str; 7] = ["weights", "fitted", "network", "hash", "book", "analyse", "move"];

/// The engine of a worker, and what it keeps between requests.
#[derive(Default)]
pub struct Engine {
    outside: Option<Outside>,
    /// The rules of the last request, with their text.
    rules: Option<(String, Arc<Rules>)>,
    /// Fitted weights and calibrations, by the hash of their rules.
    fitted: HashMap<String, Value>,
    /// Opening books, by the hash of their rules.
    books: HashMap<String, Book>,
    table: Option<(usize, TranspositionTable)>,
    level_table: Option<TranspositionTable>,
}

/// Weights with their calibration.
struct Evaluator {
    weights: Weights,
    calibration: Calibration,
    /// The factor of the odds of the mistakes of levels.
    mistake_odds: f64,
}

impl Engine {
    /// Creates an engine.
    #[must_use]
    pub fn new(outside: Outside) -> Self {
        Self { outside: Some(outside), ..Self::default() }
    }

    /// Returns the response to a request, both as JSON.
    #[must_use]
    pub fn respond(&mut self, request: &str) -> String {
        respond(request, |request| match text(request, "do")? {
            "weights" => self.keep_weights(request),
            "fitted" => {
                let rules = self.rules_of(request)?;
                Ok(json!(self.fitted_for(&rules)))
            }
            "network" => self.keep_network(request),
            "hash" => Ok(json!(self.rules_of(request)?.hash())),
            "book" => self.keep_book(request),
            "analyse" => self.analyse(request),
            "move" => self.move_at_level(request),
            other => Err(unknown_verb(other, &ENGINE_VERBS)),
        })
    }

    /// Keeps fitted weights: an object with the contents of files of weights, by the hash of their rules.
    fn keep_weights(&mut self, request: &Value) -> Response {
        let fitted = request["fitted"].as_object();
        let fitted = fitted.ok_or_else(|| "fitted: expected an object".to_string())?;
        self.fitted = fitted.iter().map(|(hash, file)| (hash.clone(), file.clone())).collect();
        Ok(json!(self.fitted.len()))
    }

    /// Adds the network, which is loaded apart, to the weights kept for rules.
    fn keep_network(&mut self, request: &Value) -> Response {
        let (hash, network) = (text(request, "fitted")?, text(request, "network")?);
        let weights = self.fitted.get_mut(hash).and_then(|file| file["weights"].as_object_mut());
        let weights = weights.ok_or_else(|| format!("fitted: {hash}, expected weights"))?;
        weights.insert("network".into(), json!(network));
        Ok(Value::Null)
    }

    /// Keeps the opening book of the rules in the request. Levels play from it.
    fn keep_book(&mut self, request: &Value) -> Response {
        let rules = self.rules_of(request)?;
        let book = Book::from_json(rules.clone(), text(request, "book")?)?;
        let positions = book.len();
        self.books.insert(rules.hash().to_string(), book);
        Ok(json!(positions))
    }

    /// Analyses a game, with a report after every iteration.
    fn analyse(&mut self, request: &Value) -> Response {
        let called = game_from(self.rules_of(request)?, request)?;
        let evaluator = self.evaluator(request, &called)?;
        let number = |name: &str| request[name].as_u64();
        let limit = Limit {
            depth: number("depth").map(|depth| depth as u32),
            nodes: number("nodes"),
            time_ms: number("time_ms"),
            usual_ms: None,
        };
        let moves =
            if called.calls().must_replay.is_some() { called.legal_moves() } else { considered(request)? };
        let options = Options { lines: number("lines").unwrap_or(1) as usize, moves, ..self.options() };
        let report_outside = self.outside.map(|outside| outside.report);
        let mut on_report = |report: &Report| {
            if let Some(report_outside) = report_outside {
                report_outside(&report_json(report, &evaluator.calibration).to_string());
            }
        };
        let mebibytes = number("table_mib").map_or(TABLE_MIB, |mebibytes| mebibytes as usize);
        let table = self.table(mebibytes);
        if request["starts_empty"] == true {
            table.clear();
        }
        let signals = Signals::default();
        let report =
            analyse(called.game(), &evaluator.weights, table, &signals, limit, &options, &mut on_report);
        Ok(report_json(&report, &evaluator.calibration))
    }

    /// Chooses a move at a level; null if the game is over.
    fn move_at_level(&mut self, request: &Value) -> Response {
        let called = game_from(self.rules_of(request)?, request)?;
        let evaluator = self.evaluator(request, &called)?;
        let mut level = request["level"].clone();
        if let Some(fields) = level.as_object_mut() {
            fields.entry("mistake_odds").or_insert_with(|| json!(evaluator.mistake_odds));
        }
        let level = Level::from_json(&level.to_string())?;
        let seed = text(request, "seed")?;
        let options = self.options();
        let table = self.level_table.get_or_insert_with(|| TranspositionTable::new(LEVEL_TABLE_MIB));
        let signals = Signals::default();
        let book = self.books.get(called.game().rules().hash());
        let chosen =
            move_at_level(&called, &level, seed, book, &evaluator.weights, table, &signals, &options);
        Ok(chosen.map_or(Value::Null, |(mv, report)| {
            json!({"move": mv.to_string(), "analysis": report_json(&report, &evaluator.calibration)})
        }))
    }

    fn rules_of(&mut self, request: &Value) -> Result<Arc<Rules>, Failure> {
        let tree = text(request, "tree")?;
        let known = self.rules.as_ref().filter(|(text, _)| text == tree).map(|(_, rules)| rules.clone());
        if let Some(rules) = known {
            return Ok(rules);
        }
        let rules = load_rules(tree)?;
        self.rules = Some((tree.to_string(), rules.clone()));
        Ok(rules)
    }

    /// Returns the weights in the request, or those that are kept for the rules, or default ones.
    fn evaluator(&self, request: &Value, called: &CalledGame) -> Result<Evaluator, Failure> {
        let rules = called.game().rules();
        let file: Value = match request["weights"].as_str() {
            Some(text) => serde_json::from_str(text).map_err(|error| format!("weights: {error}"))?,
            None => self.fitted_for(rules).map_or(Value::Null, |hash| {
                let mut file = self.fitted[hash].clone();
                if let Some(fields) = file.as_object_mut().filter(|_| hash != rules.hash()) {
                    // How far the calibration is off is not known for other rules.
                    fields.remove("spread");
                }
                file
            }),
        };
        let weights = match &file["weights"] {
            Value::Null => Weights::default_for(rules.law()),
            weights => Weights::from_json(&weights.to_string(), rules.size())?,
        };
        let number = |name: &str, default: f64| file[name].as_f64().unwrap_or(default);
        let Calibration { scale, offset, margin, .. } = Calibration::default();
        let calibration = Calibration {
            scale: number("scale", scale).max(1.0),
            offset: number("offset", offset),
            margin: number("margin", margin),
            spread: file["spread"].as_f64(),
        };
        Ok(Evaluator { weights, calibration, mistake_odds: number("mistake_odds", 1.0) })
    }

    /// Returns the hash of the rules whose weights are kept for some rules: of these, or of some that differ by
    /// `quiet_limit` alone.
    fn fitted_for(&self, rules: &Rules) -> Option<&str> {
        if let Some((hash, _)) = self.fitted.get_key_value(rules.hash()) {
            return Some(hash);
        }
        let hash = if rules.law().quiet_limit == 0 {
            rules.hash().to_string()
        } else {
            let mut tree: Value = serde_json::from_str(&rules.to_json()).ok()?;
            tree["ends"]["quiet_limit"] = json!(0);
            Rules::from_json(&tree.to_string()).ok()?.hash().to_string()
        };
        let found = self.fitted.iter().find(|(_, file)| file["without_limit"] == hash.as_str());
        found.map(|(hash, _)| hash.as_str())
    }

    fn options(&self) -> Options {
        Options {
            clock: self.outside.map_or_else(Clock::default, |outside| outside.clock),
            ..Options::default()
        }
    }

    fn table(&mut self, mebibytes: usize) -> &TranspositionTable {
        if self.table.as_ref().is_none_or(|(size, _)| *size != mebibytes) {
            self.table = None;
        }
        &self.table.get_or_insert_with(|| (mebibytes, TranspositionTable::new(mebibytes))).1
    }
}

/// Returns the moves to consider; all if there are none.
fn considered(request: &Value) -> Result<Vec<Move>, Failure> {
    let texts = request["of"].as_array().into_iter().flatten();
    texts.map(|mv| Ok(parse_move(mv.as_str().unwrap_or(""))?.0)).collect()
}

/// Returns a report as the server sends it, without the end of the stream.
fn report_json(report: &Report, calibration: &Calibration) -> Value {
    let lines: Vec<Value> = report
        .lines
        .iter()
        .map(|Line { score, moves }| {
            json!({
                "score": score,
                "chances": calibration.chances(*score),
                "spread": calibration.spread_at(*score),
                "win_in": win_in(*score),
                "moves": moves.iter().map(Move::to_string).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "lines": lines,
        "depth": report.depth,
        "deepest": report.deepest,
        "nodes": report.nodes,
        "time_ms": report.time_ms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = include_str!("../../rules/tests/brandub-globe.json");

    fn respond(engine: &mut Engine, request: &Value) -> Value {
        serde_json::from_str(&engine.respond(&request.to_string())).expect("a response is JSON")
    }

    #[test]
    fn a_search_ends_by_the_clock_that_is_passed() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static CALLS: AtomicU32 = AtomicU32::new(0);
        // A clock that goes on by a second whenever it is read.
        let clock = Clock(|| f64::from(CALLS.fetch_add(1, Ordering::Relaxed)) * 1_000.0);
        let mut engine = Engine::new(Outside { clock, report: |_| {} });
        let request = json!({"do": "analyse", "tree": TREE, "moves": [], "time_ms": 20_000});
        let response = respond(&mut engine, &request);
        assert!(response["ok"]["nodes"].as_u64().is_some_and(|nodes| nodes < 20 * 512));
        assert!(!response["ok"]["lines"][0]["moves"][0].is_null());
    }

    #[test]
    fn fitted_weights_are_those_of_the_rules() {
        let mut engine = Engine::default();
        let request = json!({"do": "analyse", "tree": TREE, "moves": ["d1-c1"], "depth": 1});
        let before = respond(&mut engine, &request)["ok"]["lines"][0].clone();
        let hash = Rules::from_json(TREE).expect("rules").hash().to_string();
        let file = json!({"weights": null, "scale": 10.0, "offset": 500.0, "margin": 0.0});
        assert_eq!(respond(&mut engine, &json!({"do": "weights", "fitted": {hash: file}}))["ok"], 1);
        let asked = respond(&mut engine, &json!({"do": "fitted", "tree": TREE}));
        assert_eq!(asked["ok"], Rules::from_json(TREE).expect("rules").hash());
        let after = respond(&mut engine, &request)["ok"]["lines"][0].clone();
        assert_eq!(before["score"], after["score"]);
        assert!(after["chances"].as_f64() < before["chances"].as_f64());
    }

    #[test]
    fn a_seed_repeats_the_move_of_a_level() {
        let mut engine = Engine::default();
        let level = json!({
            "overlooks": 0.5, "random": 0.1, "short_sight": 0.5, "depth": 2, "nodes": 2000, "time_ms": 0, "lines": 0, "margin": 200,
            "temperature": 80, "capture": 40, "king": 20,
        });
        let mut choose = |seed: u32| {
            let request =
                json!({"do": "move", "tree": TREE, "moves": [], "level": level, "seed": seed.to_string()});
            respond(&mut engine, &request)["ok"]["move"].clone()
        };
        let first: Vec<Value> = (0..8).map(&mut choose).collect();
        assert_eq!(first, (0..8).map(&mut choose).collect::<Vec<_>>());
        assert!(first.iter().any(|mv| *mv != first[0]));
    }

    #[test]
    fn a_level_that_overlooks_wins_plays_none() {
        let mut engine = Engine::default();
        let level = |blunders: f64, seen: f64, overlooks: f64| {
            json!({
                "overlooks": overlooks, "random": blunders, "short_sight": seen, "depth": 2, "nodes": 2000,
                "time_ms": 0, "lines": 0, "margin": 200, "temperature": 80, "capture": 40, "king": 20,
            })
        };
        let mut wins = |level: Value| {
            let request = json!({
                "do": "move", "tree": TREE, "setup": "7/7/7/K6/7/7/t5t d", "moves": [], "level": level, "seed": "3",
            });
            let mv = respond(&mut engine, &request)["ok"]["move"].clone();
            mv == "a4-a7"
        };
        assert!(wins(level(0.0, 1.0, 0.0)) && wins(level(0.0, 0.0, 0.0)));
        for (blunders, seen) in [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
            assert!(!wins(level(blunders, seen, 1.0)));
        }
    }

    #[test]
    fn a_level_plays_from_its_book_where_the_book_was_searched() {
        let mut engine = Engine::default();
        let hash = Rules::from_json(TREE).expect("rules").hash().to_string();
        let rows = json!({"": [["d2-a2", 40, 6], ["d1-c1", 39, 4], ["d1-b1", 38, 3], ["d2-b2", 20, 6]]});
        let book = json!({"format": "hnefi book 1", "rules": hash, "positions": rows}).to_string();
        assert_eq!(respond(&mut engine, &json!({"do": "book", "tree": TREE, "book": book}))["ok"], 1);
        let level = |book: i32| {
            json!({
                "overlooks": 0, "random": 0, "short_sight": 0, "depth": 1, "nodes": 100, "time_ms": 0, "lines": 1,
                "margin": 0, "temperature": 0, "capture": 0, "king": 0, "book": book,
            })
        };
        let mut choose = |book: i32, moves: &[&str], seed: u32| {
            let request = json!({"do": "move", "tree": TREE, "moves": moves, "level": level(book), "seed": seed.to_string()});
            let chosen = respond(&mut engine, &request)["ok"].clone();
            (chosen["move"].as_str().unwrap_or("").to_string(), chosen["analysis"]["nodes"] == 0)
        };
        let chosen: std::collections::BTreeSet<_> = (0..60).map(|seed| choose(8, &[], seed)).collect();
        // The eight images of each of two moves: not of one with few searches, nor of one outside the margin.
        assert_eq!(chosen.len(), 16);
        assert!(chosen.iter().all(|(_, is_from_book)| *is_from_book));
        assert!(!choose(0, &[], 1).1 && !choose(8, &["d1-c1"], 1).1);
    }

    #[test]
    fn a_malformed_request_is_an_error() {
        let mut engine = Engine::default();
        for (request, begin) in [
            (
                json!({"do": "fly"}),
                "do: \"fly\", expected weights | fitted | network | hash | book | analyse | move",
            ),
            (json!({"do": "analyse"}), "tree: expected a text"),
            (json!({"do": "move", "tree": TREE, "seed": "1"}), "level.overlooks: null, expected a number"),
            (json!({"do": "analyse", "tree": TREE, "weights": "{"}), "weights: "),
        ] {
            let response = respond(&mut engine, &request);
            assert!(response["error"].as_str().unwrap_or("").starts_with(begin), "{request}: {response}");
        }
    }
}
