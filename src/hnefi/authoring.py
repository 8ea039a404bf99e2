"""Variants of one's own: made from others, written as files, kept in the user's folder, put into a link."""

import base64
import json
import re
import tempfile
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hnefi._core import Rules
from hnefi.errors import Fault, HnefiError, VariantError, shown
from hnefi.likeness import match_rules, rule_differences
from hnefi.places import own_variants_folder
from hnefi.switches import CALL_SWITCHES, Tree, apply_switches, schema, written
from hnefi.variant import Variant, own_variants, parse_variant, shipped_ids
from hnefi.variant import variant as find_variant

__all__ = [
    "RULE_GROUPS",
    "AuthoringError",
    "as_switches",
    "changes_in",
    "derive",
    "format_variant",
    "keep_variant",
    "link_text",
    "own_id",
    "parse_link",
    "query_in",
    "query_of",
    "reconcile",
    "remove_variant",
    "switches_between",
]

RULE_GROUPS: Mapping[str, tuple[str, ...]] = {
    "board": ("size", "start", "first", "goal"),
    "squares": ("throne", "corners", "camps"),
    "moves": ("range", "throne_stop", "throne_pass", "corner_stop"),
    "captures": ("king_armed", "king_capture", "linnaean", "blocked_groups", "shieldwall"),
    "hostility": ("throne_hostile", "corner_hostile", "edge_hostile_king", "camp_hostile", "occupied_camps"),
    "ends": (
        *("king_captured", "guards_captured", "attackers_captured", "tuichi", "enclosure", "exit_fort"),
        *("no_move", "repetition", "quiet_limit"),
    ),
    "special": ("berserk", "jumps", "commander_pair", "knights_taken"),
}
"""The rules in the order in which one thinks about a game, in groups."""

_DISTANT = 6.0
_CHANGE = "rule."
_LONGEST_LINK = 8192
_LARGEST_TREE = 65_536


class AuthoringError(HnefiError):
    """A variant of one's own that cannot be kept, removed or read from a link."""


def derive(base: Variant, variant_id: str, names: Mapping[str, str], switches: Mapping[str, str]) -> Variant:
    """Makes a variant from another one, with some rules changed.

    Args:
        base: What it begins as.
        variant_id: Its id.
        names: Its name, by language; at least one.
        switches: The rules that are otherwise, `start` among them.

    Raises:
        VariantError: `bad_switch`, or `bad_variant` with the contradictions, or the faults of id and name.

    >>> from hnefi import variant
    >>> mine = derive(variant("brandub-globe"), "my-brandub", {"en": "My Brandub"}, {"king_armed": "none"})
    >>> mine.tree["capture"]["king_armed"], mine.switches
    ('none', {})
    """
    changed = base.with_switches(switches)
    about: dict[str, Any] = {
        "names": dict(names),
        "family": dict(base.about.get("family", {})),
        "status": "modern",
        "status_note": _said_of(base),
    }
    if "words" in base.about:
        about["words"] = base.about["words"]
    made = replace(changed, id=variant_id, revision=1, switches={}, about=about, why={}, fixed=())
    # What is wrong with the id or the names shows as in any file.
    return parse_variant(format_variant(made))


def _said_of(base: Variant) -> dict[str, str]:
    return {
        "en": f"Made from {base.name('en')}.",
        "fr": f"Faite à partir de {base.name('fr')}.",
    }


def reconcile(
    base: Variant, switches: Mapping[str, str], firm: Collection[str] | None = None
) -> dict[str, str]:
    """Adds to some switches what follows from them: rules about squares that no longer exist become neutral.

    Args:
        base: What they change.
        switches: The switches.
        firm: The rules that stay as they are, whatever the others become; all that are in `switches` if None.

    Raises:
        VariantError: As `derive`, where something else contradicts them.

    >>> from hnefi import variant
    >>> reconcile(variant("brandub-breyer"), {"corners": "none"})["goal"]
    'edge'
    """
    found = dict(switches)
    kept = {*(_leaf(key) for key in switches)} if firm is None else {*firm}
    for _ in schema():
        try:
            base.with_switches(found)
        except VariantError as error:
            told = [fault for fault in error.faults if _leaf(fault.path) not in kept and _gives_way(fault)]
            if not told:
                raise
            tree = apply_switches(base.tree, _rules_only(found))[0]
            follows = {_leaf(fault.path): "" for fault in told}
            follows = {leaf: _giving_way(tree, leaf, told) for leaf in schema() if leaf in follows}
            found = {key: value for key, value in found.items() if _leaf(key) not in follows} | follows
            # Once it has given way, a rule does so no more.
            kept |= {*follows}
            continue
        break
    return found


