"""The context of all sections: the rules, the nouns, the language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hnefi import i18n
from hnefi.rule_tree import RuleTree
from hnefi.words.nouns import capitalised, nouns_of, source_name

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

__all__ = ["KINDS", "Wording", "capitalised", "listed", "wording_of"]

KINDS = ("attackers", "defenders", "king")


@dataclass(frozen=True, slots=True)
class Wording:
    """The rules, and the words for them in one language."""

    rules: "Rules"
    tree: RuleTree
    nouns: Mapping[str, str]
    lang: str
    name: str | None
    about: Mapping[str, Any]
    calls: Mapping[str, Any] | None
    match: Mapping[str, Any] | None

    def text(self, key: str, /, **parameters: object) -> str:
        """Returns a text of the catalogue with the variant's nouns."""
        return i18n.text(key, self.lang, **{**self.nouns, **parameters})

    def plural(self, key: str, n: int, /, **parameters: object) -> str:
        """Returns a text of the catalogue in the plural form for `n`, with the variant's nouns."""
        return i18n.plural(key, n, self.lang, **{**self.nouns, **parameters})

    def kinds(self, kinds: Iterable[str]) -> str:
        """Formats kinds of pieces as a list: "the attackers and the king"."""
        chosen = set(kinds)
        names = []
        if "attackers" in chosen:
            names.append(self.text("words.who.attackers"))
        if "defenders" in chosen:
            names.append(self.text("words.who.defenders"))
        if "king" in chosen:
            names.append(self.nouns["the_king"])
        return self.listed(names)

    def listed(self, names: Sequence[str]) -> str:
        """Joins names to a list: "a, b and c"."""
        return listed(names, self.lang)

    def source_name(self, noun: str) -> str | None:
        """Returns the source's name for a noun, or None if the sentences already use it.

        Args:
            noun: `throne`, `corners`, `attackers` or `defenders`.
        """
        return source_name(self.about, noun, self.lang)

    @property
    def is_one_step(self) -> bool:
        """Whether every piece moves one square at a time."""
        return all(reach == 1 for reach in self.tree.movement.range.to_dict().values())


def listed(names: Sequence[str], lang: str) -> str:
    """Joins names to a list: "a, b and c".

    >>> listed(["e4", "e5", "e6"], "fr")
    'e4, e5 et e6'
    """
    if len(names) < 2:
        return "".join(names)
    first = names[0]
    for name in names[1:-1]:
        first = i18n.text("words.and_more", lang, first=first, last=name)
    return i18n.text("words.and_two", lang, first=first, last=names[-1])


def wording_of(subject: "Variant | Rules", lang: str) -> Wording:
    """Returns the wording of a variant, or of rules alone, which have no names and no calls."""
    from hnefi._core import Rules

    if isinstance(subject, Rules):
        return Wording(subject, subject.tree, nouns_of({}, lang), lang, None, {}, None, None)
    return Wording(
        rules=subject.rules,
        tree=subject.rules.tree,
        nouns=nouns_of(subject.about, lang),
        lang=lang,
        name=subject.name(lang),
        about=subject.about,
        calls=subject.calls,
        match=subject.match,
    )
