"""Messages of the Universal Game Interface, for client and server (decision 16).

Player 1 is always the attackers. Scores are for the side to move; `mate` counts plies.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hnefi._core import Game, Move, Outcome
from hnefi.engine.analysis import Analysis, AnalysisLine, Score
from hnefi.engine.limits import Clock, Limit
from hnefi.engine.weights import DERIVED
from hnefi.errors import HnefiError, shorten
from hnefi.pieces import Side

NO_MOVE = "none"
"""The argument of `bestmove` where there is no move."""

# Longer numbers are invalid, and would be slow to parse.
_LONGEST_NUMBER = 15
# The largest score that other programs are believed.
_LARGEST_SCORE = 31_000

_GO_WORDS = ("depth", "nodes", "movetime", "p1time", "p2time", "p1inc", "p2inc", "movestogo")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of an engine, as `option` announces it."""

    name: str
    kind: str
    default: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def __str__(self) -> str:
        words = [f"option name {self.name} type {self.kind} default {self.default or '<empty>'}"]
        words += [f"var {choice}" for choice in self.choices]
        if self.least is not None and self.most is not None:
            words.append(f"min {self.least} max {self.most}")
        return " ".join(words)


@dataclass(slots=True)
class Info:
    """The content of one `info` line."""

    moves: list[str] = field(default_factory=list)
    place: int = 1
    value: int | None = None
    """In hundredths of a soldier, for the side to move."""

    win_in: int | None = None
    """Plies to the win; negative if the side to move loses."""

    depth: int = 0
    deepest: int = 0
    nodes: int = 0
    time_ms: int = 0


def whole_number(word: str) -> int | None:
    """Parses an integer; returns None if it is invalid or has too many digits.

    >>> whole_number("-12"), whole_number("1e3"), whole_number("9" * 99)
    (-12, None, None)
    """
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _LONGEST_NUMBER:
        return None
    return int(word)


def position_words(game: Game) -> str:
    """Formats the command that sets up a game with its moves."""
    start = "startpos" if game.start == game.rules.start else f"fen {game.start}"
    moves = " ".join(str(ply.move) for ply in game.plies)
    return f"position {start} moves {moves}" if moves else f"position {start}"


def go_words(limit: Limit, moves: Sequence[Move] = ()) -> str:
    """Formats the command that starts a search.

    >>> go_words(Limit(depth=4))
    'go depth 4'
    """
    words = ["go"]
    for name, value in (("depth", limit.depth), ("nodes", limit.nodes), ("movetime", limit.time_ms)):
        if value is not None:
            words += [name, str(value)]
    if limit.clock is not None:
        time, more = max(limit.clock.remaining_ms, 1), limit.clock.increment_ms
        words += [f"p1time {time} p2time {time} p1inc {more} p2inc {more}"]
        if limit.clock.moves_to_go is not None:
            words.append(f"movestogo {limit.clock.moves_to_go}")
    if len(words) == 1:
        words.append("infinite")
    if moves:
        words += ["searchmoves", *map(str, moves)]
    return " ".join(words)


def read_go(words: Sequence[str], side: Side) -> tuple[Limit, list[str]]:
    """Parses the arguments of `go`: the limit for the side to move, and the moves to consider.

    Raises:
        ValueError: If an argument is unknown, or a number is missing or invalid.
    """
    facts: dict[str, int] = {}
    moves: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            continue
        if word == "searchmoves":
            moves = list(rest)
            if not moves:
                raise ValueError("go searchmoves: no move, expected one")
        else:
            if word not in _GO_WORDS:
                expected = " | ".join((*_GO_WORDS, "infinite", "searchmoves"))
                raise ValueError(f"go {shorten(word, 40)}: expected {expected}")
            number = whole_number(next(rest, ""))
            if number is None or number < 0:
                raise ValueError(f"go {word}: no number, expected one")
            facts[word] = number
    player = "p1" if side is Side.ATTACKERS else "p2"
    time = facts.get(f"{player}time")
    clock = (
        None if time is None else Clock(time, facts.get(f"{player}inc", 0), facts.get("movestogo") or None)
    )
    names = ("depth", "nodes", "movetime")
    depth, nodes, time_ms = (max(facts[name], 1) if name in facts else None for name in names)
    return Limit(depth, nodes, time_ms, clock), moves


def info_lines(analysis: Analysis, side: Side) -> Iterator[str]:
    """Formats an analysis as `info` lines."""
    for place, line in enumerate(analysis.lines, start=1):
        if line.score.wins_in is None:
            score = f"cp {line.score.value_for(side)}"
        else:
            score = f"mate {line.score.wins_in if line.score.winner is side else -line.score.wins_in}"
        yield (
            f"info depth {analysis.depth} seldepth {analysis.deepest} multipv {place} score {score} "
            f"nodes {analysis.nodes} nps {analysis.nodes_per_second} time {analysis.time_ms} "
            f"pv {' '.join(map(str, line.moves))}"
        )


def read_info(words: Sequence[str]) -> Info:
    """Parses the arguments of `info`; unknown ones and invalid numbers are ignored."""
    info = Info()
    numbers = {
        "depth": "depth",
        "seldepth": "deepest",
        "nodes": "nodes",
        "time": "time_ms",
        "multipv": "place",
    }
    rest = iter(words)
    for word in rest:
        if word == "string":
            break
        if word == "pv":
            info.moves = list(rest)
        elif word == "cp":
            info.value = whole_number(next(rest, ""))
        elif word == "mate":
            info.win_in = whole_number(next(rest, ""))
        elif word in numbers and (number := whole_number(next(rest, ""))) is not None:
            setattr(info, numbers[word], max(number, 0))
    return info


def line_of(info: Info, game: Game) -> AnalysisLine | None:
    """Returns the line of an `info` line, up to its first illegal move; None if it has no legal move.

    Its score is 0 if it has none.
    """
    side, moves = game.position.turn, legal_moves_of(game, map(Move, info.moves))
    if not moves:
        return None
    if info.win_in:
        winner = side if info.win_in > 0 else side.opponent
        return AnalysisLine(Score.proven(winner, min(abs(info.win_in), 999)), moves)
    return AnalysisLine(believed_score(info.value or 0, side), moves)


def believed_score(value: int, side: Side = Side.ATTACKERS) -> Score:
    """Returns the score of another program, whose value is for this side; never that of a proven win."""
    value = max(-_LARGEST_SCORE, min(_LARGEST_SCORE, value))
    return Score(value if side is Side.ATTACKERS else -value, DERIVED.calibration)


def legal_moves_of(game: Game, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Returns the moves of a line up to the first that is illegal or none."""
    played: list[Move] = []
    try:
        for move in moves:
            game = game.play(move)
            played.append(move)
    except HnefiError:
        pass
    return tuple(played)


def result_word(outcome: Outcome | None) -> str:
    """Formats the response to `query result`."""
    if outcome is None:
        return "none"
    if outcome.winner is None:
        return "draw"
    return "p1win" if outcome.winner is Side.ATTACKERS else "p2win"
