//! The rules tree as typed values, checked for contradictions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::schema::{self, Fault, KINDS};
use crate::setup::Setup;
use crate::square::{Piece, Side, Square};

/// When a special square counts as an enemy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hostility {
    /// Never.
    Never,
    /// While it is empty.
    Empty,
    /// Also while a piece stands on it.
    Always,
}

/// The special corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corners {
    /// Corners are ordinary squares.
    None,
    /// One square in each corner.
    Single,
    /// Blocks of two by two.
    Blocks,
}

/// How the king is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingCapture {
    /// Between two, like a soldier.
    Custodial,
    /// On all four sides.
    FourSides,
    /// Not at all.
    Never,
}

/// Capture of a defender between an attacker and his king on the throne.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linnaean {
    /// Not played.
    None,
    /// The guard is taken.
    Guard,
    /// Guard and king are taken.
    GuardAndKing,
}

/// Capture of groups that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockedGroups {
    /// Not played.
    None,
    /// The king with exactly one man.
    KingAndOne,
    /// Any group of two or more.
    Groups,
}

/// Capture of a row along the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shieldwall {
    /// Not played.
    None,
    /// Closed by pieces at both ends.
    Pieces,
    /// A corner may close one end.
    WithCorner,
}

/// What happens to a side that cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// It loses.
    Loses,
    /// The game is a draw.
    Draw,
    /// It passes.
    Pass,
}

/// What the n-th occurrence of a position does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// Nothing.
    Ignored,
    /// The game is drawn.
    Draw(u32),
    /// The defenders lose.
    DefendersLose(u32),
    /// The side that brought it about loses.
    MoverLoses(u32),
}

/// Where the king wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// On a corner.
    Corner,
    /// On any edge square.
    Edge,
}

/// The rules of a variant, one field a parameter. Arrays are indexed by `Piece`.
// Each parameter that says yes or no is one field: a set of flags would hide their names.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Law {
    /// The start position, with the side that moves first.
    pub start: Setup,
    /// Whether the centre is special.
    pub throne: bool,
    /// The special corners.
    pub corners: Corners,
    /// The attackers' camps.
    pub camps: Vec<Vec<Square>>,
    /// The longest move, 0 = unlimited.
    pub range: [usize; 3],
    /// Who may end a move on the empty throne.
    pub throne_stop: [bool; 3],
    /// Who may cross the empty throne.
    pub throne_pass: [bool; 3],
    /// Who may end a move on a corner.
    pub corner_stop: [bool; 3],
    /// Against whom the throne is hostile.
    pub throne_hostile: [Hostility; 3],
    /// Against whom corners are hostile.
    pub corner_hostile: [Hostility; 3],
    /// Whether the rim closes a side of the king.
    pub edge_hostile_king: bool,
    /// Against whom empty camp squares are hostile.
    pub camp_hostile: [bool; 3],
    /// Whether the king captures by moving.
    pub king_is_hammer: bool,
    /// Whether the king captures by standing.
    pub king_is_anvil: bool,
    /// How the king is taken on the throne, beside it, elsewhere.
    pub king_capture: [KingCapture; 3],
    /// Capture of a defender against his king on the throne.
    pub linnaean: Linnaean,
    /// Capture of blocked groups.
    pub blocked_groups: BlockedGroups,
    /// Capture of a row along the edge.
    pub shieldwall: Shieldwall,
    /// Where the king wins.
    pub goal: Goal,
    /// Whether taking the king only draws.
    pub king_captured_draws: bool,
    /// Whether taking all his men wins.
    pub guards_captured: bool,
    /// Whether taking all attackers wins.
    pub attackers_captured: bool,
    /// Whether two open roads win.
    pub tuichi: bool,
    /// Whether enclosing all defenders wins.
    pub enclosure: bool,
    /// Whether a fort on the edge wins.
    pub exit_fort: bool,
    /// What happens to a side that cannot move.
    pub no_move: NoMove,
    /// What repetition does.
    pub repetition: Repetition,
    /// Draw after so many plies without capture, 0 = off.
    pub quiet_limit: u32,
}

