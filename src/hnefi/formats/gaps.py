"""What a form cannot say, and how that is told in the user's language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hnefi.i18n import text

__all__ = ["Gap", "explain_gap"]


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that a form cannot say, or that was not understood when it was read."""

    code: str
    """A stable word for it; its text has the key `gap.CODE`."""

    facts: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.facts.items())))


def explain_gap(gap: Gap, lang: str | None = None, /) -> str:
    """Returns the text of a gap.

    >>> explain_gap(Gap("header", {"name": "Site"}), "en")
    'header left out: Site'
    """
    return text(f"gap.{gap.code}", lang, **gap.facts)
