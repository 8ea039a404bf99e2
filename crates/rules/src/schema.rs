//! The schema of a rule tree: its keys, their values and their neutral values.
//!
//! Both the checks and the canonical form are driven by the table `PARAMETERS`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::law::{
    Berserk, BlockedGroups, CommanderPair, Corners, Goal, Hostility, Jump, KingCapture, Linnaean, NoMove,
    Shieldwall,
};
use crate::piece::Side;
use crate::refusal::shorten;

/// The type of a rule key.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number between two bounds, both included.
    Integer(u64, u64),
    /// The size of the board.
    Size,
    /// The rows of a position.
    Rows,
    /// A list of kinds of pieces, each at most once.
    Kinds,
    /// Groups of squares.
    Camps,
    /// One value for each of these keys.
    Map(&'static [(&'static str, Kind, Neutral)]),
}

/// The value at which a key is left out of the canonical form.
#[derive(Clone, Copy, Debug)]
pub enum Neutral {
    /// The key is never left out.
    Kept,
    /// This word.
    Word(&'static str),
    /// `false`.
    False,
    /// 0.
    Zero,
    /// The empty list.
    Nothing,
    /// All three kinds.
    AllKinds,
    /// A map whose entries are all neutral.
    EmptyMap,
}

/// One key of the tree.
///
/// ```
/// use hnefi_rules::schema::PARAMETERS;
///
/// assert_eq!(PARAMETERS[0].path(), "board.size");
/// assert_eq!(PARAMETERS[2].path(), "first");
/// ```
#[derive(Debug)]
pub struct Parameter {
    /// The section; empty for a key of the root.
    pub section: &'static str,
    /// The leaf name, unique in the tree.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// The value at which it is left out of the canonical form.
    pub neutral: Neutral,
}

impl Parameter {
    /// Returns the path below `rules`.
    #[must_use]
    pub fn path(&self) -> String {
        if self.section.is_empty() {
            return self.name.to_string();
        }
        format!("{}.{}", self.section, self.name)
    }

    /// Returns the value in a tree; null if there is none.
    pub(crate) fn value<'tree>(&self, tree: &'tree Value) -> &'tree Value {
        let keys = if self.section.is_empty() { tree } else { &tree[self.section] };
        &keys[self.name]
    }

    /// Returns the place of the value in a tree, and makes it if there is none.
    pub(crate) fn value_mut<'tree>(&self, tree: &'tree mut Value) -> &'tree mut Value {
        let keys = if self.section.is_empty() { tree } else { &mut tree[self.section] };
        &mut keys[self.name]
    }
}

/// The names of the kinds of pieces, in canonical order.
pub const KINDS: [&str; 3] = ["attackers", "defenders", "king"];

const LIMIT: u64 = 999_999;
const HOSTILITY: Kind = Kind::Choice(Hostility::NAMES);
const NEVER: Neutral = Neutral::Word("never");
const NONE: Neutral = Neutral::Word("none");
const HOSTILITIES: Kind = Kind::Map(&[
    ("attackers", HOSTILITY, NEVER),
    ("defenders", HOSTILITY, NEVER),
    ("king", HOSTILITY, NEVER),
]);
const REACH: Kind = Kind::Integer(0, 18);
const REACHES: Kind = Kind::Map(&[
    ("attackers", REACH, Neutral::Zero),
    ("defenders", REACH, Neutral::Zero),
    ("king", REACH, Neutral::Zero),
]);
const CLOSED: Kind = Kind::Choice(KingCapture::NAMES);
const ZONES: Kind = Kind::Map(&[
    ("on_throne", CLOSED, Neutral::Kept),
    ("beside_throne", CLOSED, Neutral::Kept),
    ("elsewhere", CLOSED, Neutral::Kept),
]);
const REPETITION: Kind = Kind::Map(&[
    ("count", Kind::Integer(0, 1000), Neutral::Zero),
    ("result", Kind::Choice(&["none", "draw", "draw_in_a_row", "defenders_lose", "mover_loses"]), NONE),
]);
const JUMP: Kind = Kind::Choice(Jump::NAMES);
const JUMPS: Kind = Kind::Map(&[("king", JUMP, NONE), ("commanders", JUMP, NONE), ("knights", JUMP, NONE)]);
const DEFENDERS_WIN: Kind = Kind::Choice(&["none", "defenders_win"]);
const ATTACKERS_WIN: Kind = Kind::Choice(&["none", "attackers_win"]);

