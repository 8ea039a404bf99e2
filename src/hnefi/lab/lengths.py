"""How long the games of a variant are: of recorded games where there are enough, else of the engine's."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median

from hnefi._core import Game, Move
from hnefi.checking import Checker
from hnefi.engine import Engine, Limit
from hnefi.errors import RecordError
from hnefi.formats import ReadOptions, read_games
from hnefi.lab.positions import OPENING_PLIES, play_on
from hnefi.library.stored_game import result_of
from hnefi.record.headers import UNFINISHED
from hnefi.variants.lengths import MeasuredLength
from hnefi.variants.model import Variant

_LONGEST = 300
_FEWEST_RECORDED, _SHORTEST_RECORDED = 20, 8
"""How many recorded games stand for a variant, and their fewest plies: shorter ones were left by somebody."""


def measure_length(
    one: Variant,
    games: int,
    nodes: int,
    recorded: Sequence[int] = (),
    on_game: Callable[[int], None] = lambda _: None,
) -> MeasuredLength:
    """Has the engine play a variant against itself, and returns the median length and the mean choice.

    The first plies of a game are random; later moves are searched with so many positions each. The length is
    that of the recorded games if there are twenty, given by their plies. The result is the same on all
    machines.
    """
    source, choices, plies = random.Random(one.id), list[int](), list[int]()
    with Engine(table_mib=4) as engine:

        def choose(game: Game) -> Move:
            legal = game.position.legal_moves()
            choices.append(len(legal))
            is_random = game.ply_count < OPENING_PLIES
            return source.choice(legal) if is_random else engine.play(game, Limit(nodes=nodes))

        for done in range(games):
            plies.append(play_on(one.new_game(), choose, _LONGEST).ply_count)
            on_game(done + 1)
    found, by = (recorded, "people") if len(recorded) >= _FEWEST_RECORDED else (plies, "engine")
    return MeasuredLength(round(median(found)), len(found), by, round(mean(choices), 1))


def recorded_plies(path: Path) -> dict[str, list[int]]:
    """Returns the plies of the recorded games of a file that have a result and no faults, by variant.

    Raises:
        FormatError: If the format of the file is unknown.
        OSError: If it cannot be read.
    """
    checker, found = Checker(), dict[str, list[int]]()
    for parsed in read_games(path, ReadOptions()):
        checked = checker.check_game(str(path), parsed).result
        if isinstance(parsed, RecordError) or checked.variant is None or checked.fault is not None:
            continue
        is_over = result_of(parsed, checked.outcome)[0] != UNFINISHED
        if is_over and not checked.variant.switches and checked.plies >= _SHORTEST_RECORDED:
            found.setdefault(checked.variant.id, []).append(checked.plies)
    return found
