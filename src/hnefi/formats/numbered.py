"""The format `pgn`: numbered moves below headers, as in playtafl.org, hnefatafl.org and Walker's files.

`1. h1h3 g5g2 2. h3h2`: one number for the moves of both sides. Walker writes moves as `e5-e8xe9/f8+`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.bare import CAPTURES, gaps_of, simple_notation, undecorated
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.gaps import Gap
from hnefi.formats.lines import LARGEST_GAME, TextLine, lines_of
from hnefi.formats.raw_game import RawGame
from hnefi.pieces import Reason
from hnefi.record.faults import record_error

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,60})\s+"([^"]*)"\]\s*')
_NUMBER = re.compile(r"([0-9]{1,5})\.+")
_SQUARE = r"[a-s](?:1[0-9]|[1-9])"
_MOVE = re.compile(
    rf"[KkNnCc]?({_SQUARE})[-–]?({_SQUARE})((?:[x×:/][KkNnCc]?{_SQUARE})*)(\+{{0,2}}|#)", re.IGNORECASE
)
_TAKEN = re.compile(rf"[x×:/]([KkNnCc]?)({_SQUARE})", re.IGNORECASE)
_WORD = re.compile(rf"\S+(?:\s+{CAPTURES})*", re.IGNORECASE)
_RESULTS = {
    "attackers": "attackers",
    "black": "attackers",
    "defenders": "defenders",
    "white": "defenders",
    "draw": "draw",
    "1/2-1/2": "draw",
    "*": "*",
}
# Ambiguous: some files count the first side first, as in chess; others count White, which moves second here.
_SCORES = ("1-0", "0-1")
_CLOSED = (
    "Calls",
    "Sanction",
    "Replay",
    "WrongNumber",
    "Match",
    "Leg",
    "Rules",
    "Revision",
    "Switches",
    "Start",
)
_SIDES = {"White": "Defenders", "Black": "Attackers"}
_LINE = 80


@dataclass(slots=True)
class _Draft:
    """A game that is being parsed."""

    line: int
    headers: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    fault: RecordError | None = None
    size: int = 0
    has_moves: bool = False


class NumberedFormat(Format):
    """Records with headers as in chess PGN and numbered moves, which may name captures and the result."""

    name = "pgn"
    extensions = (".pgn",)

    def recognise(self, head: str) -> float:
        """Returns a high confidence if the text has headers and a first number with its move."""
        lines = [line for line in head.splitlines() if line.strip()]
        headers = 0
        for place, line in enumerate(lines[:60]):
            if _HEADER.fullmatch(line.strip()):
                headers += 1
                continue
            # A number may stand on a line of its own, as in a list that was copied from a page.
            text = " ".join(lines[place : place + 3]) if _NUMBER.fullmatch(line.strip()) else line
            words = ["".join(word.split()) for word in _WORD.findall(undecorated(text))]
            if not words:
                continue
            number = _NUMBER.match(words[0])
            if number is None or number[1] != "1":
                return 0.0
            words = [words[0][number.end() :], *words[1:]] if words[0][number.end() :] else words[1:]
            if not words or not _MOVE.fullmatch(words[0]):
                return 0.0
            # The native format counts each move.
            is_pair = len(words) > 1 and _MOVE.fullmatch(words[1]) is not None
            return (0.95 if is_pair else 0.45) if headers else (0.75 if is_pair else 0.4)
        return 0.0

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games; a header after moves, or the number 1 again, begins the next."""
        game, draft = 1, None
        for line in lines_of(stream):
            is_header = line.text.lstrip().startswith("[")
            if draft is not None and draft.has_moves and (is_header or _begins_game(line.text)):
                yield _finished(draft, game, options)
                game, draft = game + 1, None
            if draft is None:
                if not line.text.strip() and line.fault is None:
                    continue
                draft = _Draft(line.number)
            self._take(draft, line, game, options)
        if draft is not None:
            yield _finished(draft, game, options)

    def _take(self, draft: _Draft, line: TextLine, game: int, options: ReadOptions) -> None:
        draft.size += len(line.text) + 1
        is_header = line.text.lstrip().startswith("[")
        draft.has_moves = draft.has_moves or (bool(line.text.strip()) and not is_header)
        if line.fault is not None:
            facts = {"limit": line.fault.parameters.get("limit", "")}
            draft.fault = draft.fault or record_error(line.fault.code, (line.number, 1), game=game, **facts)
        elif draft.size > LARGEST_GAME:
            place = (draft.line, 1)
            draft.fault = draft.fault or record_error("game_too_long", place, game=game, limit=LARGEST_GAME)
            draft.moves.clear()
        elif draft.fault is None:
            try:
                if is_header:
                    _read_header(draft, line)
                else:
                    _read_moves(draft, line)
            except RecordError as error:
                facts = {name: value for name, value in error.parameters.items() if name not in _PLACE}
                draft.fault = record_error(error.code, (line.number, error.column), game=game, **facts)
                if options.lenient:
                    draft.gaps.append(Gap("passed_over", {"line": str(line.number), "fault": error.code}))

    def write(self, raw: RawGame) -> Written:
        """Formats the headers and the main line, two moves per number."""
        pairs = [(name, value) for name, value in raw.headers if name not in _CLOSED]
        gaps = list(gaps_of(raw, [*(name for name, _ in pairs), "Rules", "Revision"]))
        kept = []
        for name, value in pairs:
            plain = " ".join(value.replace('"', "”").split())
            if plain != value:
                gaps.append(Gap("signs"))
            kept.append(f'[{name} "{plain}"]\n')
        moves = simple_notation(raw)
        units = []
        for place in range(0, len(moves), 2):
            units += [f"{place // 2 + 1}.", *moves[place : place + 2]]
        return Written(f"{''.join(kept)}\n{_wrapped(units)}\n\n", tuple(dict.fromkeys(gaps)))


