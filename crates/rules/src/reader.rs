//! Parser for rule trees in JSON: returns the law, and the tree in normal form.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

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
pub(crate) fn read(tree: &Value) -> Result<(Law, Map<String, Value>), Vec<Fault>> {
    let Some(tree) = tree.as_object() else {
        return Err(alloc::vec![Fault::of_value("wrong_type", "rules", tree, "{…}")]);
    };
    let mut faults = Vec::new();
    schema::check(tree, &mut faults);
    // Keys that are too many hide no other fault; wrong and missing values do.
    if faults.iter().any(|fault| fault.code != "unknown_key") {
        return Err(faults);
    }
    let reader = Reader(tree);
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
    let tree = normalised(tree, &law);
    Ok((law, tree))
}

/// Reader for a tree that `schema::check` found well formed.
struct Reader<'tree>(&'tree Map<String, Value>);

impl Reader<'_> {
    fn value(&self, section: &str, name: &str) -> &Value {
        const ABSENT: &Value = &Value::Null;
        if section.is_empty() {
            return self.0.get(name).unwrap_or(ABSENT);
        }
        self.0.get(section).and_then(|keys| keys.get(name)).unwrap_or(ABSENT)
    }

    fn word(&self, section: &str, name: &str) -> &str {
        self.value(section, name).as_str().unwrap_or("")
    }

    fn kinds(&self, section: &str, name: &str) -> [bool; 3] {
        let list = self.value(section, name).as_array();
        KINDS.map(|kind| list.is_some_and(|list| list.iter().any(|item| item.as_str() == Some(kind))))
    }

    fn per_kind<T>(&self, section: &str, name: &str, read: impl Fn(&Value) -> T) -> [T; 3] {
        KINDS.map(|kind| read(&self.value(section, name)[kind]))
    }

    fn hostilities(&self, name: &str) -> [Hostility; 3] {
        self.per_kind("hostility", name, |value| match value.as_str() {
            Some("empty") => Hostility::Empty,
            Some("always") => Hostility::Always,
            _ => Hostility::Never,
        })
    }

    fn zone(&self, zone: &str) -> KingCapture {
        match self.value("capture", "king_capture")[zone].as_str() {
            Some("custodial") => KingCapture::Custodial,
            Some("four_sides") => KingCapture::FourSides,
            _ => KingCapture::Never,
        }
    }

    fn repetition(&self) -> Result<Repetition, Fault> {
        let repetition = self.value("ends", "repetition");
        let count = u32::try_from(repetition["count"].as_u64().unwrap_or(0)).unwrap_or(0);
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
        let first = if self.word("", "first") == "attackers" { Side::Attackers } else { Side::Defenders };
        let size = self.value("board", "size").as_u64().unwrap_or(0);
        let found = match Setup::parse_rows(self.word("board", "start"), first, 0) {
            Ok(setup) if setup.size() as u64 == size => return Ok(setup),
            Ok(setup) => fault("start_size").with("rows", setup.size()).with("size", size),
            Err(refusal) => Fault { facts: refusal.parameters, ..fault("start_text") },
        };
        let board = Setup::empty(usize::try_from(size).unwrap_or(0), first, 0).expect("a size of the schema");
        Err((found, board))
    }

    fn law(&self, start: Setup) -> Law {
        let is = |section: &str, name: &str, word: &str| self.word(section, name) == word;
        let armed = self.word("capture", "king_armed");
        Law {
            throne: is("board", "throne", "centre"),
            corners: match self.word("board", "corners") {
                "1x1" => Corners::Single,
                "2x2" => Corners::Blocks,
                _ => Corners::None,
            },
            camps: self.camps(),
            range: self.per_kind("movement", "range", |value| {
                usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0)
            }),
            throne_stop: self.kinds("movement", "throne_stop"),
            throne_pass: self.kinds("movement", "throne_pass"),
            corner_stop: self.kinds("movement", "corner_stop"),
            throne_hostile: self.hostilities("throne_hostile"),
            corner_hostile: self.hostilities("corner_hostile"),
            edge_hostile_king: self.value("hostility", "edge_hostile_king") == &Value::Bool(true),
            camp_hostile: self.kinds("hostility", "camp_hostile"),
            king_is_hammer: matches!(armed, "both" | "hammer"),
            king_is_anvil: matches!(armed, "both" | "anvil"),
            king_capture: [self.zone("on_throne"), self.zone("beside_throne"), self.zone("elsewhere")],
            linnaean: match self.word("capture", "linnaean") {
                "guard" => Linnaean::Guard,
                "guard_and_king" => Linnaean::GuardAndKing,
                _ => Linnaean::None,
            },
            blocked_groups: match self.word("capture", "blocked_groups") {
                "king_and_one" => BlockedGroups::KingAndOne,
                "king_and_one_surrounded" => BlockedGroups::KingAndOneSurrounded,
                "groups" => BlockedGroups::Groups,
                "groups_and_rows" => BlockedGroups::GroupsAndRows,
                _ => BlockedGroups::None,
            },
            shieldwall: match self.word("capture", "shieldwall") {
                "pieces" => Shieldwall::Pieces,
                "with_corner" => Shieldwall::WithCorner,
                _ => Shieldwall::None,
            },
            goal: if is("ends", "goal", "corner") { Goal::Corner } else { Goal::Edge },
            king_captured_draws: is("ends", "king_captured", "draw"),
            guards_captured: is("ends", "guards_captured", "attackers_win"),
            attackers_captured: is("ends", "attackers_captured", "defenders_win"),
            tuichi: is("ends", "tuichi", "defenders_win"),
            enclosure: is("ends", "enclosure", "attackers_win"),
            exit_fort: is("ends", "exit_fort", "defenders_win"),
            no_move: match self.word("ends", "no_move") {
                "draw" => NoMove::Draw,
                "pass" => NoMove::Pass,
                _ => NoMove::Loses,
            },
            repetition: self.repetition().unwrap_or(Repetition::Ignored),
            quiet_limit: u32::try_from(self.value("ends", "quiet_limit").as_u64().unwrap_or(0)).unwrap_or(0),
            berserk: match self.word(SPECIAL, "berserk") {
                "may" => Berserk::May,
                "must" => Berserk::Must,
                _ => Berserk::None,
            },
            jumps: ["king", "commanders", "knights"].map(|jumper| self.jump(jumper)),
            commander_pair: match self.word(SPECIAL, "commander_pair") {
                "open" => CommanderPair::Open,
                "everywhere" => CommanderPair::Everywhere,
                _ => CommanderPair::None,
            },
            knights_by_three: is(SPECIAL, "knights_taken", "by_three"),
            occupied_camps_hostile: is(SPECIAL, "occupied_camps", "hostile"),
            start,
        }
    }

    fn jump(&self, jumper: &str) -> Jump {
        match self.value(SPECIAL, "jumps")[jumper].as_str() {
            Some("restricted") => Jump::Restricted,
            Some("over") => Jump::Over,
            Some("anyone") => Jump::Anyone,
            Some("capture") => Jump::Capture,
            _ => Jump::None,
        }
    }

    fn camps(&self) -> Vec<Vec<Square>> {
        let names = |group: &Value| -> Vec<Square> {
            let mut squares: Vec<Square> = group
                .as_array()
                .map(|names| names.iter().filter_map(|name| Square::parse(name.as_str()?)).collect())
                .unwrap_or_default();
            squares.sort_unstable();
            squares
        };
        let mut camps: Vec<Vec<Square>> = self
            .value("board", "camps")
            .as_array()
            .map(|groups| groups.iter().map(names).collect())
            .unwrap_or_default();
        camps.sort_unstable();
        camps
    }
}

