"""Refusals: errors with a stable code and facts, which become a response or a message."""

import math

from hnefi.errors import HnefiError

_DAY_S = 86_400.0


class Refused(HnefiError):
    """A request or command that cannot be carried out now."""


class TooManyRequests(Refused):
    """A request above a rate limit or for a full queue; HTTP responds with 429 whatever its code.

    Attributes:
        retry_after_s: After how many seconds the request may be repeated.
    """

    def __init__(self, code: str, wait_s: float = 1.0) -> None:
        super().__init__(code, code)
        self.retry_after_s = max(math.ceil(min(wait_s, _DAY_S)), 1)


refused = Refused.of_facts
"""Creates a refusal with its facts."""
