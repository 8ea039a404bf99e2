"""Type stubs of the compiled core (`crates/python`).

Every value is immutable and may be shared between threads.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, final

from hnefi.errors import IllegalMove
from hnefi.pieces import Piece, Reason, Side
from hnefi.rule_tree import RuleTree
from hnefi.variants.model import Variant

@final
class Square:
    """A square of the board: a file letter and a rank number, `a1` at the bottom left.

    >>> Square("d4").file, Square("d4").rank
    (3, 3)
    """

    def __new__(cls, name: Square | str) -> Square:
        """Parses the name of a square, `a1` to `s19`, in either case; returns a square as it is.

        Raises:
            SetupError: If the text is not the name of a square.
        """

    @staticmethod
    def at(file: int, rank: int) -> Square:
        """Returns the square of a file and a rank, both counted from 0 and below 19.

        Here as elsewhere, a number out of bounds is a `ValueError` with the number and the bounds.
        """

    @property
    def file(self) -> int:
        """The file, counted from 0 (`a`)."""

    @property
    def rank(self) -> int:
        """The rank, counted from 0 (`1`)."""

    @property
    def name(self) -> str:
        """The name, such as `d4`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Square, /) -> bool: ...
    def __le__(self, other: Square, /) -> bool: ...
    def __gt__(self, other: Square, /) -> bool: ...
    def __ge__(self, other: Square, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Square], tuple[str]]: ...

@final
class Move:
    """A move: the square a piece leaves and the square it comes to.

    What it captures is found by playing it; `Position.describe` explains it beforehand.

    >>> Move("d1-c1").to_square
    Square('c1')
    """

    def __new__(cls, text: Move | str) -> Move:
        """Parses a move in any usual notation: `d1-c1`, `d1c1`, `D1-C1`, `e7-k7xk6xk5`, `e5-e8xe9/f8`.

        Written captures are ignored; `parse_move` returns them. A move is returned as it is.

        Raises:
            IllegalMove: With code `bad_move`, if the text is not a move.
        """

    @staticmethod
    def of(from_square: Square | str, to_square: Square | str) -> Move:
        """Returns the move between two squares."""

    @property
    def from_square(self) -> Square:
        """The square the piece leaves."""

    @property
    def is_stop(self) -> bool:
        """Whether it ends a turn of several captures; it is then a move of the piece to its own square."""

    @property
    def to_square(self) -> Square:
        """The square it comes to."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Move, /) -> bool: ...
    def __le__(self, other: Move, /) -> bool: ...
    def __gt__(self, other: Move, /) -> bool: ...
    def __ge__(self, other: Move, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Move], tuple[str]]: ...

def parse_move(text: str) -> tuple[Move, tuple[Square, ...] | None]:
    """Parses a move and the captures written with it; None where none are written.

    >>> [str(parse_move(text)[0]) for text in ("d2-f2", "d2f2", "D2 f2", "d2xf2", "d2-f2xe2")]
    ['d2-f2', 'd2-f2', 'd2-f2', 'd2-f2', 'd2-f2']

    Raises:
        IllegalMove: With code `bad_move`, if the text is not a move.
    """

def format_move(move: Move | str, captures: Sequence[Square | str] = ()) -> str:
    """Formats a move with its captures: `e5-e8xe9/f8`."""

@final
class Outcome:
    """The end of a game: who won and why.

    >>> from hnefi import Reason
    >>> Outcome(None, Reason.AGREEMENT).winner is None
    True
    """

    def __new__(cls, winner: Side | None, reason: Reason) -> Outcome: ...
    @property
    def winner(self) -> Side | None:
        """The winning side, None for a draw."""

    @property
    def reason(self) -> Reason:
        """The reason."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Outcome], tuple[Side | None, Reason]]: ...

