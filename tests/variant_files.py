"""Variant files read with tomllib alone: keys and closed values, clauses, switches."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = ROOT / "src" / "hnefi" / "variants" / "data"
IDS = tuple(sorted(path.stem for path in VARIANTS.glob("*.toml")))
KINDS = {"attackers", "defenders", "king"}
WHEN = {"never", "empty", "always"}
CLOSED = {"custodial", "four_sides", "never"}
JUMPS = {"none", "restricted", "over", "anyone", "capture"}
# Every leaf of the rules, where it stands, and its closed values: a set, a map of sets, or None (free).
LEAVES: dict[str, tuple[str, Any]] = {
    "first": ("", {"attackers", "defenders"}),
    "size": ("board", None),
    "start": ("board", None),
    "throne": ("board", {"none", "centre"}),
    "corners": ("board", {"none", "1x1", "2x2"}),
    "camps": ("board", None),
    "range": ("movement", dict.fromkeys(KINDS, int)),
    "throne_stop": ("movement", list),
    "throne_pass": ("movement", list),
    "corner_stop": ("movement", list),
    "throne_hostile": ("hostility", dict.fromkeys(KINDS, WHEN)),
    "corner_hostile": ("hostility", dict.fromkeys(KINDS, WHEN)),
    "edge_hostile_king": ("hostility", bool),
    "camp_hostile": ("hostility", list),
    "king_armed": ("capture", {"both", "hammer", "anvil", "none"}),
    "king_capture": ("capture", {"on_throne": CLOSED, "beside_throne": CLOSED, "elsewhere": CLOSED}),
    "linnaean": ("capture", {"none", "guard", "guard_and_king"}),
    "blocked_groups": (
        "capture",
        {"none", "king_and_one", "king_and_one_surrounded", "groups", "groups_and_rows"},
    ),
    "shieldwall": ("capture", {"none", "pieces", "with_corner"}),
    "goal": ("ends", {"corner", "edge"}),
    "king_captured": ("ends", {"attackers_win", "draw"}),
    "guards_captured": ("ends", {"none", "attackers_win"}),
    "attackers_captured": ("ends", {"none", "defenders_win"}),
    "tuichi": ("ends", {"none", "defenders_win"}),
    "enclosure": ("ends", {"none", "attackers_win"}),
    "exit_fort": ("ends", {"none", "defenders_win"}),
    "no_move": ("ends", {"loses", "draw", "pass"}),
    "repetition": (
        "ends",
        {"count": int, "result": {"none", "draw", "draw_in_a_row", "defenders_lose", "mover_loses"}},
    ),
    "quiet_limit": ("ends", int),
    "berserk": ("special", {"none", "may", "must"}),
    "jumps": ("special", dict.fromkeys(("king", "commanders", "knights"), JUMPS)),
    "commander_pair": ("special", {"none", "open", "everywhere"}),
    "knights_taken": ("special", {"by_two", "by_three"}),
    "occupied_camps": ("special", {"harmless", "hostile"}),
}
# What stands in the section that files may leave out, where they do.
SPECIAL: dict[str, Any] = {
    "berserk": "none",
    "jumps": dict.fromkeys(("king", "commanders", "knights"), "none"),
    "commander_pair": "none",
    "knights_taken": "by_two",
    "occupied_camps": "harmless",
}
# The order of the entries of a map where they are given together.
ENTRIES = {
    leaf: sorted(values) if leaf != "king_capture" else ["on_throne", "beside_throne", "elsewhere"]
    for leaf, (_, values) in LEAVES.items()
    if isinstance(values, dict)
}
CALL_SWITCHES = {
    "sanction": {"none", "replay", "until_called"},
    "replay": {"same_piece", "any_piece"},
    "wrong_number": {"call", "forgotten"},
}
# The protocol of variants without calls.
NO_CALLS = {"sanction": "none", "replay": "same_piece", "wrong_number": "call"}
COMMON = tomllib.loads((VARIANTS.parent / "common_clauses.toml").read_text(encoding="utf-8"))
STATUS_MARKS = {"text": "text", "silent": "usage", "absent": "usage", "implied": "other_clause"}


def load(variant_id: str) -> dict[str, Any]:
    """Reads a file; the clauses in common words stand where the others do, before them."""
    file: dict[str, Any] = tomllib.loads((VARIANTS / f"{variant_id}.toml").read_text(encoding="utf-8"))
    file["match"] = {"legs": 1, "tie_break": "none", "lot": False} | file.get("match", {})
    for table in reversed(file.pop("common_clauses", [])):
        assert table.keys() <= {"source", *STATUS_MARKS}
        for status in reversed(list(STATUS_MARKS)):
            for leaf in reversed(table.get(status, [])):
                place = file["match"] if leaf == "match" else file if leaf == "fixed" else file["why"]
                entry = {"source": table["source"], **common_clause(status, leaf, file)}
                place.setdefault("why" if leaf == "match" else leaf, []).insert(0, entry)
    return file


def common_clause(status: str, leaf: str, file: dict[str, Any]) -> dict[str, Any]:
    """Returns the clause of `common_clauses.toml` for a rule of this file, by the file's format alone."""
    clause: dict[str, Any] = {"mark": STATUS_MARKS[status]}
    if leaf in COMMON["parts"]:
        clause["parts"] = COMMON["parts"][leaf]
    if status in ("absent", "implied"):
        return clause | {"says": COMMON[status][leaf]}
    statement = statement_of(leaf, file["rules"])
    if status == "text":
        return clause | {"says": statement}
    silence: dict[str, Any] = COMMON["silent"]
    return clause | {"says": silence["says"], "ruling": statement, **silence.get(leaf, {})}


