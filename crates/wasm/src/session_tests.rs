//! Tests of the requests that a page sends.

use super::*;

fn respond(session: &mut Session, request: &Value) -> Value {
    serde_json::from_str(&session.respond(&request.to_string())).expect("a response is JSON")
}

fn session_with_rules() -> (Session, u64) {
    let mut session = Session::default();
    let tree = include_str!("../../rules/tests/brandub-globe.json");
    let response = respond(&mut session, &json!({"do": "rules", "tree": tree}));
    let number = response["ok"]["rules"].as_u64().expect("rules have a number");
    (session, number)
}

#[test]
fn a_match_is_scored_from_its_games() {
    let (mut session, rules) = session_with_rules();
    let start = respond(&mut session, &json!({"do": "game", "rules": rules}))["ok"]["game"].clone();
    let end = json!({"do": "end", "game": start, "winner": "defenders", "reason": "resignation"});
    let won = respond(&mut session, &end)["ok"]["game"].clone();
    let legs = json!([{"game": won, "attackers": 0}, {"game": start, "attackers": 1}]);
    let request = json!({"do": "score", "legs": legs, "tie_break": "none"});
    let expected = json!({"points": [0.0, 1.0], "captures": [0, 0], "leader": 1, "by": "points"});
    assert_eq!(respond(&mut session, &request)["ok"], expected);
}

#[test]
fn a_book_has_the_moves_of_a_position() {
    let (mut session, rules) = session_with_rules();
    let hash = session.rules.values().next().expect("rules").hash().to_string();
    let rows = json!({"": [["d2-a2", 40, 2, [3, 1, 0], [0, 0, 1, 1]]]});
    let text = json!({"format": "hnefi book 1", "rules": hash, "positions": rows}).to_string();
    let book = respond(&mut session, &json!({"do": "book", "rules": rules, "book": text}))["ok"].clone();
    assert_eq!(book["positions"], 1);
    let start = respond(&mut session, &json!({"do": "game", "rules": rules}))["ok"]["position"].clone();
    let request = json!({"do": "book_moves", "book": book["number"], "setup": start});
    let found = respond(&mut session, &request)["ok"][0].clone();
    assert_eq!((&found["score"], &found["searches"]), (&json!(40), &json!(2)));
    let results = (&found["self_play"], &found["recorded"]);
    assert_eq!(results, (&json!([3, 1, 0]), &json!([0, 0, 1, 1])));
    assert_eq!(found["moves"].as_array().map(Vec::len), Some(8));
}

#[test]
fn a_game_is_played_described_and_dropped() {
    let (mut session, rules) = session_with_rules();
    let start = respond(&mut session, &json!({"do": "game", "rules": rules}))["ok"].clone();
    assert_eq!((&start["turn"], &start["ply"]), (&json!("attackers"), &json!(0)));
    let legal = respond(&mut session, &json!({"do": "legal", "game": start["game"]}));
    let count: usize = legal["ok"]
        .as_object()
        .expect("by origin")
        .values()
        .map(|to| to.as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(count, 40);
    let described = respond(&mut session, &json!({"do": "describe", "game": start["game"], "move": "d1-c1"}));
    assert_eq!((&described["ok"]["piece"], &described["ok"]["captures"]), (&json!("attacker"), &json!([])));
    let next =
        respond(&mut session, &json!({"do": "play", "game": start["game"], "move": "d1-c1"}))["ok"].clone();
    assert_eq!((&next["turn"], &next["last"]["text"]), (&json!("defenders"), &json!("d1-c1")));
    let refused = respond(&mut session, &json!({"do": "play", "game": next["game"], "move": "d1-c1"}));
    assert_eq!(refused["refusal"]["code"], "no_piece");
    assert_eq!(respond(&mut session, &json!({"do": "drop", "number": next["game"]}))["ok"], true);
    let gone = respond(&mut session, &json!({"do": "state", "game": next["game"]}));
    assert!(gone["error"].as_str().is_some_and(|text| text.starts_with("game: there is no game")));
}

#[test]
fn every_fault_of_a_setup_is_named() {
    let (mut session, rules) = session_with_rules();
    let mut faults = |setup: &str| {
        let response =
            respond(&mut session, &json!({"do": "setup", "rules": rules, "setup": setup}))["ok"].clone();
        let codes: Vec<String> = response["faults"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|fault| fault["code"].as_str().unwrap_or("").to_string())
            .collect();
        (response["playable"] == true, codes.join(" "))
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
fn the_schema_has_every_parameter() {
    let schema = respond(&mut Session::default(), &json!({"do": "schema"}))["ok"].clone();
    let names: Vec<&str> =
        schema.as_array().into_iter().flatten().filter_map(|entry| entry["name"].as_str()).collect();
    let expected: Vec<&str> = hnefi_rules::schema::PARAMETERS.iter().map(|one| one.name).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_malformed_request_is_an_error() {
    let mut session = Session::default();
    for (request, begin) in [
        ("[", "request: "),
        ("{}", "do: expected a text"),
        (r#"{"do": "fly"}"#, "do: \"fly\", expected rules | game"),
        (r#"{"do": "play", "game": 1, "move": "a1-a2"}"#, "game: there is no game 1"),
        (r#"{"do": "rules"}"#, "tree: expected a text"),
    ] {
        let response: Value = serde_json::from_str(&session.respond(request)).expect("JSON");
        let text = response["error"].as_str().unwrap_or("");
        assert!(text.starts_with(begin), "{request}: {text}");
    }
    let response: Value =
        serde_json::from_str(&session.respond(r#"{"do": "rules", "tree": "{}"}"#)).expect("JSON");
    assert!(response["faults"].as_array().is_some_and(|faults| faults.len() > 5));
}