@final
class Setup:
    """Pieces, the side to move and the quiet counter, not necessarily playable, as editors hold them.

    >>> str(Setup("5/2t2/t1K1t/5/2T2 d"))
    '5/2t2/t1K1t/5/2T2 d 0'
    """

    def __new__(cls, text: str) -> Setup:
        """Parses a position text: `rows side [quiet [going]]`.

        These are the rows from the top, `a` or `d`, the quiet counter in plies, and the square of a piece in
        the middle of a turn of several captures.

        Raises:
            SetupError: If the text is malformed; the message says where.
        """

    @staticmethod
    def of(
        size: int,
        pieces: dict[Square, Piece] | dict[str, Piece] | dict[Square | str, Piece],
        turn: Side,
        quiet: int = 0,
        going: Square | str | None = None,
    ) -> Setup:
        """Creates the setup with these pieces on an empty board.

        Raises:
            SetupError: If the size is not odd and from 5 to 19, or a square is not on the board.
        """

    @property
    def size(self) -> int:
        """The number of squares along a side of the board."""

    @property
    def pieces(self) -> dict[Square, Piece]:
        """The pieces by square, from `a1` rank by rank. A new dictionary each time."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def quiet(self) -> int:
        """The number of plies since the last capture."""

    @property
    def going(self) -> Square | None:
        """The piece that has captured and may go on in the same turn."""

    def _repr_svg_(self) -> str:
        """Returns the board as SVG for notebooks, as `diagram.svg` does."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Setup], tuple[str]]: ...

@final
class Rules:
    """The rules of a variant: a rule tree, checked and compiled.

    Two `Rules` are equal when their hashes are.
    """

    def __new__(cls, tree: str) -> Rules:
        """Parses, checks and compiles a rule tree in JSON.

        Raises:
            VariantError: With all faults of the tree.
        """

    @staticmethod
    def schema() -> str:
        """Returns the parameters as JSON, in order: a list of `{name, path, kind, values, keys, neutral}`."""

    def to_json(self) -> str:
        """Returns the complete tree as JSON, which the constructor parses."""

    @property
    def tree(self) -> RuleTree:
        """The rules as typed values.

        >>> from hnefi import variant
        >>> variant("brandub-globe").rules.tree.capture.king_armed
        'both'
        """

    def canonical_json(self) -> str:
        """Returns the tree without its neutral values, in the form that is hashed."""

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical form, 64 hexadecimal digits."""

    @property
    def size(self) -> int:
        """The number of squares along a side of the board."""

    @property
    def start(self) -> Setup:
        """The start position, with the side that moves first."""

    @property
    def throne(self) -> Square | None:
        """The centre, if it is special."""

    @property
    def corners(self) -> tuple[Square, ...]:
        """The corner squares, if they are special."""

    @property
    def camps(self) -> tuple[tuple[Square, ...], ...]:
        """The attackers' camps."""

    @property
    def goals(self) -> tuple[Square, ...]:
        """The squares on which the king wins."""

    @property
    def symmetries(self) -> tuple[int, ...]:
        """The symmetries of the special squares, among the eight of the square: 0 (none) to 7."""

    def map_square(self, square: Square | str, symmetry: int) -> Square:
        """Returns the image of a square: bit 0 mirrors the files, bit 1 the ranks, bit 2 then swaps the two.

        Raises:
            ValueError: If the rules do not have this symmetry.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Rules], tuple[str]]: ...

@final
class Capture:
    """One capture of a move, with its reason.

    `how` is one of `custodial`, `three_sides`, `four_sides`, `commanders`, `linnaean`, `shieldwall`,
    `row`, `blocked_group` and `jump`.
    """

    def __new__(cls, square: Square | str, piece: Piece, how: str, by: Sequence[Square | str]) -> Capture: ...
    @property
    def square(self) -> Square:
        """The square of the captured piece."""

    @property
    def piece(self) -> Piece:
        """The captured piece."""

    @property
    def how(self) -> str:
        """The kind of capture."""

    @property
    def by(self) -> tuple[Square, ...]:
        """The squares that enclose it, the hammer first, special squares included."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Description:
    """The effects of a move: `captures` and, if it ends the game, `outcome`."""

    def __new__(
        cls, move: Move | str, piece: Piece, captures: Sequence[Capture], outcome: Outcome | None = None
    ) -> Description: ...
    @property
    def move(self) -> Move:
        """The move."""

    @property
    def piece(self) -> Piece:
        """The moved piece."""

    @property
    def captures(self) -> tuple[Capture, ...]:
        """All captures, the king included."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, if the move ends the game; repetition does not count."""

    def __str__(self) -> str:
        """Formats the move with its captures: `e5-e8xe9/f8`."""

