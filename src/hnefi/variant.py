"""Variants: games with a name, read from data files, and found by id or name."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hnefi._core import CalledGame, Game, Rules, Setup
from hnefi.errors import Fault, VariantError, shown
from hnefi.places import own_variants_folder
from hnefi.switches import CALL_SWITCHES, Tree, apply_switches, bad_switch, completed

_FOLDER = Path(__file__).parent / "variants"
_ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
STATUSES = ("observed", "reconstruction", "published", "modern", "doubtful")
"""How the rules of a variant came down to us (docs/reference/variant-files.md)."""
_MOST_SUGGESTED = 10
_SECTIONS = ("id", "revision", "about", "rules", "calls", "match", "why", "fixed")


@dataclass(frozen=True, slots=True)
class Variant:
    """A named game: its rules, compiled, and what its text says about it.

    Attributes:
        id: Its name in commands and records.
        revision: Raised when play changes.
        rules: The compiled rules, switches applied.
        tree: The rules as written, switches applied. Not to be changed.
        switches: The switches applied, in their written form.
        about: Names, material, history, sources, by the keys of docs/reference/variant-files.md.
        calls: The announcements, None if the text has none.
        match: Legs and tie-break.
        why: For each rule, the clauses it comes from.
        fixed: Clauses that no rule key holds.
    """

    id: str
    revision: int
    rules: Rules
    tree: Tree = field(repr=False, compare=False)
    switches: Mapping[str, str]
    about: Mapping[str, Any] = field(repr=False, compare=False)
    calls: Mapping[str, Any] | None = field(repr=False, compare=False)
    match: Mapping[str, Any] = field(repr=False, compare=False)
    why: Mapping[str, Any] = field(repr=False, compare=False)
    fixed: tuple[Mapping[str, Any], ...] = field(repr=False, compare=False)

    def name(self, lang: str = "en") -> str:
        """Gives the name in a language, the English one if it has none there.

        >>> variant("gwezboell-globe").name("fr")
        'Tablut ou Gwezboell (Le Globe Joueur)'
        """
        names: Mapping[str, str] = self.about.get("names", {})
        return names.get(lang) or names.get("en") or self.id

    def __hash__(self) -> int:
        return hash((self.id, self.revision, self.rules))

    def new_game(self, setup: Setup | None = None) -> Game:
        """Starts a game, from the start position without a setup."""
        return Game(self.rules, setup)

    def new_called_game(self, mode: str = "auto", setup: Setup | None = None) -> CalledGame:
        """Starts a game with announcements; without any if the text has none.

        Args:
            mode: `off`, `auto` (the program calls by itself) or `manual`.
            setup: Where to begin.
        """
        calls = self.calls
        if calls is None:
            return CalledGame(self.new_game(setup), "off")
        return CalledGame(
            self.new_game(setup), mode, sanction=str(calls["sanction"]), replay=str(calls["replay"])
        )

    def with_switches(self, switches: Mapping[str, str]) -> "Variant":
        """Gives the variant with some rules changed by name.

        Raises:
            VariantError: `bad_switch` for an unknown key or value, `bad_rules` if the rules then contradict
                themselves.

        >>> variant("brandub-globe").with_switches({"quiet_limit": "40"}).switches
        {'quiet_limit': '40'}
        """
        if not switches:
            return self
        calls, own = self._with_call_switches(switches)
        rest = {key: value for key, value in switches.items() if key not in CALL_SWITCHES}
        tree, written = apply_switches(self.tree, rest)
        return replace(
            self, tree=tree, rules=_compiled(tree), calls=calls, switches={**self.switches, **written, **own}
        )

    def _with_call_switches(
        self, switches: Mapping[str, str]
    ) -> tuple[Mapping[str, Any] | None, dict[str, str]]:
        own = {key: value for key, value in switches.items() if key in CALL_SWITCHES}
        for key, value in own.items():
            if value not in CALL_SWITCHES[key]:
                raise bad_switch(key, value, " | ".join(CALL_SWITCHES[key]))
        if not own:
            return self.calls, {}
        if self.calls is None:
            raise bad_switch(next(iter(own)), self.id, "[calls]", part="calls")
        changed = {key: value for key, value in own.items() if self.calls[key] != value}
        return {**self.calls, **own}, changed


def _compiled(tree: Tree) -> Rules:
    import json

    return Rules(json.dumps(tree))


@dataclass(frozen=True, slots=True)
class OwnVariants:
    """The variants in the folder of a user's own.

    Attributes:
        variants: Those that can be played, by id.
        files: Where each of them stands, by id.
        faults: What is wrong with the other files, by path.
    """

    variants: Mapping[str, Variant]
    files: Mapping[str, Path]
    faults: Mapping[Path, VariantError]


def own_variants() -> OwnVariants:
    """Reads the user's own variants; files that have not changed since are not read again.

    A file that has faults, or an id that is taken, takes nothing from the others.
    """
    folder = own_variants_folder()
    try:
        files = sorted(folder.glob("*.toml"))
        key = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
    except OSError:
        return _NONE_OWN
    return _read_own(key) if key else _NONE_OWN


_NONE_OWN = OwnVariants({}, {}, {})


@lru_cache(maxsize=4)
def _read_own(files: tuple[tuple[Path, int, int], ...]) -> OwnVariants:
    found: dict[str, Variant] = {}
    places: dict[str, Path] = {}
    faults: dict[Path, VariantError] = {}
    for path, _, _ in files:
        try:
            one = load_variant(path)
            if one.id in shipped_ids() or one.id in found:
                raise _faulty([Fault("taken", "id", one.id, "an id of its own")])
            found[one.id], places[one.id] = one, path
        except VariantError as error:
            faults[path] = error
        except OSError as error:
            faults[path] = _faulty([Fault("unreadable", str(path), error.strerror or str(error), "a file")])
    return OwnVariants(found, places, faults)


@cache
def shipped_ids() -> tuple[str, ...]:
    """Lists the ids of the variants that Hnefi brings, sorted. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def booklet_ids() -> tuple[str, ...]:
    """Lists the ids of the rule sets of the booklets, sorted: each of their rules cites a numbered clause.

    >>> len(booklet_ids())
    7
    """
    return tuple(name for name in shipped_ids() if _cites_clauses(_brought(name)))


