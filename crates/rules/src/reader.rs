//! Parser for rule trees in JSON: returns the law, and the tree in normal form.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use crate::contradictions;
use crate::fault::Fault;
use crate::law::{
    Berserk, BlockedGroups, CommanderPair, Corners, Goal, Hostility, Jump, KingCapture, Law, Linnaean,
    NoMove, Repetition, Shieldwall,
};
use crate::piece::Side;
use crate::schema::{self, KINDS, SPECIAL};
use crate::setup::Setup;
use crate::square::Square;

/// Parses a rule tree; returns the law, and the tree in normal form.
///
/// # Errors
/// All faults of the tree.
pub(crate) fn read(tree: &Value) -> Result<(Law, Value), Vec<Fault>> {
    let Some(keys) = tree.as_object() else {
        return Err(alloc::vec![Fault::of_value("wrong_type", "rules", tree, "{…}")]);
    };
    let mut faults = Vec::new();
    schema::check(keys, &mut faults);
    // Keys that are too many hide no other fault; wrong and missing values do.
    if faults.iter().any(|fault| fault.code != "unknown_key") {
        return Err(faults);
    }
    let mut tree = completed(tree);
    let reader = Reader(&tree);
    faults.extend(reader.repetition().err());
    let law = match reader.start() {
        Ok(start) => reader.law(start),
        Err((fault, board)) => {
            faults.push(fault);
            let law = reader.law(board);
            contradictions::check_rules(&law, &mut faults);
            return Err(faults);
        }
    };
    contradictions::check(&law, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let camps = law.camps.iter().map(|camp| camp.iter().map(ToString::to_string).collect::<Value>());
    (tree["board"]["start"], tree["board"]["camps"]) = (law.start.rows().into(), camps.collect());
    Ok((law, tree))
}

/// Reader for a complete tree that `schema::check` found well formed.
struct Reader<'tree>(&'tree Value);

