"""Converts OpenTafl's rules to a rule tree, with a list of what it cannot express.

OpenTafl's program contradicts its own specification in places. The caller chooses which to follow; the
functions below name the differences.
"""

from collections.abc import Iterable, Sequence

from hnefi.formats.gaps import Gap
from hnefi.formats.opentafl.position import PIECE_LETTERS, UNKNOWN_LETTERS, Diagram
from hnefi.formats.opentafl.rules_text import ALL, Kinds, RulesText
from hnefi.variants.schema import TreeDict

KIND_LETTERS = {"attackers": "t", "defenders": "T", "king": "K"}
"""The kinds of pieces, and OpenTafl's letters for them."""

FIXED_ENDS = {
    "king_captured": "attackers_win",
    "guards_captured": "none",
    "attackers_captured": "defenders_win",
    "tuichi": "none",
    "no_move": "loses",
    "quiet_limit": 0,
}
"""The ends that OpenTafl always plays so."""

_NOBODY: Kinds = frozenset()
_ARMED = {"y": "both", "a": "anvil", "h": "hammer", "n": "none"}
_WALLS = {"n": "none", "w": "pieces", "s": "with_corner"}
JUMPERS = {"kj": "king", "cj": "commanders", "nj": "knights"}
JUMP_OWNERS = {"kj": "K", "nj": "nN", "cj": "cC", "mj": "mM", "gj": "gG"}
"""The keys of jumps, with the kinds that have them in rule trees and the letters of all kinds."""

_JUMP_WORDS = {"n": "none", "r": "restricted", "j": "over", "c": "capture"}


def tree_of(rules: RulesText, *, follow_specification: bool = False) -> tuple[TreeDict, tuple[Gap, ...]]:
    """Returns the nearest rule tree, and what it cannot express.

    Args:
        follow_specification: Whether the string follows the specification where the program differs from it.
    """
    return _Reading(rules, follow_specification).tree()


def corner_squares(size: int, depth: int) -> frozenset[str]:
    """Returns the squares of the corner blocks.

    >>> sorted(corner_squares(7, 1))
    ['a1', 'a7', 'g1', 'g7']
    """
    near = (*range(depth), *range(size - depth, size))
    return frozenset(f"{chr(97 + file)}{rank + 1}" for file in near for rank in near)


