"""The format `csv`, that of the test data of hnefatafl-rs: moves, captures and outcome; one game per line."""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.bare import end_word, gaps_of, is_move_word, moves_and_end, played, simple_notation
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.lines import TextLine, game_lines
from hnefi.formats.raw_game import RawGame
from hnefi.pieces import Side
from hnefi.record.faults import record_error

WINNER_WORDS = {"attackers": "Black", "defenders": "White", "draw": "Draw", "*": "Ongoing"}
"""The words for results in this table and at aagenielsen.dk."""

OUTCOME_WORDS = {"": "*", **{word.lower(): result for result, word in WINNER_WORDS.items()}}
"""The results that these words mean, in lower case."""

_NUMBER = re.compile(r"[0-9]{1,4}")
_ROW = re.compile(r"([^,]*),[0-9]{1,4},[0-9]{1,4},(White|Black|Draw|Ongoing)\b", re.IGNORECASE)


class TableFormat(Format):
    """`d2-e2 c4-c5 e2-d2xd3,1,0,Black`: moves, captures by attackers, captures by defenders, winner."""

    name = "csv"
    extensions = (".csv",)
    is_collection = True

    def recognise(self, head: str) -> float:
        """Returns the share of valid rows among the first lines, scaled to 0.95."""
        lines = [line.strip() for line in head.splitlines() if line.strip()][:20]
        good = sum(1 for line in lines if (row := _ROW.match(line)) and _are_moves(row[1].split()))
        return 0.95 * good / len(lines) if lines else 0.0

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games, one per line; skips empty lines."""
        for game, line in game_lines(stream):
            yield line.fault or self._game(line, game, options)

    def _game(self, line: TextLine, game: int, options: ReadOptions) -> RawGame | RecordError:
        columns = line.text.split(",")
        if len(columns) != 4:
            return record_error("bad_columns", (line.number, 1), game=game, found=len(columns), expected=4)
        moves, by_attackers, by_defenders, outcome = (column.strip() for column in columns)
        begins = accumulate((len(column) + 1 for column in columns), initial=1)
        places = [(line.number, begin) for begin in begins]
        for index, number, side in ((1, by_attackers, Side.ATTACKERS), (2, by_defenders, Side.DEFENDERS)):
            if not _NUMBER.fullmatch(number):
                return record_error("bad_number", places[index], game=game, found=number, turn=side.value)
        result = OUTCOME_WORDS.get(outcome.lower())
        if result is None:
            expected = " | ".join(WINNER_WORDS.values())
            return record_error("bad_outcome", places[3], game=game, found=outcome, expected=expected)
        written, reason, fault = moves_and_end(moves.split(), line, game)
        if fault is not None and not (options.lenient and written):
            return fault
        headers = [("Result", result)]
        if reason is not None and result != "*":
            headers.append(("Reason", reason))
        captures = (int(by_attackers), int(by_defenders))
        complete = with_variant(headers, options)
        raw = RawGame(complete, written, captures=captures, game=game, line=line.number)
        return raw if fault is None else raw.cut_before(fault)

    def write(self, raw: RawGame) -> Written:
        """Formats the main line; the captures are counted by the rules, or those that the file states.

        Raises:
            RecordError: `unplayable`, if the captures are not stated and the game cannot be played.
        """
        game = played(raw)
        counts = raw.captures if game is None else [game.captured_by(side) for side in Side]
        if counts is None:
            name = raw.header("Variant") or "-"
            raise record_error("unplayable", (raw.line, 1), game=raw.game, name=name)
        words = simple_notation(raw)
        reason, result = raw.header("Reason"), raw.header("Result") or "*"
        is_timeout = reason == "time" and result != "*"
        words += ["timeout"] if is_timeout else []
        expressed = ("Result", *(("Reason",) if is_timeout else ()))
        columns = (" ".join(words), *map(str, counts), WINNER_WORDS[result])
        return Written(f"{','.join(columns)}\n", tuple(gaps_of(raw, expressed)))


def _are_moves(words: list[str]) -> bool:
    return all(is_move_word(word) for word in (words[:-1] if end_word(words) else words))