@final
class Position:
    """A board and a side to move under a set of rules.

    Positions are equal if rules, board and side to move are; the quiet counter does not count.
    """

    def __new__(cls, rules: Rules | Variant | str, setup: Setup | str | None = None) -> Position:
        """Creates the position of a setup; the start position without one.

        >>> Position("brandub-globe").perft(1)
        40

        Raises:
            SetupError: If the board has another size than the rules, more than one king, ranks that the rules
                do not have, or a piece in mid-turn that cannot go on.
        """

    @property
    def rules(self) -> Rules:
        """The rules."""

    @property
    def setup(self) -> Setup:
        """The position as a setup."""

    @property
    def turn(self) -> Side:
        """The side to move."""

    @property
    def quiet(self) -> int:
        """The number of plies since the last capture."""

    @property
    def going(self) -> Square | None:
        """The piece that has captured and may go on in the same turn; its side is then to move."""

    @property
    def may_end_turn(self) -> bool:
        """Whether the side to move may end a turn of several captures here."""

    @property
    def pieces(self) -> dict[Square, Piece]:
        """The pieces by square. A new dictionary each time."""

    def piece_at(self, square: Square | str) -> Piece | None:
        """Returns the piece on a square, or None."""

    @property
    def king(self) -> Square | None:
        """The king's square; None when he is captured."""

    @property
    def open_roads(self) -> tuple[Move, ...]:
        """The king's open roads: his move to the nearest goal in each direction, whoever is to move."""

    @property
    def threatened_king(self) -> bool:
        """Whether the attackers could capture the king if they were to move: "gare au roi" (D13)."""

    @property
    def closed_sides(self) -> tuple[Literal["north", "east", "south", "west"], ...]:
        """The sides of the king closed by an attacker, a hostile square or the edge; none without a king."""

    @property
    def hostile_squares(self) -> dict[Square, tuple[Piece, ...]]:
        """The special squares that are hostile as the pieces stand, with the kinds they are hostile to."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, if the position is over as loaded."""

    def legal_moves(self, from_square: Square | str | None = None) -> list[Move]:
        """Returns the legal moves of the side to move, or of the piece on a square.

        They are sorted by square of origin, and empty if the game is over.
        """

    def is_legal(self, move: Move | str) -> bool:
        """Checks whether a move is legal, in O(1). Captures written with it do not count.

        Raises:
            IllegalMove: `bad_move` for a text that is no move.
        """

    def check(self, move: Move | str) -> None:
        """Raises the reason why a move is not legal.

        Raises:
            IllegalMove: If it is not, with the reason.
        """

    def describe(self, move: Move | str) -> Description:
        """Describes what a legal move captures and why.

        Raises:
            IllegalMove: As `check`.
        """

    def play(self, move: Move | str) -> Position:
        """Returns the position after a legal move, before any forced pass.

        Raises:
            IllegalMove: As `check`.
        """

    def perft(self, depth: int) -> int:
        """Counts the move sequences of `depth` plies, leaf by leaf.

        Games that end earlier do not count, a forced pass is no ply, and repetition is ignored. Releases the
        interpreter lock.
        """

    def divide(self, depth: int) -> dict[Move, int]:
        """Counts the move sequences by first move; `depth` is at least 1."""

    @property
    def zobrist(self) -> int:
        """The 64-bit Zobrist key of board and side to move. Equal positions have equal keys."""

    @property
    def canonical_key(self) -> int:
        """A signed 64-bit hash of board and side to move, the same for all images by `Rules.symmetries`."""

    def canonical_moves(self, moves: Sequence[Move | str]) -> list[int]:
        """Returns a number below 2**17 for each move, the same for moves equivalent by symmetry."""

    def transformed(self, symmetry: int) -> Position:
        """Returns the image of the position by a symmetry (see `Rules.map_square`)."""

    def _repr_svg_(self) -> str:
        """Returns the board as SVG for notebooks, as `diagram.svg` does."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[Rules, Setup]]: ...

@final
class Ply:
    """One move of one side, as it was played."""

    def __new__(
        cls, move: Move | str, side: Side, captures: Sequence[Square | str] = (), passed: bool = False
    ) -> Ply: ...
    @property
    def move(self) -> Move:
        """The move."""

    @property
    def side(self) -> Side:
        """The side that moved."""

    @property
    def captures(self) -> tuple[Square, ...]:
        """The squares of captured soldiers, sorted; never the king's."""

    @property
    def passed(self) -> bool:
        """Whether the other side could not move after it and passed."""

    def __str__(self) -> str:
        """Formats the move with its captures: `e5-e8xe9/f8`."""