class _Reading:
    def __init__(self, rules: RulesText, follow_specification: bool) -> None:
        self._rules = rules
        self._by_specification = follow_specification
        self._gaps: list[Gap] = []
        self._enter = self._re_entry()

    def tree(self) -> tuple[TreeDict, tuple[Gap, ...]]:
        rules = self._rules
        self._special_pieces()
        throne, corners = self._throne(), self._corners()
        camps, camp_hostile = self._camps()
        tree: TreeDict = {
            "first": "attackers" if rules.atkf else "defenders",
            "board": {
                "size": rules.dim,
                "start": _drawn(rules.start),
                "throne": throne,
                "corners": corners,
                "camps": camps,
            },
            "movement": self._movement(throne != "none", corners),
            "hostility": {
                "throne_hostile": self._throne_hostile(throne != "none"),
                "corner_hostile": {
                    kind: "empty" if corners != "none" and letter in rules.corh else "never"
                    for kind, letter in KIND_LETTERS.items()
                },
                "edge_hostile_king": rules.ks == "m",
                "camp_hostile": camp_hostile,
            },
            "capture": self._capture(throne != "none", corners),
            "ends": self._ends(),
            **self._special(camp_hostile),
        }
        for key in rules.unknown:
            self._gap("unknown_key", key=key)
        return tree, tuple(self._gaps)

    def _re_entry(self) -> dict[str, Kinds]:
        """Returns which pieces may enter each group of special squares from outside.

        The program reads the other three keys only beside `cenre`; a key missing there means no piece.
        """
        rules = self._rules
        given = {"cor": rules.corre, "cen": rules.cenre, "afor": rules.aforre, "dfor": rules.dforre}
        absent = ALL
        if not self._by_specification:
            if rules.cenre is None:
                given = dict.fromkeys(given)
            else:
                absent = _NOBODY
        return {group: absent if kinds is None else kinds for group, kinds in given.items()}

    def _special_pieces(self) -> None:
        present = {letter for row in self._rules.start for letter in row}
        if letters := present & UNKNOWN_LETTERS:
            self._gap("special_pieces", letters=" ".join(sorted(letters)))
        for key, owners in JUMP_OWNERS.items():
            value = getattr(self._rules, key)
            if value != "n" and key not in JUMPERS and present & set(owners):
                self._gap("jumps", key=key, value=value)
        if self._rules.ber == "m":
            self._gap("berserk", value=self._rules.ber)

    def _special(self, camp_hostile: list[str]) -> TreeDict:
        """Returns the section for ranks, turns of several captures and occupied camps, empty without them."""
        rules, present = self._rules, {letter for row in self._rules.start for letter in row}
        special: TreeDict = {}
        if "attackers" in camp_hostile:
            special["occupied_camps"] = "hostile"
            self._gap("occupied_camps", key="occupied_camps")
        jumps = {
            name: _JUMP_WORDS[getattr(rules, key)] if present & set(JUMP_OWNERS[key]) else "none"
            for key, name in JUMPERS.items()
        }
        if rules.ber == "n" and set(jumps.values()) == {"none"}:
            return {"special": special} if special else {}
        pair = "open" if present & set("cC") else "none"
        berserk = "none" if rules.ber == "n" else "must"
        return {"special": {**special, "berserk": berserk, "jumps": jumps, "commander_pair": pair}}

    def _throne(self) -> str:
        centre = f"{chr(97 + self._rules.dim // 2)}{self._rules.dim // 2 + 1}"
        squares = self._rules.cen
        if squares is None or set(squares) == {centre}:
            return "centre" if self._rules.dim % 2 else "none"
        if squares:
            self._gap("squares", key="cen", squares=",".join(squares))
        return "none"

    def _corners(self) -> str:
        """Returns the kind of corners; other goal squares become the corners of the board."""
        size, squares = self._rules.dim, self._rules.cor
        if squares is None or set(squares) == corner_squares(size, 1):
            return "1x1"
        if set(squares) == corner_squares(size, 2):
            return "2x2"
        if squares:
            self._gap("squares", key="cor", squares=",".join(squares))
        return "1x1" if squares and self._rules.esc == "c" else "none"

    def _camps(self) -> tuple[list[list[str]], list[str]]:
        """Returns the camps: squares that no piece enters from outside. Open forts are not camps."""
        rules = self._rules
        if rules.dfor:
            self._gap("defender_forts", squares=",".join(rules.dfor))
        if not rules.afor:
            return [], []
        hostile = _kinds(rules.aforh)
        inside = rules.afors & rules.aforp
        if _kinds(self._enter["afor"]):
            if hostile or not set("tTK") <= inside:
                self._gap("open_forts", squares=",".join(rules.afor))
            return [], []
        if "t" not in inside:
            self._gap("closed_forts", squares=",".join(rules.afor))
        return groups_of(rules.afor), hostile

    def _movement(self, has_throne: bool, corners: str) -> TreeDict:
        rules = self._rules
        entering_throne, entering_corner = self._enter["cen"], self._enter["cor"]
        if corners == "2x2" and _kinds(rules.corp) != _kinds(rules.cors & entering_corner):
            kinds = "".join(letter for letter in PIECE_LETTERS if letter in rules.corp)
            self._gap("corner_passing", kinds=kinds or "-")
        return {
            "range": {kind: self._range(letter) for kind, letter in KIND_LETTERS.items()},
            "throne_stop": _kinds(rules.cens & entering_throne if has_throne else ALL),
            "throne_pass": _kinds(rules.cenp & entering_throne if has_throne else ALL),
            "corner_stop": _kinds(rules.cors & entering_corner if corners != "none" else ALL),
        }

    def _range(self, letter: str) -> int:
        """Returns the longest move. The program ignores two numbers."""
        speeds = self._rules.spd
        if len(speeds) == 1:
            speed = speeds[0]
        elif len(speeds) == 2:
            speed = speeds[letter != "t"] if self._by_specification else -1
            if not self._by_specification and letter == "t":
                self._gap("two_speeds", speeds=",".join(map(str, speeds)))
        else:
            order = PIECE_LETTERS if len(speeds) == 12 else PIECE_LETTERS.replace("g", "").replace("G", "")
            order = order.replace("m", "").replace("M", "") if len(speeds) == 8 else order
            speed = speeds[order.index(letter)]
        if speed == 0 or speed > 18:
            self._gap("speed", letter=letter, speed=str(speed))
        return max(0, min(speed, 18))

    def _throne_hostile(self, has_throne: bool) -> TreeDict:
        found = dict.fromkeys(KIND_LETTERS, "never")
        rules = self._rules
        if not has_throne:
            return found
        for kind, letter in KIND_LETTERS.items():
            if letter in rules.cenhe:
                found[kind] = "always" if letter in rules.cenh else "empty"
            elif letter in rules.cenh and not (kind == "attackers" and rules.ka in "ya"):
                # Against attackers, a king who is an anvil has the same effect.
                self._gap("occupied_throne_only", letter=letter)
        return found

    def _capture(self, has_throne: bool, corners: str) -> TreeDict:
        rules = self._rules
        near = "custodial" if rules.ks == "w" or (rules.ks == "c" and not has_throne) else "four_sides"
        walls = _WALLS[rules.sw]
        if rules.sw != "n" and not rules.swf:
            self._gap("unflanked_shieldwall")
        if rules.linc and not has_throne:
            self._gap("linnaean_without_throne")
        return {
            "king_armed": _ARMED[rules.ka],
            "king_capture": {
                "on_throne": near,
                "beside_throne": near,
                "elsewhere": "custodial" if rules.ks in "cw" else "four_sides",
            },
            "linnaean": "guard" if rules.linc and has_throne else "none",
            "blocked_groups": "none",
            "shieldwall": "pieces" if walls == "with_corner" and corners == "none" else walls,
        }

    def _ends(self) -> TreeDict:
        rules = self._rules
        return {
            **FIXED_ENDS,
            "goal": "corner" if rules.esc == "c" else "edge",
            "enclosure": "attackers_win" if rules.surf else "none",
            "exit_fort": "defenders_win" if rules.efe else "none",
            "repetition": self._repetition(),
        }

    def _repetition(self) -> TreeDict:
        """Returns the repetition rule: in the program `w` makes the mover lose, and `i` is a draw."""
        written = self._rules.tfr
        meant = written if self._by_specification else {"w": "l", "l": "w", "i": "d"}.get(written, written)
        if meant == "i":
            return {"count": 0, "result": "none"}
        if meant == "w":
            self._gap("mover_wins_repetition", value=written)
        return {"count": 3, "result": "mover_loses" if meant == "l" else "draw"}

    def _gap(self, code: str, **facts: str) -> None:
        gap = Gap(f"rules.{code}", facts)
        if gap not in self._gaps:
            self._gaps.append(gap)


def groups_of(squares: Sequence[str]) -> list[list[str]]:
    """Returns the squares in connected groups, in the order of their first squares.

    >>> groups_of(["a1", "c1", "a2", "c2", "b5"])
    [['a1', 'a2'], ['c1', 'c2'], ['b5']]
    """
    left = dict.fromkeys(squares)
    groups: list[list[str]] = []
    while left:
        group, waiting = [], [next(iter(left))]
        while waiting:
            square = waiting.pop()
            if square in left:
                del left[square]
                group.append(square)
                file, rank = ord(square[0]), int(square[1:])
                waiting += [
                    f"{chr(file + right)}{rank + up}" for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0))
                ]
        groups.append(sorted(group, key=lambda name: (name[0], int(name[1:]))))
    return groups


def _kinds(letters: Iterable[str]) -> list[str]:
    return [kind for kind, letter in KIND_LETTERS.items() if letter in set(letters)]


def _drawn(diagram: Diagram) -> str:
    """Formats a start position; unsupported pieces become soldiers of their side."""
    letters = str.maketrans({letter: "t" if letter.islower() else "T" for letter in UNKNOWN_LETTERS})
    return "\n".join(row.translate(letters) for row in diagram)
