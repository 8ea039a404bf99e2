"""The base of objects that a `with` block closes."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """A context manager that is closed at the end of its block."""

    @abstractmethod
    def close(self) -> None:
        """Releases what it uses."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