@final
class Game:
    """A game: its moves, repetition, quiet counter, forced passes and outcome. A value.

    `play` returns a new game that shares its past with the old one; to undo a move, use `parent`.
    """

    def __new__(cls, rules: Rules | Variant | str, setup: Setup | str | None = None) -> Game:
        """Creates a game from a setup; from the start position without one.

        As elsewhere, a variant or its id or name stands for its rules.

        Raises:
            SetupError: As `Position`.
        """

    @property
    def rules(self) -> Rules:
        """The rules."""

    @property
    def start(self) -> Setup:
        """The setup the game started from."""

    @property
    def position(self) -> Position:
        """The position, with the side that can move after a forced pass."""

    @staticmethod
    def replay(
        rules: Rules | Variant | str,
        setup: Setup | str | None,
        moves: Sequence[Move | str],
        outcome: Outcome | None = None,
    ) -> Game:
        """Returns the game after moves from a setup, ended by the players or a clock if an outcome says so.

        Raises:
            IllegalMove: As `play`.
        """

    @property
    def turn(self) -> Side | None:
        """The side to move, None when the game is over."""

    @property
    def quiet(self) -> int:
        """The number of plies since the last capture."""

    @property
    def zobrist(self) -> int:
        """The Zobrist key of the position, updated move by move."""

    def canonical_line(self) -> list[tuple[int, int | None]]:
        """Returns the canonical key of each position from the start on, with the number of the move played.

        See `Position.canonical_key` and `canonical_moves`. The last position has no move.
        """

    def moves_text(self) -> str:
        """Returns all plies as text, with captures and separated by spaces."""

    @property
    def ply_count(self) -> int:
        """The number of plies played."""

    @property
    def plies(self) -> tuple[Ply, ...]:
        """All plies from the start. Complexity is O(n)."""

    def captured_by(self, side: Side) -> int:
        """Returns how many soldiers a side has captured. Complexity is O(n)."""

    @property
    def last(self) -> Ply | None:
        """The last ply. Complexity is O(1)."""

    @property
    def parent(self) -> Game | None:
        """The game before the last ply, None at the start."""

    @property
    def repetitions(self) -> int:
        """How many times the present position has occurred, itself included; in a row if the rules say so."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the game goes on."""

    @property
    def passed(self) -> bool:
        """Whether the side that would have been to move had to pass just before this position."""

    def legal_moves(self, from_square: Square | str | None = None) -> list[Move]:
        """Returns the legal moves, or those of the piece on a square; empty when the game is over.

        >>> [str(move) for move in variant("brandub-globe").new_game().legal_moves("d1")]
        ['d1-b1', 'd1-c1', 'd1-e1', 'd1-f1']
        """

    def is_legal(self, move: Move | str) -> bool:
        """Checks whether a move is legal. Captures written with it do not count.

        Raises:
            IllegalMove: `bad_move` for a text that is no move.
        """

    def play(self, move: Move | str) -> Game:
        """Returns the game after a move. Captures written with the move must be those it makes.

        Raises:
            IllegalMove: With the reason; `game_over` when the game has ended.
        """

    def end(self, outcome: Outcome) -> Game:
        """Returns the game ended from outside the rules, such as by resignation or adjudication.

        Raises:
            ValueError: If the game is over, or only the rules give such a reason.
        """

    def _repr_svg_(self) -> str:
        """Returns the board with the last ply as SVG for notebooks, as `diagram.svg` does."""

    def __eq__(self, other: object, /) -> bool:
        """Checks whether rules, start, moves and outcome are equal."""

    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Trace:
    """A written line of moves, played as far as possible, with the captures written wrongly.

    >>> from hnefi import variant
    >>> from hnefi._core import Trace
    >>> trace = Trace(variant("brandub-globe").rules, None, ["d2-c2", "d3-c3xb3", "d7-d2"])
    >>> trace.game.ply_count, trace.refusal.code, trace.differences
    (2, 'path_blocked', ((2, (Square('b3'),)),))
    """

    def __new__(
        cls, rules: Rules, setup: Setup | None, moves: Sequence[str], *, marked: bool = False
    ) -> Trace:
        """Plays written moves one after the other until one cannot be played.

        Args:
            rules: The rules.
            setup: The setup to start from; None for the start position.
            moves: The moves as they were written.
            marked: Whether `d1-c1` states that the move captures nothing; `d1c1` never does.

        Raises:
            SetupError: As `Position`.
        """

    @property
    def game(self) -> Game:
        """The game after the last move that could be played."""

    @property
    def refusal(self) -> IllegalMove | None:
        """The reason why the next move could not be played; None if all were."""

    @property
    def differences(self) -> tuple[tuple[int, tuple[Square, ...]], ...]:
        """The plies whose captures were written wrongly, counted from 1, with the written captures."""

