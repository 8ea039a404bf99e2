"""The subject of a sheet: a variant or rules without one, with the paper and the language."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hnefi._core import Rules
from hnefi.errors import shorten
from hnefi.i18n import language_of, text
from hnefi.paper.typesetting import PrintError
from hnefi.words.nouns import capitalised, of_person
from hnefi.words.variant_texts import entries

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

PAPERS = {"a6": (105, 148), "a5": (148, 210), "a4": (210, 297), "a3": (297, 420), "a2": (420, 594)}
"""Width and height of paper in mm, in portrait."""

_LONGEST_LINE = 60
_EDITION = re.compile(r"(.+?)\s*\(([^()]+)\)")


@dataclass(frozen=True, slots=True)
class Subject:
    """The game of a sheet."""

    game: "Variant | Rules"
    lang: str

    @classmethod
    def of(cls, game: "Variant | Rules", lang: str | None) -> "Subject":
        """Creates the subject in a language; the user's if None."""
        return cls(game, language_of(lang))

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.game if isinstance(self.game, Rules) else self.game.rules

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.text("words.title.plain") if isinstance(self.game, Rules) else self.game.name(self.lang)

    @property
    def name_and_edition(self) -> tuple[str, str]:
        """The name of the game, and apart from it what stands in brackets: whose rules they are."""
        found = _EDITION.fullmatch(self.name)
        return (found[1], capitalised(found[2])) if found else (self.name, "")

    @property
    def colophon(self) -> str:
        """The sentence that says which rules these are exactly."""
        facts = {"hash": self.rules.hash[:8]}
        if isinstance(self.game, Rules):
            return self.text("paper.colophon.rules", **facts)
        switches = ", ".join(f"{name}={value}" for name, value in self.game.switches.items())
        key = "paper.colophon.switched" if switches else "paper.colophon"
        return self.text(key, name=self.name, revision=self.game.revision, switches=switches, **facts)

    @property
    def credit(self) -> tuple[str, str]:
        """After whose rules the game is, with its edition and with the source; empty if no source is named.

        Of several sources it is the one that the name of the game names, else the first.

        >>> from hnefi import variant
        >>> Subject(variant("tablut-geoludie-slow"), "en").credit[0]
        'Slow king · After the rules of Géoludie'
        """
        sources = () if isinstance(self.game, Rules) else entries(self.game.about.get("sources"))
        named = [(str(one.get("author") or one.get("publisher") or ""), one) for one in sources]
        named = [(who, one) for who, one in named if who]
        if not named:
            return "", ""
        parts = self.name_and_edition[1].split(", ")
        who, source = next((pair for pair in named if parts[0] and parts[0] in pair[0]), named[0])
        rest = capitalised(", ".join(part for part in parts if part not in who))
        says = self.text("paper.credit", of=of_person(who, self.lang))
        title = self.text("words.about.title", title=source["title"]) if source.get("title") else ""
        facts = ", ".join(str(fact) for fact in (says, title, source.get("year")) if fact)
        return f"{rest} · {says}" if rest else says, f"{facts}."

    def text(self, key: str, /, **parameters: object) -> str:
        """Returns a text of the catalogue in the language of the sheet."""
        return text(key, self.lang, **parameters)

    def millimetres(self, length: float) -> str:
        """Formats a length in mm.

        >>> Subject.of(Rules, "fr").millimetres(25.5)
        '25,5'
        """
        shown = f"{length:g}"
        return shown.replace(".", ",") if self.lang == "fr" else shown


def checked_line(line: str, most: int = _LONGEST_LINE) -> str:
    """Returns a text for one line of at most so many letters, with its spaces collapsed.

    Raises:
        PrintError: `text_too_long`.
    """
    found = " ".join(line.split())
    if len(found) > most:
        facts = {"text": shorten(found), "length": str(len(found)), "most": str(most)}
        message = f"{facts['text']}: {facts['length']} letters, at most {facts['most']}"
        raise PrintError("text_too_long", message, facts)
    return found


def paper_size(paper: str) -> tuple[float, float]:
    """Returns width and height in mm.

    Raises:
        ValueError: If the paper is unknown.
    """
    if paper not in PAPERS:
        raise ValueError(f"paper: {paper!r}, expected one of {', '.join(PAPERS)}")
    width, height = PAPERS[paper]
    return float(width), float(height)
