"""The pages of the puzzles: all of them, and one with its answers for its script."""

import datetime as dt
from functools import cache
from typing import Any

from markupsafe import Markup

from hnefi.puzzles import DIFFICULTIES, THEMES, Node, Puzzle, daily_puzzle, puzzle, puzzle_variants, puzzles
from hnefi.server.game_facts import game_facts
from hnefi.server.messages.rules import shape_of
from hnefi.server.pages import drawings
from hnefi.server.pages.board_tiles import position_tile
from hnefi.server.pages.page import PageNotFound, PageRequest
from hnefi.variants.finding import variant

_FOLLOWING = 12
_DAYS = 364
_Level = tuple[str, Markup, list[Puzzle]]
"""The puzzles of a difficulty: its name, a small board and the puzzles."""


def puzzles_values(request: PageRequest) -> dict[str, object]:
    """Returns all puzzles, with that of the day."""
    lang, variants = request.lang, request.known
    day = dt.date.fromisoformat(request.values["day"])
    one = daily_puzzle(day, variants)
    return {
        "page": {
            "day": day.isoformat(),
            "today": one,
            "board": _board(one, lang),
            "themes": _themes(variants),
            "games": _games(lang, variants),
            "shapes": {name: shape_of(variant(name).rules).model_dump() for name in puzzle_variants()},
            "count": sum(one.variant in variants for one in puzzles()),
        },
        "days": _days(request),
    }


def puzzle_values(request: PageRequest) -> dict[str, object]:
    """Returns a puzzle, which is solved in the browser; one that is kept is for any day and has no board."""
    lang, asked = request.lang, request.values.get("day")
    try:
        one = puzzle(request.parameter("puzzle").lower())
    except ValueError:
        raise PageNotFound from None
    day = None if asked is None else dt.date.fromisoformat(asked)
    is_daily = day is not None and daily_puzzle(day).id == one.id
    has_board = "board" not in dict(request.parameters)
    return {
        "page": {
            "puzzle": one,
            "weekday": day.weekday() if day is not None and is_daily else None,
            "board": _board(one, lang) if has_board else Markup(),
            # As web/src/pages/puzzles/puzzle.ts names its parts.
            "facts": {
                **_facts(one),
                "day": "" if day is None else day.isoformat(),
                "week": [
                    {"day": one.isoformat(), "puzzle": daily_puzzle(one).id}
                    for one in (() if day is None else _from_monday(day, 7))
                ],
                "next": _following(one),
            },
            "game": game_facts(variant(one.variant), lang),
        },
        "days": _days(request),
    }


def _days(request: PageRequest) -> dict[str, Any] | None:
    """Returns the puzzles of the days after a site of static files is written; None at a server."""
    written = request.values.get("written")
    return None if written is None else days_of_puzzles(dt.date.fromisoformat(written), request.known)


@cache
def days_of_puzzles(day: dt.date, variants: tuple[str, ...]) -> dict[str, Any]:
    """Returns the puzzles of 52 weeks from the week of a day, as their script names the parts (daily.ts)."""
    days = _from_monday(day, _DAYS)
    return {"first": days[0].isoformat(), "puzzles": [daily_puzzle(one, variants).id for one in days]}


def _from_monday(day: dt.date, count: int) -> list[dt.date]:
    """Returns some days, the first of which is the Monday of the week of a day."""
    return [day + dt.timedelta(days=place - day.weekday()) for place in range(count)]


@cache
def _themes(variants: tuple[str, ...]) -> list[tuple[str, list[_Level]]]:
    """Returns the puzzles by theme and difficulty, each level with the position of its first puzzle."""
    found = []
    for theme in THEMES:
        levels = []
        for level in DIFFICULTIES:
            listed = [
                one for one in puzzles(theme=theme) if one.variant in variants and one.difficulty == level
            ]
            if listed:
                tile = position_tile(variant(listed[0].variant).rules, listed[0].setup)
                levels.append((level, tile, listed))
        if levels:
            found.append((theme, levels))
    return found


@cache
def _games(lang: str, variants: tuple[str, ...]) -> dict[str, str]:
    """Returns the names of the variants that have puzzles, by id, small boards first."""
    offered = [variant(name) for name in puzzle_variants() if name in variants]
    found = sorted(offered, key=lambda one: (one.rules.size, one.name(lang)))
    return {one.id: one.name(lang) for one in found}


def _board(one: Puzzle, lang: str) -> Markup:
    return drawings.board(variant(one.variant), one.new_game(), lang)


def _following(one: Puzzle) -> list[str]:
    """Returns the puzzles to go on with: those of the variant, from this one on in order of difficulty."""
    listed = sorted(puzzles(one.variant), key=lambda other: DIFFICULTIES.index(other.difficulty))
    place = listed.index(one)
    around = [*listed[place + 1 :], *listed[:place]]
    return [other.id for other in around[:_FOLLOWING]]


def _facts(one: Puzzle) -> dict[str, Any]:
    return {
        "id": one.id,
        "theme": one.theme,
        "side": one.side.value,
        "moves": one.moves,
        "setup": str(one.setup),
        "node": _node_facts(one.node),
    }


def _node_facts(node: Node) -> dict[str, Any]:
    return {
        "right": {
            str(move): reply
            and {
                "move": str(reply.move),
                "moves": reply.moves,
                "node": reply.node and _node_facts(reply.node),
            }
            for move, reply in node.right.items()
        },
        "wrong": [[str(reply), *sorted(map(str, moves))] for reply, moves in node.wrong],
    }