def unwritten_hops(rules: Rules, setup: Setup | None, moves: Sequence[str]) -> list[tuple[int, list[Move]]]:
    """Returns the hops and stops to add behind written moves, so that as many moves as possible are legal.

    Each item has the number of a written move, counted from 1, and what follows it in its turn. Among several
    possibilities, those with the shortest earliest turns are chosen. Every written capture is made if the
    game can be played to its end that way.

    Raises:
        SetupError: As `Position`.
    """

@final
class CalledGame:
    """A game with announcements ("calls"): raichi, tuichi, and the sanction for forgetting them. A value."""

    def __new__(
        cls,
        game: Game,
        mode: str,
        *,
        sanction: str = "none",
        replay: str = "same_piece",
        wrong_number: str = "call",
    ) -> CalledGame:
        """Creates a game with calls from this game on.

        Args:
            game: The game to begin with; its present open roads need no call.
            mode: `off`, `auto` (the program calls by itself) or `manual`.
            sanction: `none`; `replay`: an escape by a road that was not announced is refused, once; or
                `until_called`: it is refused again until the road is announced.
            replay: `same_piece` or `any_piece`: the piece the attackers then play again.
            wrong_number: `call` or `forgotten`: what a call of the wrong number is worth.
        """

    @property
    def game(self) -> Game:
        """The game itself."""

    @property
    def mode(self) -> str:
        """Who makes the calls: `off`, `auto` or `manual`."""

    @property
    def sanction(self) -> str:
        """The sanction for forgetting: `none`, `replay` or `until_called`."""

    @property
    def replay(self) -> str:
        """The piece that is then played again: `same_piece` or `any_piece`."""

    @property
    def wrong_number(self) -> str:
        """What a call of the wrong number is worth: `call`, or `forgotten`: nothing."""

    @property
    def open_roads(self) -> tuple[Square, ...]:
        """The goals at the end of the king's open roads, which his side has to announce, sorted."""

    @property
    def required(self) -> int:
        """The call that the open roads require: 0 none, 1 one road, 2 two roads or more, also if they win."""

    @property
    def called(self) -> bool:
        """Whether the open roads count as announced."""

    @property
    def must_replay(self) -> Square | None:
        """The square of the piece that the attackers have to play again."""

    @property
    def refused(self) -> bool:
        """Whether the last move was an escape that was refused; `game` is then the one before it."""

    def legal_moves(self, from_square: Square | str | None = None) -> list[Move]:
        """Returns the legal moves, or those of the piece on a square.

        They are limited to the piece that has to be played again.
        """

    def play(self, move: Move | str, call: int = 0) -> CalledGame:
        """Returns the game after a move with a call: 0 none, 1 one open road, 2 two open roads.

        Raises:
            IllegalMove: As `Game.play`; `must_replay` if another piece has to be played.
        """

