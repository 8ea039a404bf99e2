"""Lessons for beginners: small positions with a task, a file a variant; answers are judged by the rules."""

from hnefi.lessons.judging import Node, Wrong, answers, begin
from hnefi.lessons.model import Goal, Lesson, Step
from hnefi.lessons.reading import lessons

__all__ = ["Goal", "Lesson", "Node", "Step", "Wrong", "answers", "begin", "lessons"]