const fn parameter(section: &'static str, name: &'static str, kind: Kind, neutral: Neutral) -> Parameter {
    Parameter { section, name, kind, neutral }
}

/// All keys, in the order in which rules are presented.
pub static PARAMETERS: &[Parameter] = &[
    parameter("board", "size", Kind::Size, Neutral::Kept),
    parameter("board", "start", Kind::Rows, Neutral::Kept),
    parameter("", "first", Kind::Choice(Side::NAMES), Neutral::Kept),
    parameter("board", "throne", Kind::Choice(&["none", "centre"]), NONE),
    parameter("board", "corners", Kind::Choice(Corners::NAMES), NONE),
    parameter("board", "camps", Kind::Camps, Neutral::Nothing),
    parameter("movement", "range", REACHES, Neutral::EmptyMap),
    parameter("movement", "throne_stop", Kind::Kinds, Neutral::AllKinds),
    parameter("movement", "throne_pass", Kind::Kinds, Neutral::AllKinds),
    parameter("movement", "corner_stop", Kind::Kinds, Neutral::AllKinds),
    parameter("hostility", "throne_hostile", HOSTILITIES, Neutral::EmptyMap),
    parameter("hostility", "corner_hostile", HOSTILITIES, Neutral::EmptyMap),
    parameter("hostility", "edge_hostile_king", Kind::Flag, Neutral::False),
    parameter("hostility", "camp_hostile", Kind::Kinds, Neutral::Nothing),
    parameter("capture", "king_armed", Kind::Choice(&["both", "hammer", "anvil", "none"]), Neutral::Kept),
    parameter("capture", "king_capture", ZONES, Neutral::Kept),
    parameter("capture", "linnaean", Kind::Choice(Linnaean::NAMES), NONE),
    parameter("capture", "blocked_groups", Kind::Choice(BlockedGroups::NAMES), NONE),
    parameter("capture", "shieldwall", Kind::Choice(Shieldwall::NAMES), NONE),
    parameter("ends", "goal", Kind::Choice(Goal::NAMES), Neutral::Kept),
    parameter(
        "ends",
        "king_captured",
        Kind::Choice(&["attackers_win", "draw"]),
        Neutral::Word("attackers_win"),
    ),
    parameter("ends", "guards_captured", ATTACKERS_WIN, NONE),
    parameter("ends", "attackers_captured", DEFENDERS_WIN, NONE),
    parameter("ends", "tuichi", DEFENDERS_WIN, NONE),
    parameter("ends", "enclosure", ATTACKERS_WIN, NONE),
    parameter("ends", "exit_fort", DEFENDERS_WIN, NONE),
    parameter("ends", "no_move", Kind::Choice(NoMove::NAMES), Neutral::Kept),
    parameter("ends", "repetition", REPETITION, Neutral::EmptyMap),
    parameter("ends", "quiet_limit", Kind::Integer(0, LIMIT), Neutral::Zero),
    parameter(SPECIAL, "berserk", Kind::Choice(Berserk::NAMES), NONE),
    parameter(SPECIAL, "jumps", JUMPS, Neutral::EmptyMap),
    parameter(SPECIAL, "commander_pair", Kind::Choice(CommanderPair::NAMES), NONE),
    parameter(SPECIAL, "knights_taken", Kind::Choice(&["by_two", "by_three"]), Neutral::Word("by_two")),
    parameter(SPECIAL, "occupied_camps", Kind::Choice(&["harmless", "hostile"]), Neutral::Word("harmless")),
];

/// The optional section. Where it or one of its keys is missing, the key has its neutral value.
pub const SPECIAL: &str = "special";

/// Adds all faults of the schema: unknown and missing keys, wrong types, wrong values.
pub(crate) fn check(tree: &Map<String, Value>, faults: &mut Vec<Fault>) {
    let mut sections: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.section).collect();
    sections.sort_unstable();
    sections.dedup();
    for section in sections {
        if section.is_empty() {
            check_keys(tree, section, faults);
            continue;
        }
        match tree.get(section) {
            Some(Value::Object(keys)) => check_keys(keys, section, faults),
            Some(other) => faults.push(Fault::of_value("wrong_type", section, other, "{…}")),
            None if section == SPECIAL => {}
            None => faults.push(Fault::of_value("missing_key", section, "-", section)),
        }
    }
}

