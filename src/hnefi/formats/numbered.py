"""The format `pgn`: numbered moves below headers, as in playtafl.org, hnefatafl.org and Walker's files.

`1. h1h3 g5g2 2. h3h2`: one number for the moves of both sides; a number for each, `1. h1h3 2. g5g2`, is read
too. Walker writes moves as `e5-e8xe9/f8+`.
Comments, glyphs and variations are those of chess PGN: `1. d2c2! {why} (1. e2c2) 1... d5c5 $6 ; to the end`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.bare import RESULT_WORDS, gaps_of, simple_notation, undecorated
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.gaps import Gap
from hnefi.formats.lines import LARGEST_GAME, TextLine, follows_archive, lines_of
from hnefi.formats.numbered_moves import MOVE, NUMBER, WORD, NumberedMoves, changes_comments, numbered
from hnefi.formats.raw_game import RawGame
from hnefi.record.faults import in_game, record_error
from hnefi.record.headers import check_value
from hnefi.record.writer import wrapped

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,60})\s+"([^"]*)"\]\s*')
# The number of the first move of a game, not of the one after it (`1...`).
_FIRST_MOVE = re.compile(r"\s*1\.(?!\.)")
# A comment, or a line with a header, which may have the signs of one.
_COMMENT = re.compile(r"(?m)^([ \t]*\[.*)$|\{[^}]*(?:\}|\Z)|;.*")
# Ambiguous: some files count the first side first, as in chess; others count White, which moves second here.
_SCORES = ("1-0", "0-1")
_CLOSED = ("Calls", "Sanction", "Replay", "WrongNumber", "Match", "Leg")
# Values that are checked: without them, a game of changed rules would come back under other rules.
_CHECKED = ("Rules", "Revision", "Switches", "Base", "Start", "Reason")
_SIDES = {"White": "Defenders", "Black": "Attackers"}
_SHORT = 0.5
"""The confidence in headers with one move or none, which the native format may have written too."""

_UNFINISHED = 0.6
"""That in headers with one move and no result, which the native format has at the end of its moves."""

_EMPTY = 0.8
"""That in headers with the `*` of games without moves."""


@dataclass(slots=True)
class _Draft:
    """A game that is being parsed."""

    line: int
    headers: dict[str, str] = field(default_factory=dict)
    moves: NumberedMoves = field(default_factory=NumberedMoves)
    gaps: list[Gap] = field(default_factory=list)
    header_faults: list[RecordError] = field(default_factory=list)
    fault: RecordError | None = None
    """The first fault of the moves, or of the text as a whole; nothing is read after it."""

    size: int = 0
    has_moves: bool = False

    def ends_before(self, text: str) -> bool:
        """Checks whether a line begins the next game: it has a header after moves, or the number 1 again."""
        if not self.has_moves or self.moves.is_in_comment:
            return False
        is_again = bool(_FIRST_MOVE.match(text) and (self.moves.written or self.fault))
        return is_again or text.lstrip().startswith("[")


class NumberedFormat(Format):
    """Records with headers as in chess PGN and numbered moves, which may name captures and the result."""

    name = "pgn"
    extensions = (".pgn",)

    def recognise(self, head: str) -> float:
        """Returns a high confidence if the text has headers and a first number with its move."""
        lines = [line for line in _COMMENT.sub(r"\1 ", head).splitlines() if line.strip()]
        headers, alone = 0, _SHORT
        for place, line in enumerate(lines[:60]):
            if _HEADER.fullmatch(line.strip()):
                headers += 1
                continue
            if line.strip() == "*":
                alone = _EMPTY
                continue
            # A number or a move may stand on a line of its own, as in a list that was copied from a page.
            text = _without_variations(" ".join(lines[place : place + 3]))
            words = ["".join(word.split()) for word in WORD.findall(undecorated(text))]
            if not words:
                continue
            number = NUMBER.match(words[0])
            if number is None or number[1] != "1":
                return 0.0
            words = [words[0][number.end() :], *words[1:]] if words[0][number.end() :] else words[1:]
            if not words or not MOVE.fullmatch(words[0]):
                return 0.0
            # The native format counts each move.
            is_pair = len(words) > 1 and (MOVE.fullmatch(words[1]) or words[1].startswith("1.."))
            short = _UNFINISHED if len(words) == 1 or words[1].startswith("[") else _SHORT
            return (0.95 if is_pair else short) if headers else (0.75 if is_pair else 0.4)
        return alone if headers else 0.0

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games; a header after moves, or the number 1 again, begins the next."""
        game, draft = 1, None
        for line in lines_of(stream):
            if draft is not None and (draft.ends_before(line.text) or follows_archive(line.fault)):
                yield _finished(draft, game, options)
                game, draft = game + 1, None
            if draft is None:
                if not line.text.strip() and line.fault is None:
                    continue
                draft = _Draft(line.number)
            self._take(draft, line, game)
        if draft is not None:
            yield _finished(draft, game, options)

    def _take(self, draft: _Draft, line: TextLine, game: int) -> None:
        draft.size += len(line.text) + 1
        is_header = line.text.lstrip().startswith("[") and not draft.moves.is_in_comment
        draft.has_moves = draft.has_moves or (bool(line.text.strip()) and not is_header)
        fault = None
        if line.fault is not None:
            fault = in_game(line.fault, game)
        elif draft.size > LARGEST_GAME:
            place = (draft.line, 1)
            draft.fault = draft.fault or record_error("game_too_long", place, game=game, limit=LARGEST_GAME)
            draft.moves = NumberedMoves()
        elif draft.fault is None:
            try:
                if is_header:
                    _read_header(draft, line)
                else:
                    _read_moves(draft, line)
            except RecordError as error:
                fault = in_game(error, game)
        if is_header and fault is not None:
            draft.header_faults.append(fault)
        else:
            draft.fault = draft.fault or fault

    def write(self, raw: RawGame) -> Written:
        """Formats the headers, and the moves with comments, glyphs and variations, two moves per number."""
        pairs = [(name, value) for name, value in raw.headers if name not in _CLOSED]
        lost = gaps_of(raw, [name for name, _ in pairs])
        gaps = [gap for gap in lost if gap.code not in ("comments", "side_lines")]
        if raw.full_record and any(one.comments and not one.move for one in raw.full_record.every_node()):
            gaps.append(Gap("comments"))
        kept = []
        for name, value in pairs:
            plain = " ".join(value.replace('"', "”").split())
            if plain != value:
                gaps.append(Gap("signs"))
            kept.append(f'[{name} "{plain}"]\n')
        moves = simple_notation(raw)
        record = raw.full_record
        played = record.counted if record else []
        comments = record.comments if record else ()
        if changes_comments(played, comments):
            gaps.append(Gap("signs"))
        # The end of a game without moves: the next header would belong to it.
        text = wrapped(numbered(moves, played, comments)) if moves else "*"
        return Written(f"{''.join(kept)}\n{text}\n\n", tuple(dict.fromkeys(gaps)))


