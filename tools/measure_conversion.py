"""Measures how many won positions the engine converts within 60 plies, against itself.

    python tools/measure_conversion.py copenhagen-11 --positions 40 --nodes 5000 --log target/conversion.jsonl

The positions come from self-play games, one of each game: the first position from which the search at
`--play` nodes gives one side the winning chances of `--chances`, if a search of `--judge` nodes agrees or
proves a win. Each side wins half of the positions, if the games allow it: in each game one of them, by
turns, plays with a tenth of the nodes. Then the engine plays both sides at `--nodes` positions a move; with
`--prove`, it plays the move of the prover where so many expansions prove a win. All searches run in one
thread, so that a seed gives the same games on every machine.

`--log` writes a line of JSON for each position: the position, its score, and the moves with their scores.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from positions import MAX_PLIES, opening

from hnefi import Game, Move, Setup, Side, Variant, variant
from hnefi._core import Line, Searcher
from hnefi.engine.analysis import PROVEN_VALUE
from hnefi.engine.weights import Weights, weights_for

BOARDS = ("copenhagen-11", "fetlar-11", "hist-hnefatafl-11", "hist-tablut-9", "tablut-geoludie")
PLIES = 60
# Games of the selection, for each position that is wanted: one side may win hardly any.
MOST_GAMES = 8
# The stronger side of such a game plays with so many times the nodes of the weaker one.
HANDICAP = 10


class WonPosition(NamedTuple):
    """A won position: the game it begins, the winner, the score of the judge and the seed of its game."""

    game: Game
    winner: Side
    judged: Line
    seed: int


class Conversion(NamedTuple):
    """How the game from a won position went: `won`, `lost`, `drawn` or `open` after so many plies."""

    result: str
    game: Game
    scores: list[int]

    @property
    def reason(self) -> str:
        """The reason the game ended for."""
        return self.game.outcome.reason.value if self.game.outcome is not None else "-"


class Player:
    """A search with a table of its own, perhaps with the prover before it."""

    def __init__(self, weights: Weights, nodes: int, expansions: int = 0) -> None:
        self._searcher = Searcher(table_mib=16)
        self._prover = Searcher(table_mib=1)
        self._weights = weights
        self._nodes = nodes
        self._expansions = expansions

    def best(self, game: Game) -> Line:
        """Searches a position for its best line."""
        return self._searcher.analyse(game, nodes=self._nodes, weights=self._weights.text).lines[0]

    def move(self, game: Game) -> tuple[Move, int]:
        """Returns the move to play and its score."""
        side = game.turn
        if self._expansions and side is not None:
            _, _, proof = self._prover.prove(game, side, nodes=self._expansions, table_mib=4)
            if proof is not None:
                score = PROVEN_VALUE - proof[2]
                return proof[1][0], score if side is Side.ATTACKERS else -score
        line = self.best(game)
        return line.moves[0], line.score

    def clear(self) -> None:
        """Clears the transposition table."""
        self._searcher.clear()


def chances(line: Line, weights: Weights, side: Side) -> float:
    """Returns the expected result of a side at the score of a line, from 0 to 1."""
    score = line.score
    attackers = weights.calibration.chances(score) if line.win_in is None else float(score > 0)
    return attackers if side is Side.ATTACKERS else 1 - attackers


def won_positions(one: Variant, options: argparse.Namespace) -> Iterator[WonPosition]:
    """Iterates over won positions, so many of each side."""
    weights = weights_for(one.rules)
    players = {side: Player(weights, options.play) for side in Side}
    weak, judge = Player(weights, options.play // HANDICAP), Player(weights, options.judge)
    rooms = dict.fromkeys(Side, (options.positions + 1) // 2)
    for seed in range(options.seed, options.seed + MOST_GAMES * options.positions):
        weaker = Side.ATTACKERS if seed % 2 else Side.DEFENDERS
        if not rooms[weaker.opponent]:
            continue
        for searcher in (judge, weak, *players.values()):
            searcher.clear()
        begin = opening(one, random.Random(f"{one.id}/{seed}"))
        found = _first_won(begin, players | {weaker: weak}, judge, options.chances)
        if found is not None and rooms[found[1]]:
            rooms[found[1]] -= 1
            yield WonPosition(*found, seed)
        if not any(rooms.values()):
            return


def _first_won(
    game: Game, players: dict[Side, Player], judge: Player, least: float
) -> tuple[Game, Side, Line] | None:
    """Plays a game to the first position that is won; None if there is none."""
    weights = weights_for(game.rules)
    while game.turn is not None and game.ply_count < MAX_PLIES:
        line = players[game.turn].best(game)
        for side in Side:
            if chances(line, weights, side) >= least:
                fresh = Game(game.rules, Setup(str(game.position.setup)))
                judged = judge.best(fresh)
                if chances(judged, weights, side) >= least:
                    return fresh, side, judged
        game = game.play(line.moves[0])
    return None


def convert(won: WonPosition, options: argparse.Namespace) -> Conversion:
    """Plays a won position."""
    weights = weights_for(won.game.rules)
    players = {side: Player(weights, options.nodes, options.prove) for side in Side}
    game, scores = won.game, list[int]()
    while game.turn is not None and game.ply_count < PLIES:
        move, score = players[game.turn].move(game)
        scores.append(score)
        game = game.play(move)
    return Conversion(_result(game, won.winner), game, scores)


def _result(game: Game, winner: Side) -> str:
    if game.outcome is None:
        return "open"
    if game.outcome.winner is None:
        return "drawn"
    return "won" if game.outcome.winner is winner else "lost"


def logged(variant_id: str, won: WonPosition, conversion: Conversion) -> str:
    """Returns a position and its game as a line of JSON."""
    return json.dumps(
        {
            "variant": variant_id,
            "position": str(won.game.position.setup),
            "winner": won.winner.value,
            "seed": won.seed,
            "judged": won.judged.score,
            "win_in": won.judged.win_in,
            "result": conversion.result,
            "reason": conversion.reason,
            "plies": conversion.game.ply_count,
            "moves": " ".join(str(ply.move) for ply in conversion.game.plies),
            "scores": conversion.scores,
        }
    )


def measure(variant_id: str, options: argparse.Namespace) -> None:
    """Measures and prints one variant, a row for each winner."""
    results: dict[Side, Counter[str]] = {side: Counter() for side in Side}
    proven: Counter[Side] = Counter()
    for won in won_positions(variant(variant_id), options):
        conversion = convert(won, options)
        proven[won.winner] += won.judged.win_in is not None
        is_open = conversion.result in ("won", "open")
        name = conversion.result if is_open else f"{conversion.result} ({conversion.reason})"
        results[won.winner][name] += 1
        if options.log:
            with options.log.open("a", encoding="utf-8") as file:
                file.write(logged(variant_id, won, conversion) + "\n")
    for side, counted in results.items():
        others = ", ".join(f"{count} {name}" for name, count in counted.most_common() if name != "won")
        print(
            f"{variant_id:20} {side.value:9} {counted['won']:3} of {counted.total():3} won in {PLIES} plies, "
            f"{proven[side]} proven by the judge; {others or 'no others'}",
            flush=True,
        )


def main() -> None:
    """Measures the variants of the command line, by default large boards of several families."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=BOARDS)
    parser.add_argument("--positions", type=int, default=40, help="positions of each variant")
    parser.add_argument("--nodes", type=int, default=5_000, help="nodes for each move of both sides")
    parser.add_argument("--prove", type=int, default=0, help="expansions of the prover before each search")
    parser.add_argument("--play", type=int, default=2_000, help="nodes for each move of the games before")
    parser.add_argument("--judge", type=int, default=100_000, help="nodes of the search that judges")
    parser.add_argument("--chances", type=float, default=0.97, help="least winning chances")
    parser.add_argument("--seed", type=int, default=1, help="number of the first game")
    parser.add_argument("--log", type=Path, help="a file for the games, a line of JSON each")
    options = parser.parse_args()
    for variant_id in options.variants:
        measure(variant_id, options)


if __name__ == "__main__":
    main()
