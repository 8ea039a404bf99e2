"""The lessons page of a variant, with the evaluation of every answer for its script."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from hnefi._core import Outcome, Square
from hnefi.errors import VariantError
from hnefi.i18n import outcome_text, text
from hnefi.lessons import Goal, Lesson, Node, Wrong, answers, begin, lessons
from hnefi.pieces import Reason, Side
from hnefi.server.game_facts import author_of, family_of, game_facts
from hnefi.server.pages import drawings
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant
from hnefi.words.variant_texts import in_language

__all__ = ["LessonsPage", "lesson_counts", "lessons_page"]

_CALL_WORDS = ("one_exit", "two_exits", "king_in_danger")


@dataclass(frozen=True, slots=True)
class LessonsPage:
    """The values of the template.

    Attributes:
        id: The variant's id.
        name: The name of its family.
        author: Who publishes it.
        board: The board of the first lesson.
        lessons: All lessons, as web/src/lessons/lesson.ts names their parts.
        game: The facts of the variant.
    """

    id: str
    name: str
    author: str
    board: Markup
    lessons: tuple[Mapping[str, Any], ...]
    game: Mapping[str, Any]


def lesson_counts() -> dict[str, int]:
    """Returns the number of lessons by variant."""
    return {name: len(lessons(name)) for name in variant_ids() if lessons(name)}


@lru_cache(maxsize=32)
def lessons_page(variant_id: str, lang: str) -> LessonsPage:
    """Returns the lessons page of a variant.

    Raises:
        VariantError: If there is no such variant, or it has no lessons.
    """
    of = variant(variant_id)
    found = lessons(of.id)
    if not found:
        raise VariantError("unknown_variant", f"variant {of.id}: no lessons", {"name": of.id})
    return LessonsPage(
        id=of.id,
        name=family_of(of, lang),
        author=author_of(of, lang),
        board=drawings.board(of, begin(of, found[0]).game, lang),
        lessons=tuple(_lesson_facts(of, lesson, lang) for lesson in found),
        game=game_facts(of, lang),
    )


def _lesson_facts(of: Variant, lesson: Lesson, lang: str) -> dict[str, Any]:
    words = _call_words(of, lang)
    sentences: dict[str, int] = {}
    turn = begin(of, lesson).game.turn
    assert turn is not None

    def lesson_text(part: str, goal: Goal) -> str:
        return text(f"lesson.{lesson.topic}.{part}", lang, **_facts(goal, lang), **words)

    goals = [step.goal for step in lesson.steps]
    return {
        "id": lesson.id,
        "title": text(f"lesson.{lesson.topic}.title", lang),
        "says": lesson_text("says", goals[0]),
        "learned": lesson_text("learned", goals[0]),
        "side": turn.value,
        "setup": str(lesson.setup),
        "before": [f"{move.from_square.name}-{move.to_square.name}" for move in lesson.before],
        "calls": lesson.calls,
        "steps": [
            {
                "task": lesson_text("task" if place == 1 else f"task_{place}", step.goal),
                "call": step.call,
                "reply": step.reply and f"{step.reply.from_square.name}-{step.reply.to_square.name}",
                "closes": step.goal.reason == Reason.KING_CAPTURED.value,
            }
            for place, step in enumerate(lesson.steps, 1)
        ],
        "answers": _written(answers(of, lesson), sentences, lang),
        "sentences": list(sentences),
    }


def _call_words(of: Variant, lang: str) -> dict[str, str]:
    words: Mapping[str, Any] = (of.calls or {}).get("words", {})
    return {name: in_language(words.get(name), lang) or "" for name in _CALL_WORDS}


def _facts(goal: Goal, lang: str) -> dict[str, str]:
    return {"to": _squares(goal.to, lang, "or"), "target": _squares(goal.captures, lang, "and")}


def _squares(squares: tuple[Square, ...], lang: str, word: str) -> str:
    return f" {text(f'lesson.{word}', lang)} ".join(square.name for square in squares)


def _written(node: Node, sentences: dict[str, int], lang: str) -> dict[str, Any]:
    """Returns all answers; a wrong one has the index of its sentence."""
    return {
        "right": {move: after and _written(after, sentences, lang) for move, after in node.right.items()},
        "wrong": {
            move: sentences.setdefault(_sentence(wrong, lang), len(sentences))
            for move, wrong in node.wrong.items()
        },
    }


def _sentence(wrong: Wrong, lang: str) -> str:
    facts = dict(wrong.facts)
    if wrong.code == "ended":
        winner = None if facts["winner"] == "none" else Side(facts["winner"])
        facts["outcome"] = outcome_text(Outcome(winner, Reason(facts["reason"])), lang)
    return text(f"lesson.wrong.{wrong.code}", lang, **facts)
