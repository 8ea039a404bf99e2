"""The lessons page of a variant, with the evaluation of every answer for its script."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from hnefi._core import Move, Outcome, Square
from hnefi.i18n import outcome_text, text
from hnefi.lessons import Goal, Lesson, Node, Wrong, answers, begin, lessons
from hnefi.pieces import Reason, Side
from hnefi.server.game_facts import call_words, game_facts, heading_of
from hnefi.server.pages import drawings
from hnefi.server.pages.board_tiles import board_tile, position_tile
from hnefi.server.pages.home.guided_game import VARIANT
from hnefi.server.pages.page import PageNotFound, PageRequest
from hnefi.server.pages.variant_families import family_key, variant_families
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant

_FIRST_FAMILIES = ("hnefatafl", "brandub", "tablut")
# The topics of the path: with its game it has seven pegs.
_PATH = ("move", "capture", "corner_capture", "escape", "two_roads", "king_beside_three")

_LIST_WORDS = {"to": "or", "road": "or", "taken": "and", "wanted": "and"}


def all_lessons_values(request: PageRequest) -> dict[str, object]:
    """Returns the path for beginners, and the list of courses with their numbers of lessons."""
    known = request.known
    counts = {name: count for name, count in lesson_counts().items() if name in known}
    # Beginners are offered the lessons of the game that the home page begins.
    start = VARIANT if VARIANT in counts else next(iter(counts), None)
    return {
        "courses": [
            (one.id, one.name(request.lang), board_tile(one.id), counts[one.id])
            for one in _taught(request.lang)
            if one.id in counts
        ],
        "start": start,
        "name": heading_of(variant(start), request.lang)[0] if start else "",
        "path": learning_path(start, request.lang) if start else (),
    }


@cache
def learning_path(variant_id: str, lang: str) -> list[dict[str, Any]]:
    """Returns the lessons of the path for beginners, and their first game at the end."""
    of = variant(variant_id)
    steps = [_path_step(of, one, lang) for one in lessons(of.id) if one.topic in _PATH]
    game = {
        "id": "game",
        "address": f"computer?variant={of.id}&level=1",
        "title": text("page.lessons.path.game.title", lang),
        "about": text("page.lessons.path.game", lang),
        "lead": text("page.lessons.path.game.lead", lang),
        "tile": board_tile(of.id),
        "board": drawings.start_board(of.id, lang),
    }
    return [*steps, game]


def _path_step(of: Variant, lesson: Lesson, lang: str) -> dict[str, Any]:
    """Returns a lesson of the path; on its board a piece that makes the first step is lit."""
    game = begin(of, lesson).game
    facts = lesson_facts(of, lesson, lang)
    lit = Move(next(iter(facts["answers"]["right"]))).from_square
    marks = {move.to_square: "move" for move in game.legal_moves(lit)} | {lit: "selected"}
    return {
        "id": lesson.id,
        # Its address after the language.
        "address": f"lessons/{of.id}#path-{lesson.id}",
        "title": facts["title"],
        # What is learned, in a few words; and what is to be known, with the task.
        "about": text(f"page.lessons.path.{lesson.topic}", lang),
        "lead": f"{facts['says']} {facts['steps'][0]['task']}",
        "tile": position_tile(of.rules, game.position.setup),
        "board": drawings.board(of, game, lang, marks),
    }


def lessons_values(request: PageRequest) -> dict[str, object]:
    """Returns the lessons of a variant, which run in the browser."""
    lang, of = request.lang, variant(request.parameter("variant").lower())
    found = lessons(of.id)
    if not found:
        raise PageNotFound
    return {
        "page": {
            "board": drawings.board(of, begin(of, found[0]).game, lang),
            "path": [one.id for one in found if one.topic in _PATH],
            "lessons": tuple(lesson_facts(of, lesson, lang) for lesson in found),
            "game": game_facts(of, lang),
        }
    }


def lesson_counts() -> dict[str, int]:
    """Returns the number of lessons by variant."""
    return {name: len(lessons(name)) for name in variant_ids() if lessons(name)}


def _taught(lang: str) -> Iterator[Variant]:
    """Iterates over the variants by family: the best known games first, then the smallest boards."""
    places = {key: place for place, key in enumerate(_FIRST_FAMILIES)}
    families = [members for _, members in variant_families(lang)]
    for members in sorted(families, key=lambda found: places.get(family_key(found[0]), len(places))):
        yield from members


def lesson_facts(of: Variant, lesson: Lesson, lang: str) -> dict[str, Any]:
    """Returns a lesson with the evaluation of every answer, as its script names the parts (lesson.ts)."""
    facts = {**call_words(of.calls, lang), "mark": _squares(lesson.marks, lang, "and")}
    sentences: dict[str, int] = {}
    turn = begin(of, lesson).game.turn
    assert turn is not None

    def lesson_text(part: str, goal: Goal) -> str:
        to, target = _squares(goal.to, lang, "or"), _squares(goal.captures, lang, "and")
        return text(f"lesson.{lesson.topic}.{part}", lang, to=to, target=target, **facts)

    first = lesson.steps[0].goal
    return {
        "id": lesson.id,
        "title": text(f"lesson.{lesson.topic}.title", lang),
        "says": lesson_text("says", first),
        "learned": lesson_text("learned", first),
        "side": turn.value,
        "setup": str(lesson.setup),
        "marks": [square.name for square in lesson.marks],
        "before": [str(move) for move in lesson.before],
        "calls": lesson.calls,
        "steps": [
            {
                "task": lesson_text("task" if place == 1 else f"task_{place}", step.goal),
                "call": step.call,
                "reply": step.reply and str(step.reply),
                "closes": step.goal.reason == Reason.KING_CAPTURED.value,
            }
            for place, step in enumerate(lesson.steps, 1)
        ],
        "answers": _written(answers(of, lesson), sentences, lang),
        "sentences": list(sentences),
    }


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


def _sentence(wrong: Wrong, lang: str) -> str:
    facts = dict(wrong.facts)
    for name in facts.keys() & _LIST_WORDS:
        facts[name] = _joined(facts[name].split(", "), lang, _LIST_WORDS[name])
    if wrong.code == "ended":
        winner = None if facts["winner"] == "none" else Side(facts["winner"])
        facts["outcome"] = outcome_text(Outcome(winner, Reason(facts["reason"])), lang)
    return text(f"lesson.wrong.{wrong.code}", lang, **facts)
