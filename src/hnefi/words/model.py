"""The structure of rules as text: sections of clauses with pictures and sources."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hnefi._core import Move, Position, Square

SIGNS = {"text": "§", "ruling": "*", "choice": "+"}
"""The sign of each mark, in the order of their legend."""

INTRODUCTION = "introduction"
"""The name of a clause that introduces a list and is no item of it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a rule, verified by the core under these rules.

    Attributes:
        kind: The name of its subject, such as `custodial`.
        position: The position, before the move if there is one.
        move: The move that it shows.
        roads: Moves of the king to show as open roads.
        crop: Opposite corners of the part to show; the whole board if None.
        squares: What stands where, in the words of the variant, for the start position.
    """

    kind: str
    caption: str
    position: "Position"
    move: "Move | None" = None
    roads: "tuple[Move, ...]" = ()
    crop: "tuple[Square, Square] | None" = None
    squares: str = ""

    @property
    def files(self) -> int:
        """How many files it shows."""
        if self.crop is None:
            return self.position.rules.size
        return abs(self.crop[1].file - self.crop[0].file) + 1


@dataclass(frozen=True, slots=True)
class ClauseSource:
    """One place in the text, with the ruling on it.

    Attributes:
        clause: The number of the clause; None if the text has no numbers.
        mark: `text`, `other_clause`, `usage` or `doubtful`.
        mark_words: The mark as text.
        where: The part of the text, or the source.
        quotation: The words of the source.
        ruling: The ruling; None if none was needed.
        doubt: The number of the ruling in docs/explanation/rulings, if it is doubtful.
        switches: The switches for other readings, as typed.
    """

    clause: str | None
    mark: str
    mark_words: str
    where: str
    quotation: str
    ruling: str | None
    doubt: int | None
    switches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One or two sentences about a rule, a few related rules, or the game in general.

    Attributes:
        leaves: The rule keys it is about; none for facts that all games share.
        text: The sentences.
        pictures: The pictures beside it.
        is_silent: Whether it only states an absence; rule sheets leave it out.
        begins_paragraph: Whether it begins a paragraph.
        continues_item: Whether it continues the item before it, in a list.
        parts: The parts of its rules that it is about, as the variant's sources name them; none for all.
        name: What it tells, for a fact about the game, such as `players`, or the number of a paragraph.
        mark: Where it comes from: `text` if the source says it, `ruling` if it is our decision, `choice` if
            a switch changes it; None for general facts, silent clauses and rules without sources.
        sources: The places in the text that it comes from.
    """

    leaves: tuple[str, ...]
    text: str
    pictures: tuple[Picture, ...] = ()
    is_silent: bool = False
    begins_paragraph: bool = False
    continues_item: bool = False
    parts: tuple[str, ...] = ()
    name: str = ""
    mark: str | None = None
    sources: tuple[ClauseSource, ...] = ()

    @property
    def sign(self) -> str:
        """The sign of its mark, empty without a mark."""
        return SIGNS[self.mark] if self.mark else ""


@dataclass(frozen=True, slots=True)
class Section:
    """The clauses about one subject.

    Attributes:
        id: Its name, such as `captures`; `hnefi.words.about` lists those that are not about rules.
        is_list: Whether they are formatted as a list.
        is_rules: Whether it is about the rules; otherwise it holds facts about the game.
    """

    id: str
    heading: str
    clauses: tuple[Clause, ...]
    is_list: bool = False
    is_rules: bool = True

    def passage_id(self, clause: Clause) -> str:
        """Returns the id of a clause of this section: `captures.between`, `ends.goal.win`, `facts.players`.

        It has the section, the rule key and the part of the rule; a rule that names the section, and `fixed`,
        are left out. A fact has its name. Few clauses share an id.
        """
        rule = [leaf for leaf in clause.leaves[:1] if leaf not in ("fixed", self.id)]
        return ".".join([self.id, *rule, *clause.parts[:1], *filter(None, [clause.name])])

    @property
    def spoken_clauses(self) -> tuple[Clause, ...]:
        """The clauses that are not silent."""
        return tuple(clause for clause in self.clauses if not clause.is_silent)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of these clauses."""
        return tuple(picture for clause in self.spoken_clauses for picture in clause.pictures)

    @property
    def marked_paragraphs(self) -> tuple[tuple[Clause, ...], ...]:
        """The clauses by paragraph, each with its mark; in a list, each paragraph is an item."""
        grouped: list[list[Clause]] = []
        for clause in self.spoken_clauses:
            begins = not clause.continues_item if self.is_list else clause.begins_paragraph
            if begins or not grouped:
                grouped.append([])
            grouped[-1].append(clause)
        return tuple(map(tuple, grouped))

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The clauses joined to paragraphs, without marks; in a list, each is an item."""
        return tuple(" ".join(clause.text for clause in clauses) for clauses in self.marked_paragraphs)


@dataclass(frozen=True, slots=True)
class RulesText:
    """The rules of a variant in one language."""

    title: str
    lang: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks that occur, in the order of their legend."""
        found = {clause.mark for section in self.sections for clause in section.spoken_clauses}
        return tuple(mark for mark in SIGNS if mark in found)

    @property
    def rules_sections(self) -> tuple[Section, ...]:
        """The sections about the rules, without those about the game."""
        return tuple(section for section in self.sections if section.is_rules)

    def passage(self, passage_id: str) -> str:
        """Returns the sentences with an id (`Section.passage_id`), or with ids that it begins.

        `captures` is a whole section, `moves.range` all sentences about a rule; `heading` is the title with
        the facts.

        Raises:
            KeyError: If no clause that readers see has this id.
        """
        if passage_id == "heading":
            return " ".join([self.title, *self.facts])
        found = [
            clause.text
            for section in self.sections
            for clause in section.spoken_clauses
            if f"{section.passage_id(clause)}.".startswith(f"{passage_id}.")
        ]
        if not found:
            raise KeyError(passage_id)
        return " ".join(found)

    def clauses_about(self, leaf: str) -> tuple[Clause, ...]:
        """Returns the clauses about a rule key; silent ones only if there are no others.

        The section on the aim is left out, because it summarises others.
        """
        sections = [section for section in self.sections if section.id != "aim"]
        about = [clause for section in sections for clause in section.clauses if leaf in clause.leaves]
        spoken = [clause for clause in about if not clause.is_silent]
        return tuple(spoken or about)
