"""Lessons: every task can be solved, and every other move is refused."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from hnefi import CalledGame, Move, Outcome, Square, i18n, variant
from hnefi.lessons import Goal, Lesson, Node, Step, answers, begin, lessons
from hnefi.server.pages.lessons.content import lesson_counts, lesson_facts
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.switches import CALL_SWITCHES
from tests.reference.calls import CalledGame as Reference
from tests.reference.tafl import Game as ReferenceGame
from tests.reference.tafl import Rules as ReferenceRules
from tests.reference.tafl import count_open_roads, king_in_danger
from tests.samples import grouped
from tests.variant_files import NO_CALLS
from tests.worked import variant_tree

# A task with more answers than this teaches nothing.
MOST_ANSWERS = 3
TAUGHT = tuple(lesson_counts())
LESSONS = [(name, lesson) for name in TAUGHT for lesson in lessons(name)]
every_lesson = grouped(LESSONS)


@dataclass
class LessonStep:
    """A step of a lesson, the game before it, and the right and wrong moves."""

    game: CalledGame
    step: Step
    node: Node

    def after(self, move: str) -> CalledGame:
        return self.game.play(Move(move), self.step.call or 0)


def walk_lesson(name: str, lesson: Lesson) -> Iterator[LessonStep]:
    """Iterates over the steps of all solutions of a lesson."""
    waiting = [(LessonStep(begin(variant(name), lesson), lesson.steps[0], answers(variant(name), lesson)), 0)]
    while waiting:
        here, place = waiting.pop()
        yield here
        for move, node in here.node.right.items():
            if node is not None:
                assert here.step.reply is not None
                game = here.after(move).play(here.step.reply)
                waiting.append((LessonStep(game, lesson.steps[place + 1], node), place + 1))


@every_lesson
def test_a_lesson_has_tasks_that_can_be_done_and_judges_every_legal_move_once(
    name: str, lesson: Lesson
) -> None:
    assert begin(variant(name), lesson).game.outcome is None
    for here in walk_lesson(name, lesson):
        assert 1 <= len(here.node.right) <= MOST_ANSWERS, here.node.right
        legal = {f"{move.from_square.name}-{move.to_square.name}" for move in here.game.legal_moves()}
        assert here.node.right.keys() | here.node.wrong.keys() == legal
        assert not here.node.right.keys() & here.node.wrong.keys()
        assert len(here.node.wrong) >= 3, "too few wrong moves"


@every_lesson
def test_no_move_that_wins_is_refused(name: str, lesson: Lesson) -> None:
    for here in walk_lesson(name, lesson):
        mover = here.game.game.turn
        for move in here.node.wrong:
            outcome: Outcome | None = here.after(move).game.outcome
            assert outcome is None or outcome.winner is not mover, move


def reaches(goal: Goal, before: Reference, move: str, call: int) -> bool:
    """Checks with the reference whether a move reaches a goal."""
    called = before.play(move, call)
    game, rules = called.game, called.game.rules
    won = (game.outcome.winner or "none", game.outcome.reason) if game.outcome else (None, None)
    taken = [Square(square) for square in called.captures]
    return (
        won == (goal.winner, goal.reason)
        and goal.captures in ((), tuple(sorted(taken)))
        and (not goal.to or Square(move.split("-")[1]) in goal.to)
        and goal.roads in (None, count_open_roads(rules, game.state))
        and goal.threatened <= king_in_danger(rules, game.state)
        and goal.passed <= game.passed
    )


@grouped(LESSONS, among=("tablut-geoludie", "gwezboell-globe"))
def test_the_reference_judges_every_move_the_same(name: str, lesson: Lesson) -> None:
    calls = variant(name).calls or NO_CALLS
    mode = lesson.calls if variant(name).calls else "off"
    game = ReferenceGame(ReferenceRules(variant_tree(name)), str(lesson.setup))
    here = Reference(game, mode, **{name: calls[name] for name in CALL_SWITCHES})
    for played in lesson.before:
        here = here.play(f"{played.from_square.name}-{played.to_square.name}")
    node: Node | None = answers(variant(name), lesson)
    for step in lesson.steps:
        assert node is not None
        right = {move for move in here.legal_moves() if reaches(step.goal, here, move, step.call or 0)}
        assert node.right.keys() == right or (step.forced and node.right.keys() < right)
        move, node = next(iter(node.right.items()))
        here = here.play(move, step.call or 0)
        if step.reply is not None:
            here = here.play(f"{step.reply.from_square.name}-{step.reply.to_square.name}")


@every_lesson
def test_a_forced_lesson_can_be_finished_against_every_reply(name: str, lesson: Lesson) -> None:
    for here in walk_lesson(name, lesson):
        if not here.step.forced:
            continue
        for move in here.node.right:
            game = here.after(move)
            for reply in game.legal_moves():
                later = game.play(reply)
                assert any(
                    (outcome := later.play(answer).game.outcome) and outcome.winner is here.game.game.turn
                    for answer in later.legal_moves()
                ), (move, reply)


@every_lesson
def test_calls_of_a_lesson_are_the_required_ones(name: str, lesson: Lesson) -> None:
    for here in walk_lesson(name, lesson):
        assert (here.step.call is not None) <= (lesson.calls == "manual")
        for move in here.node.right if here.step.call is not None else ():
            assert here.after(move).required == here.step.call


def test_the_lessons_of_a_variant_have_distinct_ids() -> None:
    for name in TAUGHT:
        ids = [lesson.id for lesson in lessons(name)]
        assert len(set(ids)) == len(ids)


def shown_texts(name: str, language: str) -> Iterator[tuple[str, str]]:
    """Iterates over all texts of the lessons of a variant, as shown on the page."""
    for one in lessons(name):
        lesson = lesson_facts(variant(name), one, language)
        for part in ("title", "says", "learned"):
            yield f"{lesson['id']}.{part}", lesson[part]
        for step in lesson["steps"]:
            yield f"{lesson['id']}.task", step["task"]
        for sentence in lesson["sentences"]:
            yield f"{lesson['id']}.wrong", sentence


@pytest.mark.parametrize("language", i18n.languages())
@pytest.mark.parametrize("name", TAUGHT)
def test_every_text_is_there_and_filled_in(name: str, language: str) -> None:
    for where, text in shown_texts(name, language):
        assert not re.search(r"[{}]|lesson\.", text), (where, text)
        assert text.strip() == text != "", where
        assert not re.search(r"“ ?”|«\s*»| \.", text), (where, text)


def test_all_lessons_are_there() -> None:
    others = {"copenhagen-11", "fetlar-11", "hist-brandubh-7", "hist-tablut-9"}
    assert set(TAUGHT) == {*booklet_ids(), *others}
    for name in TAUGHT:
        assert len(lessons(name)) >= 8


def test_every_topic_of_the_catalogue_is_taught() -> None:
    topics = {
        key.split(".")[1] for key in i18n.texts(("lesson.",), "en") if key.endswith((".says", ".task_2"))
    }
    assert topics == {lesson.topic for _, lesson in LESSONS}


def test_twenty_quiet_moves_are_taught_where_they_count() -> None:
    twenty = {name for name, lesson in LESSONS if lesson.topic == "quiet"}
    assert twenty == {name for name in TAUGHT if variant(name).tree.ends.quiet_limit == 20}


def test_calls_are_taught_where_there_are_calls() -> None:
    called = {name for name, lesson in LESSONS if any(step.call is not None for step in lesson.steps)}
    assert called == {name for name in TAUGHT if variant(name).calls is not None}


ENDS = {
    "enclosure": "enclosure",
    "exit_fort": "exit_fort",
    "shieldwall": "shieldwall",
    "attackers_captured": "last_attacker",
}


@pytest.mark.parametrize("name", sorted(set(TAUGHT) - set(booklet_ids())))
def test_ends_and_row_captures_are_taught_where_the_rules_have_them(name: str) -> None:
    tree, topics = variant(name).tree, {lesson.topic for lesson in lessons(name)}
    for key, topic in ENDS.items():
        value = getattr(tree.capture if key == "shieldwall" else tree.ends, key)
        assert (topic in topics) == (value != "none"), key
    assert ("repetition_lost" in topics) == (tree.ends.repetition.result == "defenders_lose")
    assert ("king_open_two" in topics) == (tree.capture.king_capture.elsewhere == "custodial")
    assert ("row_safe" in topics) <= (tree.capture.shieldwall == "none")


@every_lesson
def test_the_throne_and_the_corner_of_a_lesson_are_marked(name: str, lesson: Lesson) -> None:
    board = variant(name).rules
    shown = {part: i18n.text(f"lesson.{lesson.topic}.{part}", "en") for part in ("title", "says")}
    if re.search(r"\bthrone\b", shown["title"], re.IGNORECASE) and "away" not in shown["title"]:
        assert board.throne in lesson.marks
    if re.search(r"\bcorner\b", shown["title"], re.IGNORECASE):
        assert set(lesson.marks) & set(board.corners)
