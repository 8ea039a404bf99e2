//! A session: the rules and games that a page holds, and the answers to its requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use hnefi_rules::{
    CalledGame, Game, Mode, Outcome, Protocol, Reason, Refusal, Replay, Rules, Setup, Side, Square, describe,
    parse_move, setup_faults,
};
use serde_json::{Value, json};

use crate::answers;

/// What can be asked for.
pub const VERBS: [&str; 9] = ["rules", "game", "play", "state", "legal", "describe", "end", "setup", "drop"];

/// The rules and games of a page, by number.
#[derive(Default)]
pub struct Session {
    rules: BTreeMap<u32, Arc<Rules>>,
    games: BTreeMap<u32, CalledGame>,
    last: u32,
}

/// Why a request has no answer.
enum Failure {
    /// The rules of the game refuse something.
    Refused(Refusal),
    /// A rules tree is faulty.
    Faulty(Vec<Value>),
    /// The request is not of the form it should have.
    Malformed(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

type Answer = Result<Value, Failure>;

impl Session {
    /// Answers a request.
    #[must_use]
    pub fn answer(&mut self, request: &str) -> String {
        let answer = serde_json::from_str(request)
            .map_err(|error| Failure::Malformed(format!("request: {error}")))
            .and_then(|request| self.perform(&request));
        let answer = match answer {
            Ok(value) => json!({"ok": value}),
            Err(Failure::Refused(refusal)) => json!({"refusal": answers::refusal(&refusal)}),
            Err(Failure::Faulty(faults)) => json!({"faults": faults}),
            Err(Failure::Malformed(text)) => json!({"error": text}),
        };
        answer.to_string()
    }

    fn perform(&mut self, request: &Value) -> Answer {
        match text(request, "do")? {
            "rules" => self.load(text(request, "tree")?),
            "game" => self.begin(request),
            "play" => self.play(request),
            "state" => Ok(answers::game(number(request, "game")?, self.game(request)?)),
            "legal" => Ok(answers::legal(self.game(request)?)),
            "describe" => self.describe(request),
            "end" => self.end(request),
            "setup" => self.setup(request),
            "drop" => self.forget(request),
            other => Err(Failure::Malformed(format!("do: {other:?}, expected {}", VERBS.join(" | ")))),
        }
    }

    fn load(&mut self, tree: &str) -> Answer {
        let rules = Rules::from_json(tree)
            .map_err(|faults| Failure::Faulty(faults.iter().map(answers::fault).collect()))?;
        self.last += 1;
        let answer = answers::rules(self.last, &rules);
        self.rules.insert(self.last, rules);
        Ok(answer)
    }

    /// Begins a game from the start or a setup, and plays the moves that are given, each `[text, call]` or a text.
    fn begin(&mut self, request: &Value) -> Answer {
        let rules = self.rules(request)?.clone();
        let game = match request.get("setup").and_then(Value::as_str) {
            None => Game::new(rules),
            Some(setup) => Game::from_setup(rules, &Setup::parse(setup)?)?,
        };
        let mut called = CalledGame::new(game, protocol(request.get("calls"))?);
        for item in request.get("moves").and_then(Value::as_array).into_iter().flatten() {
            let (mv, call) = match item {
                Value::Array(pair) => (pair.first(), pair.get(1).and_then(Value::as_u64).unwrap_or(0)),
                one => (Some(one), 0),
            };
            let mv = mv.and_then(Value::as_str).unwrap_or("");
            called = played(&called, mv, call)?;
        }
        Ok(self.keep(called))
    }

    fn play(&mut self, request: &Value) -> Answer {
        let call = request.get("call").and_then(Value::as_u64).unwrap_or(0);
        let next = played(self.game(request)?, text(request, "move")?, call)?;
        Ok(self.keep(next))
    }

    fn describe(&self, request: &Value) -> Answer {
        let called = self.game(request)?;
        let (mv, _) = parse_move(text(request, "move")?)?;
        // History may have ended a game whose position could go on.
        called.game().play(mv)?;
        if let Some(square) = called.must_replay().filter(|square| *square != mv.from) {
            return Err(Refusal::new("must_replay").with("square", square).into());
        }
        Ok(answers::description(&describe(&called.game().position(), mv)?))
    }

    fn end(&mut self, request: &Value) -> Answer {
        let called = self.game(request)?;
        let winner = request
            .get("winner")
            .and_then(Value::as_str)
            .map(|name| {
                word("winner", name, &[Side::Attackers, Side::Defenders].map(|side| (side.name(), side)))
            })
            .transpose()?;
        let reasons: Vec<(&str, Reason)> = Reason::ALL
            .iter()
            .filter(|reason| reason.is_from_outside())
            .map(|reason| (reason.name(), *reason))
            .collect();
        let reason = word("reason", text(request, "reason")?, &reasons)?;
        let Some(game) = called.game().end(Outcome { winner, reason }) else {
            return Err(Failure::Malformed("end: the game is over".into()));
        };
        let ended = CalledGame::new(game, called.protocol());
        Ok(self.keep(ended))
    }

    /// Says everything that is wrong with a setup, and whether a game can begin from it.
    fn setup(&self, request: &Value) -> Answer {
        let rules = self.rules(request)?;
        let setup = match Setup::parse(text(request, "setup")?) {
            Ok(setup) => setup,
            Err(refusal) => {
                return Ok(json!({"playable": false, "faults": [answers::refusal(&refusal)]}));
            }
        };
        let faults = setup_faults(rules, &setup);
        let playable = Game::from_setup(rules.clone(), &setup).is_ok_and(|game| game.outcome().is_none());
        let faults: Value = faults.iter().map(answers::refusal).collect();
        Ok(json!({"playable": playable, "faults": faults, "setup": setup.to_string()}))
    }

    fn forget(&mut self, request: &Value) -> Answer {
        let number = number(request, "number")?;
        let known = self.games.remove(&number).is_some() || self.rules.remove(&number).is_some();
        Ok(Value::Bool(known))
    }

    fn keep(&mut self, called: CalledGame) -> Value {
        self.last += 1;
        let answer = answers::game(self.last, &called);
        self.games.insert(self.last, called);
        answer
    }

    fn game(&self, request: &Value) -> Result<&CalledGame, Failure> {
        let number = number(request, "game")?;
        self.games.get(&number).ok_or_else(|| Failure::Malformed(format!("game: there is no game {number}")))
    }

    fn rules(&self, request: &Value) -> Result<&Arc<Rules>, Failure> {
        let number = number(request, "rules")?;
        self.rules
            .get(&number)
            .ok_or_else(|| Failure::Malformed(format!("rules: there are no rules {number}")))
    }
}

fn played(called: &CalledGame, mv: &str, call: u64) -> Result<CalledGame, Failure> {
    if call > 2 {
        return Err(Failure::Malformed(format!("call: {call}, expected 0, 1 or 2")));
    }
    let (mv, captures): (_, Option<Vec<Square>>) = parse_move(mv)?;
    Ok(called.play(mv, captures.as_deref(), call as u8)?)
}

fn protocol(calls: Option<&Value>) -> Result<Protocol, Failure> {
    let named = |name: &str, neutral: &'static str| {
        calls.and_then(|calls| calls.get(name)).and_then(Value::as_str).unwrap_or(neutral).to_string()
    };
    let modes = [("off", Mode::Off), ("auto", Mode::Auto), ("manual", Mode::Manual)];
    let replays = [("same_piece", Replay::SamePiece), ("any_piece", Replay::AnyPiece)];
    Ok(Protocol {
        mode: word("mode", &named("mode", "off"), &modes)?,
        is_sanctioned: word("sanction", &named("sanction", "none"), &[("none", false), ("replay", true)])?,
        replay: word("replay", &named("replay", "same_piece"), &replays)?,
    })
}

fn word<T: Copy>(name: &str, found: &str, choices: &[(&str, T)]) -> Result<T, Failure> {
    choices.iter().find(|(word, _)| *word == found).map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        Failure::Malformed(format!("{name}: {found:?}, expected {}", words.join(" | ")))
    })
}

