"""Annotated games on paper: headers, moves with comments and variations, diagrams at key moments."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from hnefi.errors import checked_choice
from hnefi.i18n import language_of, outcome_text, text
from hnefi.paper.drawings import Drawings, board_theme
from hnefi.paper.game_pages import move_entry, move_text, typeset
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.subjects import Subject, paper_size
from hnefi.paper.typesetting import Document, to_pdf
from hnefi.record.model import GLYPHS, Node, Record, Status, Variation, number_after
from hnefi.record.move_tree import MoveTree
from hnefi.words.key_moments import key_moments, played_nodes

if TYPE_CHECKING:
    from hnefi._core import Game
    from hnefi.record import Replay
    from hnefi.variants.model import Variant

GAME_PAPERS = ("a4", "a5")
"""The papers of annotated games: two columns on A4, one on A5."""

_COLUMNS = {"a4": 2, "a5": 1}
# Widths in mm.
_SQUARE, _WIDEST = 7.0, 80.0
# Diagrams at comments: how many there may be, and how many plies lie between two.
_MOST_AT_COMMENTS, _LEAST_APART = 16, 4
_STRONG_GLYPHS = ("!!", "??")
# What ends a comment: others get a full stop.
_ENDS = (".", "!", "?", "…", ":", ")", "»", "”")
_PLACES = ("Event", "Site", "Round", "Date")


def annotated_game(
    record: Record,
    lang: str | None = None,
    *,
    lookup: "Callable[[str], Variant] | None" = None,
    paper: str = "a4",
    colour: bool = False,
    imprint: Imprint = NO_IMPRINT,
) -> bytes:
    """Returns a recorded game with its comments, variations and diagrams, in PDF.

    Args:
        lang: The language of headings, captions and outcome, not of comments; the user's if None.
        lookup: Finds a variant by its id; `hnefi.variant` if None.
        paper: One of `GAME_PAPERS`.
        colour: Whether boards are drawn as wood.
        imprint: Who hands it out.

    Raises:
        PrintError: `missing_extra` without the extra `print`; `unprintable_letters`.
        RecordError: The first fault of the record; other errors of `Record.replay` likewise.
        ValueError: If the paper is unknown.
    """
    return to_pdf(
        annotated_game_document(record, lang, lookup=lookup, paper=paper, colour=colour, imprint=imprint)
    )


def annotated_game_document(
    record: Record,
    lang: str | None = None,
    *,
    lookup: "Callable[[str], Variant] | None" = None,
    paper: str = "a4",
    colour: bool = False,
    imprint: Imprint = NO_IMPRINT,
) -> Document:
    """Returns the content of an annotated game; the arguments and errors are those of `annotated_game`."""
    checked_choice("paper", paper, GAME_PAPERS)
    replay = record.replay(lookup)
    if replay.fault is not None:
        raise replay.fault.error
    assert replay.variant is not None
    assert replay.start is not None
    subject = Subject(replay.variant, language_of(lang))
    drawings = Drawings(subject.lang, board_theme(colour=colour))
    width, height = paper_size(paper)
    outcome = replay.outcome
    games = [after.game for _, _, after in played_nodes(record, replay.start)]
    attackers, defenders = record.header("Attackers"), record.header("Defenders")
    players = f"{attackers or '?'} – {defenders or '?'}" if attackers or defenders else ""
    places = [record.header(name) or "" for name in _PLACES]
    own_name = record.header("Title") if replay.variant.switches else None
    data = {
        "lang": subject.lang,
        "width": width,
        "height": height,
        "columns": _COLUMNS[paper],
        "title": players or own_name or subject.name,
        "players": [
            {"label": text(f"paper.game.{side}", subject.lang), "name": name}
            for side, name in (("attackers", attackers), ("defenders", defenders))
            if name
        ],
        "variant": own_name or subject.name,
        "place": " · ".join(place for place in places if place),
        "outcome": outcome_text(outcome, subject.lang) if outcome else "",
        "colophon": subject.colophon,
        "items": list(_items(record, replay.variant, games, drawings, _captions(replay, subject.lang))),
    }
    return issued(Document("game", data, drawings.files), imprint, subject, imprint.foot(width, height))


def _moments(replay: "Replay", lang: str) -> dict[int, str]:
    """Returns the sentences about the key moments by ply; a game that goes on has none."""
    variant, start = replay.variant, replay.start
    if replay.outcome is None or variant is None or start is None or not replay.record.counted:
        return {}
    record = replay.record
    if replay.faults:
        # The same game with what its file lacks.
        record = MoveTree.of(record, start.game).record(start.game, {"Rules": variant.rules.hash})
    return {
        moment.ply: typeset(moment.text) for moment in key_moments(record, lang, lookup=lambda _: variant)
    }


def _captions(replay: "Replay", lang: str) -> dict[int, str]:
    """Returns the captions of the diagrams by ply: key moments, comments and the end."""
    counted = replay.record.counted
    captions = _moments(replay, lang)
    kept: list[int] = []
    for ply, node in enumerate(counted, 1):
        is_far = all(abs(ply - other) >= _LEAST_APART for other in (*captions, *kept))
        if _is_commented(node) and is_far and len(kept) < _MOST_AT_COMMENTS:
            kept.append(ply)
    for ply in (*kept, len(counted)):
        captions.setdefault(ply, text("paper.game.after", lang, number=ply))
    captions.pop(0, None)
    return captions


def _is_commented(node: Node) -> bool:
    """Checks whether a move has a comment in words, or a strong glyph."""
    return any(comment not in GLYPHS or comment in _STRONG_GLYPHS for comment in node.comments)


def _items(
    record: Record, variant: "Variant", games: "list[Game]", drawings: Drawings, captions: dict[int, str]
) -> Iterator[dict[str, Any]]:
    """Iterates over moves, comments, variations and diagrams in the order of reading.

    Args:
        games: The game after each ply that counts.
        captions: The captions of the diagrams by ply.
    """
    lang = drawings.lang
    yield from _comments(record.comments)
    ply, number = 0, 1
    for node in record.nodes:
        if node.move is None:
            yield from _comments(node.comments)
            continue
        if node.is_undone:
            key = "refused" if node.status is Status.REFUSED else "taken_back"
            undone = f"{move_text(node.move, node.captures)}: {text(f'paper.game.{key}', lang)}"
            yield {"kind": "variation", "text": f"({number}.\u00a0{undone})"}
        else:
            ply += 1
            yield {"kind": "move", **move_entry(number, node, games[ply - 1], variant, lang)}
        yield from _comments(comment for comment in node.comments if comment not in GLYPHS)
        for variation in node.variations:
            yield {"kind": "variation", "text": _variation(variation, number)}
        number = number_after(number, node.status)
        if not node.is_undone and ply in captions:
            board = drawings.of_board(games[ply - 1], _SQUARE, _WIDEST)
            yield {"kind": "board", "board": {**board, "caption": captions[ply]}}


def _comments(comments: "Iterator[str] | tuple[str, ...]") -> Iterator[dict[str, str]]:
    for comment in comments:
        yield {"kind": "comment", "text": _sentence(comment)}


def _sentence(comment: str) -> str:
    """Returns a comment on one line, with a mark at its end that parts it from what follows."""
    words = typeset(comment)
    return words if words.endswith(_ENDS) else f"{words}."


def _variation(variation: Variation, number: int) -> str:
    """Returns a variation in round brackets, with those inside it."""
    parts = [*map(_sentence, variation.comments)]
    for node in variation.nodes:
        if node.move is not None:
            glyph = next((comment for comment in node.comments if comment in GLYPHS), "")
            parts.append(f"{number}.\u00a0{move_text(node.move, node.captures)}{glyph}")
        parts += [_sentence(comment) for comment in node.comments if comment not in GLYPHS]
        parts += [_variation(inner, number) for inner in node.variations]
        if node.move is not None:
            number = number_after(number, node.status)
    return f"({' '.join(parts)})"
