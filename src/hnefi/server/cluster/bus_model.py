"""The base of all models of the bus, and the types of their fields."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "ADDRESS",
    "BIGGEST",
    "SLOTS",
    "Address",
    "BusModel",
    "Code",
    "Count",
    "Facts",
    "Hash",
    "Milliseconds",
    "Players",
    "Slot",
]

SLOTS = 1_024
ADDRESS = r"^[wge]:[A-Za-z0-9_-]{1,40}$"
"""The form of an address: the channel of one game worker (`w`), gateway (`g`) or engine worker (`e`)."""

BIGGEST = 2**63 - 1
"""The largest number: a 64-bit integer of the database."""

Count = Annotated[int, Field(ge=0, le=BIGGEST)]
Slot = Annotated[int, Field(ge=0, lt=SLOTS)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Code = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[a-z0-9_.]+$")]
Facts = Annotated[dict[str, str], Field(default_factory=dict)]
Players = Annotated[tuple[Annotated[int, Field(ge=0, le=1)], ...], Field(max_length=2)]
Address = Annotated[str, Field(pattern=ADDRESS)]
Milliseconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class BusModel(BaseModel):
    """The base of all messages: no conversions, immutable; unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, use_attribute_docstrings=True)
