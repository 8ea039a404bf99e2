"""Records by HTTP: what a text holds, as trees and faults, and the text of a tree."""

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO

from hnefi._core import Game, Move, Setup
from hnefi.errors import RecordError, VariantError
from hnefi.formats import Format, FormatError, RawGame, ReadOptions, find_format, recognise
from hnefi.record import (
    MoveTree,
    Record,
    Replay,
    ReplayFault,
    TreePly,
    explain_fault,
    read_records,
    variant_headers,
)
from hnefi.record.faults import record_error
from hnefi.record.model import Node
from hnefi.record.writer import format_records
from hnefi.server.messages.http import (
    MOST_PLIES,
    HeaderView,
    RecordFault,
    RecordRequest,
    RecordsView,
    RecordTextRequest,
    RecordView,
    TreePlyView,
)
from hnefi.server.refusals import refused
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant

__all__ = ["read_text", "write_text"]

_HEAD = 65_536
_WRITTEN_ANEW = ("Variant", "Revision", "Rules", "Switches", "Start")


def read_text(asked: RecordRequest, lang: str) -> bytes:
    """Reads a text of records; gives a `RecordsView` as JSON.

    Raises:
        Refused: `too_many_plies`.
    """
    form = _form_of(asked.text)
    read, wrong = _read_ours(asked.text) if form.name == "tafl" else _read_other(form, asked)
    if sum(_count(record.nodes) for _, record in read) > MOST_PLIES:
        raise refused("too_many_plies", limit=MOST_PLIES)
    faults = [_fault(fault, int(fault.parameters.get("game", 0)), lang) for fault in wrong]
    games: list[RecordView] = []
    for number, record in read:
        named = _named(record, asked)
        replay = named.replay()
        faults += [_fault(fault, number, lang) for fault in replay.faults]
        if replay.called is not None:
            games.append(_game(named, replay, number))
    return RecordsView(games=games, faults=faults).model_dump_json().encode()


def write_text(asked: RecordTextRequest) -> str:
    """Writes a record.

    Raises:
        HnefiError: If the variant, the start, a header or a move is not possible.
    """
    found = _variant(asked.variant, asked.switches)
    start = Game(found.rules) if asked.start is None else Game(found.rules, Setup(asked.start))
    tree = MoveTree(
        tuple((one.name, one.value) for one in asked.headers),
        tuple(asked.comments),
        tuple(
            TreePly(
                one.parent,
                Move(one.move),
                one.glyph,
                tuple(one.comments),
                tuple(one.before),
                one.call,
                one.clock_ms,
            )
            for one in asked.plies
        ),
    )
    is_usual = start.position.setup == found.rules.start
    changes: dict[str, str | None] = dict.fromkeys(_WRITTEN_ANEW)
    changes |= dict(variant_headers(found))
    changes["Start"] = None if is_usual else str(start.start)
    record = tree.record(start, changes)
    if asked.form == "tafl":
        return format_records([record])
    return find_format(asked.form).write(RawGame.of(record)).text


_Read = tuple[list[tuple[int, Record]], list[RecordError]]
"""Games with their numbers, and what is wrong with the others."""


def _form_of(text: str) -> Format:
    """Gives the form of a text; ours, whose faults say most, where it is in none."""
    try:
        return recognise(text[:_HEAD].encode("utf-8", "replace"))
    except FormatError:
        return find_format("tafl")


def _read_ours(text: str) -> _Read:
    reading = read_records(text)
    return list(zip(reading.numbers, reading.records, strict=True)), list(reading.faults)


def _read_other(form: Format, asked: RecordRequest) -> _Read:
    """Reads a text of another program; games by rules that are none of ours are told as faults."""
    played = None
    if asked.variant is not None:
        with suppress(VariantError):
            played = _variant(asked.variant, asked.switches)
    games: list[tuple[int, Record]] = []
    faults: list[RecordError] = []
    for one in form.read(BytesIO(asked.text.encode("utf-8", "replace")), ReadOptions(played)):
        try:
            if isinstance(one, RecordError):
                raise one
            if one.variant is not None and one.variant.id not in variant_ids():
                name = one.variant.name("en")
                raise record_error("foreign_rules", (one.line, 1), game=one.game, name=name)
            games.append((one.game, one.record()))
        except RecordError as error:
            faults.append(error)
    return games, faults


def _named(record: Record, asked: RecordRequest) -> Record:
    """Gives a record that says what is played, as was asked where it does not."""
    if record.header("Variant") is not None or asked.variant is None:
        return record
    try:
        found = _variant(asked.variant, asked.switches)
    except VariantError:
        return record
    return record.with_headers(dict(variant_headers(found)))


def _variant(name: str, switches: Mapping[str, str]) -> Variant:
    found = variant(name)
    return found.with_switches(switches) if switches else found


def _count(nodes: tuple[Node, ...]) -> int:
    return len(nodes) + sum(_count(line.nodes) for node in nodes for line in node.variations)


def _fault(fault: RecordError | ReplayFault, game: int, lang: str) -> RecordFault:
    line, column, ply = 0, 0, 0
    if isinstance(fault, RecordError):
        line, column = fault.line, fault.column
    else:
        ply = fault.ply
    message = explain_fault(fault, lang)
    return RecordFault(code=fault.code, message=message, game=game, line=line, column=column, ply=ply)


def _game(record: Record, replay: Replay, number: int) -> RecordView:
    assert replay.called is not None
    of = replay.called.game
    start = Game(of.rules, of.start)
    tree = MoveTree.of(record, start)
    return RecordView(
        game=number,
        variant=(record.header("Variant") or "").strip(),
        switches=record.switches,
        start=None if of.start == of.rules.start else str(of.start),
        headers=[HeaderView(name=name, value=value) for name, value in tree.headers],
        comments=list(tree.comments),
        plies=[
            TreePlyView(
                parent=ply.parent,
                move=str(ply.move),
                glyph=ply.glyph,  # type: ignore[arg-type]
                comments=list(ply.comments),
                before=list(ply.before),
                call=ply.call,
                clock_ms=ply.clock_ms,
            )
            for ply in tree.plies
        ],
    )
