"""Records by HTTP: parses texts into move trees and faults, and writes records."""

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from io import BytesIO

from hnefi._core import Game, Move, Setup
from hnefi.errors import RecordError, VariantError
from hnefi.formats import (
    Format,
    FormatError,
    Gap,
    RawGame,
    ReadOptions,
    explain_gap,
    find_format,
    merge_headers,
    recognise,
)
from hnefi.i18n import explain, text
from hnefi.record import (
    MoveTree,
    Record,
    Replay,
    ReplayFault,
    Status,
    TreePly,
    explain_fault,
    variant_headers,
)
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.record.replay import with_switches_of
from hnefi.record.writer import format_records
from hnefi.server.messages.records import (
    MOST_PLIES,
    HeaderView,
    RecordFault,
    RecordGap,
    RecordRequest,
    RecordsView,
    RecordTextRequest,
    RecordTextView,
    RecordView,
    TreePlyView,
)
from hnefi.server.refusals import refused
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.similarity import as_switches

_HEAD = 65_536
_TRACE = re.compile(
    r"(?<![A-Za-z])[a-s]1?[0-9]\W{0,3}[a-s]1?[0-9](?![0-9A-Za-z])|^\s*\[[A-Za-z]",
    re.IGNORECASE | re.MULTILINE,
)
"""A move or a header: a text in which few words are either is no game."""
_LEAST_SHARE = 0.05
_REWRITTEN = ("Variant", "Revision", "Rules", "Switches", "Base", "Start")


def read_text(request: RecordRequest, lang: str) -> bytes:
    """Returns the records of a text, a `RecordsView` as JSON.

    Raises:
        Refused: `too_many_plies`.
    """
    file_format = _format_of(request.text)
    if file_format is None:
        refusal = _fault(record_error("not_a_game"), 1, lang)
        return RecordsView(games=[], faults=[refusal], remarks=[], gaps=[]).model_dump_json().encode()
    games_read, errors = _read(file_format, request)
    if sum(len(raw.record().every_node()) for raw in games_read) > MOST_PLIES:
        raise refused("too_many_plies", limit=MOST_PLIES)
    faults = [_fault(fault, int(fault.parameters.get("game", 0)), lang) for fault in errors]
    remarks: list[RecordFault] = []
    games: list[RecordView] = []
    for raw in games_read:
        replay = raw.replay()
        for fault in replay.faults:
            shown = _illegal_move(fault, replay, lang)
            (remarks if fault.is_remark else faults).append(_fault(fault, raw.game, lang, shown))
        if replay.called is not None:
            games.append(_game(replay, raw.game))
    gaps = _gaps((gap for raw in games_read for gap in raw.gaps), lang)
    return RecordsView(games=games, faults=faults, remarks=remarks, gaps=gaps).model_dump_json().encode()


def write_text(request: RecordTextRequest, lang: str) -> RecordTextView:
    """Writes a record, and names what its format cannot express.

    Raises:
        HnefiError: If the variant, the start, a header or a move is not possible.
    """
    found = variant(request.variant).with_switches(request.switches)
    start = Game(found.rules) if request.start is None else Game(found.rules, Setup(request.start))
    tree = MoveTree(
        tuple((one.name, one.value) for one in request.headers),
        tuple(request.comments),
        tuple(
            TreePly(
                one.parent,
                Move(one.move),
                one.glyph,
                tuple(one.comments),
                tuple(one.before),
                one.call,
                one.clock_ms,
                Status(one.status),
            )
            for one in request.plies
        ),
    )
    is_usual = start.position.setup == found.rules.start
    changes: dict[str, str | None] = dict.fromkeys(_REWRITTEN)
    changes |= dict(variant_headers(found))
    changes["Start"] = None if is_usual else str(start.start)
    record = tree.record(start, changes)
    if request.form == "tafl":
        return RecordTextView(text=format_records([record]), gaps=[])
    written = find_format(request.form).write(RawGame.of(record))
    return RecordTextView(text=written.text, gaps=_gaps(written.gaps, lang))


def _gaps(found: Iterable[Gap], lang: str) -> list[RecordGap]:
    """Returns gaps as they are sent, each once."""
    return [
        RecordGap(code=gap.code, message=encodable(explain_gap(gap, lang)))
        for gap, _ in merge_headers(Counter(found))
    ]


