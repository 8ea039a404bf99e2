"""The games of an experiment: which there are, how one is played, and how it is kept as a line of JSON."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hnefi._core import Game, Move, Outcome, Rules
from hnefi.errors import HnefiError
from hnefi.lab.faults import lab_error
from hnefi.lab.openings import Openings
from hnefi.lab.players import Player, PlayerSpec
from hnefi.pieces import Reason, Side

__all__ = ["Experiment", "PlayedGame", "Task", "format_game", "parse_game", "play_game"]


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is played: rules, two players, openings. All that its games follow from."""

    rules: Rules
    first: PlayerSpec
    second: PlayerSpec
    openings: Openings = field(default_factory=Openings)
    both_sides: bool = True
    """Whether each opening is played twice, the second time with the sides swapped."""

    max_plies: int = 1000
    """After so many plies, those of the opening included, a game is broken off as a draw (`abandoned`)."""

    def first_side(self, number: int) -> Side:
        """The side the first player has in a game, counted from 0."""
        return Side.DEFENDERS if self.both_sides and number % 2 else Side.ATTACKERS

    def pair(self, number: int) -> int:
        """The opening a game begins with, counted from 0."""
        return number // 2 if self.both_sides else number


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played: its number and the moves of its opening."""

    number: int
    opening: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played.

    Attributes:
        number: Its number, from 0.
        moves: All moves, those of the opening first.
        opening_plies: How many of them the opening has.
        outcome: How it ended.
        depth: The mean depth to which the searches were finished, in plies, by player.
        nodes: The positions the searches saw, by player.
        fault: What a player did that cost it the game: the code of an error, empty if nothing.
    """

    number: int
    moves: tuple[Move, ...]
    opening_plies: int
    outcome: Outcome
    depth: tuple[float, float] = (0.0, 0.0)
    nodes: tuple[int, int] = (0, 0)
    fault: str = ""


@dataclass(slots=True)
class _Effort:
    """What the searches of one player were worth in a game."""

    moves: int = 0
    depth: int = 0
    nodes: int = 0

    @property
    def mean_depth(self) -> float:
        return round(self.depth / self.moves, 2) if self.moves else 0.0


def play_game(experiment: Experiment, task: Task, players: tuple[Player, Player]) -> PlayedGame:
    """Plays a game to its end. A player that fails or breaks the rules loses it.

    Args:
        experiment: What is played.
        task: Which game.
        players: The first and the second player of the experiment.
    """
    efforts = (_Effort(), _Effort())
    seats = (0, 1) if experiment.first_side(task.number) is Side.ATTACKERS else (1, 0)
    chance = random.Random(f"hnefi game 1 {experiment.openings.seed} {task.number}")
    game, fault = Game.replay(experiment.rules, None, task.opening), ""
    for player in players:
        player.begin(chance.getrandbits(63))
    while (turn := game.turn) is not None:
        if game.ply_count >= experiment.max_plies:
            game = game.end(Outcome(None, Reason.ABANDONED))
            break
        seat = seats[0 if turn is Side.ATTACKERS else 1]
        try:
            game = _play_on(game, players[seat], efforts[seat])
        except HnefiError as error:
            fault = error.code
            game = game.end(Outcome(turn.opponent, Reason.ABANDONED))
    assert game.outcome is not None
    return PlayedGame(
        task.number,
        tuple(ply.move for ply in game.plies),
        len(task.opening),
        game.outcome,
        (efforts[0].mean_depth, efforts[1].mean_depth),
        (efforts[0].nodes, efforts[1].nodes),
        fault,
    )


def _play_on(game: Game, player: Player, effort: _Effort) -> Game:
    choice = player.choose(game)
    effort.moves += 1
    effort.depth += choice.depth
    effort.nodes += choice.nodes
    return game.play(choice.move)


def format_game(experiment: Experiment, game: PlayedGame) -> str:
    """Writes a game as one line of JSON, without the line end."""
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
        **({"fault": game.fault} if game.fault else {}),
        "moves": " ".join(_written(move) for move in game.moves),
    }
    return json.dumps(facts)


def _written(move: Move) -> str:
    return f"{move.from_square.name}-{move.to_square.name}"


def parse_game(line: str) -> PlayedGame:
    """Reads what `format_game` writes.

    Raises:
        LabError: `bad_game`.
    """
    try:
        facts: Mapping[str, Any] = json.loads(line)
        winner = facts["winner"]
        return PlayedGame(
            int(facts["game"]),
            tuple(map(Move, facts["moves"].split())),
            int(facts["opening_plies"]),
            Outcome(Side(winner) if winner else None, Reason(facts["reason"])),
            (float(facts["depth"][0]), float(facts["depth"][1])),
            (int(facts["nodes"][0]), int(facts["nodes"][1])),
            str(facts.get("fault", "")),
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, HnefiError) as error:
        raise lab_error("bad_game", found=line, why=error) from None
