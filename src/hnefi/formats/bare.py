"""The format `moves`: one game per line, as aagenielsen.dk shows them, `d2-e2xd3xf2` or `e3h3`.

A text with one move on each line is one game.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import BinaryIO

from hnefi._core import Game, format_move, parse_move
from hnefi.errors import RecordError
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.gaps import Gap
from hnefi.formats.lines import TextLine, game_lines
from hnefi.formats.raw_game import RawGame
from hnefi.record.faults import record_error

END_WORDS = {"resigned": "resignation", "timeout": "time"}
"""Words that may follow the last move, and the reasons they mean."""

RESULT_WORDS = {
    "attackers": "attackers",
    "black": "attackers",
    "defenders": "defenders",
    "white": "defenders",
    "draw": "draw",
    "1/2-1/2": "draw",
    "*": "*",
}
"""Words that may say the result of a game, and the results they mean."""

_SQUARE = r"[a-s](?:1[0-9]|[1-9])"
MOVE_PATTERN = rf"{_SQUARE}-?{_SQUARE}(?:[x×/]{_SQUARE})*"
"""The pattern of a move, in either case."""

CAPTURES = rf"[x×]{_SQUARE}(?:[x×/]{_SQUARE})*(?!\S)"
"""The pattern of captures that stand apart from their move, in either case: `e5–e8 ×e9`."""

_MOVE = re.compile(MOVE_PATTERN, re.IGNORECASE)
# A line with one move, which may have a number.
_NUMBERED = re.compile(rf"(?:\d{{1,5}}[.)]?\s+)?({MOVE_PATTERN}(?:\s+{CAPTURES})*)", re.IGNORECASE)
# What pages show besides moves: the letter of a king, dots for a move that is still to come, and signs for an
# open road or the end behind a move.
_DECORATION = re.compile(
    rf"(?<!\w)[KR](?=\s*{_SQUARE}[-–])|…|(?<!\S)\.{{2,3}}(?!\S)|(?<=[0-9])(?:\+{{1,2}}|#)(?![^\s,!?])",
    re.IGNORECASE,
)
# A move that is written as two squares, as it may be typed.
_APART = re.compile(
    rf"(?<![\w×:/–-])({_SQUARE})([^\S\n]+)({_SQUARE})(?=[x×:/+#!?,;.)]|\s|$)(?!\s*[-–])", re.IGNORECASE
)
_CAPTURE = re.compile(r"[x×/]", re.IGNORECASE)
_SIMPLE = re.compile(rf"{_SQUARE}-{_SQUARE}(?:x{_SQUARE})?")
_WORD = re.compile(rf"[^\s,]+(?:[^\S\n]+{CAPTURES})*", re.IGNORECASE)
# A game with a move on each line has at most so many of them: beyond, every line is a game.
_MOST_LINES = 10_000


class BareFormat(Format):
    """The main line of a game on one line, and the reason it ended if the rules give none."""

    name = "moves"
    extensions = (".moves", ".txt")
    is_collection = True

    def recognise(self, head: str) -> float:
        """Returns the share of moves among the words of the first lines, scaled to 0.8.

        Several lines with one move each, with or without numbers and a last line of other words, are 0.9.
        """
        filled = [_plain(line) for line in head.splitlines() if line.strip()][:20]
        single = filled[:-1] if len(filled) > 2 and _is_odd(filled[-1]) else filled
        if len(single) > 1 and all(map(_move_alone, single)):
            return 0.9
        lines = [_words(line) for line in filled]
        if not lines or not lines[0] or not is_move_word(lines[0][0]):
            return 0.0
        words = [word for line in lines for word in line]
        return 0.8 * sum(is_move_word(word) or word.lower() in END_WORDS for word in words) / len(words)

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games, one per line; skips empty lines. One move on each line: one game."""
        lines: Iterator[tuple[int, TextLine]] = (
            (game, replace(line, text=_plain(line.text))) for game, line in game_lines(stream)
        )
        single: list[TextLine] = []
        for game, line in lines:
            if line.fault is None and len(single) < _MOST_LINES and _move_alone(line.text):
                single.append(line)
                continue
            if len(single) > 1 and line.fault is None and _is_odd(line.text):
                yield self._one_game(single, line, options)
                return
            # Not one game with a move on each line: every line is a game.
            lines = chain(enumerate(single, 1), [(game, line)], lines)
            break
        else:
            if single:
                yield self._one_game(single, None, options)
            return
        for game, line in lines:
            yield line.fault or self._game(line, game, options)

    def _one_game(
        self, single: list[TextLine], odd: TextLine | None, options: ReadOptions
    ) -> RawGame | RecordError:
        """Returns a game with a move on each line, up to one that has other words, such as `Black wins`."""
        words = [_move_alone(line.text) or "" for line in single]
        result = fault = None
        if odd is not None:
            text = odd.text.strip()
            first, *rest = text.lower().split()
            if first in END_WORDS and not rest:
                words.append(text)
            elif first in RESULT_WORDS and rest in ([], ["win"], ["wins"], ["won"]):
                result = RESULT_WORDS[first]
            else:
                fault = record_error("bad_move", (odd.number, 1), game=1, text=text)
                if not options.lenient:
                    return fault
        game = self._game(replace(single[0], text=" ".join(words)), 1, options)
        if fault is not None and isinstance(game, RawGame):
            return game.cut_before(fault)
        if result is None or isinstance(game, RecordError):
            return game
        return replace(game, headers=(*game.headers, ("Result", result)))

    def _game(self, line: TextLine, game: int, options: ReadOptions) -> RawGame | RecordError:
        moves, reason, fault = moves_and_end(_words(line.text), line, game)
        if fault is not None and not (options.lenient and moves):
            return fault
        raw = RawGame(
            with_variant([], options),
            moves,
            omits_captures=not any(_CAPTURE.search(move) for move in moves),
            game=game,
            line=line.number,
            gaps=(Gap("no_winner", {"reason": reason}),) if reason else (),
        )
        return raw if fault is None else raw.cut_before(fault)

    def write(self, raw: RawGame) -> Written:
        """Formats the main line; if the game can be played, with the captures by the rules.

        Raises:
            RecordError: `no_moves`, for a game without moves: its line would be empty.
        """
        reason = raw.header("Reason")
        words = simple_notation(raw)
        if not words:
            raise record_error("no_moves", (raw.line, 1), game=raw.game)
        words += [word for word, meaning in END_WORDS.items() if meaning == reason]
        expressed = ("Result", *(("Reason",) if reason in END_WORDS.values() else ()))
        gaps = list(gaps_of(raw, expressed))
        if raw.header("Result") not in (None, "*"):
            gaps.append(Gap("result"))
        return Written(f"{' '.join(words)}\n", tuple(gaps))


