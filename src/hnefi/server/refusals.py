"""Commands that are refused: a stable code and facts, for programs and for the texts of `error.server.*`."""

from hnefi.errors import HnefiError

__all__ = ["Refused", "refused"]


class Refused(HnefiError):
    """A command that cannot be carried out as things stand in the game."""


def refused(code: str, **facts: object) -> Refused:
    """Makes a refusal with its facts."""
    parameters = {name: str(value) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return Refused(code, f"{code}: {line}" if line else code, parameters)
