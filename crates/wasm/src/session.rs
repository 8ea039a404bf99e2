//! Sessions: the rules and games of a page, and the responses to its requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use hnefi_rules::{
    Book, CalledGame, Game, Leg, MatchScore, Mode, Outcome, Position, Protocol, Reason, Refusal, Replay,
    Rules, Sanction, Setup, Side, WrongNumber, describe, parse_move, setup_faults,
};
use serde_json::{Value, json};

use crate::response;

/// The verbs of requests.
pub const VERBS: [&str; 13] = [
    "rules",
    "game",
    "play",
    "state",
    "legal",
    "describe",
    "end",
    "setup",
    "score",
    "book",
    "book_moves",
    "drop",
    "schema",
];

/// The rules and games of a page, by number.
#[derive(Default)]
pub struct Session {
    rules: BTreeMap<u32, Arc<Rules>>,
    games: BTreeMap<u32, CalledGame>,
    books: BTreeMap<u32, Book>,
    last: u32,
}

/// The reason for which a request fails.
pub(crate) enum Failure {
    /// The rules refuse a move or a position text.
    Refused(Refusal),
    /// A rule tree has faults.
    Faulty(Vec<Value>),
    /// The request is malformed.
    Malformed(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Malformed(text)
    }
}

pub(crate) type Response = Result<Value, Failure>;

impl Session {
    /// Returns the response to a request, both as JSON.
    #[must_use]
    pub fn respond(&mut self, request: &str) -> String {
        respond(request, |request| self.perform(request))
    }

    fn perform(&mut self, request: &Value) -> Response {
        match text(request, "do")? {
            "rules" => self.load(text(request, "tree")?),
            "game" => self.create(request),
            "play" => self.play(request),
            "state" => Ok(response::game(number(request, "game")?, self.game(request)?)),
            "legal" => Ok(response::legal(self.game(request)?)),
            "describe" => self.describe(request),
            "end" => self.end(request),
            "setup" => self.setup(request),
            "score" => self.score(request),
            "book" => self.load_book(request),
            "book_moves" => self.book_moves(request),
            "drop" => self.remove(request),
            "schema" => serde_json::from_str(&hnefi_rules::schema::to_json())
                .map_err(|error| format!("schema: {error}").into()),
            other => Err(unknown_verb(other, &VERBS)),
        }
    }

    fn load(&mut self, tree: &str) -> Response {
        let rules = load_rules(tree)?;
        self.last += 1;
        let response = response::rules(self.last, &rules);
        self.rules.insert(self.last, rules);
        Ok(response)
    }

    fn create(&mut self, request: &Value) -> Response {
        let called = game_from(self.rules(request)?.clone(), request)?;
        Ok(self.store(called))
    }

    fn play(&mut self, request: &Value) -> Response {
        let next = played(self.game(request)?, text(request, "move")?, &request["call"])?;
        Ok(self.store(next))
    }

    fn describe(&self, request: &Value) -> Response {
        let called = self.game(request)?;
        let (mv, _) = parse_move(text(request, "move")?)?;
        // History may have ended a game whose position could go on.
        called.game().play(mv)?;
        if let Some(square) = called.calls().must_replay.filter(|square| *square != mv.from) {
            return Err(Refusal::new("must_replay").with("square", square).into());
        }
        Ok(response::description(&describe(&called.game().position(), mv)?))
    }

    fn end(&mut self, request: &Value) -> Response {
        let called = self.game(request)?;
        let winner = request["winner"].as_str().map(|name| Side::parse("winner", name)).transpose()?;
        let reason = Reason::parse("reason", text(request, "reason")?)?;
        let Some(game) = called.game().end(Outcome { winner, reason }) else {
            let found = reason.name();
            let expected = "a game that goes on, and a reason that the rules do not give";
            return Err(format!("end: {found}, expected {expected}").into());
        };
        let ended = CalledGame::new(game, called.protocol());
        Ok(self.store(ended))
    }

    /// Returns all faults of a setup, and whether a game can start from it.
    fn setup(&self, request: &Value) -> Response {
        let rules = self.rules(request)?;
        let setup = match Setup::parse(text(request, "setup")?) {
            Ok(setup) => setup,
            Err(refusal) => {
                return Ok(json!({"playable": false, "faults": [response::refusal(&refusal)]}));
            }
        };
        let faults = setup_faults(rules, &setup);
        let playable = Game::from_setup(rules.clone(), &setup).is_ok_and(|game| game.outcome().is_none());
        let faults: Value = faults.iter().map(response::refusal).collect();
        Ok(json!({"playable": playable, "faults": faults, "setup": setup.to_string()}))
    }

    /// Returns the score of a match of players 0 and 1: its games, and who has the attackers in each.
    fn score(&self, request: &Value) -> Response {
        let mut legs = Vec::new();
        for leg in request["legs"].as_array().into_iter().flatten() {
            legs.push(Leg::of(self.game(leg)?.game(), number(leg, "attackers")? as usize % 2));
        }
        let captures_break_ties = text(request, "tie_break")? == "captures";
        Ok(response::score(&MatchScore::of(&legs, captures_break_ties)))
    }