def match_score(
    legs: Sequence[tuple[int, Outcome | None, int, int]], captures_break_ties: bool
) -> tuple[list[int], list[int], int | None, str]:
    """Returns the score of a match of players 0 and 1.

    Args:
        legs: For each leg the player with the attackers, the outcome (None while it goes on), and how many
            soldiers the attackers and the defenders captured.
        captures_break_ties: Whether captures decide between players who are level on points.

    Returns:
        The half points and the captures of each player, the number of the leader (None if they are level),
        and what decides: `points`, `captures` or `drawn`.
    """

def random_game(rules: Rules | Variant | str, seed: int, plies: int) -> Game:
    """Returns a game of at most `plies` random plies from the start; the same seed gives the same game."""

def index_rows(games: list[tuple[Game, int, int]], no_move: int, ply_shift: int) -> bytes:
    """Returns the sorted rows of the position index for games, each with its number and its rules and result.

    A row is key, game and packed info, of 64 bits each.

    Args:
        games: The games, each with its number and the bits that all its rows share.
        no_move: The number of the move in the last row of a game.
        ply_shift: The number of bits below the ply.
    """

@final
class Line:
    """One line of an analysis."""

    @property
    def score(self) -> int:
        """The score for the attackers, in hundredths of a soldier; beyond ±31,000 a proven win."""

    @property
    def win_in(self) -> int | None:
        """Plies to a proven win of the attackers, negative for the defenders; None if nothing is proven."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The principal variation; its first move is the one that is scored."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Report:
    """The state of an analysis after an iteration."""

    @property
    def depth(self) -> int:
        """The depth to which all lines were searched, in plies."""

    @property
    def deepest(self) -> int:
        """The deepest line visited (selective depth), in plies."""

    @property
    def nodes(self) -> int:
        """The number of positions visited."""

    @property
    def time_ms(self) -> int:
        """The time spent, in milliseconds."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The best moves, best first for the side to move."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Searcher:
    """A search with its transposition table. It runs one analysis at a time; others wait."""

    def __new__(cls, table_mib: int = 64, threads: int = 1) -> Searcher:
        """Creates a search.

        Args:
            table_mib: The size of the transposition table, 1 to 65536 MiB.
            threads: The number of threads, 1 to 256.
        """

    def analyse(
        self,
        game: Game,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time_ms: int | None = None,
        usual_ms: int | None = None,
        lines: int = 1,
        moves: Sequence[Move | str] = (),
        weights: str | None = None,
        pruning: bool = True,
        on_report: Callable[[Report], object] | None = None,
    ) -> Report:
        """Analyses a game until a limit is reached, `stop()` is called or the outcome is proven.

        Releases the interpreter lock. The report always has a line, even if the search is stopped at once. An
        exception of `on_report` ends the analysis and is raised.

        Args:
            game: The game; an empty report if it is over.
            depth: The deepest iteration, in plies.
            nodes: The positions to visit, counted in steps of 512; the first iteration is always finished.
            time_ms: The most time, in milliseconds.
            usual_ms: The time for a move that is to be played, in milliseconds: less if the best move is
                stable, more, up to `time_ms`, if it changes. A forced move ends the analysis.
            lines: How many best moves to report.
            moves: The moves to consider; all if empty.
            weights: Weights of the evaluation as JSON; derived from the rules if None.
            pruning: Whether to prune; False is plain minimax, for tests.
            on_report: Called after each iteration, and at the end with what an unfinished one found.
        """

    def prove(
        self,
        game: Game,
        side: Side,
        *,
        nodes: int = 1_000_000,
        quiet_limit: int = 40,
        table_mib: int = 64,
        beside: int | None = None,
    ) -> tuple[str, int, tuple[list[tuple[Setup, Move]], list[Move], int] | None]:
        """Searches for a forced win of a side (proof-number search); releases the interpreter lock.

        Returns the answer (`proven`, `disproven` or `unknown`), positions expanded, and the proof or None.
        The proof has the positions with their winning moves, the line against the longest defence, and its
        length in plies. `disproven` only means that the side cannot win within the quiet limit.

        Args:
            game: The game.
            side: The side whose win is looked for.
            nodes: The most positions to expand.
            quiet_limit: Plies without a capture within which the win has to come, at most 400. A lower limit
                of the rules counts.
            table_mib: Memory, in MiB.
            beside: The number of threads of a search that it runs beside: it then works a tenth of the time
                unless a core is idle.
        """

    def stop(self) -> None:
        """Stops the analysis in progress, from any thread."""

    def clear(self) -> None:
        """Clears the transposition table; waits for an analysis in progress."""