fn check_keys(keys: &Map<String, Value>, section: &str, faults: &mut Vec<Fault>) {
    let is_known = |key: &str| {
        PARAMETERS.iter().any(|parameter| {
            parameter.section == section && parameter.name == key
                || section.is_empty() && parameter.section == key
        })
    };
    for key in keys.keys().filter(|key| !is_known(key)) {
        let path = if section.is_empty() { key.clone() } else { format!("{section}.{key}") };
        let names: Vec<&str> = PARAMETERS.iter().filter(|p| p.section == section).map(|p| p.name).collect();
        faults.push(Fault::of_value("unknown_key", &shorten(&path), shorten(key), names.join(" | ")));
    }
    for parameter in PARAMETERS.iter().filter(|parameter| parameter.section == section) {
        match keys.get(parameter.name) {
            Some(value) => check_value(value, parameter.kind, &parameter.path(), faults),
            None if section == SPECIAL => {}
            None => faults.push(Fault::of_value("missing_key", &parameter.path(), "-", parameter.name)),
        }
    }
}

fn check_value(value: &Value, kind: Kind, path: &str, faults: &mut Vec<Fault>) {
    match kind {
        Kind::Choice(words) => match value.as_str() {
            Some(word) if words.contains(&word) => {}
            Some(word) => faults.push(Fault::of_value("wrong_value", path, word, words.join(" | "))),
            None => faults.push(Fault::of_value("wrong_type", path, value, words.join(" | "))),
        },
        Kind::Flag => {
            if !value.is_boolean() {
                faults.push(Fault::of_value("wrong_type", path, value, "true | false"));
            }
        }
        Kind::Integer(least, most) => match value.as_u64() {
            Some(number) if (least..=most).contains(&number) => {}
            _ => faults.push(Fault::of_value("wrong_value", path, value, format!("{least}…{most}"))),
        },
        Kind::Size => match value.as_u64() {
            Some(5 | 7 | 9 | 11 | 13 | 15 | 17 | 19) => {}
            _ => {
                faults.push(Fault::of_value(
                    "wrong_value",
                    path,
                    value,
                    "5 | 7 | 9 | 11 | 13 | 15 | 17 | 19",
                ));
            }
        },
        Kind::Rows => {
            if !value.is_string() {
                faults.push(Fault::of_value("wrong_type", path, value, "\"…\""));
            }
        }
        Kind::Kinds => check_kinds(value, path, faults),
        Kind::Camps => check_camps(value, path, faults),
        Kind::Map(entries) => check_map(value, entries, path, faults),
    }
}

fn check_kinds(value: &Value, path: &str, faults: &mut Vec<Fault>) {
    let Some(list) = value.as_array() else {
        faults.push(Fault::of_value("wrong_type", path, value, "[…]"));
        return;
    };
    for (index, item) in list.iter().enumerate() {
        let is_kind = item.as_str().is_some_and(|word| KINDS.contains(&word));
        if !is_kind || list[..index].contains(item) {
            faults.push(Fault::of_value("wrong_value", &format!("{path}.{index}"), item, KINDS.join(" | ")));
        }
    }
}

fn check_camps(value: &Value, path: &str, faults: &mut Vec<Fault>) {
    let Some(groups) = value.as_array() else {
        faults.push(Fault::of_value("wrong_type", path, value, "[[…]]"));
        return;
    };
    for (index, group) in groups.iter().enumerate() {
        let is_group = group.as_array().is_some_and(|squares| {
            !squares.is_empty()
                && squares.iter().all(|name| name.as_str().and_then(crate::square::Square::parse).is_some())
        });
        if !is_group {
            faults.push(Fault::of_value("wrong_value", &format!("{path}.{index}"), group, "[\"d1\", …]"));
        }
    }
}

