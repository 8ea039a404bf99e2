"""What is asked and answered by HTTP about rules of one's own."""

from typing import Annotated

from pydantic import BaseModel, Field

from hnefi.server.messages.http import Switch, Switches, VariantId
from hnefi.server.messages.socket import Message

__all__ = [
    "ANSWERS",
    "LONGEST_NAME",
    "REQUESTS",
    "AnswerView",
    "AnswersRequest",
    "AnswersTold",
    "ClauseView",
    "ExampleAnswer",
    "ExampleRequest",
    "ExampleView",
    "LikeView",
    "RuleFault",
    "RuleFollow",
    "RuleView",
    "RulesRead",
    "RulesReadRequest",
    "RulesRequest",
    "RulesSection",
    "RulesView",
    "ShapeView",
]

LONGEST_NAME = 60
"""As many letters may the name of rules of one's own have."""


class RulesRequest(Message):
    """Asks what rules of one's own are: a variant, and what is otherwise."""

    variant: VariantId
    switches: Switches
    changed: Annotated[str, Field(max_length=60)] | None = None
    """The rule that was changed last, to which the others give way; without it none gives way to another."""

    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    lang: Annotated[str, Field(max_length=8)] | None = None
    """The language of what is told; without it that of the request."""


class RuleFault(Message):
    """What is wrong with some rules, in words, and which rule it is about."""

    leaf: str | None
    code: str
    message: str


class RuleFollow(Message):
    """A rule that another one has changed."""

    leaf: str
    message: str


class RuleView(Message):
    """A rule as it stands."""

    value: str
    """As a switch."""

    text: str
    """In words."""

    differs: bool
    """Whether the variant that it began as has it otherwise."""

    applies: bool
    """Whether it is about anything: without a throne nobody stops on it."""


class ClauseView(Message):
    """A sentence of the rules."""

    text: str
    leaves: list[str]
    """The rules that it tells of."""

    differs: bool
    """Whether the variant that it began as does not have it."""


class RulesSection(Message):
    """A section of the rules in words."""

    id: str
    heading: str
    is_list: bool
    clauses: list[ClauseView]


class ShapeView(Message):
    """What the board has of special squares, whatever stands on it."""

    size: int
    throne: str | None
    corners: list[str]
    camps: list[list[str]]
    goals: list[str]


class LikeView(Message):
    """The variant that rules are nearest to."""

    variant: str
    name: str
    message: str
    """How near, in a sentence."""


class RulesView(Message):
    """What rules of one's own are. With faults there is no more than the faults, the values and the board."""

    ok: bool
    faults: list[RuleFault]
    follows: list[RuleFollow]
    values: dict[str, str]
    """Every rule as a switch."""

    switches: dict[str, str]
    """What differs from the variant."""

    start: str
    shape: ShapeView
    rules: dict[str, RuleView]
    sections: list[RulesSection]
    facts: dict[str, object] | None
    """What a page needs to play by them, as `/facts` gives it."""

    like: LikeView | None
    query: str
    """The variant and its switches as they stand in the address of a page."""

    file_name: str
    toml: str
    opentafl: str
    gaps: list[str]
    """What a rules string of OpenTafl cannot say of them."""


class RulesReadRequest(Message):
    """Asks for rules that somebody has written down: a variant file, a rules string of OpenTafl, a link."""

    text: Annotated[str, Field(min_length=1, max_length=60_000)]
    lang: Annotated[str, Field(max_length=8)] | None = None


class RulesRead(Message):
    """Rules that were read, as a variant with switches."""

    variant: str
    switches: dict[str, str]
    name: str
    notes: list[str]
    """What could not be taken over."""


class ExampleRequest(Message):
    """Asks for an example of a rule."""

    variant: VariantId
    switches: Switches
    leaf: Annotated[str, Field(min_length=1, max_length=60)]
    """The rule, or one entry of it: `throne_hostile.king`."""

    value: Switch | None = None
    """What the rule is taken to be, as a switch; without it what it is."""

    lang: Annotated[str, Field(max_length=8)] | None = None


class ExampleView(Message):
    """A small position and a move that come out otherwise under another value of a rule."""

    leaf: str
    value: str
    other: str
    """What it is compared with."""

    text: str
    position: str
    origin: str
    target: str
    legal: bool
    """Whether the move may be played."""

    captures: list[str]
    after: str | None
    """The position after the move."""

    shape: ShapeView


class ExampleAnswer(Message):
    """An example, or nothing where no single move shows a rule."""

    example: ExampleView | None


class AnswersRequest(Message):
    """Asks what each answer to the question about a rule would mean."""

    variant: VariantId
    switches: Switches
    leaf: Annotated[str, Field(min_length=1, max_length=60)]
    """The rule, or a switch of the calls."""

    lang: Annotated[str, Field(max_length=8)] | None = None


class AnswerView(Message):
    """An answer, as the question words it, and the rule in words if it is chosen."""

    words: str
    text: str


class AnswersTold(Message):
    """What the answers to a question mean beside the other rules."""

    answers: list[AnswerView]


REQUESTS: tuple[type[BaseModel], ...] = (RulesRequest, RulesReadRequest, ExampleRequest, AnswersRequest)
ANSWERS: tuple[type[BaseModel], ...] = (RulesView, RulesRead, ExampleAnswer, AnswersTold)
