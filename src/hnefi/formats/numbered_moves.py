"""The moves of a numbered game with comments, glyphs and variations as in chess PGN, taken line by line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from hnefi._core import format_move, parse_move
from hnefi.errors import IllegalMove
from hnefi.formats.bare import CAPTURES, undecorated
from hnefi.record import GLYPHS, MAX_DEPTH, Node, Record, Variation
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.record.headers import Headers

_SQUARE = r"[a-s](?:1[0-9]|[1-9])"
MOVE = re.compile(
    rf"[KkNnCc]?({_SQUARE})[-–]?({_SQUARE})((?:[x×:/][KkNnCc]?{_SQUARE})*)(?:\+{{0,2}}|#)([!?]{{0,2}})",
    re.IGNORECASE,
)
NUMBER = re.compile(r"([0-9]{1,5})\.+")
_TAKEN = re.compile(rf"[x×:/]([KkNnCc]?)({_SQUARE})", re.IGNORECASE)
WORD = re.compile(rf"[()]|[^\s()]+(?:\s+{CAPTURES})*", re.IGNORECASE)
_NUMBERED_GLYPHS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}


@dataclass(slots=True)
class _Move:
    text: str
    line: int
    glyph: str = ""
    comments: list[str] = field(default_factory=list)
    variations: list["_Line"] = field(default_factory=list)


@dataclass(slots=True)
class _Line:
    """A line of moves, and how many moves of the game precede it."""

    before: int
    comments: list[str] = field(default_factory=list)
    moves: list[_Move] = field(default_factory=list)


class NumberedMoves:
    """The moves of a game that is being parsed."""

    def __init__(self) -> None:
        self._lines = [_Line(0)]
        self._comment: list[str] | None = None
        self._is_plain = True
        self._plies_per_number = 2

    @property
    def is_in_comment(self) -> bool:
        """Whether a comment is open."""
        return self._comment is not None

    @property
    def open_part(self) -> str:
        """The code of the fault if the game ended here: an open comment or variation; empty if none is."""
        return "unclosed_comment" if self.is_in_comment else "unclosed_variation" if self._lines[1:] else ""

    @property
    def written(self) -> tuple[str, ...]:
        """The moves of the main line."""
        return tuple(move.text for move in self._lines[0].moves)

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the moves of the main line."""
        return tuple(move.line for move in self._lines[0].moves)

    def words(self, text: str) -> Iterator[tuple[int, str]]:
        """Iterates over the words of a line outside comments, with their offsets; keeps the comments."""
        place = 0
        while place < len(text):
            if self._comment is not None:
                end = text.find("}", place)
                self._comment.append(text[place : end if end >= 0 else None])
                if end < 0:
                    return
                self._add_comment(" ".join(" ".join(self._comment).split()))
                self._comment = None
                place = end + 1
                continue
            ends = [at for at in (text.find(sign, place) for sign in "{;") if at >= 0]
            end = min(ends, default=len(text))
            for word in WORD.finditer(undecorated(text[place:end])):
                yield place + word.start(), "".join(word.group().split())
            if text[end : end + 1] == ";":
                self._add_comment(text[end + 1 :].strip())
                return
            if end < len(text):
                self._comment = []
            place = end + 1

    def _add_comment(self, text: str) -> None:
        line = self._lines[-1]
        if text:
            (line.moves[-1] if line.moves else line).comments.append(text)
            self._is_plain = False

    def take(self, word: str, at_line: int) -> str:
        """Takes a word; returns what of it is neither a move nor a part of the tree: a result, or a glyph.

        Raises:
            RecordError: `wrong_number`, `variation_without_move`, `empty_variation`, `unopened_variation`,
                `too_deep`.
        """
        line = self._lines[-1]
        while number := NUMBER.match(word):
            played = line.before + len(line.moves)
            if played == 1 and number[1] == "2":
                # As the native format does, and many who write by hand.
                self._plies_per_number = 1
            expected = played // self._plies_per_number + 1
            if number[1] != str(expected):
                raise record_error("wrong_number", found=number[1], expected=expected)
            word = word[number.end() :]
        if word in ("(", ")"):
            self._turn(word, line)
            return ""
        glyph = _NUMBERED_GLYPHS.get(word, word)
        if glyph in GLYPHS and line.moves:
            line.moves[-1].glyph = glyph
            self._is_plain = False
            return ""
        match = MOVE.fullmatch(word)
        if match is None:
            return word
        soldiers = [square for king, square in _TAKEN.findall(match[3]) if king not in ("K", "k")]
        text = "".join((match[1], "-", match[2], *(f"x{one}" for one in soldiers)))
        line.moves.append(_Move(text, at_line, match[4]))
        self._is_plain = self._is_plain and not match[4]
        return ""

    def _turn(self, bracket: str, line: _Line) -> None:
        """Begins or ends a variation."""
        self._is_plain = False
        if bracket == "(":
            if not line.moves:
                raise record_error("variation_without_move")
            if len(self._lines) > MAX_DEPTH:
                raise record_error("too_deep", limit=MAX_DEPTH)
            self._lines.append(_Line(line.before + len(line.moves) - 1))
            line.moves[-1].variations.append(self._lines[-1])
        elif len(self._lines) == 1:
            raise record_error("unopened_variation")
        elif not line.moves:
            raise record_error("empty_variation")
        else:
            self._lines.pop()

    def record(self, headers: Headers) -> Record | None:
        """Returns the game as a record; None if it has nothing besides moves from the usual start.

        Raises:
            RecordError: `bad_move`, for a square that no board has.
        """
        if self._is_plain and "Start" not in dict(headers):
            return None
        whole = self._lines[0]
        return Record(headers, _nodes(whole), tuple(whole.comments))


