"""Players of experiments: searches, levels and external engines, and the names that specify them."""

import hashlib
import json
import random
import re
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi._core import Game, Move, Rules, Searcher, evaluate
from hnefi.engine import LEVEL_COUNT, Engine, Level, Limit, level, weights_for
from hnefi.engine.book import book_move
from hnefi.errors import EngineError, shorten
from hnefi.lab.beginner import beginner_move
from hnefi.lab.errors import LabError
from hnefi.text_faults import json_facts

if TYPE_CHECKING:
    from hnefi.engine import ExternalEngine, OtepEngine

_TABLE_MIB, _TABLE_MIB_BY_TIME = 16, 64
_SYNTAX = (
    "beginner | level:1…10 | level:10:N | nodes:N | book:N | time:Nms | weights:FILE:N | weights:FILE:Nms"
)
_MAX_AMOUNT = 10**12
_LONGEST_NAME = 80
_DEFAULT_LIMIT = Limit(nodes=20_000)
_KINDS = ("level", "nodes", "book", "time", "weights")


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move, the depth of the search in plies, and the positions it visited."""

    move: Move
    depth: int = 0
    nodes: int = 0


class Player(ABC):
    """Chooses moves. One player plays many games, one after the other.

    Attributes:
        name: The name that an engine gives itself; empty for other players.
    """

    name = ""
    _seed = 0

    def begin(self, seed: int, /) -> None:
        """Starts a game: clears the memory of the last one, and seeds random choices."""
        self._seed = seed

    @abstractmethod
    def choose(self, game: Game) -> Choice:
        """Chooses a move in a game that is not over."""

    def close(self) -> None:  # noqa: B027
        """Releases resources, such as a process; most players have none."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """The specification of a player, such as `nodes:20000`, `time:1000ms` or `level:3` (see `parse_player`).

    >>> parse_player("nodes:20000").amount
    20000
    >>> str(parse_player("time:500ms"))
    'time:500ms'
    """

    kind: str
    amount: int = 0
    """The level, the nodes of a move, or its milliseconds."""

    content: str = ""
    """The weights as JSON, or the command line."""

    is_timed: bool = False
    """Whether the amount is milliseconds."""

    nodes: int = 0
    """For a level, the nodes of a move instead of its time; 0 for the time."""

    @property
    def settings(self) -> dict[str, object]:
        """Everything its moves depend on, such as the values of a level and the memory of a search."""
        if self.kind == "beginner":
            return {"player": str(self)}
        if self.kind == "engine":
            return {"player": str(self), "time_ms" if self.is_timed else "nodes": self.amount}
        row = asdict(self.level) if self.kind == "level" else {}
        return {"player": str(self), "table_mib": self.table_mib, **row}

    @property
    def level(self) -> Level:
        """The level, for players of the kind `level`."""
        values = level(self.amount)
        return replace(values, time_ms=0, nodes=self.nodes) if self.nodes else values

    @property
    def table_mib(self) -> int:
        """The memory of its search, in MiB. It is fixed, since it changes the moves."""
        return _TABLE_MIB_BY_TIME if self.is_timed else _TABLE_MIB

    def __str__(self) -> str:
        if self.kind == "engine":
            return self.content
        if self.kind == "beginner":
            return self.kind
        if self.kind == "weights":
            digest = hashlib.sha256(self.content.encode()).hexdigest()[:12]
            return f"weights:{digest}:{self.amount}{'ms' if self.is_timed else ''}"
        nodes = f":{self.nodes}" if self.nodes else ""
        return f"{self.kind}:{self.amount}{'ms' if self.kind == 'time' else ''}{nodes}"

    @property
    def is_repeatable(self) -> bool:
        """Whether it plays the same moves again on any machine: its search is not limited by time."""
        if self.kind == "level":
            return self.level.is_repeatable
        return self.kind in ("beginner", "nodes", "book", "weights") and not self.is_timed

    def check(self, rules: Rules) -> None:
        """Raises an error if the weights of the player do not fit these rules.

        Raises:
            LabError: `bad_weights`.
        """
        if self.kind == "weights":
            try:
                evaluate(Game(rules), self.content)
            except ValueError as error:
                raise LabError.of_facts("bad_weights", path=str(self), why=error) from None

    def create(self) -> Player:
        """Creates the player.

        Raises:
            EngineError: If a process cannot be started.
        """
        if self.kind == "beginner":
            return BeginnerPlayer()
        if self.kind == "level":
            return LevelPlayer(self.level, self.table_mib)
        limit = Limit(time_ms=self.amount) if self.is_timed else Limit(nodes=self.amount)
        if self.kind == "engine":
            return ExternalPlayer(self.content, limit)
        if self.kind == "book":
            return BookPlayer(limit, self.table_mib)
        return SearchPlayer(limit, self.table_mib, self.content or None)


class SearchPlayer(Player):
    """The native search, on one thread of this process."""

    def __init__(self, limit: Limit, table_mib: int, weights: str | None = None) -> None:
        self._limit = limit
        self._weights = weights
        self._searcher = Searcher(table_mib=table_mib, threads=1)

    def begin(self, seed: int, /) -> None:
        """Clears the transposition table."""
        super().begin(seed)
        self._searcher.clear()

    def choose(self, game: Game) -> Choice:
        """Returns the best move of a search."""
        weights = weights_for(game.rules).text if self._weights is None else self._weights
        report = self._searcher.analyse(
            game, nodes=self._limit.nodes, time_ms=self._limit.time_ms, weights=weights
        )
        return Choice(report.lines[0].moves[0], report.depth, report.nodes)


class BookPlayer(SearchPlayer):
    """The native search with the opening book, whose moves are drawn by a seed of the game."""

    def choose(self, game: Game) -> Choice:
        """Returns a move of the book, else the best move of a search."""
        known = book_move(game, self._seed)
        return super().choose(game) if known is None else Choice(known)


class LevelPlayer(Player):
    """A level of the native engine, with random choices seeded by the game."""

    def __init__(self, level: Level, table_mib: int) -> None:
        self._level = level
        self._engine = Engine(table_mib=table_mib, proves=False)

    def begin(self, seed: int, /) -> None:
        """Clears the transposition table, and seeds the choices."""
        super().begin(seed)
        self._engine.clear_table()

    def choose(self, game: Game) -> Choice:
        """Chooses a move with the randomness of the level, seeded by `begin`."""
        return Choice(self._engine.play(game, self._level, seed=self._seed))

    def close(self) -> None:
        """Closes the engine."""
        self._engine.close()


class BeginnerPlayer(Player):
    """A simulated beginner (`beginner_move`), seeded by the game."""

    def __init__(self) -> None:
        self._rng = random.Random()

    def begin(self, seed: int, /) -> None:
        """Seeds the choices."""
        self._rng.seed(seed)

    def choose(self, game: Game) -> Choice:
        """Chooses a move without a search."""
        return Choice(beginner_move(game, self._rng))


class ExternalPlayer(Player):
    """An external engine, restarted for each game, so that nothing is carried over."""

    def __init__(self, command: str, limit: Limit) -> None:
        self._command = command
        self._limit = limit
        self._engine = self._start()
        self._is_used = False

    def begin(self, _: int, /) -> None:
        """Restarts the engine if it has played."""
        if self._is_used:
            self._engine.close()
            self._engine = self._start()
        self._is_used = True
        self.name = shorten(self._engine.name, _LONGEST_NAME, collapses_spaces=True)

    def _start(self) -> "ExternalEngine | OtepEngine":
        # With the formats in which one talks to it, which matches of levels do not need.
        from hnefi.engine.otep_client import start_engine

        try:
            return start_engine(self._command)
        except EngineError as error:
            # A name that is neither a path nor that of a program may be any other player, mistyped.
            if isinstance(error.__cause__, FileNotFoundError) and re.fullmatch(r"[\w.-]+", self._command):
                raise LabError.of_facts("bad_player", found=self._command, expected=_SYNTAX) from None
            raise

    def choose(self, game: Game) -> Choice:
        """Returns the move of the engine."""
        with self._engine.analyse(game, self._limit, lines=1) as stream:
            analysis = stream.last()
        if analysis.best is None:
            raise EngineError("no_answer", f"{self._engine.name}: no move")
        return Choice(analysis.best.move, analysis.depth, analysis.nodes)

    def close(self) -> None:
        """Closes the engine."""
        self._engine.close()


def parse_player(text: str, limit: Limit = _DEFAULT_LIMIT) -> PlayerSpec:
    """Parses the specification of a player.

    `beginner` is a simulated beginner, `level:3` a level, `level:10:1000000` a level with nodes instead of
    time. `nodes:20000` and `time:1000ms` are the native search with a limit for each move, `book:20000` is
    the former with the opening book, `weights:FILE:20000` and `weights:FILE:1000ms` the same with weights
    from a file. Anything else is the command line of an engine that speaks UGI.

    Args:
        limit: The limit of an external engine for each move, by nodes or by time.

    Raises:
        LabError: `bad_player`, or `bad_weights` for a file that cannot be read.

    >>> parse_player("ugi-engine --strong").kind
    'engine'
    """
    kind, colon, rest = text.strip().partition(":")
    if text.strip() == "beginner":
        return PlayerSpec("beginner")
    if not colon or kind not in _KINDS:
        return _parse_engine(text.strip(), limit)
    if kind == "weights":
        path, _, rest = rest.rpartition(":")
        amount = _amount(text, rest.removesuffix("ms"), _MAX_AMOUNT)
        return PlayerSpec(kind, amount, _read_weights(path), is_timed=rest.endswith("ms"))
    if kind == "time":
        return PlayerSpec(kind, _amount(text, rest.removesuffix("ms"), _MAX_AMOUNT), is_timed=True)
    if kind == "level":
        number, _, nodes = rest.partition(":")
        return PlayerSpec(
            kind,
            _amount(text, number, LEVEL_COUNT),
            nodes=_amount(text, nodes, _MAX_AMOUNT) if nodes else 0,
        )
    return PlayerSpec(kind, _amount(text, rest, _MAX_AMOUNT))


def _parse_engine(text: str, limit: Limit) -> PlayerSpec:
    if not text or re.fullmatch(r"[A-Za-z]+:[^/\\]*|[0-9]+", text):
        raise LabError.of_facts("bad_player", found=text, expected=_SYNTAX)
    if limit.time_ms is not None:
        return PlayerSpec("engine", limit.time_ms, text, is_timed=True)
    return PlayerSpec("engine", limit.nodes or 0, text)


def _amount(text: str, digits: str, most: int) -> int:
    amount = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)) else 0
    if not 1 <= amount <= most:
        raise LabError.of_facts("bad_player", found=text, expected=_SYNTAX)
    return amount


def _read_weights(path: str) -> str:
    """Reads weights from a file with or without the rules they are for."""
    try:
        weights = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LabError.of_facts("bad_weights", path=path, **json_facts(error)) from None
    if isinstance(weights, dict) and isinstance(weights.get("weights"), dict):
        weights = weights["weights"]
    return json.dumps(weights, sort_keys=True)