def is_move_word(word: str) -> bool:
    """Checks whether a word has the syntax of a move.

    >>> is_move_word("d2-e2xd3xf2"), is_move_word("e3h3"), is_move_word("e3h30")
    (True, True, False)
    """
    return _MOVE.fullmatch(word) is not None


def undecorated(line: str) -> str:
    """Returns a line with spaces for the letter of a king and for dots, and with the hyphens of moves.

    >>> undecorated("1. g4–g6 …"), undecorated("K d4–d5 ..."), undecorated("1. d2 f2xf3")
    ('1. g4–g6  ', '  d4–d5    ', '1. d2-f2xf3')
    """
    plain = _DECORATION.sub(lambda found: " " * len(found[0]), line)
    return _APART.sub(lambda found: f"{found[1]}-{found[3]}{' ' * (len(found[2]) - 1)}", plain)


def _plain(line: str) -> str:
    """Returns a line of moves with hyphens for dashes, and without what pages show besides."""
    return undecorated(line).replace("–", "-")


def _move_alone(line: str) -> str | None:
    """Returns the move of a line that has one move and nothing else but its number; else None."""
    found = _NUMBERED.fullmatch(line.strip())
    return "".join(found[1].split()) if found else None


def _is_odd(text: str) -> bool:
    """Checks whether a line has words but no move."""
    words = _words(text)
    return bool(words) and not any(map(is_move_word, words))


def _words(line: str) -> list[str]:
    """Returns the words of a line; captures that stand apart belong to their move."""
    return ["".join(word.split()) for word in _WORD.findall(line)]


def end_word(words: Sequence[str]) -> str | None:
    """Returns the reason that the last word means, None if it is no such word."""
    return END_WORDS.get(words[-1].lower()) if words else None


def moves_and_end(
    words: Sequence[str], line: TextLine, game: int
) -> tuple[tuple[str, ...], str | None, RecordError | None]:
    """Returns the moves that a line begins with, the reason that follows them, and the fault behind them."""
    reason = end_word(words)
    moves = tuple(words[:-1] if reason else words)
    index = next((index for index, word in enumerate(moves) if not is_move_word(word)), None)
    if index is None:
        return moves, reason, None
    starts = [word.start() + 1 for word in _WORD.finditer(line.text)]
    place = (line.number, starts[index] if index < len(starts) else 1)
    return moves[:index], None, record_error("bad_move", place, game=game, text=moves[index])


def played(raw: RawGame) -> Game | None:
    """Returns the game, if its rules are known, all moves are legal and the captures agree; else None."""
    if raw.header("Variant") is None:
        return None
    try:
        replay = raw.replay()
    except RecordError:
        return None
    game = replay.game
    if game is None or any(fault.code == "wrong_captures" and not fault.path for fault in replay.faults):
        return None
    return game if game.ply_count == len(raw.moves) else None


def simple_notation(raw: RawGame) -> list[str]:
    """Returns the moves of the main line in simple notation, as `d2-e2xd3xf2`.

    The captures are those by the rules if the game can be played, otherwise those written in the file.
    """
    game = played(raw)
    if game is not None:
        return [format_move(ply.move, ply.captures).replace("/", "x") for ply in game.plies]
    if raw.full_record is None:
        return [_simplified(word) for word in raw.written]
    return [move.replace("/", "x") for move in raw.moves]


def _simplified(word: str) -> str:
    """Normalises a move: `E3H3` as `e3-h3`, captures by file, then rank.

    Raises:
        IllegalMove: `bad_move`.
    """
    if _SIMPLE.fullmatch(word):
        return word
    move, captures = parse_move(word)
    placed = sorted(captures or (), key=lambda one: (one.file, one.rank))
    return format_move(move, placed).replace("/", "x")


def gaps_of(raw: RawGame, expressed: Sequence[str]) -> Iterator[Gap]:
    """Iterates over what is lost in a format that has only the main line and the headers `expressed`."""
    for name, _ in raw.headers:
        if name not in expressed:
            yield Gap("header", {"name": name})
    record = raw.full_record
    if record is None:
        return
    nodes = record.every_node()
    if record.comments or any(node.comments for node in nodes):
        yield Gap("comments")
    if any(node.variations for node in nodes):
        yield Gap("side_lines")
    if any(node.clock_ms is not None for node in nodes):
        yield Gap("clocks")
    if any(node.call for node in nodes):
        yield Gap("calls")
    if any(node.is_undone for node in nodes):
        yield Gap("refused_escapes")
