"""The language of a run: every text the command line says goes through here."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from hnefi import i18n
from hnefi._core import Outcome
from hnefi.errors import HnefiError

__all__ = ["language", "say", "say_count", "say_error", "say_outcome", "speak", "speaking"]

_LANGUAGE: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """Gives the language of this run."""
    return _LANGUAGE.get() or i18n.current_language()


@contextmanager
def speaking(lang: str | None) -> Iterator[None]:
    """Speaks a language as long as it lasts; the user's own if None."""
    token = _LANGUAGE.set(None if lang is None else i18n.language_of(lang))
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def say(key: str, /, **parameters: object) -> str:
    """Gives the text of a key in the language of this run."""
    return i18n.text(key, language(), **parameters)


def say_count(key: str, n: int, /, **parameters: object) -> str:
    """Gives the text of a key in its plural form for `n`."""
    return i18n.plural(key, n, language(), **parameters)


def say_error(error: HnefiError) -> str:
    """Explains an error in the language of this run."""
    return i18n.explain(error, language())


def say_outcome(outcome: Outcome) -> str:
    """Says how a game ended."""
    return i18n.outcome_text(outcome, language())


def speak(lang: str) -> None:
    """Speaks another language from now on."""
    _LANGUAGE.set(i18n.language_of(lang))