def _rules_only(switches: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in switches.items() if key not in CALL_SWITCHES}


def _leaf(path: str) -> str:
    """Gives the rule that a path or a switch is about: `board.camps.0` is about the camps."""
    return next((part for part in path.split(".") if part in schema()), path)


def _gives_way(fault: Fault) -> bool:
    """Whether a rule with such a fault gives way: it contradicts others, or names squares off the board."""
    is_off = _leaf(fault.path) == "camps" and fault.expected.startswith("board.size =")
    return _leaf(fault.path) in schema() and (fault.code == "contradiction" or is_off)


def _giving_way(tree: Tree, leaf: str, faults: Iterable[Fault]) -> str:
    """Gives what remains of a rule that contradicts others, as a switch."""
    own = [fault for fault in faults if _leaf(fault.path) == leaf]
    if leaf == "goal":
        return "edge"
    if leaf == "camps":
        gone = {fault.found for fault in own if fault.code == "contradiction"}
        is_off = any(fault.code != "contradiction" for fault in own)
        camps = (
            [] if is_off else [[one for one in camp if one not in gone] for camp in tree["board"]["camps"]]
        )
        return written("camps", [camp for camp in camps if camp])
    if leaf == "corner_stop" and any(fault.expected == "king" for fault in own):
        return written(leaf, [*(kind for kind in tree["movement"][leaf] if kind != "king"), "king"])
    return _neutral(tree, leaf)


def _neutral(tree: Tree, leaf: str) -> str:
    """Gives the value of a rule that says nothing, as a switch; for the king's capture that elsewhere."""
    neutral = schema()[leaf]["neutral"]
    if isinstance(neutral, dict) and None in neutral.values():
        neutral = dict.fromkeys(neutral, tree["capture"]["king_capture"]["elsewhere"])
    return written(leaf, neutral)


def switches_between(base: Variant, rules: Rules) -> dict[str, str]:
    """Gives the switches that make some rules out of a variant's.

    >>> from hnefi import variant
    >>> switches_between(variant("fetlar-11"), variant("copenhagen-11").rules)["exit_fort"]
    'defenders_win'
    """
    differences = rule_differences(json.loads(base.rules.to_json()), json.loads(rules.to_json()))
    return {one.leaf: written(one.leaf, one.values[1]) for one in differences}


def as_switches(found: Variant, among: Iterable[Variant] | None = None) -> tuple[Variant, dict[str, str]]:
    """Gives the variant that another one is nearest to, and the switches that make it.

    Args:
        found: The variant, from wherever it comes.
        among: The variants it may be made from; all that there are if None.

    >>> from hnefi import variant
    >>> mine = derive(variant("tablut-kouvia"), "mine", {"en": "Mine"}, {"quiet_limit": "60"})
    >>> base, switches = as_switches(mine)
    >>> base.id, switches
    ('tablut-kouvia', {'quiet_limit': '60'})
    """

    def distance(one: Variant) -> float:
        # Switches cannot give a variant the calls it does not have, nor take them from it.
        return _DISTANT if (one.calls is None) != (found.calls is None) else 0.0

    nearest = min(
        match_rules(found.tree, among), key=lambda one: one.distance + distance(one.variant)
    ).variant
    switches = switches_between(nearest, found.rules)
    if nearest.calls is not None and found.calls is not None:
        own = {key: str(found.calls[key]) for key in CALL_SWITCHES}
        switches |= {key: value for key, value in own.items() if nearest.calls[key] != value}
    return nearest, switches


