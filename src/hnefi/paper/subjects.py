"""The subject of a sheet: a variant or rules without one, with the paper and the language."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hnefi._core import Rules
from hnefi.errors import checked_choice, shorten
from hnefi.i18n import language_of, plural, text
from hnefi.paper.typesetting import PrintError
from hnefi.words.nouns import capitalised, of_person
from hnefi.words.values import switch_words
from hnefi.words.variant_texts import entries
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

PAPERS = {"a6": (105, 148), "a5": (148, 210), "a4": (210, 297), "a3": (297, 420), "a2": (420, 594)}
"""Width and height of paper in mm, in portrait."""

_LONGEST_LINE = 60
# All but the spaces at which no line may be broken.
_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
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
        if isinstance(self.game, Rules):
            return self.text("paper.colophon.rules", hash=self.rules.hash[:8])
        line = self.text("paper.colophon", name=self.name, revision=self.game.revision)
        return " · ".join(filter(None, (line, self._changes)))

    @property
    def colophon_with_hash(self) -> str:
        """The same with the first digits of the hash of the rules, which an own game may change."""
        if isinstance(self.game, Rules):
            return self.colophon
        return f"{self.colophon} · {self.rules.hash[:8]}"

    @property
    def cover_line(self) -> str:
        """After whose rules the game is, else its edition, and that switches change its rules.

        >>> from hnefi import variant
        >>> Subject(variant("brandub-globe").with_switches({"quiet_limit": 40}), "en").cover_line
        'After the rules of Le Globe Joueur · With changed rules'
        """
        changed = self.text("paper.changed") if self.is_changed else ""
        return " · ".join(filter(None, (self.credit[0] or self.name_and_edition[1], changed)))

    @property
    def is_changed(self) -> bool:
        """Whether switches change its rules."""
        return not isinstance(self.game, Rules) and bool(self.game.switches)

    @property
    def captures_decide(self) -> bool:
        """Whether the captures of both legs can decide a match."""
        match = {} if isinstance(self.game, Rules) else self.game.match
        return match.get("legs") == 2 and match.get("tie_break") == "captures"

    @property
    def _changes(self) -> str:
        """How many points of its rules are changed, and each of them in words; empty if none is."""
        if isinstance(self.game, Rules) or not self.game.switches:
            return ""
        switches = (f"{key}={value}" for key, value in self.game.switches.items())
        told = [f"{switch_words(self.game, switch, self.lang)}." for switch in switches]
        count = capitalised(wording_of(self.game, self.lang).number(len(told)))
        return " ".join((plural("paper.changes", len(told), self.lang, Count=count), *told))

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
        is_site = source.get("kind") == "web_page" and not source.get("author")
        of = self.text("paper.of_site", site=who) if is_site else of_person(who, self.lang)
        says = self.text("paper.credit", of=of)
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

    >>> checked_line("Imprimé  par\u00a0: nous ")
    'Imprimé par\xa0: nous'
    """
    found = _SPACES.sub(" ", line).strip()
    if len(found) > most:
        raise PrintError.of_facts("text_too_long", text=shorten(found), length=len(found), most=most)
    return found


def paper_size(paper: str) -> tuple[float, float]:
    """Returns width and height in mm.

    Raises:
        ValueError: If the paper is unknown.
    """
    width, height = PAPERS[checked_choice("paper", paper, PAPERS)]
    return float(width), float(height)