impl Reader<'_> {
    fn value(&self, section: &str, name: &str) -> &Value {
        &self.0[section][name]
    }

    fn choice<T>(&self, section: &str, name: &str, parse: Parse<T>) -> T {
        choice(self.value(section, name), parse)
    }

    fn kinds(&self, section: &str, name: &str) -> [bool; 3] {
        let list = self.value(section, name).as_array();
        KINDS.map(|kind| list.is_some_and(|list| list.iter().any(|item| item.as_str() == Some(kind))))
    }

    /// Returns the choices of some keys of a map.
    fn choices<T, const N: usize>(
        &self,
        section: &str,
        name: &str,
        keys: [&str; N],
        parse: Parse<T>,
    ) -> [T; N] {
        keys.map(|key| choice(&self.value(section, name)[key], parse))
    }

    fn repetition(&self) -> Result<Repetition, Fault> {
        let repetition = self.value("ends", "repetition");
        let count = whole(&repetition["count"]);
        match (count, repetition["result"].as_str().unwrap_or("none")) {
            (0, "none") => Ok(Repetition::Ignored),
            (2.., "draw") => Ok(Repetition::Draw(count)),
            (2.., "draw_in_a_row") => Ok(Repetition::DrawInARow(count)),
            (2.., "defenders_lose") => Ok(Repetition::DefendersLose(count)),
            (2.., "mover_loses") => Ok(Repetition::MoverLoses(count)),
            (_, result) => Err(Fault::new("contradiction", "repetition_count", "ends.repetition")
                .with("count", count)
                .with("result", result)),
        }
    }

    /// Reads the start position; its fault comes with the empty board.
    fn start(&self) -> Result<Setup, (Fault, Setup)> {
        let fault = |kind: &'static str| Fault::new("wrong_start", kind, "board.start");
        let first = choice(&self.0["first"], Side::parse);
        let size = whole(self.value("board", "size")) as usize;
        let found = match Setup::parse_rows(self.value("board", "start").as_str().unwrap_or(""), first, 0) {
            Ok(setup) if setup.size() == size => return Ok(setup),
            Ok(setup) => fault("start_size").with("rows", setup.size()).with("size", size),
            Err(refusal) => Fault { facts: refusal.parameters, ..fault("start_text") },
        };
        let board = Setup::empty(size, first, 0).expect("a size of the schema");
        Err((found, board))
    }

    fn law(&self, start: Setup) -> Law {
        let is = |section: &str, name: &str, word: &str| self.value(section, name) == word;
        let is_armed = |with: &str| is("capture", "king_armed", "both") || is("capture", "king_armed", with);
        Law {
            throne: is("board", "throne", "centre"),
            corners: self.choice("board", "corners", Corners::parse),
            camps: self.camps(),
            range: KINDS.map(|kind| whole(&self.value("movement", "range")[kind]) as usize),
            throne_stop: self.kinds("movement", "throne_stop"),
            throne_pass: self.kinds("movement", "throne_pass"),
            corner_stop: self.kinds("movement", "corner_stop"),
            throne_hostile: self.choices("hostility", "throne_hostile", KINDS, Hostility::parse),
            corner_hostile: self.choices("hostility", "corner_hostile", KINDS, Hostility::parse),
            edge_hostile_king: self.value("hostility", "edge_hostile_king") == &Value::Bool(true),
            camp_hostile: self.kinds("hostility", "camp_hostile"),
            king_is_hammer: is_armed("hammer"),
            king_is_anvil: is_armed("anvil"),
            king_capture: self.choices(
                "capture",
                "king_capture",
                ["on_throne", "beside_throne", "elsewhere"],
                KingCapture::parse,
            ),
            linnaean: self.choice("capture", "linnaean", Linnaean::parse),
            blocked_groups: self.choice("capture", "blocked_groups", BlockedGroups::parse),
            shieldwall: self.choice("capture", "shieldwall", Shieldwall::parse),
            goal: self.choice("ends", "goal", Goal::parse),
            king_captured_draws: is("ends", "king_captured", "draw"),
            guards_captured: is("ends", "guards_captured", "attackers_win"),
            attackers_captured: is("ends", "attackers_captured", "defenders_win"),
            tuichi: is("ends", "tuichi", "defenders_win"),
            enclosure: is("ends", "enclosure", "attackers_win"),
            exit_fort: is("ends", "exit_fort", "defenders_win"),
            no_move: self.choice("ends", "no_move", NoMove::parse),
            repetition: self.repetition().unwrap_or(Repetition::Ignored),
            quiet_limit: whole(self.value("ends", "quiet_limit")),
            berserk: self.choice(SPECIAL, "berserk", Berserk::parse),
            jumps: self.choices(SPECIAL, "jumps", ["king", "commanders", "knights"], Jump::parse),
            commander_pair: self.choice(SPECIAL, "commander_pair", CommanderPair::parse),
            knights_by_three: is(SPECIAL, "knights_taken", "by_three"),
            occupied_camps_hostile: is(SPECIAL, "occupied_camps", "hostile"),
            start,
        }
    }

    fn camps(&self) -> Vec<Vec<Square>> {
        let squares = |group: &Value| {
            let names = group.as_array().into_iter().flatten();
            let mut squares: Vec<Square> = names.filter_map(|name| Square::parse(name.as_str()?)).collect();
            squares.sort_unstable();
            squares
        };
        let groups = self.value("board", "camps").as_array().into_iter().flatten();
        let mut camps: Vec<Vec<Square>> = groups.map(squares).collect();
        camps.sort_unstable();
        camps
    }
}

/// A function that parses the name of a value.
type Parse<T> = fn(&str, &str) -> Result<T, String>;

fn whole(value: &Value) -> u32 {
    value.as_u64().unwrap_or(0) as u32
}

fn choice<T>(value: &Value, parse: Parse<T>) -> T {
    parse("", value.as_str().unwrap_or("")).expect("a word of the schema")
}

/// Returns the tree with the neutral values of keys that it leaves out, and sorted lists of kinds.
fn completed(tree: &Value) -> Value {
    let mut tree = tree.clone();
    for parameter in schema::PARAMETERS {
        let value = parameter.value_mut(&mut tree);
        if value.is_null() {
            *value = schema::neutral_value(parameter.kind, parameter.neutral);
        } else if let (schema::Kind::Kinds, Some(list)) = (parameter.kind, value.as_array_mut()) {
            list.sort_by_key(|item| KINDS.iter().position(|kind| item == kind));
        }
    }
    tree
}