def format_variant(variant: Variant) -> str:
    """Writes a variant as a file (docs/reference/variant-files.md), without the clauses of its text.

    >>> from hnefi import variant
    >>> text = format_variant(variant("tablut-kouvia"))
    >>> parse_variant(text).rules == variant("tablut-kouvia").rules
    True
    """
    lines = [f"id = {_value(variant.id)}", f"revision = {variant.revision}", "", "[about]"]
    told = ("names", "also", "family", "region", "status", "status_note", "words")
    lines += [f"{key} = {_value(variant.about[key])}" for key in told if variant.about.get(key)]
    lines += _rules_lines(_ordered(json.loads(variant.rules.to_json())))
    if variant.calls is not None:
        calls = {key: value for key, value in variant.calls.items() if key != "why"}
        lines += ["", "[calls]", *(f"{key} = {_value(value)}" for key, value in calls.items())]
    match = {key: value for key, value in variant.match.items() if key != "why"}
    lines += ["", "[match]", *(f"{key} = {_value(value)}" for key, value in match.items())]
    return "\n".join(lines) + "\n"


def _ordered(tree: Tree) -> Tree:
    """Gives a rules tree in the order of the schema, the board drawn."""
    ordered: Tree = {}
    for leaf, entry in schema().items():
        *sections, _ = entry["path"].split(".")
        source: Any = tree
        target = ordered
        for section in sections:
            source, target = source.get(section, {}), target.setdefault(section, {})
        if leaf in source:
            target[leaf] = source[leaf]
    return ordered


def _rules_lines(tree: Tree) -> list[str]:
    lines = ["", "[rules]"]
    sections = {path.split(".")[0] for path in (entry["path"] for entry in schema().values()) if "." in path}
    lines += [f"{key} = {_value(value)}" for key, value in tree.items() if key not in sections]
    for name, section in tree.items():
        if name in sections:
            lines += ["", f"[rules.{name}]"]
            lines += [
                f"{key} = {_drawn(value) if key == 'start' else _value(value)}"
                for key, value in section.items()
            ]
    return lines


def _drawn(start: str) -> str:
    """Draws a start position, a row of the board on a line."""
    rows = start.strip().split("/") if "/" in start else start.strip().splitlines()
    return '"""\n' + "\n".join(" ".join(_cells(row)) for row in rows) + '\n"""'


def _cells(row: str) -> list[str]:
    cells: list[str] = []
    number = ""
    for sign in f"{row} ":
        if sign.isdigit():
            number += sign
            continue
        cells += ["."] * int(number or 0)
        number = ""
        if not sign.isspace():
            cells.append(sign)
    return cells


def _value(value: object) -> str:
    """Writes a value as TOML has it. JSON's strings are TOML's."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    is_bare = key and all(sign.isascii() and (sign.isalnum() or sign in "-_") for sign in key)
    return key if is_bare else json.dumps(key, ensure_ascii=False)


def keep_variant(variant: Variant, text: str | None = None, *, overwrite: bool = False) -> Path:
    """Keeps a variant in the user's folder, where it is found by its id everywhere.

    Args:
        variant: The variant.
        text: Its file, where it has one; written from the variant otherwise.
        overwrite: Whether one of that id is replaced.

    Raises:
        AuthoringError: `shipped_variant` if Hnefi brings one of that id, `variant_kept` if there is one,
            `cannot_keep`.
    """
    if variant.id in shipped_ids():
        raise _error("shipped_variant", variant.id)
    folder = own_variants_folder()
    path = folder / f"{variant.id}.toml"
    if not overwrite and (path.exists() or variant.id in own_variants().variants):
        raise _error("variant_kept", variant.id, path=str(path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, format_variant(variant) if text is None else text)
    except OSError as error:
        raise _error("cannot_keep", variant.id, path=str(path), why=error.strerror or str(error)) from error
    return path


def _write(path: Path, text: str) -> None:
    """Writes a file as a whole, or leaves what was there."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".") as folder:
        fresh = Path(folder) / path.name
        fresh.write_text(text, "utf-8", newline="\n")
        fresh.replace(path)


