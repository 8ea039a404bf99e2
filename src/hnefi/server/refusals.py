"""Refusals: errors with a stable code and facts, which become a response or a message."""

import math

from hnefi.errors import HnefiError

_DAY_S = 86_400.0


class Refused(HnefiError):
    """A request or command that cannot be carried out now."""


class TooManyRequests(Refused):
    """A request above a rate limit or for a full queue; HTTP responds with 429 whatever its code.

    Attributes:
        retry_after_s: After how many seconds the request may be repeated; also a fact of the refusal.
    """

    def __init__(self, code: str, wait_s: float = 1.0) -> None:
        self.retry_after_s = max(math.ceil(min(wait_s, _DAY_S)), 1)
        super().__init__(code, code, {"retry_after_s": str(self.retry_after_s)})


refused = Refused.of_facts
"""Creates a refusal with its facts."""
