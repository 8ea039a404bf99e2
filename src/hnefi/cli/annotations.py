"""Annotates a record with a review: scores as comments, better moves as variations."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Game, Move
from hnefi.cli.scores import attackers_text, score_text
from hnefi.cli.texts import outcome_text, translate
from hnefi.engine.review import ReviewedPly
from hnefi.record import Node, Record, Variation
from hnefi.words.nouns import capitalised

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
    comment = (
        f"{translate('analyse.turning_point')} {comment}" if found.is_turning_point else capitalised(comment)
    )
    variations = node.variations
    if found.has_better:
        line = _side_line(found.ply.game, found.best.moves)
        variations = _with_line(variations, Variation(line, (capitalised(score_text(found.best.score)),)))
    return replace(node, comments=(*node.comments, comment), variations=variations)


def _with_line(variations: tuple[Variation, ...], line: Variation) -> tuple[Variation, ...]:
    """Returns the variations with a line: as the continuation of one that begins with the same moves."""
    for index, own in enumerate(variations):
        if own.nodes[0].move == line.nodes[0].move:
            new = [comment for comment in line.comments if comment not in own.comments]
            continued = replace(own, nodes=_continued(own.nodes, line.nodes), comments=(*own.comments, *new))
            return (*variations[:index], continued, *variations[index + 1 :])
    return (*variations, line)


def _continued(own: tuple[Node, ...], line: tuple[Node, ...]) -> tuple[Node, ...]:
    """Returns the moves of a variation with a line, whose own moves are a variation where they begin."""
    pairs = enumerate(zip(own, line, strict=False))
    parting = next((index for index, (one, other) in pairs if one.move != other.move), None)
    if parting is None:
        return (*own, *line[len(own) :])
    node = own[parting]
    parted = replace(node, variations=_with_line(node.variations, Variation(line[parting:])))
    return (*own[:parting], parted, *own[parting + 1 :])


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
