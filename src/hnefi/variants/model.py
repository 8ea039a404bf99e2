"""The class `Variant`: a named game with its compiled rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hnefi._core import CalledGame, Game, Rules, Setup
from hnefi.variants.schema import TreeDict
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, bad_switch, switch_texts

if TYPE_CHECKING:
    from hnefi.rule_tree import RuleTree

LONGEST_NAME = 80
"""The most letters of a name: it has to fit on one line of a printed page."""

STATUSES = ("observed", "reconstruction", "published", "modern", "doubtful")
"""How the rules of a variant are known (docs/reference/variant-files.md)."""
TRAITS = (
    "common",
    "kings_table",
    "sizes",
    "sizes_same_rules",
    "marked_squares",
    "unequal",
    "originality",
    "enclosing",
    "central_piece",
    "reconstructed",
)
"""What a text may say that tafl games share (`about.traits`), in the order of the section."""


ONE_GAME: Mapping[str, Any] = {"legs": 1, "tie_break": "none", "lot": False}
"""The match of a variant that says nothing of one."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named game: its compiled rules, and where they come from.

    Attributes:
        id: Its name in commands and records.
        revision: Raised when play changes.
        rules: The compiled rules, switches applied.
        tree_dict: The rules as written, switches applied. Must not be changed.
        switches: The applied switches in canonical form.
        about: Names, material, history, sources, by the keys of docs/reference/variant-files.md.
        calls: The announcements, None if the text has none.
        match: Legs and tie-break.
        why: For each rule, the clauses it comes from.
        fixed: Clauses that no rule key expresses.
    """

    id: str
    revision: int
    rules: Rules
    tree_dict: TreeDict = field(repr=False, compare=False)
    switches: Mapping[str, str] = field(default_factory=dict, hash=False)
    about: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    calls: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    match: Mapping[str, Any] = field(default_factory=lambda: ONE_GAME, repr=False, compare=False)
    why: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    fixed: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, compare=False)

    @property
    def tree(self) -> "RuleTree":
        """The rules as typed values, switches applied.

        >>> from hnefi import variant
        >>> variant("brandub-globe").tree.ends.goal
        'corner'
        """
        return self.rules.tree

    def name(self, lang: str = "en") -> str:
        """Returns the name in a language, or else the English one, or the first that there is.

        >>> from hnefi import variant
        >>> variant("gwezboell-globe").name("fr")
        'Tablut ou Gwezboell (Le Globe Joueur)'
        """
        names: Mapping[str, str] = self.about.get("names", {})
        return names.get(lang) or names.get("en") or next(iter(names.values()), self.id)

    def new_game(self, setup: Setup | str | None = None) -> Game:
        """Creates a game, from the start position unless a setup, or its text, is given."""
        return Game(self.rules, setup)

    def new_called_game(self, mode: str = "auto", setup: Setup | str | None = None) -> CalledGame:
        """Creates a game with announcements; a variant without calls has none.

        Args:
            mode: `off`, `auto` (the program announces) or `manual`.
            setup: The position to begin with.
        """
        calls = self.calls
        if calls is None:
            return CalledGame(self.new_game(setup), "off")
        return CalledGame(self.new_game(setup), mode, **{key: str(calls[key]) for key in CALL_SWITCHES})

    def with_switches(self, switches: Mapping[str, str | int]) -> "Variant":
        """Returns the variant with some rules changed by name.

        Args:
            switches: The values as at the command line; numbers and truth values may be given as such.

        Raises:
            VariantError: `bad_switch` for an unknown key or a value that cannot be read, `bad_rules` if a
                rule has no such value or the changed rules contradict each other.

        >>> from hnefi import variant
        >>> variant("brandub-globe").with_switches({"quiet_limit": 40}).switches
        {'quiet_limit': '40'}
        """
        if not switches:
            return self
        import json

        texts = switch_texts(switches)
        calls, changed_calls = self._with_call_switches(texts)
        tree, changed = apply_switches(
            self.tree_dict, {key: value for key, value in texts.items() if key not in CALL_SWITCHES}
        )
        return replace(
            self,
            tree_dict=tree,
            rules=Rules(json.dumps(tree)),
            calls=calls,
            switches={**self.switches, **changed, **changed_calls},
        )

    def _with_call_switches(
        self, switches: Mapping[str, str]
    ) -> tuple[Mapping[str, Any] | None, dict[str, str]]:
        given = {key: value for key, value in switches.items() if key in CALL_SWITCHES}
        for key, value in given.items():
            if value not in CALL_SWITCHES[key]:
                raise bad_switch(key, value, " | ".join(CALL_SWITCHES[key]))
        if not given:
            return self.calls, {}
        if self.calls is None:
            raise bad_switch(next(iter(given)), self.id, "[calls]", part="calls")
        changed = {key: value for key, value in given.items() if self.calls[key] != value}
        return {**self.calls, **given}, changed
