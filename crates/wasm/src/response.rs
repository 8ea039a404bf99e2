//! The JSON of responses.

use std::collections::BTreeMap;

use hnefi_rules::{
    BookMove, CalledGame, Capture, Description, Fault, Game, MatchScore, Move, Outcome, Piece, Position,
    Refusal, Rules, Side, Square, describe,
};
use serde_json::{Value, json};

pub(crate) fn square(square: Square) -> Value {
    Value::String(square.to_string())
}

pub(crate) fn squares(list: &[Square]) -> Value {
    list.iter().copied().map(square).collect()
}

pub(crate) fn fault(fault: &Fault) -> Value {
    json!({"code": fault.code, "kind": fault.kind, "path": fault.path, "facts": facts(&fault.facts)})
}

fn facts(list: &[(&'static str, String)]) -> Value {
    list.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

pub(crate) fn score(score: &MatchScore) -> Value {
    json!({
        "points": score.half_points.map(|half_points| f64::from(half_points) / 2.0),
        "captures": score.captures,
        "leader": score.leader,
        "by": score.decision.name(),
    })
}

pub(crate) fn book_moves(moves: &[BookMove]) -> Value {
    let one = |found: &BookMove| {
        json!({
            "moves": found.moves.iter().map(Move::to_string).collect::<Vec<_>>(),
            "score": found.score,
            "searches": found.searches,
            "self_play": found.self_play,
            "recorded": found.recorded,
        })
    };
    moves.iter().map(one).collect()
}

pub(crate) fn refusal(refusal: &Refusal) -> Value {
    json!({"code": refusal.code, "facts": facts(&refusal.parameters)})
}

fn outcome(outcome: Option<Outcome>) -> Value {
    outcome.map_or(
        Value::Null,
        |outcome| json!({"winner": outcome.winner.map(Side::name), "reason": outcome.reason.name()}),
    )
}

/// Returns rules as a program needs them to draw or explain a board.
pub(crate) fn rules(number: u32, rules: &Rules) -> Value {
    let law = rules.law();
    let camps: Vec<Value> = law.camps.iter().map(|camp| squares(camp)).collect();
    let tree: Value = serde_json::from_str(&rules.to_json()).unwrap_or_default();
    json!({
        "rules": number,
        "hash": rules.hash(),
        "size": rules.size(),
        "start": law.start.to_string(),
        "throne": law.throne_square().map(square),
        "corners": squares(&law.corner_squares()),
        "camps": camps,
        "goals": squares(&law.goals()),
        "tree": tree,
    })
}

/// Returns the state of a game.
pub(crate) fn game(number: u32, called: &CalledGame) -> Value {
    let game = called.game();
    let position = game.position();
    json!({
        "game": number,
        "position": position.setup().to_string(),
        "turn": game.turn().map(Side::name),
        "ply": game.ply_count(),
        "quiet": game.quiet(),
        "going": position.going().map(square),
        "may_stop": position.may_end_turn(),
        "repetitions": game.repetitions(),
        "passed": game.passed(),
        "last": last(game),
        "outcome": outcome(game.outcome()),
        "king": position.king().map(square),
        "roads": position.open_roads().into_iter().map(step).collect::<Value>(),
        "danger": danger(&position),
        "hostile": hostile(&position),
        "calls": calls(called),
    })
}

fn step(mv: Move) -> Value {
    json!({"from": square(mv.from), "to": square(mv.to)})
}

fn last(game: &Game) -> Value {
    let (Some(ply), Some(before)) = (game.last(), game.parent()) else { return Value::Null };
    let position = before.position();
    let captures = describe(&position, ply.mv).map(|described| described.captures).unwrap_or_default();
    json!({
        "from": square(ply.mv.from),
        "to": square(ply.mv.to),
        "side": ply.side.name(),
        "piece": position.piece_at(ply.mv.from).map(Piece::name),
        "captures": captures.iter().map(capture).collect::<Value>(),
        "passed": ply.passed,
        "text": ply.text(),
    })
}

fn danger(position: &Position) -> Value {
    position.king_danger().map_or(Value::Null, |danger| {
        let closed: Value = danger.closed.iter().map(|side| side.name()).collect();
        json!({
            "closed": closed,
            "count": danger.count,
            "needed": danger.needed,
            "threatened": position.threatened_king(),
        })
    })
}

fn hostile(position: &Position) -> Value {
    let kinds = |list: Vec<Piece>| list.into_iter().map(Piece::name).collect::<Value>();
    position
        .hostile_squares()
        .into_iter()
        .map(|(at, to)| json!({"square": square(at), "to": kinds(to)}))
        .collect()
}

fn calls(called: &CalledGame) -> Value {
    json!({
        "mode": called.protocol().mode.name(),
        // The open roads; public keys keep their names.
        "owed": squares(&called.calls().open_roads),
        "required": called.calls().required,
        "called": called.calls().called,
        "must_replay": called.calls().must_replay.map(square),
        "refused": called.calls().refused,
    })
}

/// Returns the legal moves by square of origin, each with its captures.
pub(crate) fn legal(called: &CalledGame) -> Value {
    let position = called.game().position();
    let mut by_origin: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for mv in called.legal_moves() {
        let captures = describe(&position, mv).map(|described| described.captures).unwrap_or_default();
        let captures: Value = captures.iter().map(|capture| square(capture.square)).collect();
        let moves = by_origin.entry(mv.from.to_string()).or_default();
        moves.push(json!({"to": square(mv.to), "captures": captures}));
    }
    json!(by_origin)
}

fn capture(capture: &Capture) -> Value {
    json!({
        "square": square(capture.square),
        "piece": capture.piece.name(),
        "how": capture.how,
        "by": squares(&capture.by),
    })
}

/// Returns the effects of a legal move.
pub(crate) fn description(description: &Description) -> Value {
    json!({
        "from": square(description.mv.from),
        "to": square(description.mv.to),
        "piece": description.piece.name(),
        "captures": description.captures.iter().map(capture).collect::<Value>(),
        "outcome": outcome(description.outcome),
        "text": hnefi_rules::format_move(description.mv, &description.soldiers()),
    })
}
