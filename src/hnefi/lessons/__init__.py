"""Lessons for beginners: small positions with a task, one file per variant, evaluated by the rules."""

from hnefi.lessons.evaluation import Node, Wrong, answers, begin
from hnefi.lessons.files import lessons
from hnefi.lessons.model import Goal, Lesson, Step

__all__ = ["Goal", "Lesson", "Node", "Step", "Wrong", "answers", "begin", "lessons"]