impl Law {
    /// Reads a tree; gives it back normalised, with the law.
    ///
    /// # Errors
    /// All faults of the tree.
    pub fn read(tree: &Value) -> Result<(Self, Map<String, Value>), Vec<Fault>> {
        let Some(tree) = tree.as_object() else {
            return Err(alloc::vec![Fault::new("wrong_type", "rules", tree, "{…}")]);
        };
        let mut faults = Vec::new();
        schema::check(tree, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let reader = Reader(tree);
        let start = reader.start().map_err(|fault| alloc::vec![fault])?;
        let law = reader.law(start);
        law.contradictions(&mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let tree = normalised(tree, &law);
        Ok((law, tree))
    }

    /// The side of the board, in squares.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.start.size()
    }

    /// The centre, if it is special.
    #[must_use]
    pub fn throne_square(&self) -> Option<Square> {
        Square::new(self.size() / 2, self.size() / 2).filter(|_| self.throne)
    }

    /// The special corners, one list a corner.
    #[must_use]
    pub fn corner_blocks(&self) -> Vec<Vec<Square>> {
        let depth = match self.corners {
            Corners::None => return Vec::new(),
            Corners::Single => 1,
            Corners::Blocks => 2,
        };
        let near = |end: usize, step: usize| if end == 0 { step } else { self.size() - 1 - step };
        let block = |file_end: usize, rank_end: usize| {
            let mut squares: Vec<Square> = (0..depth * depth)
                .filter_map(|step| Square::new(near(file_end, step % depth), near(rank_end, step / depth)))
                .collect();
            squares.sort_unstable();
            squares
        };
        [(0, 0), (0, 1), (1, 0), (1, 1)].iter().map(|(file, rank)| block(*file, *rank)).collect()
    }

    /// The squares on which the king wins.
    #[must_use]
    pub fn goals(&self) -> Vec<Square> {
        match self.goal {
            Goal::Corner => {
                let mut squares: Vec<Square> = self.corner_blocks().into_iter().flatten().collect();
                squares.sort_unstable();
                squares
            }
            Goal::Edge => all_squares(self.size()).filter(|square| square.is_edge(self.size())).collect(),
        }
    }

    fn contradictions(&self, faults: &mut Vec<Fault>) {
        let mut clash = |is_clash: bool, path: &str, found: &str, expected: &str| {
            if is_clash {
                faults.push(Fault::new("contradiction", path, found, expected));
            }
        };
        let is_away = |kinds: &[bool; 3]| kinds.contains(&false);
        let is_hostile = |hostility: &[Hostility; 3]| hostility.iter().any(|one| *one != Hostility::Never);
        let centre = "board.throne = centre";
        let throne = self.throne;
        clash(!throne && is_away(&self.throne_stop), "movement.throne_stop", "board.throne = none", centre);
        clash(!throne && is_away(&self.throne_pass), "movement.throne_pass", "board.throne = none", centre);
        clash(
            !throne && is_hostile(&self.throne_hostile),
            "hostility.throne_hostile",
            "board.throne = none",
            centre,
        );
        clash(!throne && self.linnaean != Linnaean::None, "capture.linnaean", "board.throne = none", centre);
        let [on, beside, elsewhere] = self.king_capture;
        let differ = on != elsewhere || beside != elsewhere;
        clash(
            !throne && differ,
            "capture.king_capture",
            "board.throne = none",
            "on_throne = beside_throne = elsewhere",
        );
        let none = self.corners == Corners::None;
        let corners = "board.corners = 1x1 | 2x2";
        clash(none && is_away(&self.corner_stop), "movement.corner_stop", "board.corners = none", corners);
        clash(
            none && is_hostile(&self.corner_hostile),
            "hostility.corner_hostile",
            "board.corners = none",
            corners,
        );
        let with_corner = self.shieldwall == Shieldwall::WithCorner;
        clash(none && with_corner, "capture.shieldwall", "board.corners = none", corners);
        let to_corner = self.goal == Goal::Corner;
        clash(none && to_corner, "ends.goal", "board.corners = none", corners);
        let kept_out = to_corner && !self.corner_stop[Piece::King as usize];
        clash(kept_out, "movement.corner_stop", "ends.goal = corner", "king");
        let no_camps = self.camps.is_empty() && self.camp_hostile.contains(&true);
        clash(no_camps, "hostility.camp_hostile", "board.camps = []", "board.camps = [[…]]");
        self.camp_faults(faults);
        self.start_faults(faults);
    }

    fn camp_faults(&self, faults: &mut Vec<Fault>) {
        let mut taken: Vec<Square> = self.corner_blocks().into_iter().flatten().collect();
        taken.extend(self.throne_square());
        for (place, camp) in self.camps.iter().enumerate() {
            for square in camp {
                let path = format!("board.camps.{place}");
                if !square.is_on(self.size()) {
                    faults.push(Fault::new(
                        "wrong_value",
                        &path,
                        square,
                        format!("board.size = {}", self.size()),
                    ));
                } else if taken.contains(square) {
                    faults.push(Fault::new("contradiction", &path, square, "≠ throne, corners, camps"));
                }
                taken.push(*square);
            }
        }
    }

    fn start_faults(&self, faults: &mut Vec<Fault>) {
        let path = "board.start";
        let kings = self.start.count(Piece::King);
        if kings != 1 {
            faults.push(Fault::new("wrong_start", path, format!("K × {kings}"), "K × 1"));
        }
        for (square, piece) in self.start.pieces() {
            if piece == Piece::King && self.goals().contains(&square) {
                faults.push(Fault::new("wrong_start", path, format!("K{square}"), "K: ≠ ends.goal"));
            }
        }
        if self.attackers_captured && self.start.count(Piece::Attacker) == 0 {
            faults.push(Fault::new("wrong_start", path, "t × 0", "t × 1…"));
        }
        if self.guards_captured && self.start.count(Piece::Defender) == 0 {
            faults.push(Fault::new("wrong_start", path, "T × 0", "T × 1…"));
        }
    }
}

/// Every square of a board, in the order of their names.
pub fn all_squares(size: usize) -> impl Iterator<Item = Square> {
    (0..size * size).filter_map(move |place| Square::new(place / size, place % size))
}

/// Reads a tree that `schema::check` found well formed.
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
            (2.., "defenders_lose") => Ok(Repetition::DefendersLose(count)),
            (2.., "mover_loses") => Ok(Repetition::MoverLoses(count)),
            (_, result) => {
                let found = format!("count = {count}, result = {result}");
                let expected =
                    "count = 0, result = none | count = 2…, result = draw | defenders_lose | mover_loses";
                Err(Fault::new("contradiction", "ends.repetition", found, expected))
            }
        }
    }

    fn start(&self) -> Result<Setup, Fault> {
        let first = if self.word("", "first") == "attackers" { Side::Attackers } else { Side::Defenders };
        let setup = Setup::parse_rows(self.word("board", "start"), first, 0).map_err(|refusal| {
            let fact = |name: &str| {
                refusal
                    .parameters
                    .iter()
                    .find(|(key, _)| *key == name)
                    .map_or(String::new(), |(_, value)| value.clone())
            };
            let place = format!("{} {}", fact("part"), fact("row"));
            Fault::new(
                "wrong_start",
                "board.start",
                format!("{}: {}", place.trim(), fact("found")),
                fact("expected"),
            )
        })?;
        let size = self.value("board", "size").as_u64().unwrap_or(0);
        if setup.size() as u64 != size {
            let found = format!("rows: {}", setup.size());
            return Err(Fault::new("wrong_start", "board.start", found, format!("rows: {size}")));
        }
        self.repetition()?;
        Ok(setup)
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
                "groups" => BlockedGroups::Groups,
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
            start,
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

/// The same tree with start, lists of kinds and camps in their one form.
fn normalised(tree: &Map<String, Value>, law: &Law) -> Map<String, Value> {
    let mut tree = tree.clone();
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
