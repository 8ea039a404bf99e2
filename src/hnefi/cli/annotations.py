"""Annotates a record with a review: scores as comments, better moves as variations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Game, Move
from hnefi.cli.scores import attackers_text, score_text
from hnefi.cli.texts import outcome_text, translate
from hnefi.engine.review import ReviewedPly
from hnefi.record import Node, Record, Variation

ANNOTATED = "AnnotatedPlies"
"""The header that states how far a record is annotated."""

_LONGEST_LINE = 6


def annotated(record: Record, reviewed: Sequence[ReviewedPly], done: int, annotator: str) -> Record:
    """Returns the record annotated with a review.

    Its own comments and variations stay. Only the first `done` of its moves have been reviewed.
    """
    by_index: Mapping[int, ReviewedPly] = {one.ply.index: one for one in reviewed}
    nodes = tuple(
        _annotated_node(node, by_index[index]) if index in by_index else node
        for index, node in enumerate(record.nodes)
    )
    return replace(record, nodes=nodes).with_headers({"Annotator": annotator, ANNOTATED: str(done)})


def annotated_plies(record: Record) -> int:
    """Returns how many moves of a record are annotated already."""
    written = record.header(ANNOTATED) or "0"
    return int(written) if written.isascii() and written.isdigit() and len(written) < 7 else 0


def is_same_game(one: Record, other: Record) -> bool:
    """Checks whether two records hold the same game, whatever their comments."""
    headers = ("Variant", "Rules", "Start", "Switches")
    return [one.header(name) for name in headers] == [other.header(name) for name in headers] and [
        (node.move, node.status) for node in one.nodes
    ] == [(node.move, node.status) for node in other.nodes]


def _annotated_node(node: Node, found: ReviewedPly) -> Node:
    comment = _score_comment(found)
    if found.is_turning_point:
        comment = f"{translate('analyse.turning_point')} {comment}"
    variations = node.variations
    if found.has_better:
        line = _side_line(found.ply.game, found.best.moves)
        variations = (*variations, Variation(line, (score_text(found.best.score),)))
    return replace(node, comments=(*node.comments, comment), variations=variations)


def _score_comment(found: ReviewedPly) -> str:
    """Returns the comment that states the score after a move."""
    if found.after is not None and found.after.is_proven:
        return score_text(found.after)
    if found.after is not None:
        return translate(
            "analyse.comment", meaning=score_text(found.after), attackers=attackers_text(found.after)
        )
    outcome = found.ply.game.play(found.ply.move).outcome
    return outcome_text(outcome) if outcome else ""


def _side_line(game: Game, moves: Sequence[Move]) -> tuple[Node, ...]:
    """Builds the nodes of a variation, with captures and forced passes."""
    nodes: list[Node] = []
    for move in moves[:_LONGEST_LINE]:
        if game.turn is None or not game.is_legal(move):
            break
        game = game.play(move)
        assert game.last is not None
        nodes.append(Node(move, game.last.captures))
        if game.last.passed and game.turn is not None:
            nodes.append(Node(None))
    return tuple(nodes)
