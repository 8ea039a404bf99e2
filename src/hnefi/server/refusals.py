"""Refusals: errors with a stable code and facts, which become a response or a message."""

from hnefi.errors import HnefiError

__all__ = ["Refused", "TooManyRequests", "refused"]


class Refused(HnefiError):
    """A request or command that cannot be carried out now."""


class TooManyRequests(Refused):
    """A request above a rate limit or for a full queue; HTTP responds with 429 whatever its code.

    Attributes:
        retry_after_s: After how many seconds the request may be repeated.
    """

    retry_after_s: int = 1


def refused(code: str, **facts: object) -> Refused:
    """Creates a refusal with its facts."""
    parameters = {name: str(value) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return Refused(code, f"{code}: {line}" if line else code, parameters)
