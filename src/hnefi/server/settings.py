"""What a server is told when it starts."""

from dataclasses import dataclass

__all__ = ["DEFAULT_PORT", "Settings"]

DEFAULT_PORT = 8730


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is to run.

    Attributes:
        host: The address it listens on; the machine itself alone, unless told otherwise.
        port: The port it listens on; 0 for any that is free.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
