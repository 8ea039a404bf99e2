"""Measures how many won positions the engine converts within 60 plies, against itself.

    python tools/measure_conversion.py copenhagen-11 --positions 40 --nodes 5000 --log target/conversion.jsonl

The positions come from self-play games, one of each game: the first position from which the search at
`--play` nodes gives one side the winning chances of `--chances`, if a search of `--judge` nodes agrees
or proves a win; with `--proved`, the first for which it proves one. Each side wins half of the
positions, if the games allow it: in each game one of them, by turns, plays with a tenth of the nodes.
Then the engine plays both sides at `--nodes` positions a move; with `--prove`, it plays the move of the
prover where so many expansions prove a win. All searches run in one thread, so that a seed gives the
same games on every machine.

`--log` writes a line of JSON for each position: the position, its score, and the moves with their scores.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hnefi import Game, Move, Side, Variant, variant
from hnefi._core import Line, Searcher
from hnefi.engine.analysis import PROVEN_VALUE
from hnefi.engine.weights import weights_for
from hnefi.lab.positions import MAX_PLIES, opening, play_on, prove

BOARDS = ("copenhagen-11", "fetlar-11", "hist-hnefatafl-11", "hist-tablut-9", "tablut-geoludie")
PLIES = 60
# Games of the selection, for each position that is wanted: one side may win hardly any.
MOST_GAMES = 8
# The stronger side of such a game plays with so many times the nodes of the weaker one.
HANDICAP = 10


class WonPosition(NamedTuple):
    """A won position: the game it begins, the winner, and the score of the judge."""

    game: Game
    winner: Side
    judged: Line


def search(game: Game, searcher: Searcher, nodes: int) -> Line:
    """Searches a position for its best line."""
    return searcher.analyse(game, nodes=nodes, weights=weights_for(game.rules).text).lines[0]


def best_move(game: Game, searcher: Searcher, nodes: int, expansions: int = 0) -> tuple[Move, int]:
    """Returns the move to play and its score: of a proof with so many expansions, or of a search."""
    side = game.position.turn
    proof = prove(game, side, expansions, 4) if expansions else None
    if proof is not None and proof.line:
        score = PROVEN_VALUE - proof.plies
        return proof.line[0], score if side is Side.ATTACKERS else -score
    line = search(game, searcher, nodes)
    return line.moves[0], line.score


def has_chances(game: Game, line: Line, side: Side, least: float) -> bool:
    """Checks whether a side has at least this expected result at the score of a line."""
    chances = weights_for(game.rules).calibration.chances(line.score)
    attackers = chances if line.win_in is None else float(line.score > 0)
    return (attackers if side is Side.ATTACKERS else 1 - attackers) >= least


def won_positions(one: Variant, options: argparse.Namespace) -> Iterator[tuple[int, WonPosition]]:
    """Iterates over won positions, so many of each side, with the seeds of their games."""
    rooms = dict.fromkeys(Side, (options.positions + 1) // 2)
    for seed in range(options.seed, options.seed + MOST_GAMES * options.positions):
        weaker = Side.ATTACKERS if seed % 2 else Side.DEFENDERS
        if rooms[weaker.opponent]:
            begin = opening(one, random.Random(f"{one.id}/{seed}"))
            found = first_won(begin, weaker, options)
            if found is not None and rooms[found.winner]:
                rooms[found.winner] -= 1
                yield seed, found


def first_won(game: Game, weaker: Side, options: argparse.Namespace) -> WonPosition | None:
    """Plays a game to the first position that is won; None if there is none."""
    nodes = {weaker: options.play // HANDICAP, weaker.opponent: options.play}
    searchers, judge = {side: Searcher(table_mib=16) for side in Side}, Searcher(table_mib=16)
    while game.turn is not None and game.ply_count < MAX_PLIES:
        line = search(game, searchers[game.turn], nodes[game.turn])
        for side in Side:
            if has_chances(game, line, side, options.chances):
                fresh = Game(game.rules, game.position.setup)
                judged = search(fresh, judge, options.judge)
                if has_chances(game, judged, side, 1 if options.proved else options.chances):
                    return WonPosition(fresh, side, judged)
        game = game.play(line.moves[0])
    return None


def convert(won: WonPosition, options: argparse.Namespace) -> tuple[Game, list[int]]:
    """Plays a won position; returns the game and the scores of its moves."""
    searchers, scores = {side: Searcher(table_mib=16) for side in Side}, list[int]()

    def choose(game: Game) -> Move:
        move, score = best_move(game, searchers[game.position.turn], options.nodes, options.prove)
        scores.append(score)
        return move

    return play_on(won.game, choose, PLIES), scores


def result_of(game: Game, winner: Side) -> tuple[str, str]:
    """Returns the result, `won`, `lost`, `drawn` or `open` after so many plies, and its reason."""
    if game.outcome is None:
        return "open", "-"
    results = {winner: "won", None: "drawn", winner.opponent: "lost"}
    return results[game.outcome.winner], game.outcome.reason.value


def measure(variant_id: str, options: argparse.Namespace) -> None:
    """Measures and prints one variant, a row for each winner."""
    results: dict[Side, Counter[str]] = {side: Counter() for side in Side}
    proven: Counter[Side] = Counter()
    for seed, won in won_positions(variant(variant_id), options):
        game, scores = convert(won, options)
        result, reason = result_of(game, won.winner)
        proven[won.winner] += won.judged.win_in is not None
        results[won.winner][result if result in ("won", "open") else f"{result} ({reason})"] += 1
        facts = {
            "variant": variant_id,
            "position": str(won.game.position.setup),
            "winner": won.winner.value,
            "seed": seed,
            "judged": won.judged.score,
            "win_in": won.judged.win_in,
            "result": result,
            "reason": reason,
            "plies": game.ply_count,
            "moves": " ".join(str(ply.move) for ply in game.plies),
            "scores": scores,
        }
        if options.log:
            with options.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(facts) + "\n")
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
    parser.add_argument("--proved", action="store_true", help="only positions whose win is proved")
    parser.add_argument("--seed", type=int, default=1, help="number of the first game")
    parser.add_argument("--log", type=Path, help="a file for the games, a line of JSON each")
    options = parser.parse_args()
    for variant_id in options.variants:
        measure(variant_id, options)


if __name__ == "__main__":
    main()
