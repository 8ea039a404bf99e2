"""How many won positions of self-play games the engine converts when it plays both sides."""

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from hnefi._core import Game, Line, Move, Searcher
from hnefi.engine.analysis import PROVEN_VALUE
from hnefi.engine.weights import weights_for
from hnefi.lab.append_log import AppendLog
from hnefi.lab.folder import used_weights_digest
from hnefi.lab.positions import MAX_PLIES, opening, play_on, prove
from hnefi.pieces import Side
from hnefi.variants.model import Variant

_FORMAT = "hnefi conversion 1"
_PLIES = 60
_MOST_GAMES = 8
"""Games of the selection for each position that is wanted: one side may win hardly any."""
_HANDICAP = 10
"""The stronger side of such a game plays with so many times the nodes of the weaker one."""


@dataclass(frozen=True, slots=True)
class ConversionPlan:
    """Which won positions are taken, and how they are played.

    Attributes:
        positions: Positions of a variant, half of them won by each side if the games allow it.
        nodes: Positions searched for each move of both sides.
        prove: Expansions of the prover before each search; its move is played if it proves a win.
        play_nodes: As `nodes`, for the games that the positions come from.
        judge: Positions that the judge searches.
        chances: The least expected result of the winner.
        proved: Takes only positions whose win the judge proves.
        seed: The number of the first game.
    """

    positions: int = 40
    nodes: int = 5_000
    prove: int = 0
    play_nodes: int = 2_000
    judge: int = 100_000
    chances: float = 0.97
    proved: bool = False
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Conversion:
    """A won position, played on.

    Attributes:
        seed: The number of the game that it comes from.
        score: The score of the judge; `win_in` are the plies of a win that it proves.
        result: `won`, `lost` or `drawn` for the winner, or `open` after so many plies.
        reason: The code of the reason of the result.
    """

    variant: str
    position: str
    winner: str
    seed: int
    score: int
    win_in: int | None
    result: str
    reason: str | None
    plies: int
    moves: str
    scores: list[int]


def conversions(one: Variant, plan: ConversionPlan, path: Path | None = None) -> Iterator[Conversion]:
    """Iterates over won positions of a variant, and how both sides go on, at most 60 plies.

    A position is the first of a self-play game that one side has the chances to win, if the judge agrees. In
    each game one side, by turns, plays with a tenth of the nodes. All searches run in one thread, so that a
    seed gives the same games on every machine.

    Args:
        path: A file that keeps the positions; those in it come first.

    Raises:
        LabError: `other_experiment` if the file has another plan, `bad_folder`, `folder_in_use`.
    """
    settings = {"rules": one.rules.hash, "weights": used_weights_digest(one.rules), **asdict(plan)}
    log = AppendLog(path, {"format": _FORMAT, **settings})
    try:
        first, half = plan.seed, plan.positions // 2
        rooms = {Side.ATTACKERS: plan.positions - half, Side.DEFENDERS: half}
        for entry in [*log.entries]:
            known = Conversion(**entry)
            first, rooms[Side(known.winner)] = known.seed + 1, rooms[Side(known.winner)] - 1
            yield known
        for seed in range(first, plan.seed + _MOST_GAMES * plan.positions):
            weaker = Side.ATTACKERS if seed % 2 else Side.DEFENDERS
            begin = opening(one, random.Random(f"{one.id}/{seed}")) if rooms[weaker.opponent] else None
            won = _first_won(begin, weaker, plan) if begin else None
            if won is not None and rooms[won[1]]:
                rooms[won[1]] -= 1
                found = _converted(one, seed, plan, *won)
                log.add(asdict(found))
                yield found
    finally:
        log.close()


def _first_won(game: Game, weaker: Side, plan: ConversionPlan) -> tuple[Game, Side, Line] | None:
    """Plays a game to the first position that is won; returns it, its winner and the line of the judge."""
    nodes = {weaker: plan.play_nodes // _HANDICAP, weaker.opponent: plan.play_nodes}
    searchers, judge = {side: Searcher(table_mib=16) for side in Side}, Searcher(table_mib=16)
    while game.turn is not None and game.ply_count < MAX_PLIES:
        line = best_line(game, searchers[game.turn], nodes[game.turn])
        for side in Side:
            if has_chances(game, line, side, plan.chances):
                fresh = Game(game.rules, game.position.setup)
                judged = best_line(fresh, judge, plan.judge)
                if has_chances(game, judged, side, 1 if plan.proved else plan.chances):
                    return fresh, side, judged
        game = game.play(line.moves[0])
    return None


def _converted(
    one: Variant, seed: int, plan: ConversionPlan, begin: Game, winner: Side, judged: Line
) -> Conversion:
    searchers, scores = {side: Searcher(table_mib=16) for side in Side}, list[int]()

    def choose(game: Game) -> Move:
        move, score = best_move(game, searchers[game.position.turn], plan.nodes, plan.prove)
        scores.append(score)
        return move

    game = play_on(begin, choose, _PLIES)
    results = {winner: "won", None: "drawn", winner.opponent: "lost"}
    return Conversion(
        one.id,
        str(begin.position.setup),
        winner.value,
        seed,
        judged.score,
        judged.win_in,
        results[game.outcome.winner] if game.outcome else "open",
        game.outcome.reason.value if game.outcome else None,
        game.ply_count,
        " ".join(str(ply.move) for ply in game.plies),
        scores,
    )


def best_line(game: Game, searcher: Searcher, nodes: int) -> Line:
    """Searches a position for its best line."""
    return searcher.analyse(game, nodes=nodes, weights=weights_for(game.rules).text).lines[0]


def best_move(game: Game, searcher: Searcher, nodes: int, expansions: int = 0) -> tuple[Move, int]:
    """Returns the move to play and its score: of a proof with so many expansions, or of a search."""
    side = game.position.turn
    proof = prove(game, side, expansions, 4) if expansions else None
    if proof is not None and proof.line:
        score = PROVEN_VALUE - proof.plies
        return proof.line[0], score if side is Side.ATTACKERS else -score
    line = best_line(game, searcher, nodes)
    return line.moves[0], line.score


def has_chances(game: Game, line: Line, side: Side, least: float) -> bool:
    """Checks whether a side has at least this expected result at the score of a line."""
    chances = weights_for(game.rules).calibration.chances(line.score)
    attackers = chances if line.win_in is None else float(line.score > 0)
    return (attackers if side is Side.ATTACKERS else 1 - attackers) >= least