def statement_of(leaf: str, rules: dict[str, Any]) -> dict[str, str]:
    by_value = COMMON["statements"][leaf]
    if "*" in by_value:
        start, size = rules["board"]["start"], rules["board"]["size"]
        counts = {"attackers": start.count("t"), "defenders": start.count("T"), "size": size}
        return {lang: sentence.format(**counts) for lang, sentence in by_value["*"].items()}
    value = leaves(rules)[leaf]
    if isinstance(value, dict):
        order = ENTRIES[leaf] if leaf != "repetition" else ["count", "result"]
        value = ",".join(str(value[entry]) for entry in order)
    elif isinstance(value, list):
        value = ",".join(value) or "none"
    statement: dict[str, str] = by_value[str(value).lower() if isinstance(value, bool) else str(value)]
    return statement


def leaves(rules: dict[str, Any]) -> dict[str, Any]:
    """Flattens a rule tree: the section of each leaf is checked on the way."""
    found: dict[str, Any] = {}
    for key, value in rules.items():
        for leaf, inner in value.items() if key in {s for s, _ in LEAVES.values() if s} else [(key, value)]:
            assert leaf in LEAVES, f"{key}.{leaf} is no key"
            assert LEAVES[leaf][0] == (key if key != leaf else ""), f"{leaf} stands in {key}"
            assert leaf not in found
            found[leaf] = inner
    return copy.deepcopy(SPECIAL) | found


def fits(value: Any, allowed: Any) -> bool:
    """Tests a value of the tree against the closed values of its leaf."""
    if allowed is None:
        return True
    if isinstance(allowed, dict):
        return (
            isinstance(value, dict)
            and value.keys() == allowed.keys()
            and all(fits(value[k], allowed[k]) for k in allowed)
        )
    if isinstance(allowed, set):
        return value in allowed
    if allowed is int:
        return type(value) is int and value >= 0
    if allowed is bool:
        return type(value) is bool
    order = ["attackers", "defenders", "king"]
    return isinstance(value, list) and value == [k for k in order if k in value] and set(value) <= KINDS


def switched(leaf_values: dict[str, Any], switch: str) -> dict[str, Any]:
    """Applies one `leaf=value` or `leaf.entry=value`, and refuses what does not parse."""
    name, sep, text = switch.partition("=")
    assert sep, f"{switch}: no '='"
    leaf, dot, entry = name.partition(".")
    assert leaf in LEAVES, f"{switch}: {leaf} is no key"
    allowed = LEAVES[leaf][1]
    changed = copy.deepcopy(leaf_values)
    if dot:
        assert entry in allowed, f"{switch}: no entry {entry}"
        changed[leaf][entry] = int(text) if allowed[entry] is int else text
    elif leaf == "repetition":
        count, result = text.split(",")
        changed[leaf] = {"count": int(count), "result": result}
    elif isinstance(allowed, dict):
        parts = text.split(",")
        assert len(parts) == len(ENTRIES[leaf])
        numbers = {entry for entry, kind in allowed.items() if kind is int}
        changed[leaf] = {
            entry: int(part) if entry in numbers else part
            for entry, part in zip(ENTRIES[leaf], parts, strict=True)
        }
    elif allowed is int:
        changed[leaf] = int(text)
    elif allowed is bool:
        changed[leaf] = text == "true"
    elif allowed is list:
        changed[leaf] = text.split(",") if text else []
    elif leaf == "camps":
        changed[leaf] = [camp.split(",") for camp in text.split("/")]
    else:
        changed[leaf] = text
    assert fits(changed[leaf], allowed), f"{switch}: {text} is no value of {leaf}"
    return changed


def entries(file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns every entry that names a clause, with the place where it stands."""
    for leaf, items in file["why"].items():
        for entry in items:
            yield f"why.{leaf}", entry
    for section in ("calls", "match"):
        for entry in file.get(section, {}).get("why", []):
            yield f"{section}.why", entry
    for entry in file["fixed"]:
        yield "fixed", entry