def _cites_clauses(one: Variant) -> bool:
    """Tells them from the variants of the world, whose rules name a source instead (decision 28)."""
    return all("clause" in entry for entries in one.why.values() for entry in entries)


def variant_ids() -> tuple[str, ...]:
    """Lists the ids of all variants, sorted: those that Hnefi brings, and the user's own."""
    return tuple(sorted((*shipped_ids(), *own_variants().variants)))


def variant(name: str) -> Variant:
    """Gives a variant: one that Hnefi brings, or one of the user's own.

    Args:
        name: Its id, such as `brandub-globe`, or a name that only it has, in either case.

    Raises:
        VariantError: With code `unknown_variant` and the nearest ids, or `ambiguous_variant` and the ids that
            the name may mean.

    >>> variant("ard-ri-globe").rules.size
    7
    >>> variant("Copenhagen").id
    'copenhagen-11'
    """
    wanted = name.strip().lower()
    if wanted in shipped_ids():
        return _brought(wanted)
    own = own_variants().variants.get(wanted)
    if own is not None:
        return own
    meant = _meant_by(name)
    if len(meant) == 1:
        return meant[0]
    raise _ambiguous(name, meant) if meant else _unknown(name)


@cache
def _brought(variant_id: str) -> Variant:
    return load_variant(_FOLDER / f"{variant_id}.toml")


def _meant_by(name: str) -> tuple[Variant, ...]:
    """Gives the variants that are called so, or whose family is."""
    wanted = name.strip().casefold()
    families = ({family.casefold() for family in one.about.get("family", {}).values()} for one in variants())
    pairs = zip(variants(), families, strict=True)
    return tuple(one for one, family in pairs if wanted in all_names(one) or wanted in family)


def _ambiguous(wanted: str, meant: tuple[Variant, ...]) -> VariantError:
    known, ids = shown(wanted), [one.id for one in meant]
    message = f"variant {known}: ambiguous, expected {' | '.join(ids)}"
    return VariantError("ambiguous_variant", message, {"name": known, "suggestions": ", ".join(ids)})


def _unknown(wanted: str) -> VariantError:
    from difflib import get_close_matches

    known = shown(wanted)
    near = [one.id for one in find_variants(wanted)]
    if not 0 < len(near) <= _MOST_SUGGESTED:
        near = get_close_matches(known.lower(), variant_ids(), n=3, cutoff=0.6)
    message = f"variant {known}: unknown, expected {' | '.join(near) or 'the id of a variant'}"
    return VariantError("unknown_variant", message, {"name": known, "suggestions": ", ".join(near)})


