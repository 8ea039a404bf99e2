"""The lessons page of a variant, with the evaluation of every answer for its script."""

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from hnefi._core import Outcome, Square
from hnefi.i18n import outcome_text, text
from hnefi.lessons import Goal, Lesson, Node, Wrong, answers, begin, lessons
from hnefi.pieces import Reason, Side
from hnefi.server.game_facts import game_facts, heading_of
from hnefi.server.pages import drawings
from hnefi.server.pages.home.guided_game import VARIANT
from hnefi.server.pages.page import PageError, PageRequest
from hnefi.server.pages.variant_families import VariantFamily, variant_families
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant
from hnefi.words.variant_texts import in_language

_FIRST_FAMILIES = ("hnefatafl", "brandub", "tablut")

_CALL_WORDS = ("one_exit", "two_exits", "king_in_danger")
_LIST_WORDS = {"to": "or", "road": "or", "taken": "and", "wanted": "and"}


def all_lessons_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the list of lessons."""
    counts = {name: count for name, count in lesson_counts().items() if request.offers(name)}
    families = [
        replace(family, rule_sets=tuple(one for one in family.rule_sets if one.id in counts))
        for family in taught_families(request.lang)
    ]
    # Beginners are offered the lessons of the game that the home page begins.
    return {"families": [one for one in families if one.rule_sets], "counts": counts, "start": VARIANT}


def lessons_values(request: PageRequest) -> dict[str, object]:
    """Returns the lessons of a variant, which run in the browser."""
    lang, of = request.lang, variant(request.parameter("variant").lower())
    found = lessons(of.id)
    if not found:
        raise PageError(HTTPStatus.NOT_FOUND)
    name, author = heading_of(of, lang)
    return {
        "page": {
            "id": of.id,
            "name": name,
            "author": author,
            "title": of.name(lang),
            "board": drawings.board(of, begin(of, found[0]).game, lang),
            "lessons": tuple(lesson_facts(of, lesson, lang) for lesson in found),
            "game": game_facts(of, lang),
        }
    }


def lesson_counts() -> dict[str, int]:
    """Returns the number of lessons by variant."""
    return {name: len(lessons(name)) for name in variant_ids() if lessons(name)}


def taught_families(lang: str) -> tuple[VariantFamily, ...]:
    """Returns the families with lessons: the best known games first, then the smallest boards."""
    counts = lesson_counts()
    taught = (one for one in variant_families(lang) if any(found.id in counts for found in one.rule_sets))
    places = {key: place for place, key in enumerate(_FIRST_FAMILIES)}
    return tuple(sorted(taught, key=lambda one: places.get(one.key, len(places))))


def lesson_facts(of: Variant, lesson: Lesson, lang: str) -> dict[str, Any]:
    """Returns a lesson with the evaluation of every answer, as its script names the parts (lesson.ts)."""
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
    words: dict[str, Any] = (of.calls or {}).get("words", {})
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
