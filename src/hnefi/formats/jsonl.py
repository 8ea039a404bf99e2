"""The format `jsonl`: games as JSON, one per line, with their game type at aagenielsen.dk."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.bare import END_WORDS, MOVE_PATTERN, end_word, gaps_of, is_move_word, simple_notation
from hnefi.formats.csv_table import OUTCOME_WORDS, WINNER_WORDS
from hnefi.formats.format import Format, ReadOptions, Written, with_variant
from hnefi.formats.game_types import game_types, number_of
from hnefi.formats.lines import TextLine, game_lines
from hnefi.formats.raw_game import RawGame
from hnefi.record import variant_headers
from hnefi.record.faults import record_error
from hnefi.record.headers import Headers
from hnefi.variants.built_in import built_in_ids

_TEXT_KEYS = {"id": "Id", "attackers": "Attackers", "defenders": "Defenders"}
_EXPRESSED = ("Id", "Attackers", "Defenders", "Result")
# Matches all moves of a game at once: one match per move would take as long as playing them.
_MOVES = re.compile(rf"(?:{MOVE_PATTERN}(?:\n|$))*", re.IGNORECASE)


class SiteFormat(Format):
    """`{"id": "7-1-2", "type": 7, "moves": ["d1-d3", "e3-b3xb2"], "winner": "White", …}`."""

    name = "jsonl"
    extensions = (".jsonl",)
    has_rules = True
    is_collection = True

    def recognise(self, head: str) -> float:
        """Returns a high confidence if the first line is an object with moves."""
        first = next((line.strip() for line in head.splitlines() if line.strip()), "")
        if not first.startswith("{"):
            return 0.0
        return 0.95 if '"moves"' in first and '"type"' in first else 0.3

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawGame | RecordError]:
        """Iterates over the games, one per line; skips empty lines."""
        for game, line in game_lines(stream):
            yield line.fault or _raw_game(line, game, options)

    def write(self, raw: RawGame) -> Written:
        """Formats the main line; if the game can be played, with the captures by the rules."""
        moves = simple_notation(raw)
        reason = raw.header("Reason")
        moves += [word for word, meaning in END_WORDS.items() if meaning == reason]
        number, name = number_of(raw)
        # Under changed rules, the id alone would bring the game back under others.
        if not number and raw.header("Switches") is None and raw.header("Variant") in built_in_ids():
            name = raw.header("Variant") or ""
        facts: dict[str, object] = {key: raw.header(name) or "" for key, name in _TEXT_KEYS.items()}
        facts |= {"type": number, "variant": name}
        facts |= {"moves": moves, "winner": WINNER_WORDS[raw.header("Result") or "*"]}
        expressed = [*_EXPRESSED, *(["GameType"] if number else [])]
        expressed += ["Reason"] if reason in END_WORDS.values() else []
        # The number of a known type stands for its variant and switches, the id of a variant for its rules.
        stated = _headers_of(number) if number else _headers_named(name)
        expressed += [header for header, value in stated if value == raw.header(header)]
        return Written(f"{json.dumps(facts, ensure_ascii=False)}\n", tuple(gaps_of(raw, expressed)))


def _raw_game(line: TextLine, game: int, options: ReadOptions) -> RawGame | RecordError:
    try:
        data = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        column = getattr(error, "colno", 1)
        return record_error("no_object", (line.number, column), game=game)
    if not isinstance(data, dict):
        return record_error("no_object", (line.number, 1), game=game)
    moves = data.get("moves")
    if not (isinstance(moves, list) and all(isinstance(move, str) for move in moves)):
        return record_error("bad_field", (line.number, 1), game=game, key="moves", expected='["d2-e2", …]')
    for key in (*_TEXT_KEYS, "variant"):
        if type(data.get(key, "")) not in (str, int, type(None)):
            return record_error("bad_field", (line.number, 1), game=game, key=key, expected='"text" | 7')
    winner = data.get("winner", "")
    winner = winner if isinstance(winner, str) else json.dumps(winner)
    result = OUTCOME_WORDS.get(winner.lower())
    if result is None:
        expected = " | ".join(WINNER_WORDS.values())
        return record_error("bad_outcome", (line.number, 1), game=game, found=winner, expected=expected)
    reason = end_word(moves)
    written = moves[:-1] if reason else moves
    fault: RecordError | None = None
    if not _are_moves(written):
        index, wrong = next((index, move) for index, move in enumerate(written) if not is_move_word(move))
        facts = {key: str(data[key]) for key in ("id", "type") if key in data}
        fault = record_error("bad_move", (line.number, 1), game=game, text=wrong, **facts)
        if not (options.lenient and index):
            return fault
        reason, written = None, written[:index]
    headers = list(_type_headers(data.get("type"), str(data.get("variant") or "")))
    for key, name in _TEXT_KEYS.items():
        if data.get(key) not in (None, ""):
            headers.append((name, str(data[key])))
    headers.append(("Result", result))
    if reason is not None and result != "*":
        headers.append(("Reason", reason))
    raw = RawGame(with_variant(headers, options), tuple(written), game=game, line=line.number)
    return raw if fault is None else raw.cut_before(fault)


def _are_moves(words: Sequence[str]) -> bool:
    whole = "\n".join(words)
    return _MOVES.fullmatch(whole) is not None and whole.count("\n") == max(len(words) - 1, 0)


@cache
def _headers_of(number: int) -> Headers:
    readings = game_types()[number].readings() if number in game_types() else ()
    return variant_headers(readings[0]) if readings else ()


def _headers_named(name: str) -> Headers:
    return variant_headers(name) if name in built_in_ids() else ()


def _type_headers(number: object, name: str) -> Iterator[tuple[str, str]]:
    """Iterates over the headers of a game type: its number and name, and the variant if it is known.

    Without a number, the name may be the id of a variant.
    """
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number < 10**9:
        yield "GameType", f"{number} {name}".strip()
        yield from _headers_of(number)
    else:
        yield from _headers_named(name)
