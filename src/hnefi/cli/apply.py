"""`hnefi apply`: plays moves from a position and prints the result (decision 9)."""

import re
from collections.abc import Iterator

from hnefi._core import CalledGame, Game, Outcome, Square
from hnefi.cli.commands import argument, command, option
from hnefi.cli.naming import json_option, read_setup, switches_option, variant_argument
from hnefi.cli.output import colour_depth, needs_ascii, print_json, print_text
from hnefi.cli.texts import language, outcome_text, translate, translate_plural
from hnefi.cli.values import Choice, Text
from hnefi.diagram import text as board_text
from hnefi.errors import IllegalMove
from hnefi.variants.model import Variant
from hnefi.words.variant_texts import call_name

CALL_MODES = ("off", "auto", "manual")
_CALL = re.compile(r"\s*!\s*([12])\s*")

_EXAMPLES = (
    ("apply brandub-globe start", "start"),
    ("apply brandub-globe start d2-c2 --json", "json"),
    ('apply brandub-globe "7/7/7/3K3/7/2t4/7 a 19" c2-c3', "position"),
    ("apply brandub-globe start d2-c2 --switch quiet_limit=40", "switch"),
    ('apply gwezboell-globe "9/9/9/9/2K6/9/9/9/6t2 d" c5-a5!2 g1-g2 a5-a9 --calls manual', "calls"),
)


@command("apply", _EXAMPLES)
@variant_argument()
@argument("position", key="position", type=Text())
@argument("moves", key="moves", type=Text(), nargs=-1)
@switches_option
@option("--calls", type=Choice(CALL_MODES), default="auto", metavar="calls")
@json_option
def apply(
    variant: Variant,
    position: str,
    moves: tuple[str, ...],
    calls: str,
    as_json: bool,
) -> None:
    """Plays moves from a position and prints the result."""
    called = game_after(variant, position, moves, calls)
    if as_json:
        print_json(answer_of(called))
    else:
        print_text(_print_result(variant, called))


def game_after(variant: Variant, position: str, moves: tuple[str, ...], mode: str) -> CalledGame:
    """Plays moves from a position in sequence, each with its call: `c5-a5!2`.

    If the position is a move, the game begins at the start position. In a variant without calls, manual calls
    have no sanction.

    Raises:
        IllegalMove: If one of them is malformed or illegal.
    """
    if "-" in position and "/" not in position:
        position, moves = "start", (position, *moves)
    setup = read_setup(variant, position)
    if variant.calls is None:
        called = CalledGame(Game(variant.rules, setup), mode)
    else:
        called = variant.new_called_game(mode, setup)
    for written in moves:
        move, mark, call = written.partition("!")
        said = _CALL.fullmatch(mark + call)
        if mark and said is None:
            raise IllegalMove.of_facts("bad_move", text=written[:60])
        called = called.play(move, int(said.group(1)) if said else 0)
    return called


def answer_of(called: CalledGame) -> dict[str, object]:
    """Returns the JSON answer with the keys of decision 9."""
    game = called.game
    moves = sorted(map(str, called.legal_moves()))
    answer: dict[str, object] = {
        "position": str(game.position.setup),
        "turn": game.turn.value if game.turn else None,
        "captures": _names(_captures(called)),
        "legal_moves": len(moves),
        "moves": moves,
        "exits": len(game.position.open_roads),
        "king_in_danger": game.position.threatened_king,
        "outcome": outcome_facts(game.outcome),
    }
    if called.mode == "manual":
        answer |= {
            "owed": _names(called.open_roads),
            "called": called.called,
            "must_replay": called.must_replay.name if called.must_replay else None,
            "refused": called.refused,
        }
    return answer


def outcome_facts(outcome: Outcome | None) -> dict[str, object] | None:
    """Returns an outcome as JSON values; None while the game goes on."""
    if outcome is None:
        return None
    return {"winner": outcome.winner.value if outcome.winner else None, "reason": outcome.reason.value}


def _captures(called: CalledGame) -> tuple[Square, ...]:
    """Returns the captures of the last move; a refused escape captured nothing."""
    last = called.game.last
    return () if called.refused or last is None else last.captures


def _names(squares: tuple[Square, ...]) -> list[str]:
    return [square.name for square in sorted(squares, key=lambda square: (square.file, square.rank))]


def _print_result(variant: Variant, called: CalledGame) -> str:
    """Prints the board and the state of the game as text."""
    game = called.game
    lines = [board_text(game, colour=colour_depth(), ascii_only=needs_ascii()), ""]
    if called.refused:
        lines.append(translate("cli.apply.refused"))
    captures = _names(_captures(called))
    if captures:
        lines.append(translate("cli.apply.captures", squares=", ".join(captures)))
    if game.passed and game.turn and not called.refused:
        lines.append(translate(f"cli.apply.passed.{game.turn.opponent.value}"))
    if game.outcome:
        lines.append(outcome_text(game.outcome))
    elif game.turn:
        count = translate_plural("cli.count.moves", len(called.legal_moves()))
        lines.append(translate(f"cli.apply.turn.{game.turn.value}", moves=count))
    lines += _announcements(variant, called)
    if called.must_replay:
        lines.append(translate("cli.apply.must_replay", square=called.must_replay.name))
    lines.append(translate("cli.apply.position", position=game.position.setup))
    return "\n".join(lines)


def _announcements(variant: Variant, called: CalledGame) -> Iterator[str]:
    """Iterates over the lines about open roads and a threat to the king, with the variant's words."""
    calls = variant.calls if called.mode != "off" else None
    position = called.game.position
    roads = len(position.open_roads)
    word = call_name(calls, "one_exit" if roads == 1 else "two_exits", language()) if roads else None
    yield translate_plural("cli.apply.exits.called" if word else "cli.apply.exits", roads, word=word or "")
    if position.threatened_king and called.game.outcome is None:
        word = call_name(calls, "king_in_danger", language())
        key = "cli.apply.king_in_danger.called" if word else "cli.apply.king_in_danger"
        yield translate(key, word=word or "")
