"""Says in the user's language what a form could not say."""

from hnefi.formats.face import Gap
from hnefi.i18n import text

__all__ = ["explain_gap"]


def explain_gap(gap: Gap, lang: str | None = None, /) -> str:
    """Gives the text of a gap.

    >>> explain_gap(Gap("header", {"name": "Site"}), "en")
    'header left out: Site'
    """
    return text(f"gap.{gap.code}", lang, **gap.facts)