def _nodes(line: _Line) -> tuple[Node, ...]:
    return tuple(_node(move) for move in line.moves)


def _node(move: _Move) -> Node:
    try:
        played, captures = parse_move(encodable(move.text))
    except IllegalMove as error:
        raise record_error(error.code, text=move.text) from None
    comments = [*([move.glyph] if move.glyph in GLYPHS else []), *move.comments]
    variations = [Variation(_nodes(one), tuple(one.comments)) for one in move.variations if one.moves]
    return Node(
        played, captures or (), comments=tuple(comments), variations=tuple(variations), line=move.line
    )


def numbered(
    moves: Sequence[str], nodes: Sequence[Node], comments: Sequence[str] = (), before: int = 0
) -> Iterator[str]:
    """Iterates over the words of a line as it is written: numbers, moves, comments in braces, variations.

    Args:
        nodes: The same moves with what is said of them; empty if nothing is.
        before: How many moves of the game precede the line.
    """
    yield from map(_braced, comments)
    is_interrupted = True
    for ply, (text, node) in enumerate(zip_longest(moves, nodes), before):
        if ply % 2 == 0 or is_interrupted:
            yield f"{ply // 2 + 1}.{'..' if ply % 2 else ''}"
        said = node.remarks if node else ()
        yield text + (node.glyph if node else "")
        yield from map(_braced, said)
        variations = node.variations if node else ()
        for one in variations:
            played = [other for other in one.nodes if other.move is not None]
            texts = [
                format_move(other.move, other.captures).replace("/", "x") for other in played if other.move
            ]
            yield f"({' '.join(numbered(texts, played, one.comments, ply))})"
        is_interrupted = bool(said or variations)


def changes_comments(nodes: Sequence[Node], comments: Sequence[str]) -> bool:
    """Checks whether a comment of a line, or of its variations, differs as it is written."""
    return any(_braced(one) != f"{{{one}}}" for one in comments) or any(
        changes_comments((), node.comments)
        or any(changes_comments(one.nodes, one.comments) for one in node.variations)
        for node in nodes
    )


def _braced(comment: str) -> str:
    """Returns a comment in braces, on one line and without the brace that would end it."""
    return f"{{{' '.join(comment.replace('}', ')').split())}}}"
