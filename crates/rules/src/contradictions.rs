//! Contradictions between the rules of a law, and start positions that its rules do not allow.

use alloc::format;
use alloc::vec::Vec;

use crate::fault::Fault;
use crate::law::{Corners, Goal, Hostility, Law, Linnaean, Shieldwall};
use crate::piece::Piece;

/// Adds every contradiction of a law to `faults`.
pub(crate) fn check(law: &Law, faults: &mut Vec<Fault>) {
    check_rules(law, faults);
    start_faults(law, faults);
}

/// Adds the contradictions of a law apart from its start position.
pub(crate) fn check_rules(law: &Law, faults: &mut Vec<Fault>) {
    rule_faults(law, faults);
    camp_faults(law, faults);
}

/// The kind of a contradiction, and the key and the value that exclude the rule.
type Conflict = (&'static str, &'static str, &'static str);

const NO_THRONE: Conflict = ("needs_throne", "board.throne", "none");
const ZONES_WITHOUT_THRONE: Conflict = ("zones_need_throne", "board.throne", "none");
const NO_CORNERS: Conflict = ("needs_corners", "board.corners", "none");
const CORNER_GOAL: Conflict = ("king_kept_out", "ends.goal", "corner");
const NO_CAMPS: Conflict = ("needs_camps", "board.camps", "[]");
const HARMLESS_CAMPS: Conflict = ("needs_hostile_camps", "hostility.camp_hostile", "[]");

/// Adds rules that need squares the board does not have, and rules that exclude each other.
fn rule_faults(law: &Law, faults: &mut Vec<Fault>) {
    let excludes_any = |kinds: &[bool; 3]| kinds.contains(&false);
    let is_hostile = |hostility: &[Hostility; 3]| hostility.iter().any(|one| *one != Hostility::Never);
    let [on_throne, beside_throne, elsewhere] = law.king_capture;
    let no_throne = !law.throne;
    let no_corners = law.corners == Corners::None;
    let to_corner = law.goal == Goal::Corner;
    for (is_contradiction, path, (kind, key, value)) in [
        (no_throne && excludes_any(&law.throne_stop), "movement.throne_stop", NO_THRONE),
        (no_throne && excludes_any(&law.throne_pass), "movement.throne_pass", NO_THRONE),
        (no_throne && is_hostile(&law.throne_hostile), "hostility.throne_hostile", NO_THRONE),
        (no_throne && law.linnaean != Linnaean::None, "capture.linnaean", NO_THRONE),
        (
            no_throne && (on_throne != elsewhere || beside_throne != elsewhere),
            "capture.king_capture",
            ZONES_WITHOUT_THRONE,
        ),
        (no_corners && excludes_any(&law.corner_stop), "movement.corner_stop", NO_CORNERS),
        (no_corners && is_hostile(&law.corner_hostile), "hostility.corner_hostile", NO_CORNERS),
        (no_corners && law.shieldwall == Shieldwall::WithCorner, "capture.shieldwall", NO_CORNERS),
        (no_corners && to_corner, "ends.goal", NO_CORNERS),
        (to_corner && !law.corner_stop[Piece::King as usize], "movement.corner_stop", CORNER_GOAL),
        (law.camps.is_empty() && law.camp_hostile.contains(&true), "hostility.camp_hostile", NO_CAMPS),
        (
            law.occupied_camps_hostile && !law.camp_hostile[Piece::Attacker as usize],
            "special.occupied_camps",
            HARMLESS_CAMPS,
        ),
    ] {
        if is_contradiction {
            faults.push(Fault::new("contradiction", kind, path).with("key", key).with("value", value));
        }
    }
}

fn camp_faults(law: &Law, faults: &mut Vec<Fault>) {
    let mut taken = law.corner_squares();
    taken.extend(law.throne_square());
    for (index, camp) in law.camps.iter().enumerate() {
        for square in camp {
            let path = format!("board.camps.{index}");
            if !square.is_on(law.size()) {
                let fault = Fault::new("wrong_value", "camp_off_board", &path);
                faults.push(fault.with("square", square).with("size", law.size()));
            } else if taken.contains(square) {
                faults.push(Fault::new("contradiction", "camp_taken", &path).with("square", square));
            }
            taken.push(*square);
        }
    }
}

fn start_faults(law: &Law, faults: &mut Vec<Fault>) {
    let fault = |kind: &'static str| Fault::new("wrong_start", kind, "board.start");
    let kings = law.start.count(Piece::King);
    if kings != 1 {
        faults.push(fault("king_count").with("count", kings));
    }
    for (square, piece) in law.start.pieces() {
        if piece == Piece::King && law.goals().contains(&square) {
            faults.push(fault("king_on_goal").with("square", square));
        }
    }
    if law.attackers_captured && law.start.count_kind(Piece::Attacker) == 0 {
        faults.push(fault("no_attackers"));
    }
    if law.guards_captured && law.start.count_kind(Piece::Defender) == 0 {
        faults.push(fault("no_defenders"));
    }
}
