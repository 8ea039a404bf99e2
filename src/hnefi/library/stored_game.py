"""Games as the library stores them: columns for queries, and a compressed body for the rest."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from hnefi._core import Game, Move, Outcome, Rules, Setup
from hnefi.errors import RecordError
from hnefi.formats import RawGame
from hnefi.library.store import LibraryError
from hnefi.record import Record, format_records, parse_records, variant_headers
from hnefi.record.headers import RESULTS, UNFINISHED, result_word
from hnefi.variants.model import Variant

COLUMNS = (
    "games.id, rules.variant, rules.switches, attackers, defenders, date, result, reason, plies,"
    " sources.path, line, fault, rules.tree, body"
)
"""The columns of a `LibraryGame`, from games joined with rules and sources."""

_EMPTY = ("", "?", "????.??.??")


@dataclass(frozen=True, slots=True)
class LibraryGame:
    """A game of a library.

    Attributes:
        id: Its number in the library.
        variant: The id of the variant.
        switches: The switches, `quiet_limit=40; …`, empty without any.
        attackers: The player with the attackers, empty if unknown.
        defenders: The player with the defenders, empty if unknown.
        date: The date as its file states it.
        result: `attackers`, `defenders`, `draw` or `*`.
        reason: The reason it ended, empty if unknown.
        plies: The number of moves.
        source: The file it came from.
        line: The line on which it begins in that file.
        fault: The kind of fault before which it ends, empty without one.
        tree: The rule tree as JSON.
        body: The compressed headers and moves, or the compressed record.
    """

    id: int
    variant: str
    switches: str
    attackers: str
    defenders: str
    date: str
    result: str
    reason: str
    plies: int
    source: str
    line: int
    fault: str
    tree: str
    body: bytes

    def record(self) -> Record:
        """Returns the whole record of the game.

        Raises:
            LibraryError: `library_damaged`.
        """
        return self._stored()[0]

    def _stored(self) -> tuple[Record, Sequence[str | Move]]:
        """Returns the record and the moves that were played: the record may leave out hops and stops."""
        try:
            body = json.loads(zlib.decompress(self.body))
            if "record" in body:
                record = parse_records(body["record"])[0]
                counted = [node.move for node in record.counted if node.move]
                return record, str(body["moves"]).split() if "moves" in body else counted
            headers = tuple((str(name), str(value)) for name, value in body["headers"])
            moves = str(body["moves"]).split()
            return RawGame(headers, tuple(moves)).record(), moves
        except (zlib.error, ValueError, KeyError, IndexError, TypeError, RecordError) as error:
            raise LibraryError.of_facts("library_damaged", path=f"#{self.id}", why=error) from error

    def raw_game(self) -> RawGame:
        """Returns the game as the formats write it."""
        return RawGame.of(self.record(), game=self.id, line=self.line)

    def game(self) -> Game:
        """Plays the game by its rules and returns it."""
        record, moves = self._stored()
        start = record.header("Start")
        return Game.replay(_rules(self.tree), None if start is None else Setup(start), moves)


# Most games of a library are by a few sets of rules.
@lru_cache(maxsize=64)
def _rules(tree: str) -> Rules:
    return Rules(tree)


def played_headers(raw: RawGame, played: Variant, game: Game, result: str) -> tuple[tuple[str, str], ...]:
    """Returns the headers of a game, with variant, start and result as it was played."""
    facts = dict(variant_headers(played))
    if game.start != played.rules.start:
        facts["Start"] = str(game.start)
    facts["Result"] = result
    dropped = {"Variant", "Revision", "Rules", "Switches", "Base", *facts}
    return (*facts.items(), *(pair for pair in raw.headers if pair[0] not in dropped))


def pack(raw: RawGame, headers: tuple[tuple[str, str], ...], moves: str) -> bytes:
    """Returns the compressed body of a game: its moves, and its record if annotated, else its headers."""
    body: dict[str, object] = {"headers": headers, "moves": moves}
    if raw.full_record is not None and _is_annotated(raw.full_record):
        record = Record(headers, raw.full_record.nodes, raw.full_record.comments)
        body = {"record": format_records([record]), "moves": moves}
    return zlib.compress(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def _is_annotated(record: Record) -> bool:
    return bool(record.comments) or any(
        node.comments or node.variations or node.call or node.is_undone or node.clock_ms is not None
        for node in record.nodes
    )


def result_of(raw: RawGame, outcome: Outcome | None) -> tuple[str, str]:
    """Returns result and reason of a game: as written, else as on the board."""
    result, reason = raw.header("Result") or UNFINISHED, raw.header("Reason") or ""
    if result not in RESULTS:
        result = UNFINISHED
    if outcome is not None and result == UNFINISHED:
        return result_word(outcome.winner), outcome.reason.value
    if outcome is not None and not reason and result == result_word(outcome.winner):
        reason = outcome.reason.value
    return result, reason


def player(name: str | None) -> str:
    """Returns the name of a player, empty if there is none."""
    return "" if name is None or name in _EMPTY else name.strip()
