"""Formats scores, lines and reviews as text and as JSON values."""

from collections.abc import Sequence

from hnefi._core import Game, Move
from hnefi.cli.apply import outcome_facts
from hnefi.cli.texts import decimal, grouped, translate, translate_plural
from hnefi.engine import Analysis, AnalysisLine, Score
from hnefi.engine.review import ReviewedPly
from hnefi.record import Record

_LONGEST_LINE = 8


def score_text(score: Score) -> str:
    """Formats a score as text: which side is better, or wins in how many plies."""
    if score.winner is not None and score.wins_in is not None:
        return translate_plural(f"score.wins.{score.winner.value}", score.wins_in)
    size = score.size
    if size == "even":
        return translate("score.even")
    return translate(f"score.{size}.{'attackers' if score.chances > 0.5 else 'defenders'}")


def chances_text(score: Score) -> str:
    """Returns the attackers' expected score in percent, 1 to 99 unless it is proven.

    Where no games of the rules were measured, it is the score itself, in soldiers.
    """
    if score.spread is None:
        return decimal(score.value / 100, "+.1f").replace("-", "−")
    percent = round(100 * score.chances)
    return translate("score.percent", percent=percent if score.is_proven else min(max(percent, 1), 99))


def attackers_text(score: Score) -> str:
    """Returns what `chances_text` does as a part of a sentence, which says that it is the attackers'."""
    kind = "points" if score.spread is None else "chances"
    return translate(f"score.attackers.{kind}", score=chances_text(score))


def line_text(game: Game, moves: Sequence[Move]) -> str:
    """Formats the moves of a line with their captures, as far as they are legal."""
    written: list[str] = []
    for move in moves[:_LONGEST_LINE]:
        if not game.is_legal(move):
            break
        game = game.play(move)
        written.append(str(game.last))
    return " ".join(written) + (" …" if len(moves) > _LONGEST_LINE else "")


def status_text(analysis: Analysis, game: Game) -> str:
    """Returns the progress of an analysis as one line."""
    best = analysis.best
    if best is None:
        return ""
    facts = {"depth": analysis.depth, "nodes": grouped(analysis.nodes)}
    return translate(
        "cli.analyse.status",
        **facts,
        move=line_text(game, best.moves[:1]),
        attackers=attackers_text(best.score),
    )


def score_facts(score: Score) -> dict[str, object]:
    """Returns a score as JSON values."""
    return {
        "score": score.value,
        "chances": round(score.chances, 4),
        "spread": score.spread,
        "winner": score.winner.value if score.winner else None,
        "wins_in": score.wins_in,
    }


def line_facts(line: AnalysisLine) -> dict[str, object]:
    """Returns a line as JSON values."""
    moves = [*map(str, line.moves)]
    return {"move": moves[0], **score_facts(line.score), "line": moves}


def game_facts(record: Record, reviewed: Sequence[ReviewedPly]) -> dict[str, object]:
    """Returns a game with the review of its moves as JSON values."""
    return {
        "variant": record.header("Variant"),
        "headers": dict(record.headers),
        "result": record.result,
        "moves": [_ply_facts(one) for one in reviewed],
    }


def _ply_facts(found: ReviewedPly) -> dict[str, object]:
    before = found.ply.game
    after = before.play(found.ply.move)
    assert before.turn is not None
    assert after.last is not None
    return {
        "ply": after.ply_count,
        "turn": before.turn.value,
        "position": str(before.position.setup),
        "move": str(found.ply.move),
        "captures": [square.name for square in after.last.captures],
        "after": score_facts(found.after) if found.after else None,
        "outcome": outcome_facts(after.outcome),
        "best": line_facts(found.best),
        "loss": round(found.loss, 4),
        "has_better": found.has_better,
        "turning_point": found.is_turning_point,
    }