@final
class BookMove:
    """A move of an opening book at a position."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The move, and the other moves that are equal to it by symmetry."""

    @property
    def score(self) -> int:
        """The score for the attackers, in hundredths of a soldier; beyond ±31,000 a proven win."""

    @property
    def searches(self) -> int:
        """How many searches of positions after the move the score rests on.

        0 if it rests only on the search of the position itself.
        """

    @property
    def self_play(self) -> tuple[int, int, int]:
        """Games of self-play with the move: won by the attackers, drawn, won by the defenders."""

    @property
    def recorded(self) -> tuple[int, int, int, int]:
        """Recorded games with the move: the same, then those with unknown results."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Book:
    """The opening book of a set of rules, parsed from JSON."""

    def __new__(cls, rules: Rules, text: str) -> Book:
        """Parses a book for the rules that it names.

        Raises:
            ValueError: If it is no book, has other rules, or a move that is not legal.
        """

    def __len__(self) -> int:
        """Returns the number of positions."""

    def moves(self, position: Position) -> list[BookMove]:
        """Returns the moves of the book at a position or a symmetric image of it, in the order of the file.

        An empty list if the position is not in the book.
        """

@final
class LevelChoice:
    """The choice of one move at a level. The same seed chooses the same move in a position."""

    def __new__(cls, game: Game, legal: Sequence[Move | str], level: str, seed: str) -> LevelChoice:
        """Begins a choice.

        Args:
            game: The game.
            legal: The moves that may be chosen.
            level: The level as JSON.
            seed: The seed of the numbers that are drawn.

        Raises:
            ValueError: If a field of the level is missing or no number.
        """

    @property
    def seen(self) -> list[Move]:
        """The legal moves that the level sees."""

    @property
    def blind(self) -> Move | None:
        """The move, if it is played without a look at the others; else None."""

    @property
    def is_short_sighted(self) -> bool:
        """Whether the moves are scored by the static evaluation, not by a search."""

    def lines(self, legal: int) -> int:
        """Returns how many moves are compared, of so many legal ones."""

    def choose_from_book(self, book: Book) -> Move | None:
        """Chooses a move of an opening book within the margin of the level; None if no move of it is fit.

        A move is fit if its score rests on four searches or more, and if it neither loses nor repeats a
        position. It is drawn by softmax of the scores, then among the moves that are equal to it by symmetry.
        """

    def choose(self, candidates: Sequence[tuple[Move | str, int]]) -> Move | None:
        """Chooses one of the candidates that the level sees, moves with scores for the side to move.

        None if it sees no candidate. The best one if it wins, else one within the margin of the level at
        random, by softmax of score and preference.
        """

def static_scores(
    game: Game, moves: Sequence[Move | str], weights: str | None = None
) -> list[tuple[Move, int]]:
    """Scores moves by the static evaluation of the position after them, for the side to move."""

def win_rates(value: float, scale: float, offset: float, margin: float) -> tuple[float, float]:
    """Returns how often the attackers win at a score, and how often they win or draw, from 0 to 1."""

def default_calibration() -> tuple[float, float, float]:
    """Returns scale, offset and margin of the calibration for rules that none was measured for."""

def logistic(x: float) -> float:
    """Returns 1 / (1 + e⁻ˣ), bounded so that it is never exactly 0 or 1."""

def self_play(
    rules: Rules,
    *,
    first: int,
    count: int,
    nodes: int,
    seed: int = 1,
    threads: int = 1,
    weights: str | None = None,
    even_score: int = 0,
    steered: bool = False,
    on_samples: Callable[[int], object] | None = None,
) -> bytes:
    """Plays games of the engine against itself, and returns their quiet positions in packed form.

    The games depend on their numbers, the seed and the positions a move, not on the threads. Releases the
    interpreter lock.

    Args:
        rules: The rules.
        first: The number of the first game.
        count: How many games.
        nodes: Positions a move.
        seed: The seed of the openings.
        threads: How many threads play.
        weights: The weights of both sides as JSON; the default ones if None.
        even_score: The score at which both sides have the same chances; openings are near it.
        steered: Whether openings are steered to that score, as by `steered_opening`. Positions beside the
            games, after a random move, are then recorded too; they have a score and no result.
        on_samples: Called ten times a second with the number of positions so far. An exception that it raises
            ends the games.

    Raises:
        ValueError: If the weights are invalid.
    """

def steered_opening(rules: Rules, *, seed: int, aim: int, weights: str | None = None) -> list[Move] | None:
    """Returns the moves of an opening with a score near `aim`, for the attackers; None if none was found.

    Below its goal, which is within 200 of the aim, the attackers play the best move three times of four and
    the defenders once, above it the other way round; all other moves are random. An opening has 6 to 70
    plies. Cost: about fifty searches of 512 positions. Releases the interpreter lock.

    Args:
        rules: The rules.
        seed: The seed.
        aim: The score for the attackers.
        weights: The weights of the evaluation as JSON; the default ones if None.

    Raises:
        ValueError: If the weights are invalid.
    """

def fit_weights(
    rules: Rules, samples: bytes, *, result_share: float = 0.15, draws: bool = True
) -> dict[str, Any] | None:
    """Fits weights of the terms and squares to samples by logistic regression; None for too few.

    `weights` is the JSON, `samples` counts those they were fitted to, `scale` is the score that multiplies
    the odds of a win by e. `attackers` and `defenders` have the log-losses of held-out games by side to
    move: knowing nothing, by the scores of the searches, by the weights before and after rounding. Releases
    the interpreter lock.

    Args:
        rules: The rules.
        samples: The positions, in packed form.
        result_share: The share of the result in what is learned; the rest is what the score promises.
        draws: Whether positions of drawn games count.
    """

def train_network(
    rules: Rules,
    samples: bytes,
    *,
    epochs: int = 12,
    batch: int = 1024,
    rate: float = 0.004,
    last_rate: float = 0.00002,
    result_share: float = 0.35,
    draws: bool = True,
    buckets: bool = True,
    terms: bool = False,
    width: int = 32,
    seed: int = 1,
    facts: str = "{}",
) -> dict[str, Any] | None:
    """Trains a network on samples of self-play, and returns it with measurements; None for too few samples.

    `network` is the file in Base64, `samples` counts those it learned from, `scale` is what an output of 1
    scores. `curve` and `held_out_curve` have the loss of each epoch, `attackers` and `defenders` the
    log-losses of held-out games by side to move: knowing nothing, by the scores of the searches, by the
    network before and after rounding. Releases the interpreter lock.

    Args:
        rules: The rules.
        samples: The positions, in packed form.
        epochs: Passes over all samples.
        batch: Samples a step.
        rate: The first learning rate; it falls as a cosine.
        last_rate: The last learning rate.
        result_share: The share of the result in what is learned; the rest is what the score promises.
        draws: Whether positions of drawn games count.
        buckets: Whether the weights of soldiers depend on the square of the king.
        terms: Whether the terms of the evaluation are inputs, of the hidden layer and of the outputs.
        width: The sums of the hidden layer, a multiple of 32 up to 256.
        seed: The seed of the first weights and of the order of samples.
        facts: Facts about its origin as JSON, kept in the file.
    """

def derived_weights(rules: Rules) -> str:
    """Returns the default weights for rules that no weights were fitted for, as JSON."""

def evaluate(game: Game, weights: str | None = None) -> int:
    """Returns the static evaluation of the position for the attackers, in hundredths of a soldier."""

def evaluation_term_names() -> list[tuple[str, str]]:
    """Returns the names of the terms of the evaluation with what each counts."""

def evaluation_terms(game: Game) -> tuple[list[int], list[list[int]]]:
    """Returns the features of a position that weights are fitted to.

    These are what each term counts, in the order of `evaluation_term_names`, and the number of pieces on each
    class of squares, by piece.
    """
