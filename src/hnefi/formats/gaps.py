"""Gaps: the parts of a game that a file format cannot express, and the texts for them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hnefi.i18n import text


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that a format cannot express, or that was not understood during reading.

    Attributes:
        code: A stable code; the key of its text is `gap.CODE`.
        facts: What its text names, such as the `name` of a header.
    """

    code: str
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)


def explain_gap(gap: Gap, lang: str | None = None, /) -> str:
    """Returns the text of a gap.

    >>> explain_gap(Gap("header", {"name": "Site"}), "en")
    'header left out: Site'
    """
    return text(f"gap.{gap.code}", lang, **gap.facts)


def merge_headers(counts: Counter[Gap]) -> list[tuple[Gap, int]]:
    """Returns gaps with the number of games, most frequent first; all headers of as many games are one gap.

    >>> site, seed = (Gap("header", {"name": name}) for name in ("Site", "Seed"))
    >>> [(gap, count)] = merge_headers(Counter({site: 2, seed: 2}))
    >>> explain_gap(gap, "en"), count
    ('headers left out: Site, Seed', 2)
    """
    found: list[tuple[Gap, int]] = []
    for gap, count in counts.most_common():
        names = [
            other.facts["name"] for other, games in counts.items() if (other.code, games) == ("header", count)
        ]
        if gap.code != "header" or len(names) == 1:
            found.append((gap, count))
        elif gap.facts["name"] == names[0]:
            found.append((Gap("headers", {"names": ", ".join(names)}), count))
    return found