def remove_variant(variant_id: str) -> Path:
    """Removes a variant from the user's folder, and tells which file that was.

    Raises:
        AuthoringError: `not_own` if there is none, `cannot_keep` if it cannot be removed.
    """
    own = own_variants()
    # A file with faults is removed by its name.
    found = own.files.get(variant_id) or next((path for path in own.faults if path.stem == variant_id), None)
    if found is None:
        raise _error("not_own", variant_id)
    try:
        found.unlink()
    except OSError as error:
        raise _error("cannot_keep", variant_id, path=str(found), why=str(error.strerror)) from error
    return found


def changes_in(query: Mapping[str, str]) -> dict[str, str]:
    """Gives the rules that the address of a page changes.

    >>> changes_in({"variant": "fetlar-11", "rule.king_armed": "none", "rule.goal": ""})
    {'king_armed': 'none'}
    """
    named = {key.removeprefix(_CHANGE): value for key, value in query.items() if key.startswith(_CHANGE)}
    return {key: value for key, value in named.items() if value}


def query_in(address: str) -> dict[str, str]:
    """Gives what an address says behind its `?`.

    >>> query_in("https://tafl.example/rules/new?variant=fetlar-11#main")
    {'variant': 'fetlar-11'}
    """
    return dict(parse_qsl(address.strip().partition("?")[2].partition("#")[0]))


def query_of(variant_id: str, switches: Mapping[str, str], **more: str) -> str:
    """Writes a variant with its switches into the address of a page, and what else is given.

    >>> query_of("fetlar-11", {"king_armed": "none"})
    'variant=fetlar-11&rule.king_armed=none'
    """
    changes = {f"{_CHANGE}{key}": value for key, value in switches.items()}
    return urlencode({"variant": variant_id, **more, **changes})


def own_id(name: str) -> str:
    """Makes an id of a name, one that no variant of Hnefi has.

    >>> own_id("Brandub à l’épée"), own_id("龍"), own_id("Copenhagen 11")
    ('brandub-a-l-epee', 'my-game', 'my-copenhagen-11')
    """
    plain = unicodedata.normalize("NFKD", name.replace("’", "-")).encode("ascii", "ignore").decode().lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "my-game"
    return f"my-{found}" if found in shipped_ids() else found


def link_text(variant: Variant) -> str:
    """Packs a variant into letters that may stand in an address: id, names, rules, calls and match.

    >>> from hnefi import variant
    >>> parse_link(link_text(variant("brandub-breyer"))).rules == variant("brandub-breyer").rules
    True
    """
    packed = zlib.compress(format_variant(variant).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def parse_link(text: str) -> Variant:
    """Reads a variant from what `link_text` gives, from an address that ends in it, or from that of a page.

    Raises:
        AuthoringError: `bad_link`.
        VariantError: With all faults of its rules.

    >>> parse_link("https://tafl.example/en/rules/new?variant=fetlar-11&rule.goal=edge&name=To+the+edge").id
    'to-the-edge'
    """
    query = query_in(text)
    if "variant" in query:
        base = find_variant(query["variant"])
        name = query.get("name") or base.name("en")
        return derive(base, own_id(name), {"en": name}, changes_in(query))
    letters = text.strip().rpartition("#")[2]
    try:
        if len(letters) > _LONGEST_LINK:
            raise ValueError(f"{len(letters)} letters")
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(packed, _LARGEST_TREE)
        if not unpacker.eof:
            raise ValueError("too long, or cut off")
        told = unpacked.decode()
    except (ValueError, zlib.error) as error:
        raise _error("bad_link", shown(letters), why=str(error)) from error
    return parse_variant(told)


def _error(code: str, variant_id: str, **facts: str) -> AuthoringError:
    parameters = {"id": shown(variant_id), "path": "", "why": "", **facts}
    return AuthoringError(
        code, f"{code}: {parameters['id']} {parameters['path']} {parameters['why']}".strip(), parameters
    )
