"""Key moments of a recorded game in words: first captures, open roads, the decisive mistake, the end."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hnefi._core import CalledGame, Capture, Game, Move, Square, format_move
from hnefi.i18n import language_of, outcome_text
from hnefi.pieces import Piece, Reason, Side
from hnefi.record import Node, Record, stop_before
from hnefi.variants.model import Variant
from hnefi.words.nouns import capitalised
from hnefi.words.variant_texts import in_language, lookup
from hnefi.words.wording import Wording, wording_of

# If a game has more moments than asked for, the first of these kinds are kept.
_ORDER = ("end", "mistake", "road", "first_capture", "roads", "reply", "captures")
# Moments of these kinds are left out beside another moment, where the diagrams would look alike.
_MINOR = ("reply", "captures")
_APART, _FEWEST = 3, 3


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A move of a game that is worth a diagram.

    Attributes:
        ply: How many moves have been played, this one included.
        game: The game after the move; `game.parent` is the one before it.
        kinds: What happens: `first_capture`, `reply` (the first capture of the other side), `captures` (of
            several pieces), `road`, `roads`, `mistake`, `end`.
        title: The number and the move, such as `Move 12: c4-c6xb6`.
        text: The sentences.
        better: The better move, where the move is a mistake.
    """

    ply: int
    game: Game
    kinds: tuple[str, ...]
    title: str
    text: str
    better: Move | None = None


@dataclass(frozen=True, slots=True)
class _PlayedPly:
    """A move of the record that counts, with the game before and after it."""

    node: Node
    before: CalledGame
    after: CalledGame

    @property
    def game(self) -> Game:
        return self.after.game

    @property
    def side(self) -> Side:
        side = self.before.game.turn
        assert side is not None
        return side

    @property
    def captures(self) -> tuple[Capture, ...]:
        assert self.node.move is not None
        return tuple(self.before.game.position.describe(self.node.move).captures)

    @property
    def better(self) -> Move | None:
        return self.node.variations[0].nodes[0].move if self.node.variations else None

    @property
    def roads(self) -> tuple[Square, ...]:
        """The goals of the roads to announce; without calls, those of all open roads."""
        if self.side is not Side.DEFENDERS or self.game.turn is None:
            return ()
        if self.after.mode != "off":
            return self.after.open_roads
        return tuple(sorted({move.to_square for move in self.game.position.open_roads}))


@dataclass(frozen=True, slots=True)
class _Event:
    """One event of a ply, with its sentences."""

    at: int
    kind: str
    text: str


def key_moments(
    record: Record,
    lang: str | None = None,
    *,
    most: int = 6,
    lookup: Callable[[str], Variant] | None = None,
) -> tuple[KeyMoment, ...]:
    """Returns the moves of a game that are worth a diagram, in order, with sentences about them.

    The mistake is the loser's last move with the glyph `??`, else with `?`.

    Args:
        record: The record, such as `hnefi.sample_game(variant)`.
        lang: The language; the user's if None.
        most: How many moments to return at most.
        lookup: Finds a variant by its id; `hnefi.variant` if None.

    Raises:
        RecordError: The first fault of the record; other errors of `Record.replay` likewise.

    >>> from hnefi import sample_game
    >>> key_moments(sample_game("brandub-globe"), "en")[-1].kinds
    ('end',)
    """
    replay = record.replay(lookup)
    if replay.fault is not None:
        raise replay.fault.error
    assert replay.start is not None
    assert replay.variant is not None
    wording = wording_of(replay.variant, language_of(lang))
    plies = [_PlayedPly(*played) for played in played_nodes(record, replay.start)]
    events = [
        *_capture_events(plies, wording),
        *_road_events(plies, wording),
        *_mistake_events(record, plies, wording),
        *_end_events(record, plies, wording),
    ]
    kept: list[int] = []
    for event in sorted(events, key=lambda event: _ORDER.index(event.kind)):
        is_alike = event.kind in _MINOR and any(abs(event.at - at) < _APART for at in kept)
        if event.at not in kept and len(kept) < most and not (is_alike and len(kept) >= _FEWEST):
            kept.append(event.at)
    return tuple(_moment(at, plies[at], events, wording) for at in sorted(kept))


def _moment(at: int, ply: _PlayedPly, events: Iterable[_Event], wording: Wording) -> KeyMoment:
    here = [event for event in events if event.at == at]
    assert ply.node.move is not None
    move = format_move(ply.node.move, [capture.square for capture in ply.captures])
    return KeyMoment(
        ply=at + 1,
        game=ply.game,
        kinds=tuple(event.kind for event in here),
        title=wording.text("words.moment.title", n=at + 1, move=move),
        text=" ".join(event.text for event in here),
        better=ply.better if any(event.kind == "mistake" for event in here) else None,
    )


def played_nodes(record: Record, start: CalledGame) -> Iterator[tuple[Node, CalledGame, CalledGame]]:
    """Iterates over the moves of a record that count, each with the game before and after it."""
    called = start
    for node in record.counted:
        assert node.move is not None
        stop = stop_before(called.game.position, node.move)
        called = called if stop is None else called.play(stop)
        after = called.play(node.move, node.call)
        yield node, called, after
        called = after


