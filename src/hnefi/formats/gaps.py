"""Gaps: the parts of a game that a file format cannot express, and the texts for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hnefi.i18n import text

__all__ = ["Gap", "explain_gap"]


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that a format cannot express, or that was not understood during reading."""

    code: str
    """A stable code; the key of its text is `gap.CODE`."""

    facts: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.facts.items())))


def explain_gap(gap: Gap, lang: str | None = None, /) -> str:
    """Returns the text of a gap.

    >>> explain_gap(Gap("header", {"name": "Site"}), "en")
    'header left out: Site'
    """
    return text(f"gap.{gap.code}", lang, **gap.facts)