def _without_variations(text: str) -> str:
    """Returns a text without what stands in brackets, and without what follows one that is not closed."""
    parts, depth = [], 0
    for part in re.split(r"([()])", text):
        depth = depth + 1 if part == "(" else max(0, depth - 1) if part == ")" else depth
        if depth == 0 and part != ")":
            parts.append(part)
    return " ".join(parts)


def _result(draft: _Draft, text: str) -> str | None:
    """Returns the result that a word means, None if it is no result."""
    if text not in _SCORES:
        return RESULT_WORDS.get(text.lower())
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
            expected = " | ".join(RESULT_WORDS)
            raise record_error("bad_outcome", (line.number, 1), found=value, expected=expected)
        value = result
    elif name in _CLOSED or (name in _CHECKED and not _is_valid(name, value)):
        draft.gaps.append(Gap("tag", {"name": name}))
        return
    draft.headers[name] = value


def _is_valid(name: str, value: str) -> bool:
    """Checks whether records may have a header with this value."""
    try:
        check_value(name, value)
    except RecordError:
        return False
    return True


def _read_moves(draft: _Draft, line: TextLine) -> None:
    for place, word in draft.moves.words(line.text):
        try:
            rest = draft.moves.take(word, line.number)
        except RecordError as error:
            raise record_error(error.code, (line.number, place + 1), **error.parameters) from None
        if rest.startswith("$"):
            draft.gaps.append(Gap("glyph", {"glyph": rest}))
        elif rest:
            result = _result(draft, rest)
            if result is None:
                raise record_error("bad_move", (line.number, place + 1), text=rest)
            draft.headers.setdefault("Result", result)


def _finished(draft: _Draft, game: int, options: ReadOptions) -> RawGame | RecordError:
    fault, moves = draft.fault, draft.moves
    if fault is None and moves.open_part:
        fault = record_error(moves.open_part, (draft.line, 1), game=game)
    if draft.header_faults and not options.lenient:
        return draft.header_faults[0]
    if fault is not None and not (options.lenient and moves.written):
        return fault
    headers = with_variant([*draft.headers.items()], options)
    if "Result" not in draft.headers:
        headers = (*headers, ("Result", "*"))
    try:
        record = moves.record(headers)
    except RecordError as error:
        return record_error(error.code, (draft.line, 1), **{**error.parameters, "game": str(game)})
    gaps = tuple(dict.fromkeys(draft.gaps))
    raw = RawGame(
        headers,
        moves.written,
        full_record=record,
        lines=moves.lines,
        omits_captures=True,
        game=game,
        line=draft.line,
        gaps=gaps,
        faults=tuple(draft.header_faults),
    )
    return raw if fault is None else raw.cut_before(*draft.header_faults, fault)