def variants() -> tuple[Variant, ...]:
    """Gives all variants, those that Hnefi brings and the user's own, sorted by id."""
    own = own_variants().variants
    return tuple(sorted((*map(_brought, shipped_ids()), *own.values()), key=lambda one: one.id))


def find_variants(words: str) -> tuple[Variant, ...]:
    """Finds variants by a part of their id or of any of their names, in any language or program.

    >>> [one.id for one in find_variants("brannumh")]
    ['brandub-breyer', 'brandub-globe', 'brandub-kouvia-7']
    """
    wanted = words.strip().casefold()
    return tuple(one for one in variants() if wanted and any(wanted in name for name in all_names(one)))


def all_names(one: Variant) -> list[str]:
    """Lists what a variant is called, in lower case: its id, its names, and those in other programs."""
    about = one.about
    names = [one.id, *about.get("names", {}).values(), *about.get("also", [])]
    for elsewhere in about.get("elsewhere", {}).values():
        names += elsewhere
    return list(dict.fromkeys(str(name).casefold() for name in names))


def load_variant(path: str | Path) -> Variant:
    """Reads a variant from a file of one's own.

    Raises:
        VariantError: With all faults of the file.
        OSError: If the file cannot be read.
    """
    try:
        return parse_variant(Path(path).read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise _faulty([Fault("bad_encoding", str(path), str(error.start), "UTF-8")]) from error


def parse_variant(text: str) -> Variant:
    """Reads a variant from TOML text; the form is described in docs/reference/variant-files.md.

    Raises:
        VariantError: With all faults of the text.
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _faulty([Fault("bad_toml", "-", shown(error, 200), "TOML")]) from error
    faults = _shape_faults(data)
    rules: Rules | None = None
    try:
        rules = _compiled(_plain(data.get("rules", {})))
    except VariantError as error:
        faults += [replace(fault, path=_below_rules(fault.path)) for fault in error.faults]
    if faults or rules is None:
        raise _faulty(faults)
    return Variant(
        id=data["id"],
        revision=data["revision"],
        rules=rules,
        tree=completed(data["rules"]),
        switches={},
        about=data.get("about", {}),
        calls=data.get("calls"),
        match=data.get("match", {"legs": 1, "tie_break": "none", "lot": False}),
        why=data.get("why", {}),
        fixed=tuple(data.get("fixed", [])),
    )


def _plain(tree: object) -> Tree:
    """Gives the tree with values JSON has: dates, which TOML has too, become text and are refused later."""
    import json

    plain: Tree = json.loads(json.dumps(tree, default=str))
    return plain


def _below_rules(path: str) -> str:
    return path if path == "rules" else f"rules.{path}"


def _faulty(faults: list[Fault]) -> VariantError:
    return VariantError("bad_variant", "\n".join(map(str, faults)), faults=faults)


def _shape_faults(data: Tree) -> list[Fault]:
    faults = [
        Fault("unknown_key", shown(key), "-", " | ".join(_SECTIONS)) for key in data if key not in _SECTIONS
    ]
    name, revision = data.get("id"), data.get("revision")
    if not (isinstance(name, str) and name.strip("-") and set(name) <= _ID_LETTERS):
        faults.append(Fault("wrong_value", "id", shown(name), "a-z 0-9 -"))
    if not (isinstance(revision, int) and not isinstance(revision, bool) and revision >= 1):
        faults.append(Fault("wrong_value", "revision", shown(revision), "1…"))
    faults += [
        Fault("wrong_type", section, shown(data[section]), f"[{section}]")
        for section in ("about", "rules", "match", "why", "calls")
        if section in data and not isinstance(data[section], dict)
    ]
    if "rules" not in data:
        faults.append(Fault("missing_key", "rules", "-", "[rules]"))
    if not isinstance(data.get("fixed", []), list):
        faults.append(Fault("wrong_type", "fixed", shown(data["fixed"]), "[[fixed]]"))
    return faults + _names_faults(data.get("about")) + _calls_faults(data.get("calls"))


def _names_faults(about: object) -> list[Fault]:
    names = about.get("names") if isinstance(about, dict) else None
    if not (isinstance(names, dict) and names and all(isinstance(name, str) for name in names.values())):
        return [Fault("wrong_value", "about.names", shown(names), '{ en = "…", fr = "…" }')]
    return []


def _calls_faults(calls: object) -> list[Fault]:
    if not isinstance(calls, dict):
        return []
    return [
        Fault("wrong_value", f"calls.{key}", shown(calls.get(key)), " | ".join(words))
        for key, words in CALL_SWITCHES.items()
        if calls.get(key) not in words
    ]
