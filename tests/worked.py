"""Worked positions of tests/rules: drawn boards with the effects of moves.

A file holds entries; each begins with its `id:` and goes on to the next one. Lines that begin with `#` are
comments. Before the moves:

    id: B-23
    rules: brandub-globe quiet_limit=40      a variant, then switches
    clause: B19                              the clauses it shows
    note: Why it is here, in a sentence.
    turn: attackers                          the side to move
    quiet: 19                                the quiet counter, 0 if absent
    going: e5                                the piece that has captured and may go on, if there is one
    calls: manual replay same_piece          mode, sanction, what is replayed, what a wrong number is worth
                                             (`call` if absent); calls are off without this line
     7  . . . . . . .
     ...                                     the board
        a b c d e f g

and the expected facts, at least one of `after`, `illegal`, `outcome`, `legal_moves`, `includes`, `excludes`,
`exits` and `danger`:

    move: a6-d6 d1-c1!2                      one move or several, played in turn; `!2` calls two exits
    illegal: too_far                         the last move is refused, and why
    after: defenders 0                       side and counter of the position after the moves (and the piece
                                             that may go on); a board follows
    captures: d5 e6                          squares of the soldiers the last move captured, or `none`
    outcome: attackers king_captured         winner (or `draw`) and reason, or `none`
    passed                                   the other side had to pass after the last move
    legal_moves: 40                          how many there are then
    includes: d4-c4    excludes: d4-c5       moves that are among them, or are not
    exits: 2                                 directions in which the king has a move to a goal
    danger: yes                              whether the attackers could take the king, if they were to move
    owed: a1 a9   required: 2   called: no                             the state of the calls
    must_replay: g1   refused: yes
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
VARIANTS = TESTS.parent / "src" / "hnefi" / "variants" / "data"

RANK = re.compile(r"\d+((?: +[.tcnrTCNRK])+)")
FILES = re.compile(r"a(?: +[b-s])+")


@dataclass
class Worked:
    """One entry. `keys` are those it has; `rows` and `after_rows` are `7/3K3/...`."""

    id: str
    source: str
    rules: str = ""
    switches: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    note: str = ""
    turn: str = "attackers"
    quiet: int = 0
    going: str = ""
    calls: tuple[str, ...] = ()
    rows: str = ""
    moves: tuple[str, ...] = ()
    code: str = ""  # why the last move is illegal, empty if it is not
    after_rows: str | None = None
    after: tuple[str, ...] | None = None
    captures: list[str] | None = None
    outcome: tuple[str | None, str] | None = None
    passed: bool = False
    legal_moves: int | None = None
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    exits: int | None = None
    danger: bool | None = None
    owed: list[str] | None = None
    required: int | None = None
    called: bool | None = None
    must_replay: str | None = None
    refused: bool | None = None
    keys: set[str] = field(default_factory=set)

    @property
    def illegal(self) -> bool:
        """Whether the last move is refused."""
        return bool(self.code)

    @property
    def position(self) -> str:
        """The position before the moves, as `rows side counter`."""
        return f"{self.rows} {self.turn[0]} {self.quiet} {self.going}".rstrip()

    @property
    def position_after(self) -> str | None:
        """The position after the moves, in the same format; None if it is not drawn."""
        if self.after is None:
            return None
        side, *rest = self.after
        return " ".join((str(self.after_rows), side[0], *rest))

    def tree(self) -> dict[str, Any]:
        """Loads the rule tree of the variant and applies the switches."""
        tree = variant_tree(self.rules)
        for switch in self.switches:
            apply_switch(tree, switch)
        return tree


def names(value: str) -> list[str]:
    """Parses a list of names; `none` is empty."""
    return [] if value == "none" else value.split()


def yes(value: str) -> bool:
    """Parses `yes` or `no`."""
    return {"yes": True, "no": False}[value]


def outcome(value: str) -> tuple[str | None, str] | None:
    """Parses `attackers king_captured`, `draw repetition` or `none`."""
    if value == "none":
        return None
    winner, reason = value.split()
    return None if winner == "draw" else winner, reason


READERS: dict[str, Callable[[str], object]] = {
    "clause": lambda value: tuple(value.split()),
    "note": str,
    "turn": str,
    "quiet": int,
    "going": str,
    "calls": lambda value: tuple(value.split()),
    "move": lambda value: tuple(value.split()),
    "illegal": str,
    "after": lambda value: tuple(value.split()),
    "captures": names,
    "outcome": outcome,
    "legal_moves": int,
    "includes": lambda value: tuple(value.split()),
    "excludes": lambda value: tuple(value.split()),
    "exits": int,
    "danger": yes,
    "owed": names,
    "required": int,
    "called": yes,
    "must_replay": lambda value: None if value == "none" else value,
    "refused": yes,
}
FIELDS = {"clause": "clauses", "move": "moves", "illegal": "code"}


def pack_rows(lines: list[str]) -> str:
    """Returns `3t3/...` for drawn ranks, the top rank first."""
    rows = ["".join(line.split()) for line in lines]
    return "/".join(re.sub(r"\.+", lambda dots: str(len(dots.group())), row) for row in rows)


def read_line(entry: Worked, line: str) -> None:
    """Adds one line, not one of a board, to an entry."""
    key, _, value = (part.strip() for part in line.partition(":"))
    entry.keys.add(key)
    if key == "passed":
        entry.passed = True
    elif key == "rules":
        entry.rules, *switches = value.split()
        entry.switches = tuple(switches)
    elif key in READERS:
        setattr(entry, FIELDS.get(key, key), READERS[key](value))
    else:
        raise ValueError(f"{entry.source}: {line!r} is no line of a worked position")


def parse_worked(text: str, source: str) -> list[Worked]:
    """Parses all entries of a file."""
    entries: list[Worked] = []
    ranks: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("id:"):
            entries.append(Worked(line.partition(":")[2].strip(), f"{source}:{number}"))
        elif rank := RANK.fullmatch(line):
            ranks.append(rank.group(1))
        elif FILES.fullmatch(line):
            setattr(entries[-1], "after_rows" if "after" in entries[-1].keys else "rows", pack_rows(ranks))
            ranks = []
        else:
            read_line(entries[-1], line)
    return entries


def load_worked() -> list[Worked]:
    """Reads every file of tests/rules."""
    files = sorted((TESTS / "rules").glob("*.txt"))
    return [entry for file in files for entry in parse_worked(file.read_text("utf-8"), file.name)]


def variant_tree(identity: str) -> dict[str, Any]:
    """Loads the rule tree of a variant from its file, a new one each time."""
    tree: dict[str, Any] = tomllib.loads((VARIANTS / f"{identity}.toml").read_text("utf-8"))["rules"]
    return tree


def apply_switch(tree: dict[str, Any], switch: str) -> None:
    """Sets one leaf, `leaf=value`, or one entry of a map, `leaf.kind=value`, in a rule tree.

    Lists are separated by commas and may be empty; of camps, the groups are separated by `/`;
    `repetition` is `count,result`, and another map has its values in the order of the file.
    """
    path, _, value = switch.partition("=")
    leaf, _, kind = path.partition(".")
    section = next((branch for branch in (tree, *sections(tree)) if leaf in branch), None)
    if section is None:  # a word of the section that a file may leave out, and any key of it
        tree.setdefault("special", {})[leaf] = value
        return
    if kind:
        section, leaf = section[leaf], kind
    if leaf == "camps":
        section[leaf] = [group.split(",") for group in value.split("/")]
    elif leaf == "repetition":
        count, result = value.split(",")
        section[leaf] = {"count": int(count), "result": result}
    elif isinstance(section[leaf], bool):
        section[leaf] = {"true": True, "false": False}[value]
    elif isinstance(section[leaf], list):
        section[leaf] = [item for item in value.split(",") if item]
    elif isinstance(section[leaf], dict):
        parts = zip(section[leaf].items(), value.split(","), strict=True)
        section[leaf] = {name: type(old)(part) for (name, old), part in parts}
    else:
        section[leaf] = type(section[leaf])(value)


def sections(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the sections of a rule tree: board, movement, hostility, capture, ends."""
    return [branch for branch in tree.values() if isinstance(branch, dict)]
