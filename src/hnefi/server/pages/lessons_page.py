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
from hnefi.server.game_facts import game_facts, heading_of
from hnefi.server.pages import drawings
from hnefi.server.pages.guided_game import VARIANT
from hnefi.server.pages.variant_families import VariantFamily, variant_families
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant
from hnefi.words.variant_texts import in_language

FIRST_COURSE = VARIANT
"""The lessons that beginners are offered: those of the game that the home page begins."""

_FIRST_FAMILIES = ("hnefatafl", "brandub", "tablut")

_CALL_WORDS = ("one_exit", "two_exits", "king_in_danger")
_LIST_WORDS = {"to": "or", "road": "or", "taken": "and", "wanted": "and"}


@dataclass(frozen=True, slots=True)
class LessonsPage:
    """The values of the template.

    Attributes:
        id: The variant's id.
        name: The first part of its name.
        author: The second part: who publishes it.
        title: Its whole name.
        board: The board of the first lesson.
        lessons: All lessons, as web/src/lessons/lesson.ts names their parts.
        game: The facts of the variant.
    """

    id: str
    name: str
    author: str
    title: str
    board: Markup
    lessons: tuple[Mapping[str, Any], ...]
    game: Mapping[str, Any]


def lesson_counts() -> dict[str, int]:
    """Returns the number of lessons by variant."""
    return {name: len(lessons(name)) for name in variant_ids() if lessons(name)}


def taught_families(lang: str) -> tuple[VariantFamily, ...]:
    """Returns the families with lessons: the best known games first, then the smallest boards."""
    counts = lesson_counts()
    taught = (one for one in variant_families(lang) if any(found.id in counts for found in one.rule_sets))
    places = {key: place for place, key in enumerate(_FIRST_FAMILIES)}
    return tuple(sorted(taught, key=lambda one: places.get(one.key, len(places))))


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
    name, author = heading_of(of, lang)
    return LessonsPage(
        id=of.id,
        name=name,
        author=author,
        title=of.name(lang),
        board=drawings.board(of, begin(of, found[0]).game, lang),
        lessons=tuple(_lesson_facts(of, lesson, lang) for lesson in found),
        game=game_facts(of, lang),
    )


def _lesson_facts(of: Variant, lesson: Lesson, lang: str) -> dict[str, Any]:
    words = _call_words(of, lang)
    marks = {"mark": _joined([square.name for square in lesson.marks], lang, "and")}
    sentences: dict[str, int] = {}
    turn = begin(of, lesson).game.turn
    assert turn is not None

    def lesson_text(part: str, goal: Goal) -> str:
        return text(f"lesson.{lesson.topic}.{part}", lang, **_facts(goal, lang), **marks, **words)

    goals = [step.goal for step in lesson.steps]
    return {
        "id": lesson.id,
        "title": text(f"lesson.{lesson.topic}.title", lang),
        "says": lesson_text("says", goals[0]),
        "learned": lesson_text("learned", goals[0]),
        "side": turn.value,
        "setup": str(lesson.setup),
        "marks": [square.name for square in lesson.marks],
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
    return _joined([square.name for square in squares], lang, word)


def _joined(names: list[str], lang: str, word: str) -> str:
    """Returns a list of squares as words.

    >>> _joined(["a1", "a7", "g1"], "en", "or")
    'a1, a7 or g1'
    """
    *first, last = names or [""]
    return f"{', '.join(first)} {text(f'lesson.{word}', lang)} {last}" if first else last


def _written(node: Node, sentences: dict[str, int], lang: str) -> dict[str, Any]:
    """Returns all answers; a wrong one has the index of its sentence."""
    return {
        "right": {move: after and _written(after, sentences, lang) for move, after in node.right.items()},
        "wrong": {
            move: sentences.setdefault(_sentence(wrong, lang), len(sentences))
            for move, wrong in node.wrong.items()
        },
    }


def _listed(value: str, lang: str, word: str | None) -> str:
    """Returns the squares of a fact with a word before the last; another fact unchanged."""
    return value if word is None else _joined(value.split(", "), lang, word)


def _sentence(wrong: Wrong, lang: str) -> str:
    facts = {name: _listed(value, lang, _LIST_WORDS.get(name)) for name, value in wrong.facts}
    if wrong.code == "ended":
        winner = None if facts["winner"] == "none" else Side(facts["winner"])
        facts["outcome"] = outcome_text(Outcome(winner, Reason(facts["reason"])), lang)
    return text(f"lesson.wrong.{wrong.code}", lang, **facts)
