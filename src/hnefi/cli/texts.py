"""Catalogue texts in the language of the current run."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from hnefi import i18n
from hnefi._core import Outcome
from hnefi.errors import HnefiError

_LANGUAGE: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """Returns the language of this run."""
    return _LANGUAGE.get() or i18n.current_language()


@contextmanager
def language_of_run(lang: str | None) -> Iterator[None]:
    """Sets the language within a `with` block; the user's own if None."""
    token = _LANGUAGE.set(None if lang is None else i18n.language_of(lang))
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def translate(key: str, /, **parameters: object) -> str:
    """Returns the text of a key in the language of this run."""
    return i18n.text(key, language(), **parameters)


def translate_plural(key: str, n: int, /, **parameters: object) -> str:
    """Returns the text of a key in its plural form for `n`."""
    return i18n.plural(key, n, language(), **parameters)


def error_text(error: HnefiError) -> str:
    """Returns the sentence of an error in the language of this run."""
    sentence = i18n.explain(error, language())
    if error.code == "unknown_variant" and error.parameters.get("suggestions") == "":
        sentence += f" {translate('cli.variants.lists_all')}"
    return sentence


def outcome_text(outcome: Outcome) -> str:
    """Returns the sentence of an outcome in the language of this run."""
    return i18n.outcome_text(outcome, language())


def set_language(lang: str) -> None:
    """Changes the language of this run."""
    _LANGUAGE.set(i18n.language_of(lang))


def grouped(number: float) -> str:
    """Formats a number in groups of three digits, in the language of this run."""
    return i18n.grouped(number, language())


def decimal(number: float, form: str = ".1f") -> str:
    """Formats a number with the decimal mark of the language of this run."""
    return i18n.decimal(number, language(), form)
