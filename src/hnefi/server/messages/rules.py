"""HTTP request and response models of the rules editor."""

from typing import Annotated

from pydantic import Field

from hnefi._core import Rules
from hnefi.server.events import Message
from hnefi.server.games.commands import Switch, VariantRequest
from hnefi.server.names import LONGEST_TITLE


class RulesRequest(VariantRequest):
    """Requests the description of custom rules: a variant and its switches."""

    changed: Annotated[str, Field(max_length=60)] | None = None
    """The rule changed last, to which contradicting rules are adapted; without it none is adapted."""

    name: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    lang: Annotated[str, Field(max_length=8)] | None = None
    """The language of the response; without it that of the request."""


class RuleFault(Message):
    """A fault of the rules, and the rule it is about."""

    leaf: str | None
    code: str
    message: str


class RuleFollow(Message):
    """A rule that was adapted to another one."""

    leaf: str
    message: str


class RuleView(Message):
    """A rule and its value."""

    value: str
    """The value as a switch."""

    text: str
    """The rule in words."""

    differs: bool
    """Whether its value differs from that of the base variant."""

    applies: bool
    """Whether it has an effect: without a throne, a rule about the throne has none."""


class ClauseView(Message):
    """A sentence of the rules."""

    text: str
    leaves: list[str]
    """The rules it describes."""

    differs: bool
    """Whether the base variant does not have it."""


class RulesSection(Message):
    """A section of the rules in words."""

    id: str
    heading: str
    is_list: bool
    clauses: list[ClauseView]


class ShapeView(Message):
    """The special squares of a board."""

    size: int
    throne: str | None
    corners: list[str]
    camps: list[list[str]]
    goals: list[str]


def shape_of(rules: Rules) -> ShapeView:
    """Returns the special squares of a board."""
    return ShapeView(
        size=rules.size,
        throne=None if rules.throne is None else str(rules.throne),
        corners=[str(one) for one in rules.corners],
        camps=[[str(one) for one in camp] for camp in rules.camps],
        goals=[str(one) for one in rules.goals],
    )


class SimilarVariant(Message):
    """The variant most similar to the rules."""

    variant: str
    name: str
    message: str
    """How similar, in a sentence."""


class RulesView(Message):
    """The description of custom rules. With faults, only the faults, the values and the board are given."""

    ok: bool
    faults: list[RuleFault]
    follows: list[RuleFollow]
    values: dict[str, str]
    """Every rule as a switch."""

    switches: dict[str, str]
    """The differences from the variant."""

    start: str
    shape: ShapeView
    rules: dict[str, RuleView]
    sections: list[RulesSection]
    facts: dict[str, object] | None
    """The facts that a page needs to play by them, as in `/facts`."""

    like: SimilarVariant | None
    query: str
    """The variant and its switches as the query of a page."""

    file_name: str
    toml: str
    opentafl: str
    gaps: list[str]
    """The parts of the rules that a rules string of OpenTafl cannot express."""


class RulesReadRequest(Message):
    """Requests rules from a text: a variant file, a rules string of OpenTafl, or a link."""

    text: Annotated[str, Field(min_length=1, max_length=60_000)]
    lang: Annotated[str, Field(max_length=8)] | None = None


class RulesReadResponse(Message):
    """The rules of a text, as a variant with switches."""

    variant: str
    switches: dict[str, str]
    name: str
    notes: list[str]
    """The parts of the text that could not be imported."""


class ExampleRequest(VariantRequest):
    """Requests an example of a rule."""

    leaf: Annotated[str, Field(min_length=1, max_length=60)]
    """The rule, or one entry of it: `throne_hostile.king`."""

    value: Switch | None = None
    """The value of the rule to show, as a switch; without it the current one."""

    lang: Annotated[str, Field(max_length=8)] | None = None


class ExampleView(Message):
    """A small position and a move whose effect depends on the value of a rule."""

    leaf: str
    value: str
    other: str
    """The value it is compared with."""

    text: str
    position: str
    origin: str
    target: str
    legal: bool
    """Whether the move is legal."""

    captures: list[str]
    after: str | None
    """The position after the move."""

    shape: ShapeView


class ExampleAnswer(Message):
    """An example; None if no single move shows the rule."""

    example: ExampleView | None


class AnswersRequest(VariantRequest):
    """Requests what each value of a rule would mean."""

    leaf: Annotated[str, Field(min_length=1, max_length=60)]
    """The rule, or a switch of the calls."""

    lang: Annotated[str, Field(max_length=8)] | None = None


class AnswerView(Message):
    """A value as the editor words it, and the rule in words with this value."""

    words: str
    text: str


class AnswersResponse(Message):
    """What each value of a rule means beside the other rules."""

    answers: list[AnswerView]
