"""Creates records from games, with or without calls."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from hnefi._core import CalledGame, Game, Move, Outcome
from hnefi.pieces import Side
from hnefi.record.faults import record_error
from hnefi.record.headers import DRAW, UNFINISHED, format_switches, result_word
from hnefi.record.model import Node, Record, Status
from hnefi.record.replay import REASONS_BY_PLAYERS
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import variant as find_variant
from hnefi.variants.model import Variant
from hnefi.variants.similarity import as_switches

_PASS = Node(None)


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move with its call and the player's remaining time.

    Attributes:
        move: The move.
        call: The call made with it, 0 for none.
        clock_ms: The player's remaining time after it, in milliseconds; None if unknown.
    """

    move: Move
    call: int = 0
    clock_ms: int | None = None


def variant_headers(variant: Variant | str) -> tuple[tuple[str, str], ...]:
    """Returns the headers that identify a variant: id, revision, hash of the rules, and switches if any.

    For those who do not have a custom one, its rules are added as the switches of a built-in one.
    """
    found = find_variant(variant)
    headers = [("Variant", found.id), ("Revision", str(found.revision)), ("Rules", found.rules.hash)]
    if found.switches:
        headers.append(("Switches", format_switches(found.switches)))
    if found.id not in built_in_ids():
        headers.append(("Base", _base(found)))
    return tuple(headers)


# Many games in a row are by the same rules; the nearest of all variants takes some milliseconds.
@lru_cache(maxsize=64)
def _base(custom: Variant) -> str:
    base, switches = as_switches(custom, map(find_variant, built_in_ids()))
    return f"{base.id}; {format_switches(switches)}" if switches else base.id


def record_game(
    game: Game,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    clocks_ms: Sequence[int | None] = (),
) -> Record:
    """Creates the record of a game; see `Record.from_game`."""
    if len(clocks_ms) > game.ply_count:
        raise ValueError(f"clocks_ms: {len(clocks_ms)}, expected at most {game.ply_count}, one for each ply")
    nodes = [_PASS] if Game(game.rules, game.start).passed else []
    for ply, clock_ms in zip_longest(game.plies, clocks_ms):
        nodes.append(Node(ply.move, ply.captures, clock_ms=clock_ms))
        if ply.passed:
            nodes.append(_PASS)
    return _with_facts(Record(tuple(dict(headers).items()), tuple(nodes)), game, game.outcome, {})


def record_calls(
    start: CalledGame,
    played: Iterable[PlayedMove],
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    outcome: Outcome | None = None,
) -> Record:
    """Creates the record of a game with calls; see `Record.from_calls`."""
    nodes = [_PASS] if start.game.passed else []
    called = start
    for item in played:
        before, called = called, called.play(item.move, item.call)
        if called.refused:
            nodes[-1] = replace(nodes[-1], status=Status.TAKEN_BACK)
            nodes.append(Node(item.move, (), item.call, Status.REFUSED, item.clock_ms))
            continue
        ply = called.game.last
        captures = ply.captures if ply else ()
        nodes.append(Node(item.move, captures, _call(before, called, item), clock_ms=item.clock_ms))
        if called.game.passed:
            nodes.append(_PASS)
    mode = {"Calls": start.mode}
    if start.mode != "off":
        mode |= {"Sanction": start.sanction, "Replay": start.replay}
        if start.wrong_number != "call":
            mode["WrongNumber"] = start.wrong_number
    record = Record(tuple(dict(headers).items()), tuple(nodes))
    return _with_facts(record, called.game, called.game.outcome or outcome, mode)


def _call(before: CalledGame, after: CalledGame, item: PlayedMove) -> int:
    """Returns the call: the player's, or the required one where the program calls."""
    if after.mode != "auto":
        return item.call
    return after.required if before.game.turn is Side.DEFENDERS else 0


def _with_facts(record: Record, game: Game, outcome: Outcome | None, more: Mapping[str, str]) -> Record:
    """Replaces the headers that follow from the game itself."""
    result = UNFINISHED
    if outcome is not None:
        result = result_word(outcome.winner)
        if REASONS_BY_PLAYERS.get(outcome.reason) not in (None, result != DRAW):
            raise record_error("reason_contradicts_result", reason=outcome.reason.value, result=result)
    return record.with_headers(
        {
            "Rules": game.rules.hash,
            "Start": str(game.start) if game.start != game.rules.start else None,
            **more,
            "Result": result,
            "Reason": outcome.reason.value if outcome else None,
        }
    )
