"""`hnefi book show`: the moves of an opening book in a position, with scores, results and sources."""

from pathlib import Path

import click

from hnefi._core import Game
from hnefi.cli.apply import game_after
from hnefi.cli.commands import argument, command, option
from hnefi.cli.library.results import result_facts, share_words
from hnefi.cli.naming import json_option, switches_option, typed_words, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.scores import chances_text, line_text, score_facts, score_text
from hnefi.cli.texts import grouped, translate, translate_plural
from hnefi.cli.values import FilePath, Text
from hnefi.engine import BookMove, OpeningBook, Score, book_for
from hnefi.engine.book import book_score, read_book
from hnefi.library.openings import Results
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("book show brandub-globe", "start"),
    ("book show brandub-globe d2-c2 --json", "moves"),
)
_COLUMNS = ("move", "score", "chances", "searches", "self_play", "recorded")


@command("show", _EXAMPLES, group="book")
@variant_argument()
@argument("moves", key="moves", type=Text(), nargs=-1)
@option("--file", "path", type=FilePath(), help="book_file")
@switches_option
@json_option
def show(variant: Variant, moves: tuple[str, ...], path: str | None, as_json: bool) -> int:
    """Shows the moves of a book."""
    texts = tuple(move for text in moves for move in text.split())
    game = game_after(variant, "start", texts, "auto").game
    book = read_book(Path(path), variant.rules) if path else book_for(variant.rules)
    found = [] if book is None else book.moves(game.position)
    if as_json:
        print_json(
            {
                "variant": variant.id,
                "position": str(game.position.setup),
                "positions": 0 if book is None else len(book),
                "made": {} if book is None else dict(book.made),
                "moves": [_facts(one, book_score(one, variant.rules)) for one in found],
            }
        )
        return 0 if found else 1
    if book is None:
        click.echo(translate("cli.book.show.none", variant=variant.id, typed=typed_words(variant)))
        return 1
    if found:
        rows = [_row(one, game) for one in found]
        print_table(_COLUMNS, rows, key="cli.book.show.head.", numbers=(2, 3))
        click.echo()
    else:
        click.echo(translate("cli.book.show.unknown"))
    click.echo(_sources(book))
    return 0 if found else 1


def _row(one: BookMove, game: Game) -> list[str]:
    score = book_score(one, game.position.rules)
    return [
        line_text(game, one.moves[:1]),
        score_text(score),
        chances_text(score),
        str(one.searches),
        _results_text(Results(*one.self_play)),
        _results_text(Results(*one.recorded)),
    ]


def _results_text(results: Results) -> str:
    if not results.games:
        return "–"
    return translate_plural("cli.book.show.games", results.games, share=share_words(results))


def _sources(book: OpeningBook) -> str:
    made = book.made
    recorded = sum(int(source["games"]) for source in made.get("recorded", ()))
    return translate(
        "cli.book.show.sources",
        positions=translate_plural("cli.book.show.positions", len(book)),
        nodes=grouped(int(made.get("nodes", 0))),
        self_play=translate_plural("cli.book.show.self_play", int(made.get("self_play", {}).get("games", 0))),
        recorded=translate_plural("cli.book.show.recorded", recorded),
    )


def _facts(one: BookMove, score: Score) -> dict[str, object]:
    return {
        "move": str(one.moves[0]),
        "equal": [str(move) for move in one.moves[1:]],
        **score_facts(score),
        "searches": one.searches,
        "self_play": result_facts(Results(*one.self_play)),
        "recorded": result_facts(Results(*one.recorded)),
    }
