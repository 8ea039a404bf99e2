"""The rules of a variant in words, before they are set: sections of clauses, with pictures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hnefi._core import Move, Position, Square

__all__ = ["Clause", "Picture", "RulesText", "Section"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a rule. What it shows does happen: the core has played it under these rules.

    Attributes:
        kind: What it is a picture of, such as `custodial`.
        caption: What one sees.
        position: The board, before the move if there is one.
        move: The move that is shown being played.
        roads: Moves of the king that are shown as open roads.
        crop: Two opposite corners of the part that matters; the whole board if None.
    """

    kind: str
    caption: str
    position: "Position"
    move: "Move | None" = None
    roads: "tuple[Move, ...]" = ()
    crop: "tuple[Square, Square] | None" = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence or two about one rule.

    Attributes:
        leaves: The rule keys it tells of; none for what is the same in all games.
        text: The sentences.
        pictures: What is drawn beside it.
        is_silent: Whether it only says that something is not so; a rule sheet leaves it out.
        begins: Whether it begins a paragraph.
    """

    leaves: tuple[str, ...]
    text: str
    pictures: tuple[Picture, ...] = ()
    is_silent: bool = False
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """The clauses about one thing. `is_list` tells that they are set one below the other."""

    id: str
    heading: str
    clauses: tuple[Clause, ...]
    is_list: bool = False

    @property
    def told(self) -> tuple[Clause, ...]:
        """The clauses that a rule sheet has: those that are not silent."""
        return tuple(clause for clause in self.clauses if not clause.is_silent)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of these clauses."""
        return tuple(picture for clause in self.told for picture in clause.pictures)

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The clauses joined to paragraphs; in a list each is an item of its own."""
        joined: list[str] = []
        for clause in self.told:
            if self.is_list or clause.begins or not joined:
                joined.append(clause.text)
            else:
                joined[-1] += f" {clause.text}"
        return tuple(joined)


@dataclass(frozen=True, slots=True)
class RulesText:
    """The rules of a variant in one language."""

    title: str
    lang: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]

    def clauses_about(self, leaf: str) -> tuple[Clause, ...]:
        """Returns what is said of one rule key, the silent clauses only where nothing else is said.

        The section on the aim is left out: it sums up what others say.
        """
        sections = [section for section in self.sections if section.id != "aim"]
        about = [clause for section in sections for clause in section.clauses if leaf in clause.leaves]
        told = [clause for clause in about if not clause.is_silent]
        return tuple(told or about)
