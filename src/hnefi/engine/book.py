"""Opening books: for the positions that begin a game, moves with scores, results of games, and their sources.

The format is described in docs/reference/formats.md.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hnefi._core import Book, BookMove, CalledGame, Game, LevelChoice, Move, Position, Rules
from hnefi.engine.analysis import PROVEN_LEAST, PROVEN_VALUE, Score
from hnefi.engine.levels import Level
from hnefi.engine.weights import weights_for
from hnefi.errors import EngineError
from hnefi.pieces import Side
from hnefi.places import books_folder
from hnefi.text_faults import json_facts, place_in
from hnefi.variants.finding import rules_of
from hnefi.variants.model import Variant

FORMAT = "hnefi book 1"
"""The value of `format` in the files."""

_FOLDER = Path(__file__).parents[1] / "books"
# The margin of moves in hundredths of a soldier, where no level has one of its own.
_MARGIN = 8
# Levels play a move that rests on so many searches.
_LEAST_SEARCHES = 4
# The words of the core.
_OF_POSITION = re.compile(r'(".*"): (?:(.+), )?expected a (?:legal move|list of moves|position that is .*)')
_OF_KEY = re.compile(r"(\w+): (?:(.*), )?expected (.*)")
_WITHOUT_SEARCH = Level(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, _MARGIN)


@dataclass(frozen=True, slots=True)
class OpeningBook:
    """The opening book of a set of rules.

    >>> from hnefi import variant
    >>> game = variant("brandub-globe").new_game()
    >>> book = book_for(game.rules)
    >>> all(game.is_legal(found.moves[0]) for found in book.moves(game.position))
    True

    Attributes:
        book: The positions and their moves.
        variant: The id of the variant.
        made: How it was made: version, nodes a search, games of self-play, files of recorded games.
        digest: The first 16 hexadecimal digits of the SHA-256 of the file.
        lines: The moves to the positions at which levels play by the book, in the order of the file.
    """

    book: Book = field(repr=False)
    variant: str
    made: Mapping[str, Any]
    digest: str
    lines: tuple[tuple[Move, ...], ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.book)

    def moves(self, position: Position) -> list[BookMove]:
        """Returns the moves at a position or an image of it, the best first; none if it is unknown."""
        return self.book.moves(position)


def book_for(rules: Rules | Variant | str, folder: Path | None = None) -> OpeningBook | None:
    """Returns the opening book for rules, or a variant or its id or name; None without one.

    That of the user's folder goes before that of the package; a folder stands for both.

    Raises:
        EngineError: `bad_book`, if the file is invalid.
    """
    rules = rules_of(rules)
    folders = (books_folder(), _FOLDER) if folder is None else (folder,)
    paths = (_by_rules(one).get(rules.hash) for one in folders)
    return next((_cached_book(path, rules) for path in paths if path is not None), None)


def book_move(game: Game | CalledGame, seed: int | str) -> Move | None:
    """Chooses one of the best moves of the opening book at random; None if the book has no such position.

    Raises:
        EngineError: `bad_book`, if the file is invalid.
    """
    plain = game.game if isinstance(game, CalledGame) else game
    found = book_for(plain.rules)
    if found is None:
        return None
    return LevelChoice(plain, game.legal_moves(), _WITHOUT_SEARCH.text(), str(seed)).choose_from_book(
        found.book
    )


def book_score(move: BookMove, rules: Rules) -> Score:
    """Returns the score of a move of a book, with the calibration for the rules."""
    plies = PROVEN_VALUE - abs(move.score)
    if plies <= PROVEN_VALUE - PROVEN_LEAST:
        return Score.proven(Side.ATTACKERS if move.score > 0 else Side.DEFENDERS, plies)
    return Score(move.score, weights_for(rules).calibration)


def read_book(path: Path, rules: Rules) -> OpeningBook:
    """Reads the file of a book.

    Raises:
        EngineError: `bad_book`, if it cannot be read, is invalid, or has other rules.
    """
    text, tree = _parsed_json(path)
    try:
        book = Book(rules, text)
    except ValueError as error:
        raise EngineError.of_facts("bad_book", path=path, **_facts_of(str(error), text)) from error
    made = tree.get("made", {})
    if not isinstance(made, dict):
        raise EngineError.of_facts(
            "bad_book", path=path, part="shape", key="made", found=made, expected="{…}"
        )
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    lines = [line for line, rows in tree["positions"].items() if rows and rows[0][2] >= _LEAST_SEARCHES]
    played = tuple(tuple(map(Move, line.split())) for line in lines)
    return OpeningBook(book, str(tree.get("variant", "")), MappingProxyType(made), digest, played)


_cached_book = cache(read_book)


@cache
def _by_rules(folder: Path) -> Mapping[str, Path]:
    """Reads which rules the files of a folder are for, once."""
    return MappingProxyType({_rules_of(path): path for path in sorted(folder.glob("*.json"))})


def _rules_of(path: Path) -> str:
    _, tree = _parsed_json(path)
    if not isinstance(tree, dict) or "rules" not in tree:
        raise EngineError.of_facts("bad_book", path=path, part="shape", key="rules", found="", expected='"…"')
    return str(tree["rules"])


def _parsed_json(path: Path) -> tuple[str, Any]:
    """Returns the text of a file and its JSON."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise EngineError.of_facts("bad_book", path=path, **json_facts(error)) from error


def _facts_of(words: str, text: str) -> dict[str, object]:
    """Returns the facts of a fault that the core has found in the text of a book."""
    if found := _OF_POSITION.fullmatch(words):
        begin = max(0, text.find('"positions"'))
        line_key = re.compile(rf"{re.escape(found[1])}\s*:").search(text, begin)
        line, column = place_in(text, line_key.start() if line_key else begin)
        part = "move" if found[2] else "twice"
        return {"part": part, "line": line, "column": column, "found": found[2] or found[1].strip('"')}
    if fault := _OF_KEY.fullmatch(words):
        key, value, expected = fault.groups("")
        expected = "{…}" if key == "positions" else expected.strip('"')
        return {"part": "shape", "key": key, "found": value.strip('"'), "expected": expected}
    return {"part": "other", "found": words}
