"""Collects positions with a proven win into tests/tactics, from games of the engine with itself.

    python tools/make_tactics.py brandub-globe --positions 40

Each line of a file holds a position, who wins, moves that are proven to win, the longest line of the proof in
plies, and the seed of the game. The first move has a proof of at most `--size` positions. A file is
added to, from the game after the last one it holds, so that one may stop at any time.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

from decided_games import back, decided_games

from hnefi import Game, Move, Side, variant, variant_ids
from hnefi._core import Searcher

FOLDER = Path(__file__).parents[1] / "tests" / "tactics"
HEAD = "# position | winner | moves that win | plies of the proof at most | seed of the game\n"
LONGEST_BACK = 13
NODES = 10_000
NODES_OF_OTHERS = 150


class Tactic(NamedTuple):
    """A position with the moves that win, the first with a proof."""

    game: Game
    winner: Side
    moves: list[Move]
    longest: int

    def text(self, seed: int) -> str:
        """Writes the line of the file."""
        moves = " ".join(map(str, self.moves))
        return f"{self.game.position.setup} | {self.winner.value} | {moves} | {self.longest} | {seed}\n"


def tactic(game: Game, winner: Side, shortest: int, size: int) -> Tactic | None:
    """Looks for a proof from a position; None if there is none that is long and small enough."""
    searcher = Searcher(table_mib=1)
    answer, _, proof = searcher.prove(game, winner, nodes=NODES, table_mib=16)
    if answer != "proven" or proof is None or not shortest <= proof[2] or not len(proof[0]) <= size:
        return None
    first = proof[1][0]
    moves = [first]
    for move in game.legal_moves():
        if move == first:
            continue
        found = searcher.prove(game.play(move), winner, nodes=NODES_OF_OTHERS, table_mib=2)[0]
        if found == "proven":
            moves.append(move)
        if len(moves) > 3:
            return None
    return Tactic(game, winner, moves, proof[2])


def tactics_of(game: Game, winner: Side, options: argparse.Namespace) -> list[Tactic]:
    """Gives the two earliest positions with a proven win, four plies apart."""
    found: list[Tactic] = []
    for plies in range(options.shortest, LONGEST_BACK + 1, 2):
        earlier = back(game, plies)
        if earlier is None or earlier.turn != winner:
            break
        one = tactic(earlier, winner, options.shortest, options.size)
        if one is None and plies > options.shortest:
            break
        if one is not None:
            found.append(one)
    return [*found[-1:], *found[-3:-2]]


def collect(variant_id: str, options: argparse.Namespace) -> None:
    """Fills the file of one variant."""
    path = FOLDER / f"{variant_id}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    if not lines:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(HEAD, encoding="utf-8")
    seed = 1 + max([int(line.rsplit("|", 1)[1]) for line in lines], default=0)
    known = {line.split("|", 1)[0].rsplit(" ", 2)[0] for line in lines}
    begin = time.monotonic()
    if len(lines) >= options.positions:
        return
    for number, game, winner in decided_games(variant(variant_id), seed, options.play):
        for found in tactics_of(game, winner, options):
            if str(found.game.position) not in known:
                known.add(str(found.game.position))
                with path.open("a", encoding="utf-8") as file:
                    file.write(found.text(number))
                lines.append("")
        seconds = time.monotonic() - begin
        print(
            f"{variant_id}: game {number}, {len(lines)} of {options.positions}, {seconds:.0f} s", flush=True
        )
        if len(lines) >= options.positions or seconds > options.seconds:
            return


def main() -> None:
    """Fills the files of the variants the command line names, of all without a name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=variant_ids())
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--play", type=int, default=2_000, help="nodes of each move of the games")
    parser.add_argument("--shortest", type=int, default=5, help="plies of the shortest win that is taken")
    parser.add_argument(
        "--size", type=int, default=2_000, help="positions of the largest proof that is taken"
    )
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long with each variant")
    options = parser.parse_args()
    for variant_id in options.variants:
        collect(variant_id, options)


if __name__ == "__main__":
    main()
