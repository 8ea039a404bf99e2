"""The pages of the puzzles: all of them, and one with its answers for its script."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from hnefi._core import Move
from hnefi.puzzles import DIFFICULTIES, THEMES, Node, Puzzle, daily_puzzle, puzzle, puzzle_variants, puzzles
from hnefi.server.game_facts import game_facts
from hnefi.server.pages import drawings
from hnefi.variants.finding import variant

PUZZLE_TEXTS = ("web.puzzle.", "puzzle.why.", "page.puzzle.weekday.", "page.puzzle.day.", "page.puzzles.all")
_FOLLOWING = 12
_DAYS = 364


@dataclass(frozen=True, slots=True)
class PuzzleLink:
    """A puzzle in a list.

    Attributes:
        id: Its id.
        number: Its number among the puzzles of its variant.
        title: Its task.
        game: The name of the game.
        variant: The id of the variant.
    """

    id: str
    number: str
    title: str
    game: str
    variant: str


@dataclass(frozen=True, slots=True)
class PuzzleTheme:
    """The puzzles on a theme, by difficulty."""

    name: str
    levels: tuple[tuple[str, tuple[PuzzleLink, ...]], ...]


@dataclass(frozen=True, slots=True)
class PuzzlesPage:
    """The values of the template of all puzzles.

    Attributes:
        day: The day, as `2026-11-23`.
        today: The puzzle of the day.
        task: Its task as a sentence.
        difficulty: Its difficulty.
        board: Its board.
        themes: All puzzles.
        games: The ids and names of the variants that have puzzles.
        count: The number of puzzles.
    """

    day: str
    today: PuzzleLink
    task: str
    difficulty: str
    board: Markup
    themes: tuple[PuzzleTheme, ...]
    games: tuple[tuple[str, str], ...]
    count: int


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """The values of the template of a puzzle.

    Attributes:
        link: The puzzle as lists name it.
        task: Its task as a sentence.
        difficulty: Its difficulty.
        weekday: The day of the week if it is today's, 0 on Monday; None if not.
        board: Its board.
        facts: The puzzle, as web/src/puzzles/puzzle.ts names its parts.
        game: The facts of the variant.
    """

    link: PuzzleLink
    task: str
    difficulty: str
    weekday: int | None
    board: Markup
    facts: Mapping[str, Any]
    game: Mapping[str, Any]


def puzzles_page(day: dt.date, lang: str, variants: tuple[str, ...] | None = None) -> PuzzlesPage:
    """Returns the page of all puzzles on a day.

    Args:
        day: The day.
        lang: The language.
        variants: The ids of the variants; None for all.
    """
    one = daily_puzzle(day, variants)
    return PuzzlesPage(
        day=day.isoformat(),
        today=_link(one, lang),
        task=one.task(lang),
        difficulty=one.difficulty,
        board=_board(one, lang),
        themes=_themes(lang, variants),
        games=_games(lang, variants),
        count=sum(_is_in(one, variants) for one in puzzles()),
    )


def puzzle_page(puzzle_id: str, day: dt.date | None, lang: str, *, has_board: bool = True) -> PuzzlePage:
    """Returns the page of a puzzle.

    Args:
        puzzle_id: Its id.
        day: The day; None for a page that is kept for any day.
        lang: The language.
        has_board: Whether it has a picture of its board, which its script replaces.

    Raises:
        KeyError: If there is no such puzzle.
    """
    one = puzzle(puzzle_id)
    is_daily = day is not None and daily_puzzle(day).id == one.id
    return PuzzlePage(
        link=_link(one, lang),
        task=one.task(lang),
        difficulty=one.difficulty,
        weekday=day.weekday() if is_daily and day is not None else None,
        board=_board(one, lang) if has_board else Markup(),
        facts={
            **_facts(one),
            "day": "" if day is None else day.isoformat(),
            "week": [] if day is None else _week(day),
            "next": _following(one),
        },
        game=game_facts(variant(one.variant), lang),
    )


@cache
def days_of_puzzles(day: dt.date, variants: tuple[str, ...] | None) -> dict[str, Any]:
    """Returns the puzzles of 52 weeks from the week of a day, as web/src/puzzles/daily.ts names the parts."""
    monday = day - dt.timedelta(days=day.weekday())
    days = [monday + dt.timedelta(days=place) for place in range(_DAYS)]
    return {"first": monday.isoformat(), "puzzles": [daily_puzzle(one, variants).id for one in days]}


def _is_in(one: Puzzle, variants: tuple[str, ...] | None) -> bool:
    return variants is None or one.variant in variants


@cache
def _themes(lang: str, variants: tuple[str, ...] | None) -> tuple[PuzzleTheme, ...]:
    """Returns the puzzles by theme and difficulty."""
    found = []
    for theme in THEMES:
        of_theme = [one for one in puzzles(theme=theme) if _is_in(one, variants)]
        levels = [
            (level, tuple(_link(one, lang) for one in of_theme if one.difficulty == level))
            for level in DIFFICULTIES
        ]
        if of_theme:
            found.append(PuzzleTheme(theme, tuple((level, links) for level, links in levels if links)))
    return tuple(found)


@cache
def _games(lang: str, variants: tuple[str, ...] | None) -> tuple[tuple[str, str], ...]:
    """Returns the variants that have puzzles, with their names, small boards first."""
    offered = [name for name in puzzle_variants() if variants is None or name in variants]
    found = sorted(map(variant, offered), key=lambda one: (one.rules.size, one.name(lang)))
    return tuple((one.id, one.name(lang)) for one in found)


def _link(one: Puzzle, lang: str) -> PuzzleLink:
    number = one.id.rpartition("-")[2]
    return PuzzleLink(one.id, number, one.title(lang), variant(one.variant).name(lang), one.variant)


def _board(one: Puzzle, lang: str) -> Markup:
    return drawings.board(variant(one.variant), one.new_game(), lang)


def _week(day: dt.date) -> list[dict[str, str]]:
    """Returns the days of the week with their puzzles."""
    monday = day - dt.timedelta(days=day.weekday())
    days = [monday + dt.timedelta(days=place) for place in range(7)]
    return [{"day": one.isoformat(), "puzzle": daily_puzzle(one).id} for one in days]


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
            _written(move): reply
            and {
                "move": _written(reply.move),
                "moves": reply.moves,
                "node": reply.node and _node_facts(reply.node),
            }
            for move, reply in node.right.items()
        },
        "wrong": [[_written(reply), *sorted(map(_written, moves))] for reply, moves in node.wrong],
    }


def _written(move: Move) -> str:
    return f"{move.from_square.name}-{move.to_square.name}"
