"""A board in notebooks on which users play a game that Python holds: a widget, by the extra `notebook`.

`diagram.playable` needs no extra, but its moves stay in the page.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hnefi._core import Game, Move, Position, Rules, Square
from hnefi.diagram import ARROW_KINDS, BOARDS, MARK_KINDS
from hnefi.diagram.playable import SETS, built_script
from hnefi.errors import IllegalMove
from hnefi.i18n import explain, language_of, outcome_text, text, texts

try:
    import anywidget
    from traitlets import (
        Bool,
        Dict,
        Enum,
        Instance,
        Int,
        List,
        TraitError,
        TraitType,
        Tuple,
        Unicode,
        default,
        observe,
        validate,
    )
except ImportError as error:
    raise ImportError(text("error.missing_extra", package="anywidget", extra="notebook")) from error

MOVABLE = ("both", "attackers", "defenders", "none")


class _SquareTrait(TraitType[Square, "Square | str"]):
    """A square or its name."""

    def validate(self, _owner: object, value: "Square | str") -> Square:
        return Square(value) if isinstance(value, str) else value


def _marks_json(marks: Mapping[Square, str], _widget: object) -> list[dict[str, str]]:
    return [{"square": square.name, "kind": kind} for square, kind in marks.items()]


def _arrows_json(arrows: list[tuple[Square, Square, str]], _widget: object) -> list[dict[str, str]]:
    return [{"from": start.name, "to": end.name, "kind": kind} for start, end, kind in arrows]


class BoardWidget(anywidget.AnyWidget):
    """A board on which users play a game. The last line of a cell shows it.

    Every move comes to Python, which plays it by the rules and draws the game again. Each of these attributes
    can be set at any time, and given to the constructor by its name:

    Attributes:
        game: The game that is shown.
        movable: Whose pieces users move, one of `MOVABLE`.
        marks: By square: one of `diagram.MARK_KINDS`.
        arrows: From, to, and one of `diagram.ARROW_KINDS`.
        flip: Whether rank 1 is at the top.
        board: One of `diagram.BOARDS`; `auto` is wood on light pages and stone on dark ones.
        pieces: `wood`, `stone`, `contrast` or `runic`.
        width_px: The width, in pixels.
        lang: The language of texts.

    >>> from hnefi import variant
    >>> board = BoardWidget(variant("brandub-globe").rules, marks={"d4": "highlight"})
    >>> board.game = board.game.play("d2-b2")
    >>> board.movable = board.game.turn.value
    """

    game = Instance(Game)
    movable = Enum(MOVABLE, "both").tag(sync=True)
    # With its tag, mypy would infer that no key is a square.
    marks: "Dict[Square | str, str]" = Dict(Enum(MARK_KINDS), key_trait=_SquareTrait())
    marks.tag(sync=True, to_json=_marks_json)
    arrows = List(Tuple(_SquareTrait(), _SquareTrait(), Enum(ARROW_KINDS))).tag(
        sync=True, to_json=_arrows_json
    )
    flip = Bool(False).tag(sync=True)
    board = Enum(BOARDS, "auto").tag(sync=True)
    pieces = Enum(SETS, "wood").tag(sync=True)
    width_px = Int(480, min=1).tag(sync=True)
    lang = Unicode().tag(sync=True)

    _esm = Unicode().tag(sync=True)
    _words = Dict().tag(sync=True)
    _shape = Dict().tag(sync=True)
    _state = Dict().tag(sync=True)

    def __init__(self, what: Rules | Position | Game, **attributes: Any) -> None:
        """Creates the board of a game, or of a new one from a position or from the start.

        Raises:
            FileNotFoundError: If Hnefi was installed without its pages.
            SetupError: If a mark or an arrow names no square.
            TraitError: If an attribute has an unknown value, or a square is not on the board.
        """
        if isinstance(what, Rules):
            what = Game(what)
        elif isinstance(what, Position):
            what = Game(what.rules, what.setup)
        self._callbacks: list[Callable[[Game], object]] = []
        super().__init__(game=what, **attributes)
        self.on_msg(self._receive)

    def on_move(
        self, callback: Callable[[Game], object], *, remove: bool = False
    ) -> Callable[[Game], object]:
        """Calls a function with the game after each move that a user makes, or no longer.

        Setting `game` calls none. Returns the function, so that it can be used as a decorator.
        """
        if remove:
            self._callbacks.remove(callback)
        else:
            self._callbacks.append(callback)
        return callback

    @default("lang")
    def _users_language(self) -> str:
        return language_of(None)

    @default("_esm")
    def _built_script(self) -> str:
        return built_script("notebook.js")

    @validate("marks", "arrows")
    def _on_board(self, proposal: Any) -> Any:
        size = self.game.rules.size
        for place in proposal.value:
            for square in (place,) if isinstance(place, Square) else place[:2]:
                if max(square.file, square.rank) >= size:
                    name = proposal.trait.name
                    raise TraitError(f"{name}: {square}, expected a square of a board of {size} x {size}")
        return proposal.value

    @observe("game", "lang")
    def _show(self, _change: object) -> None:
        with self.hold_sync():
            self._words = texts(("board.",), self.lang)
            self._shape = _shape(self.game.rules)
            self._state = _state(self.game, self.lang)

    def _receive(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        """Plays a move of a user, or explains why it is refused."""
        turn, ply = self.game.turn, self.game.ply_count
        # Another view of the widget, or Python, may have been faster.
        if turn is None or self.movable not in ("both", turn.value) or message["ply"] != ply:
            self.send({"refused": ""})
            return
        try:
            after = self.game.play(message["move"])
        except IllegalMove as error:
            self.send({"refused": explain(error, self.lang)})
            return
        self.game = after
        for callback in tuple(self._callbacks):
            callback(after)


def _shape(rules: Rules) -> dict[str, Any]:
    """Returns the board by the rules, as the element's `shape`."""
    return {
        "size": rules.size,
        "throne": rules.throne and rules.throne.name,
        "corners": _names(rules.corners),
        "camps": [_names(camp) for camp in rules.camps],
        "goals": _names(rules.goals),
        "tree": json.loads(rules.to_json()),
    }