fn text<'a>(request: &'a Value, name: &str) -> Result<&'a str, Failure> {
    let found = request.get(name).and_then(Value::as_str);
    found.ok_or_else(|| Failure::Malformed(format!("{name}: expected a text")))
}

fn number(request: &Value, name: &str) -> Result<u32, Failure> {
    let found = request.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    found.ok_or_else(|| Failure::Malformed(format!("{name}: expected a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(session: &mut Session, request: &Value) -> Value {
        serde_json::from_str(&session.answer(&request.to_string())).expect("an answer is JSON")
    }

    fn loaded() -> (Session, u64) {
        let mut session = Session::default();
        let tree = include_str!("../../rules/tests/brandub-globe.json");
        let answer = ask(&mut session, &json!({"do": "rules", "tree": tree}));
        let number = answer["ok"]["rules"].as_u64().expect("rules have a number");
        (session, number)
    }

    #[test]
    fn a_game_is_played_described_and_forgotten() {
        let (mut session, rules) = loaded();
        let start = ask(&mut session, &json!({"do": "game", "rules": rules}))["ok"].clone();
        assert_eq!((&start["turn"], &start["ply"]), (&json!("attackers"), &json!(0)));
        let legal = ask(&mut session, &json!({"do": "legal", "game": start["game"]}));
        let count: usize = legal["ok"]
            .as_object()
            .expect("by origin")
            .values()
            .map(|to| to.as_array().map_or(0, Vec::len))
            .sum();
        assert_eq!(count, 40);
        let told = ask(&mut session, &json!({"do": "describe", "game": start["game"], "move": "d1-c1"}));
        assert_eq!((&told["ok"]["piece"], &told["ok"]["captures"]), (&json!("attacker"), &json!([])));
        let next =
            ask(&mut session, &json!({"do": "play", "game": start["game"], "move": "d1-c1"}))["ok"].clone();
        assert_eq!((&next["turn"], &next["last"]["text"]), (&json!("defenders"), &json!("d1-c1")));
        let refused = ask(&mut session, &json!({"do": "play", "game": next["game"], "move": "d1-c1"}));
        assert_eq!(refused["refusal"]["code"], "no_piece");
        assert_eq!(ask(&mut session, &json!({"do": "drop", "number": next["game"]}))["ok"], true);
        let gone = ask(&mut session, &json!({"do": "state", "game": next["game"]}));
        assert!(gone["error"].as_str().is_some_and(|text| text.starts_with("game: there is no game")));
    }

    #[test]
    fn every_fault_of_a_setup_is_named() {
        let (mut session, rules) = loaded();
        let mut faults = |setup: &str| {
            let answer =
                ask(&mut session, &json!({"do": "setup", "rules": rules, "setup": setup}))["ok"].clone();
            let codes: Vec<String> = answer["faults"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|fault| fault["code"].as_str().unwrap_or("").to_string())
                .collect();
            (answer["playable"] == true, codes.join(" "))
        };
        assert_eq!(faults("7/3t3/7/2T1K2/7/7/7 a"), (true, String::new()));
        assert_eq!(faults("t6/7/7/3TK2/7/7/7 d"), (true, "throne_no_stop corner_no_stop".into()));
        assert_eq!(faults("K6/7/7/3T2K/7/7/7 d"), (false, "bad_position throne_no_stop".into()));
        assert_eq!(faults("7/7/7/2T1t2/7/7/7 d"), (false, "game_over".into()));
        assert_eq!(faults("7/ttttttt/tt5/2T1K2/7/7/7 a"), (true, "bad_position".into()));
        assert_eq!(faults("5/5/5/5/5 a"), (false, "bad_position".into()));
        assert_eq!(faults("nonsense"), (false, "bad_position".into()));
    }

    #[test]
    fn a_malformed_request_is_said_to_be_so() {
        let mut session = Session::default();
        for (request, begin) in [
            ("[", "request: "),
            ("{}", "do: expected a text"),
            (r#"{"do": "fly"}"#, "do: \"fly\", expected rules | game"),
            (r#"{"do": "play", "game": 1, "move": "a1-a2"}"#, "game: there is no game 1"),
            (r#"{"do": "rules"}"#, "tree: expected a text"),
        ] {
            let answer: Value = serde_json::from_str(&session.answer(request)).expect("JSON");
            let text = answer["error"].as_str().unwrap_or("");
            assert!(text.starts_with(begin), "{request}: {text}");
        }
        let answer: Value =
            serde_json::from_str(&session.answer(r#"{"do": "rules", "tree": "{}"}"#)).expect("JSON");
        assert!(answer["faults"].as_array().is_some_and(|faults| faults.len() > 5));
    }
}