/// Returns the tree with start, lists of kinds and camps in normal form.
fn normalised(tree: &Map<String, Value>, law: &Law) -> Map<String, Value> {
    let mut tree = tree.clone();
    let special = tree.entry(SPECIAL).or_insert_with(|| Value::Object(Map::new()));
    for parameter in schema::PARAMETERS.iter().filter(|parameter| parameter.section == SPECIAL) {
        if let Some(keys) = special.as_object_mut() {
            keys.entry(parameter.name)
                .or_insert_with(|| schema::neutral_value(parameter.kind, parameter.neutral));
        }
    }
    for parameter in schema::PARAMETERS {
        let keys = if parameter.section.is_empty() {
            Some(&mut tree)
        } else {
            tree.get_mut(parameter.section).and_then(Value::as_object_mut)
        };
        let Some(value) = keys.and_then(|keys| keys.get_mut(parameter.name)) else { continue };
        match parameter.kind {
            schema::Kind::Rows => *value = law.start.rows().into(),
            schema::Kind::Kinds => {
                if let Some(list) = value.as_array_mut() {
                    list.sort_by_key(|item| KINDS.iter().position(|kind| item.as_str() == Some(kind)));
                }
            }
            schema::Kind::Camps => {
                let groups =
                    law.camps.iter().map(|camp| camp.iter().map(ToString::to_string).collect::<Vec<_>>());
                *value = groups.map(Value::from).collect::<Vec<_>>().into();
            }
            _ => {}
        }
    }
    tree
}
