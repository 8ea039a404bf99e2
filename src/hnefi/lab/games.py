"""The games of an experiment: their definition, playing one, and one game as a JSON line."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from hnefi._core import Game, Move, Outcome, Rules
from hnefi.errors import HnefiError, shorten
from hnefi.lab.errors import LabError
from hnefi.lab.openings import Openings
from hnefi.lab.players import Choice, Player, PlayerSpec
from hnefi.pieces import Reason, Side

_UNPLAYABLE = ("engine_lacks_option", "engine_lacks_rules")
"""Errors of an engine that cannot learn the rules: no game says how strong it is."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """The settings of an experiment, on which all its games depend: rules, two players, openings."""

    rules: Rules
    first: PlayerSpec
    second: PlayerSpec
    openings: Openings = field(default_factory=Openings)
    both_sides: bool = True
    """Whether each opening is played twice, the second time with the sides swapped."""

    max_plies: int = 1000
    """A game of more plies, those of the opening included, ends as a draw (`abandoned`)."""

    def first_side(self, number: int) -> Side:
        """Returns the side of the first player in a game, counted from 0."""
        return Side.DEFENDERS if self.both_sides and number % 2 else Side.ATTACKERS

    def pair(self, number: int) -> int:
        """Returns the number of the opening of a game, counted from 0."""
        return number // 2 if self.both_sides else number


@dataclass(frozen=True, slots=True)
class Task:
    """A game to play: its number and the moves of its opening."""

    number: int
    opening: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    Attributes:
        number: Its number, from 0.
        moves: All moves, those of the opening first.
        opening_plies: How many of the moves belong to the opening.
        depth: The mean depth of the searches, in plies, by player.
        nodes: The positions that the searches visited, by player.
        fault: The code of the error with which a player lost the game, empty if there was none.
        fault_facts: The facts of that error, by name.
        names: The names that engines gave themselves, by player; empty for other players.
    """

    number: int
    moves: tuple[Move, ...]
    opening_plies: int
    outcome: Outcome
    depth: tuple[float, float] = (0.0, 0.0)
    nodes: tuple[int, int] = (0, 0)
    fault: str = ""
    fault_facts: Mapping[str, str] = field(default_factory=dict, hash=False)
    names: tuple[str, str] = ("", "")


def play_game(experiment: Experiment, task: Task, players: tuple[Player, Player]) -> PlayedGame:
    """Plays a game to its end. A player that fails or plays an illegal move loses it.

    The players are in the order of the experiment.

    Raises:
        EngineError: `engine_lacks_option` or `engine_lacks_rules`, if an engine cannot play by these rules.
    """
    choices: tuple[list[Choice], list[Choice]] = ([], [])
    rng = random.Random(f"hnefi game 1 {experiment.openings.seed} {task.number}")
    game = Game.replay(experiment.rules, None, task.opening)
    fault: HnefiError | None = None
    for player in players:
        player.begin(rng.getrandbits(63))
    while (turn := game.turn) is not None:
        if game.ply_count >= experiment.max_plies:
            game = game.end(Outcome(None, Reason.ABANDONED))
            break
        seat = 0 if turn is experiment.first_side(task.number) else 1
        try:
            choices[seat].append(players[seat].choose(game))
            game = game.play(choices[seat][-1].move)
        except HnefiError as error:
            if error.code in _UNPLAYABLE:
                raise
            fault = error
            game = game.end(Outcome(turn.opponent, Reason.ABANDONED))
    assert game.outcome is not None
    return PlayedGame(
        task.number,
        tuple(ply.move for ply in game.plies),
        len(task.opening),
        game.outcome,
        (_mean_depth(choices[0]), _mean_depth(choices[1])),
        (sum(one.nodes for one in choices[0]), sum(one.nodes for one in choices[1])),
        fault.code if fault else "",
        fault.parameters if fault else {},
        (players[0].name, players[1].name),
    )


def _mean_depth(choices: list[Choice]) -> float:
    return round(fmean(one.depth for one in choices), 2) if choices else 0.0


def format_game(experiment: Experiment, game: PlayedGame) -> str:
    """Formats a game as one line of JSON, without the line end."""
    winner = game.outcome.winner
    facts = {
        "game": game.number,
        "pair": experiment.pair(game.number),
        "first_player": experiment.first_side(game.number).value,
        "winner": winner.value if winner else None,
        "reason": game.outcome.reason.value,
        "plies": len(game.moves),
        "opening_plies": game.opening_plies,
        "depth": game.depth,
        "nodes": game.nodes,
        **({"fault": game.fault, "fault_facts": dict(game.fault_facts)} if game.fault else {}),
        **({"names": game.names} if any(game.names) else {}),
        "moves": " ".join(map(str, game.moves)),
    }
    return json.dumps(facts)


def parse_game(line: str, place: str) -> PlayedGame:
    """Parses a line of `format_game`.

    Raises:
        LabError: `bad_game`, with the place.
    """
    try:
        facts: Mapping[str, Any] = json.loads(line)
        winner, names = facts["winner"], facts.get("names", ("", ""))
        return PlayedGame(
            int(facts["game"]),
            tuple(map(Move, facts["moves"].split())),
            int(facts["opening_plies"]),
            Outcome(Side(winner) if winner else None, Reason(facts["reason"])),
            (float(facts["depth"][0]), float(facts["depth"][1])),
            (int(facts["nodes"][0]), int(facts["nodes"][1])),
            str(facts.get("fault", "")),
            {name: str(value) for name, value in facts.get("fault_facts", {}).items()},
            (str(names[0]), str(names[1])),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, HnefiError):
        raise LabError.of_facts("bad_game", place=place, found=shorten(line)) from None
