"""The guided first game of the home page: a position, and three moves to find.

Only the position, the pieces to move and the replies are written here: the rules say which moves reach the
goal of a step, and what they capture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hnefi._core import Game, Move, Setup, Square
from hnefi.errors import HnefiError
from hnefi.i18n import text
from hnefi.pieces import Side
from hnefi.variants.finding import variant

VARIANT = "brandub-globe"
_START = "3t3/1t5/3T2t/t1T1K2/4T2/1t3t1/5t1 d 0"


@dataclass(frozen=True, slots=True)
class GuidedStep:
    """One move to find.

    Attributes:
        id: The prefix of its texts: `page.first.ID.say` and so on.
        piece: The square of the piece to move.
        captures: Whether the move has to capture.
        wins: Whether the move has to win.
        reply: The attackers' answer; None after the last move.
    """

    id: str
    piece: Square
    captures: bool = False
    wins: bool = False
    reply: Move | None = None


STEPS = (
    GuidedStep("move", Square("e3"), reply=Move("g5-e5")),
    GuidedStep("capture", Square("e4"), captures=True, reply=Move("b2-b1")),
    GuidedStep("escape", Square("e1"), wins=True),
)

_STEP_TEXTS = ("say", "hint", "off", "blocked", "other")
_TEXTS = ("board", "attacker", "chosen", "waits", "reply", "over", "won")
_WORDS = (
    "attacker",
    "defender",
    "king",
    "empty",
    "corner",
    "throne",
    "target",
    "target.captures",
    "selected",
)


def begin() -> Game:
    """Returns the game at its beginning."""
    return variant(VARIANT).new_game(Setup(_START))


def is_playable() -> bool:
    """Checks whether the rules allow the whole game: those of a changed variant may not."""
    try:
        return bool(right_moves(begin(), STEPS))
    except HnefiError:
        return False


def right_moves(game: Game, steps: tuple[GuidedStep, ...]) -> dict[Move, Game]:
    """Returns the moves that reach the goal of the first step, each with the game after the reply.

    A move is right if it does what the step asks for, and the next steps stay possible.
    """
    step, rest = steps[0], steps[1:]
    found = {}
    for move in _moves_of(game, step):
        after = game.play(move)
        if not _reaches(step, after):
            continue
        if step.reply is not None:
            if not after.is_legal(step.reply):
                continue
            after = after.play(step.reply)
        if not rest or right_moves(after, rest):
            found[move] = after
    return found


def _moves_of(game: Game, step: GuidedStep) -> list[Move]:
    return [move for move in game.legal_moves() if move.from_square == step.piece]


def _reaches(step: GuidedStep, after: Game) -> bool:
    has_won = after.outcome is not None and after.outcome.winner is Side.DEFENDERS
    has_captured = after.last is not None and len(after.last.captures) > 0
    return has_won == step.wins and (has_captured or not step.captures)


def positions() -> Iterator[tuple[GuidedStep, Game, dict[Move, Game]]]:
    """Iterates over the steps, each with its game and its right moves."""
    game = begin()
    for place, step in enumerate(STEPS):
        right = right_moves(game, STEPS[place:])
        yield step, game, right
        game = next(iter(right.values()))


@cache
def guided_facts(lang: str) -> dict[str, Any]:
    """Returns what the script of the game needs; web/src/pages/home/guided_game.ts declares its type."""
    rules = begin().rules
    special = {square.name: "corner" for square in rules.corners}
    if rules.throne is not None:
        special[rules.throne.name] = "throne"
    return {
        "size": rules.size,
        "special": special,
        "steps": [_step_facts(step, game, right, lang) for step, game, right in positions()],
        "texts": {name: text(f"page.first.{name}", lang) for name in _TEXTS},
        "words": {name: text(f"board.{name}", lang) for name in _WORDS},
    }


def _step_facts(step: GuidedStep, game: Game, right: dict[Move, Game], lang: str) -> dict[str, Any]:
    others = [move.to_square.name for move in _moves_of(game, step) if move not in right]
    return {
        "from": step.piece.name,
        "moves": {move.to_square.name: _captured(game, move) for move in right},
        "others": sorted(others),
        "reply": step.reply and [step.reply.from_square.name, step.reply.to_square.name],
        "texts": {part: _step_text(step, part, lang) for part in _STEP_TEXTS},
    }


def _step_text(step: GuidedStep, part: str, lang: str) -> str:
    return text(f"page.first.{step.id}.{part}", lang, square=step.piece.name)


def _captured(game: Game, move: Move) -> list[str]:
    return sorted(capture.square.name for capture in game.position.describe(move).captures)
