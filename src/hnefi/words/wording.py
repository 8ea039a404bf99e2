"""The context of all sections: the rules, the nouns, the language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hnefi import i18n
from hnefi.rule_tree import RuleTree
from hnefi.words.model import Clause
from hnefi.words.nouns import is_own_name, nouns_of, with_usual_name
from hnefi.words.variant_texts import parts_of, why_entries

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

KINDS = ("attackers", "defenders", "king")


@dataclass(frozen=True, slots=True)
class Wording:
    """The rules, and the words for them in one language; without pictures only the text is made."""

    rules: "Rules"
    tree: RuleTree
    nouns: Mapping[str, str]
    lang: str
    name: str | None
    about: Mapping[str, Any]
    calls: Mapping[str, Any] | None
    match: Mapping[str, Any] | None
    variant: "Variant | None" = None
    has_pictures: bool = True
    explains_names: bool = False

    def text(self, key: str, /, **parameters: object) -> str:
        """Returns a text of the catalogue with the variant's nouns."""
        return i18n.filled(key, self.lang, {**self.nouns, **parameters} if parameters else self.nouns)

    def clause(
        self,
        leaves: str | tuple[str, ...],
        key: str,
        *parts: str,
        facts: Mapping[str, object] | None = None,
        **options: Any,
    ) -> Clause:
        """Creates a clause about one rule, or several, from a text of the catalogue; see `Clause`."""
        about = (leaves,) if isinstance(leaves, str) else leaves
        return Clause(about, self.text(key, **(facts or {})), parts=parts, **options)

    def plural(self, key: str, n: int, /, **parameters: object) -> str:
        """Returns a text of the catalogue in the plural form for `n`, with the variant's nouns."""
        return i18n.plural(key, n, self.lang, **{**self.nouns, **parameters})

    def kinds(self, kinds: Iterable[str]) -> str:
        """Formats kinds of pieces as a list: "the attackers and the king"."""
        chosen = set(kinds)
        return self.listed([self.nouns[f"the_{kind}"] for kind in KINDS if kind in chosen])

    def only(self, kinds: Iterable[str]) -> str:
        """Returns the word "only" that begins a sentence about several kinds, in their gender."""
        are_feminine = all(self.nouns[f"e_{kind.removesuffix('s')}"] for kind in kinds)
        return self.text("words.only.several", e_all="e" if are_feminine else "")

    def listed(self, names: Sequence[str]) -> str:
        """Joins names to a list: "a, b and c"."""
        return listed(names, self.lang)

    def has_own_name(self, noun: str) -> bool:
        """Checks whether the variant has a name of its own for the `throne` or a `corner`."""
        return is_own_name(self.about, noun, self.lang)

    def explained(self, noun: str, phrase: str) -> str:
        """Returns a phrase with a noun, and with the usual noun in brackets where names are explained."""
        if not self.explains_names:
            return phrase
        return with_usual_name(self.about, noun, self.lang, phrase)

    def times(self, number: int) -> str:
        """Returns how often something happens: "twice", "three times"."""
        return (
            self.text("words.twice") if number == 2 else self.text("words.times", count=self.number(number))
        )

    def number(self, number: int) -> str:
        """Returns a number in letters: up to twenty, and tens up to a hundred; else in digits."""
        words, tens = self.text("words.numbers").split(), self.text("words.numbers.tens").split(", ")
        spelt = {**dict(enumerate(words)), **dict(zip(range(30, 101, 10), tens, strict=True))}
        return spelt.get(number, str(number))

    def has_part(self, leaf: str, part: str) -> bool:
        """Checks whether a source of a rule names a part of it, so that it has a sentence of its own.

        A part is not told apart if a switch changes the rule.
        """
        if self.variant is None or any(key.partition(".")[0] == leaf for key in self.variant.switches):
            return False
        return any(part in parts_of(entry) for entry in why_entries(self.variant, leaf))

    def other_readings(self, leaf: str) -> list[str]:
        """Returns the switches for other readings of a rule that is our ruling, without their key."""
        if self.variant is None or leaf in self.variant.switches:
            return []
        return [switch.partition("=")[2] for switch in self._other_switches(leaf)]

    def has_other_reading(self, switch: str) -> bool:
        """Checks whether a switch is another reading of a rule that is our ruling, and does not hold."""
        key, _, _ = switch.partition("=")
        is_switched = self.variant is not None and key in self.variant.switches
        return not is_switched and switch in self._other_switches(key.partition(".")[0])

    def _other_switches(self, leaf: str) -> list[str]:
        """Returns the switches for other readings of a rule that is our ruling."""
        return [
            str(switch)
            for entry in (why_entries(self.variant, leaf) if self.variant else ())
            if entry.get("mark") in ("usage", "doubtful")
            for switch in entry.get("switch") or ()
        ]

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


def wording_of(
    subject: "Variant | Rules", lang: str, *, has_pictures: bool = True, explains_names: bool = False
) -> Wording:
    """Returns the wording of a variant, or of rules alone, which have no names and no calls."""
    from hnefi._core import Rules

    if isinstance(subject, Rules):
        return Wording(
            subject, subject.tree, nouns_of({}, lang), lang, None, {}, None, None, None, has_pictures
        )
    return Wording(
        rules=subject.rules,
        tree=subject.rules.tree,
        nouns=nouns_of(subject.about, lang),
        lang=lang,
        name=subject.name(lang),
        about=subject.about,
        calls=subject.calls,
        match=subject.match,
        variant=subject,
        has_pictures=has_pictures,
        explains_names=explains_names,
    )