def _capture_events(plies: list[_PlayedPly], wording: Wording) -> Iterator[_Event]:
    """Iterates over the first capture, the first one of the other side, and the largest of several pieces."""
    taken = {at: _soldiers(ply) for at, ply in enumerate(plies)}
    taken = {at: captures for at, captures in taken.items() if captures}
    told: set[int] = set()
    for side in Side:
        at = next((at for at in taken if plies[at].side is side), None)
        if at is None:
            continue
        told.add(at)
        kind = "first_capture" if at == min(taken) else "reply"
        pieces = _pieces(taken[at], wording)
        yield _Event(at, kind, wording.text(f"words.moment.{kind}", **_who(side, wording), pieces=pieces))
    several = [at for at, captures in taken.items() if len(captures) > 1 and at not in told]
    if several:
        at = max(several, key=lambda at: len(taken[at]))
        pieces = _pieces(taken[at], wording)
        yield _Event(at, "captures", wording.text("words.moment.captures", pieces=pieces))


def _soldiers(ply: _PlayedPly) -> list[Capture]:
    return [capture for capture in ply.captures if capture.piece is not Piece.KING]


def _pieces(captures: Iterable[Capture], wording: Wording) -> str:
    """Formats captured pieces as a list: "a prince on d5 and a prince on e4"."""
    return wording.listed(
        [
            wording.text("words.moment.piece", piece=_a_piece(capture.piece, wording), square=capture.square)
            for capture in captures
        ]
    )


def _a_piece(piece: Piece, wording: Wording) -> str:
    """Returns a piece with its article, by the variant's noun unless it has a rank."""
    if piece is piece.soldier:
        return wording.nouns[f"a_{piece.value}"]
    return wording.text(f"a_piece.{piece.value}")


def _road_events(plies: list[_PlayedPly], wording: Wording) -> Iterator[_Event]:
    """Iterates over the first open road and the first two open roads."""
    first = next((at for at, ply in enumerate(plies) if ply.roads), None)
    if first is None:
        return
    yield _road_event(first, "road", plies[first], wording)
    two = next((at for at, ply in enumerate(plies) if len(ply.roads) > 1), first)
    if two != first:
        yield _road_event(two, "roads", plies[two], wording)


def _road_event(at: int, kind: str, ply: _PlayedPly, wording: Wording) -> _Event:
    if len(ply.roads) > 1:
        squares = wording.listed([square.name for square in ply.roads])
        sentence = wording.text(
            "words.moment.roads", number=capitalised(wording.number(len(ply.roads))), squares=squares
        )
    else:
        goal = wording.tree.ends.goal
        sentence = wording.text(f"words.moment.road.{goal}", square=ply.roads[0])
    word = _call_word(ply.node.call, wording)
    if word:
        sentence += " " + wording.text("words.moment.call", call=word)
    return _Event(at, kind, sentence)


def _call_word(call: int, wording: Wording) -> str | None:
    """Returns the word of a call, such as raichi; None if there is none."""
    name = {1: "one_exit", 2: "two_exits"}.get(call)
    return in_language(lookup(wording.calls, "words", name), wording.lang) if name else None


def _mistake_events(record: Record, plies: list[_PlayedPly], wording: Wording) -> Iterator[_Event]:
    """Iterates over the mistake that decided the game, none if the review found none."""
    outcome = record.outcome
    if outcome is None or outcome.winner is None:
        return
    for glyph in ("??", "?"):
        found = [
            at
            for at, ply in enumerate(plies)
            if ply.node.glyph == glyph and ply.side is not outcome.winner and ply.better
        ]
        if found:
            ply = plies[found[-1]]
            key = "words.moment.decisive_mistake" if glyph == "??" else "words.moment.mistake"
            told = wording.text(key, **_who(ply.side, wording), better=ply.better)
            yield _Event(found[-1], "mistake", told)
            return


def _who(side: Side, wording: Wording) -> dict[str, str]:
    """Returns the side that begins a sentence, and the ending of its verb."""
    who, ending = (wording.nouns[f"{form}_{side.value}_side"] for form in ("the", "s"))
    return {"who": capitalised(who), "s_who_side": ending}


def _end_events(record: Record, plies: list[_PlayedPly], wording: Wording) -> Iterator[_Event]:
    """Iterates over the end of the game, with its square if the king escapes or is captured."""
    outcome = record.outcome
    if outcome is None or not plies:
        return
    last = plies[-1]
    king = [capture.square for capture in last.captures if capture.piece is Piece.KING]
    if outcome.reason in (Reason.CORNER, Reason.EDGE) and last.node.move is not None:
        key, square = f"words.moment.end.{outcome.reason.value}", last.node.move.to_square
    elif outcome.reason is Reason.KING_CAPTURED and outcome.winner is not None and king:
        key, square = "words.moment.end.king_captured", king[0]
    else:
        yield _Event(len(plies) - 1, "end", outcome_text(outcome, wording.lang))
        return
    yield _Event(len(plies) - 1, "end", wording.text(key, square=square))