_PLACE = ("line", "column", "game")


def _begins_game(text: str) -> bool:
    """Checks whether a line begins with move number 1."""
    number = _NUMBER.match(text.lstrip())
    return number is not None and number[1] == "1"


def _result(draft: _Draft, text: str) -> str | None:
    """Returns the result that a word means, None if it is no result."""
    if text not in _SCORES:
        return _RESULTS.get(text.lower())
    gap = Gap("score", {"score": text})
    if gap not in draft.gaps:
        draft.gaps.append(gap)
    return "*"


def _read_header(draft: _Draft, line: TextLine) -> None:
    match = _HEADER.fullmatch(line.text.strip())
    if match is None:
        raise record_error("bad_header", (line.number, 1), found=line.text)
    name, value = _SIDES.get(match[1], match[1]), match[2]
    if name in draft.headers:
        raise record_error("duplicate_header", (line.number, 1), name=name)
    if name == "Result":
        result = _result(draft, value)
        if result is None:
            expected = " | ".join(_RESULTS)
            raise record_error("bad_outcome", (line.number, 1), found=value, expected=expected)
        value = result
    elif name in _CLOSED or (name == "Reason" and value not in {reason.value for reason in Reason}):
        draft.gaps.append(Gap("tag", {"name": name}))
        return
    draft.headers[name] = value


def _read_moves(draft: _Draft, line: TextLine) -> None:
    for word in _WORD.finditer(undecorated(line.text)):
        text = "".join(word.group().split())
        while number := _NUMBER.match(text):
            expected = len(draft.moves) // 2 + 1
            if number[1] != str(expected):
                place = (line.number, word.start() + 1)
                raise record_error("wrong_number", place, found=number[1], expected=expected)
            text = text[number.end() :]
        if not text:
            continue
        if (result := _result(draft, text)) is not None:
            draft.headers.setdefault("Result", result)
            continue
        match = _MOVE.fullmatch(text)
        if match is None:
            raise record_error("bad_move", (line.number, word.start() + 1), text=text)
        soldiers = [square for king, square in _TAKEN.findall(match[3]) if king not in ("K", "k")]
        draft.moves.append("".join((match[1], "-", match[2], *(f"x{square}" for square in soldiers))))


def _finished(draft: _Draft, game: int, options: ReadOptions) -> RawGame | RecordError:
    if draft.fault is not None and not (options.lenient and draft.moves):
        return draft.fault
    headers = with_variant([*draft.headers.items()], options)
    if "Result" not in draft.headers:
        headers = (*headers, ("Result", "*"))
    return RawGame(headers, tuple(draft.moves), game=game, line=draft.line, gaps=tuple(draft.gaps))


def _wrapped(units: list[str]) -> str:
    lines, width = [""], 0
    for unit in units:
        if width and width + 1 + len(unit) > _LINE:
            lines.append(unit)
            width = len(unit)
        else:
            lines[-1] += f" {unit}" if width else unit
            width += len(unit) + (1 if width else 0)
    return "\n".join(lines)