def _format_of(text: str) -> Format | None:
    """Returns the format of a text; None if hardly a word of it is a move or a header.

    If none fits, it is the native one, whose errors are the most precise.
    """
    try:
        return recognise(text[:_HEAD].encode("utf-8", "replace"))
    except FormatError:
        head = text[:_HEAD]
        traces, words = len(_TRACE.findall(head)), len(head.split())
        return find_format("tafl") if traces and traces >= _LEAST_SHARE * words else None


def _read(file_format: Format, request: RecordRequest) -> tuple[list[RawGame], list[RecordError]]:
    """Returns the games of a text, with the requested variant if they name none, and all errors.

    A game with a fault is kept up to it.
    """
    played = None
    if request.variant is not None:
        with suppress(VariantError):
            played = variant(request.variant).with_switches(request.switches)
    games: list[RawGame] = []
    faults: list[RecordError] = []
    # Records of Hnefi keep their headers; they are asked for a variant only if they name none.
    options = ReadOptions(None if file_format.name == "tafl" else played, lenient=True)
    for one in file_format.read(BytesIO(request.text.encode("utf-8", "replace")), options):
        try:
            if isinstance(one, RecordError):
                raise one
            faults += one.faults
            record = _of_this_site(one)
            if played is not None and record.header("Variant") is None:
                record = record.with_headers(dict(variant_headers(played)))
            games.append(replace(one, headers=record.headers, full_record=one.full_record and record))
        except RecordError as error:
            faults.append(error)
    return games, faults


def _of_this_site(raw: RawGame) -> Record:
    """Returns the record of a game; one of rules of its own becomes one of the nearest variant with switches.

    Raises:
        RecordError: If a move cannot be parsed.
    """
    record, name = raw.record(), raw.header("Variant")
    if name is None or name in variant_ids():
        return record
    try:
        base, switches = as_switches(with_switches_of(record, raw.lookup()))
        found = variant_headers(base.with_switches(switches))
    except (VariantError, RecordError):
        return record
    return record.with_headers({"OpenTaflRules": None, "Base": None, **dict(found)})


def _illegal_move(fault: ReplayFault, replay: Replay, lang: str) -> str | None:
    """Returns the message about the move after which the rest of a game cannot be read; else None."""
    ended = replay.called is not None and fault.ply == replay.called.game.ply_count + 1
    nodes = replay.record.nodes
    if fault.path or fault.is_remark or not ended or fault.ply > len(nodes):
        return None
    move = nodes[fault.ply - 1].move
    if move is None:
        return None
    written = f"{fault.ply}. {str(move).replace('-', '–')}"
    return text("record.illegal", lang, move=written, message=explain(fault.error, lang))


def _fault(fault: RecordError | ReplayFault, game: int, lang: str, shown: str | None = None) -> RecordFault:
    line, column, ply = 0, 0, 0
    if isinstance(fault, RecordError):
        line, column = fault.line, fault.column
    else:
        ply = fault.ply
    message = encodable(shown or explain_fault(fault, lang))
    return RecordFault(code=fault.code, message=message, game=game, line=line, column=column, ply=ply)


def _game(replay: Replay, number: int) -> RecordView:
    """Returns a game as it is sent; lone surrogates, which records may have, become question marks."""
    assert replay.called is not None
    record, of = replay.record, replay.called.game
    start = Game(of.rules, of.start)
    tree = MoveTree.of(record, start)
    return RecordView(
        game=number,
        variant=(record.header("Variant") or "").strip(),
        switches={encodable(key): encodable(value) for key, value in record.switches.items()},
        start=None if of.start == of.rules.start else str(of.start),
        headers=[HeaderView(name=name, value=encodable(value)) for name, value in tree.headers],
        comments=_comments(tree.comments),
        plies=[
            TreePlyView(
                parent=ply.parent,
                move=str(ply.move),
                glyph=ply.glyph,  # type: ignore[arg-type]
                comments=_comments(ply.comments),
                before=_comments(ply.before),
                call=ply.call,
                clock_ms=ply.clock_ms,
                status=ply.status.value,
            )
            for ply in tree.plies
        ],
    )


def _comments(comments: tuple[str, ...]) -> list[str]:
    return [encodable(one) for one in comments]
