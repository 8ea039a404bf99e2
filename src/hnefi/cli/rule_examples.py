"""Prints the example of a rule: the boards before and after the move, and a sentence."""

import shutil
import textwrap

import click

from hnefi._core import Move, Position
from hnefi.cli.output import colour_depth, needs_ascii, print_text
from hnefi.cli.texts import language, translate
from hnefi.diagram import text as board_text
from hnefi.examples import Effect, Example, example_text
from hnefi.i18n import explain, outcome_text

_GAP = "    "
_WIDEST_TEXT = 96
# Larger boards are shown in part.
_WHOLE = 11


def show_example(shown: Example) -> None:
    """Formats an example with its sentence; one board only where two do not fit side by side."""
    room = shutil.get_terminal_size().columns
    before, after = _board(shown, played=False), _board(shown, played=True)
    width = max(map(len, _board(shown, played=False, coloured=False)))
    if Move(shown.move).is_stop:
        lines = before
    elif 2 * width + len(_GAP) + 2 > room:
        lines = after
    else:
        lines = _beside(shown, before, after, width)
    print_text("\n".join(f"  {line}" for line in lines))
    for line in textwrap.wrap(example_text(shown, language()), min(room, _WIDEST_TEXT) - 2):
        click.echo(f"  {line}")


def _beside(shown: Example, before: list[str], after: list[str], width: int) -> list[str]:
    """Places two boards side by side, each under its title."""
    after_head = (
        translate("cli.example.after")
        if _is_eventful(shown)
        else translate("cli.example.after_other", key=shown.leaf, value=shown.other)
    )
    heads = translate("cli.example.before").center(width), after_head.center(width)
    plain = _board(shown, played=False, coloured=False)
    rows = [
        f"{left}{' ' * (width - len(bare))}{_GAP}{right}"
        for left, bare, right in zip(before, plain, after, strict=True)
    ]
    return [f"{heads[0]}{_GAP}{heads[1]}".rstrip(), *rows]


def _is_eventful(shown: Example) -> bool:
    """Checks whether more happens with the value than with the other one."""
    value, other = (
        (effect.legal, len(effect.captures), effect.outcome is not None)
        for effect in (shown.effect, shown.otherwise)
    )
    return value >= other


def _board(shown: Example, *, played: bool, coloured: bool = True) -> list[str]:
    """Draws the board with the move, under the rules in which more happens."""
    rules = shown.rules if _is_eventful(shown) or not played else shown.other_rules
    position = Position(rules, shown.game.position.setup)
    last = shown.game.last
    return board_text(
        position,
        played=Move(shown.move) if played else None,
        last_move=last.move if last and not played else None,
        crop=shown.crop if rules.size > _WHOLE else None,
        colour=colour_depth() if coloured else "none",
        ascii_only=needs_ascii(),
    ).split("\n")


def example_facts(shown: Example) -> dict[str, object]:
    """Returns an example as JSON values."""
    return {
        "leaf": shown.leaf,
        "value": shown.value,
        "other": shown.other,
        "position": shown.position,
        "move": shown.move,
        "effect": _effect_facts(shown.effect),
        "otherwise": _effect_facts(shown.otherwise),
        "begins": shown.begins,
        "history": list(shown.history),
        "text": example_text(shown, language()),
    }


def _effect_facts(effect: Effect) -> dict[str, object]:
    """Returns the effect of a move as JSON values."""
    outcome, refusal = effect.outcome, effect.refusal
    return {
        "legal": effect.legal,
        "refusal": refusal and {"code": refusal.code, "message": explain(refusal, language())},
        "captures": [square.name for square in effect.captures],
        "outcome": outcome
        and {
            "winner": outcome.winner.value if outcome.winner else None,
            "reason": outcome.reason.value,
            "message": outcome_text(outcome, language()),
        },
        "position": effect.position,
        "passed": effect.passed,
    }
