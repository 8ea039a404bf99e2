"""An OTEP engine that fails in a given way: `fake_otep.py MODE [FILE]`."""

import json
import random
import sys
import time
from pathlib import Path

from hnefi._core import Game, Rules, Setup
from hnefi.formats.opentafl import parse_rules_text, read_position, setup_of, tree_of
from hnefi.pieces import Side

COMMAND = f"otep:{sys.executable} -m tests.fake_otep"
"""The command line without the mode."""

_LONG_S = 60


class Fake:
    """Plays the first legal move of the board that was sent."""

    def __init__(self, mode: str, log: str) -> None:
        self._mode = mode
        self._log = log
        self._game: Game | None = None
        self._side = Side.ATTACKERS

    def take(self, line: str) -> None:
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        word, _, rest = line.partition(" ")
        if word == "hello":
            write("hello")
        elif word == "rules":
            tree, _ = tree_of(parse_rules_text(rest))
            self._game = Game(Rules(json.dumps(tree)))
        elif word == "side":
            self._side = Side(rest)
        elif word in ("position", "move"):
            turn = self._side if word == "position" else self._side.opponent
            self._board(rest, turn)
        elif word == "opponent-move":
            self._board(rest.split()[1], self._side)
        elif word == "play":
            self._play()
        elif word == "analyze":
            assert self._game is not None
            moves = [f"{move.from_square.name}-{move.to_square.name}" for move in self._game.legal_moves()]
            pairs = [f"{move} {10 * place}" for place, move in enumerate(moves[: int(rest.split()[0])])]
            write(f"analysis {len(pairs)} {' '.join(pairs)}")

    def _board(self, text: str, turn: Side) -> None:
        assert self._game is not None
        setup: Setup = setup_of(read_position(text), turn)
        self._game = Game(self._game.rules, setup)

    def _play(self) -> None:
        assert self._game is not None
        if self._mode == "illegal":
            write("move a1-a9")
        elif self._mode == "nonsense":
            write("move")
        elif self._mode == "critical":
            write("error -1 I cannot")
        elif self._mode == "crashes":
            sys.exit(7)
        elif self._mode == "hangs":
            time.sleep(_LONG_S)
        else:
            write("status thinking\nerror 0 not so bad\ngarbage")
            moves = sorted(self._game.legal_moves(), key=str)
            move = random.Random(7).choice(moves)
            write(f"move {move.from_square.name}-{move.to_square.name}")


def write(text: str) -> None:
    """Writes lines without buffering."""
    print(text, flush=True)


def main(mode: str, log: str = "") -> None:
    """Speaks a minimum of the protocol, and fails in the way of the mode; `well` does not fail."""
    if mode == "silent":
        time.sleep(_LONG_S)
    if mode == "dies":
        sys.exit(3)
    fake = Fake(mode, log)
    for line in sys.stdin:
        if line.strip() == "goodbye":
            break
        fake.take(line.strip())


if __name__ == "__main__":
    main(*sys.argv[1:])