    /// Parses an opening book for rules, and keeps it.
    fn load_book(&mut self, request: &Value) -> Response {
        let rules = self.rules(request)?.clone();
        let book = Book::from_json(rules, text(request, "book")?)?;
        self.last += 1;
        let response = json!({"number": self.last, "positions": book.len()});
        self.books.insert(self.last, book);
        Ok(response)
    }

    /// Returns the moves of a book at a position.
    fn book_moves(&self, request: &Value) -> Response {
        let number = number(request, "book")?;
        let book = self.books.get(&number);
        let book = book.ok_or_else(|| format!("book: there is no book {number}"))?;
        let setup = Setup::parse(text(request, "setup")?)?;
        Ok(response::book_moves(&book.moves(&Position::new(book.rules().clone(), &setup)?)))
    }

    fn remove(&mut self, request: &Value) -> Response {
        let number = number(request, "number")?;
        let known = self.games.remove(&number).is_some()
            || self.rules.remove(&number).is_some()
            || self.books.remove(&number).is_some();
        Ok(Value::Bool(known))
    }

    fn store(&mut self, called: CalledGame) -> Value {
        self.last += 1;
        let response = response::game(self.last, &called);
        self.games.insert(self.last, called);
        response
    }

    fn game(&self, request: &Value) -> Result<&CalledGame, Failure> {
        let number = number(request, "game")?;
        self.games.get(&number).ok_or_else(|| format!("game: there is no game {number}").into())
    }

    fn rules(&self, request: &Value) -> Result<&Arc<Rules>, Failure> {
        let number = number(request, "rules")?;
        self.rules.get(&number).ok_or_else(|| format!("rules: there are no rules {number}").into())
    }
}

/// Returns the response to a request, both as JSON.
pub(crate) fn respond(request: &str, perform: impl FnOnce(&Value) -> Response) -> String {
    let response = serde_json::from_str(request)
        .map_err(|error| format!("request: {error}").into())
        .and_then(|request| perform(&request));
    let response = match response {
        Ok(value) => json!({"ok": value}),
        Err(Failure::Refused(refusal)) => json!({"refusal": response::refusal(&refusal)}),
        Err(Failure::Faulty(faults)) => json!({"faults": faults}),
        Err(Failure::Malformed(text)) => json!({"error": text}),
    };
    response.to_string()
}

pub(crate) fn unknown_verb(found: &str, verbs: &[&str]) -> Failure {
    format!("do: {found:?}, expected {}", verbs.join(" | ")).into()
}

/// Checks and compiles a rule tree.
pub(crate) fn load_rules(tree: &str) -> Result<Arc<Rules>, Failure> {
    Rules::from_json(tree).map_err(|faults| Failure::Faulty(faults.iter().map(response::fault).collect()))
}

/// Creates a game from the start or a setup, and plays moves, each `[text, call]` or a text.
pub(crate) fn game_from(rules: Arc<Rules>, request: &Value) -> Result<CalledGame, Failure> {
    let game = match request["setup"].as_str() {
        None => Game::new(rules),
        Some(setup) => Game::from_setup(rules, &Setup::parse(setup)?)?,
    };
    let mut called = CalledGame::new(game, protocol(&request["calls"])?);
    for item in request["moves"].as_array().into_iter().flatten() {
        let (mv, call) = if item.is_array() { (&item[0], &item[1]) } else { (item, &Value::Null) };
        called = played(&called, mv.as_str().unwrap_or(""), call)?;
    }
    Ok(called)
}

fn played(called: &CalledGame, mv: &str, call: &Value) -> Result<CalledGame, Failure> {
    let call = call.as_u64().unwrap_or(0);
    if call > 2 {
        return Err(format!("call: {call}, expected 0, 1 or 2").into());
    }
    let (mv, captures) = parse_move(mv)?;
    Ok(called.play(mv, captures.as_deref(), call as u8)?)
}

fn protocol(calls: &Value) -> Result<Protocol, Failure> {
    let named = |name: &str, neutral: &'static str| calls[name].as_str().unwrap_or(neutral);
    Ok(Protocol {
        mode: Mode::parse("mode", named("mode", "off"))?,
        sanction: Sanction::parse("sanction", named("sanction", "none"))?,
        replay: Replay::parse("replay", named("replay", "same_piece"))?,
        wrong_number: WrongNumber::parse("wrong_number", named("wrong_number", "call"))?,
    })
}

pub(crate) fn text<'a>(request: &'a Value, name: &str) -> Result<&'a str, Failure> {
    request[name].as_str().ok_or_else(|| format!("{name}: expected a text").into())
}

fn number(request: &Value, name: &str) -> Result<u32, Failure> {
    let found = request[name].as_u64().and_then(|number| u32::try_from(number).ok());
    found.ok_or_else(|| format!("{name}: expected a number").into())
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