def _state(game: Game, lang: str) -> dict[str, Any]:
    """Returns what the board shows, as the element's `state` with the ply and how the game ended."""
    position = game.position
    legal: dict[str, list[dict[str, Any]]] = {}
    for move in game.legal_moves():
        captures = _names(one.square for one in position.describe(move).captures)
        legal.setdefault(move.from_square.name, []).append({"to": move.to_square.name, "captures": captures})
    hostile = position.hostile_squares.items()
    return {
        "position": str(position.setup),
        "turn": game.turn and game.turn.value,
        "legal": legal,
        "last": _last(game),
        "roads": [_ends(road) for road in position.open_roads],
        "danger": {"closed": list(position.closed_sides), "threatened": position.threatened_king},
        "hostile": [{"square": square.name, "to": [one.value for one in to]} for square, to in hostile],
        "king": position.king and position.king.name,
        "ply": game.ply_count,
        "result": outcome_text(game.outcome, lang) if game.outcome else "",
    }


def _last(game: Game) -> dict[str, Any] | None:
    """Returns the last move with its captures; None at the start."""
    if game.last is None or game.parent is None:
        return None
    captures = [
        {"square": one.square.name, "piece": one.piece.value, "by": _names(one.by)}
        for one in game.parent.position.describe(game.last.move).captures
    ]
    return {**_ends(game.last.move), "captures": captures}


def _ends(move: Move) -> dict[str, str]:
    return {"from": move.from_square.name, "to": move.to_square.name}


def _names(squares: Iterable[Square]) -> list[str]:
    return [square.name for square in squares]
