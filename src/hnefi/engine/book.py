"""Opening books: for the positions that begin a game, moves with scores, results of games, and their sources.

The format is described in docs/reference/formats.md.
"""

import hashlib
import json
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
from hnefi.variants.finding import rules_of
from hnefi.variants.model import Variant

FORMAT = "hnefi book 1"
"""The value of `format` in the files."""

_FOLDER = Path(__file__).parents[1] / "books"
# The margin of moves in hundredths of a soldier, where no level has one of its own.
_MARGIN = 8
# Levels play a move that rests on so many searches.
_LEAST_SEARCHES = 4
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
    return next((_parsed(path, rules) for path in paths if path is not None), None)


def book_ids() -> tuple[str, ...]:
    """Returns the ids of the variants whose book ships with the package, sorted. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


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
    try:
        text = path.read_text(encoding="utf-8")
        book, tree = Book(rules, text), json.loads(text)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        made = MappingProxyType(dict(tree.get("made", {})))
        lines = [line for line, rows in tree["positions"].items() if rows and rows[0][2] >= _LEAST_SEARCHES]
        played = tuple(tuple(map(Move, line.split())) for line in lines)
        return OpeningBook(book, str(tree.get("variant", "")), made, digest, played)
    except (OSError, ValueError) as error:
        raise _bad_book(path, getattr(error, "strerror", None) or str(error)) from error


@cache
def _parsed(path: Path, rules: Rules) -> OpeningBook:
    return read_book(path, rules)


@cache
def _by_rules(folder: Path) -> Mapping[str, Path]:
    """Reads which rules the files of a folder are for, once."""
    return MappingProxyType({_rules_of(path): path for path in sorted(folder.glob("*.json"))})


def _rules_of(path: Path) -> str:
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["rules"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _bad_book(path, f"{type(error).__name__}: {error}") from error


def _bad_book(path: Path, why: str) -> EngineError:
    return EngineError("bad_book", f"{path.name}: {why}", {"path": path.name, "why": why})