fn check_map(value: &Value, entries: &[(&str, Kind, Neutral)], path: &str, faults: &mut Vec<Fault>) {
    let Some(map) = value.as_object() else {
        faults.push(Fault::of_value("wrong_type", path, value, "{…}"));
        return;
    };
    for key in map.keys().filter(|key| entries.iter().all(|entry| entry.0 != key.as_str())) {
        let names: Vec<&str> = entries.iter().map(|entry| entry.0).collect();
        faults.push(Fault::of_value(
            "unknown_key",
            &shorten(&format!("{path}.{key}")),
            shorten(key),
            names.join(" | "),
        ));
    }
    for (key, kind, _) in entries {
        let path = format!("{path}.{key}");
        match map.get(*key) {
            Some(value) => check_value(value, *kind, &path, faults),
            None => faults.push(Fault::of_value("missing_key", &path, "-", *key)),
        }
    }
}

/// Returns the tree without its neutral values. The tree has been checked and normalised.
pub(crate) fn without_neutral(tree: &Value) -> Value {
    let mut result = Value::Object(Map::new());
    for parameter in PARAMETERS {
        if let Some(kept) = unless_neutral(parameter.value(tree), parameter.kind, parameter.neutral) {
            *parameter.value_mut(&mut result) = kept;
        }
    }
    result
}

fn unless_neutral(value: &Value, kind: Kind, neutral: Neutral) -> Option<Value> {
    if let (Kind::Map(entries), Some(map)) = (kind, value.as_object()) {
        let kept: Map<String, Value> = entries
            .iter()
            .filter_map(|(key, kind, neutral)| {
                Some(((*key).to_string(), unless_neutral(map.get(*key)?, *kind, *neutral)?))
            })
            .collect();
        return if kept.is_empty() { None } else { Some(Value::Object(kept)) };
    }
    let is_neutral = match neutral {
        Neutral::Kept | Neutral::EmptyMap => false,
        Neutral::Word(word) => value.as_str() == Some(word),
        Neutral::False => value.as_bool() == Some(false),
        Neutral::Zero => value.as_u64() == Some(0),
        Neutral::Nothing => value.as_array().is_some_and(Vec::is_empty),
        Neutral::AllKinds => value.as_array().is_some_and(|list| list.len() == KINDS.len()),
    };
    if is_neutral { None } else { Some(value.clone()) }
}

/// Returns the table as JSON, for programs that offer or document switches.
///
/// ```
/// assert!(hnefi_rules::schema::to_json().starts_with("[{\"kind\":\"size\",\"name\":\"size\""));
/// ```
#[must_use]
pub fn to_json() -> String {
    let described = |parameter: &Parameter| {
        let mut entry = describe(parameter.kind);
        entry.insert("name".into(), parameter.name.into());
        entry.insert("path".into(), parameter.path().into());
        entry.insert("neutral".into(), neutral_value(parameter.kind, parameter.neutral));
        entry
    };
    PARAMETERS.iter().map(described).collect::<Value>().to_string()
}

fn describe(kind: Kind) -> Map<String, Value> {
    let (name, details): (&str, Option<(&str, Value)>) = match kind {
        Kind::Choice(words) => ("choice", Some(("values", words.to_vec().into()))),
        Kind::Flag => ("flag", None),
        Kind::Integer(least, most) => ("integer", Some(("values", alloc::vec![least, most].into()))),
        Kind::Size => ("size", None),
        Kind::Rows => ("rows", None),
        Kind::Kinds => ("kinds", Some(("values", KINDS.to_vec().into()))),
        Kind::Camps => ("camps", None),
        Kind::Map(entries) => {
            let entries = entries.iter();
            let keys: Map<String, Value> =
                entries.map(|(key, kind, _)| ((*key).to_string(), Value::Object(describe(*kind)))).collect();
            ("map", Some(("keys", Value::Object(keys))))
        }
    };
    let kind = ("kind", name.into());
    core::iter::once(kind).chain(details).map(|(key, value)| (key.to_string(), value)).collect()
}

pub(crate) fn neutral_value(kind: Kind, neutral: Neutral) -> Value {
    if let Kind::Map(entries) = kind {
        let values: Map<String, Value> = entries
            .iter()
            .map(|(key, kind, neutral)| ((*key).to_string(), neutral_value(*kind, *neutral)))
            .collect();
        return Value::Object(values);
    }
    match neutral {
        Neutral::Kept | Neutral::EmptyMap => Value::Null,
        Neutral::Word(word) => word.into(),
        Neutral::False => false.into(),
        Neutral::Zero => 0.into(),
        Neutral::Nothing => Value::Array(Vec::new()),
        Neutral::AllKinds => KINDS.to_vec().into(),
    }
}
