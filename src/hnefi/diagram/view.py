"""The geometry of a drawing: a square of the board is 100 units wide."""

from collections.abc import Iterator
from dataclasses import dataclass

from hnefi.staging import Coordinates

UNIT = 100.0
_FRAME = 52.0
_LEAST_LETTER_PX = 10.5
_LETTER = 24.0
_LETTER_OF_FRAME = 0.5


@dataclass(frozen=True, slots=True)
class View:
    """The drawn part of a board, and its size.

    Attributes:
        size: The side of the whole board, in squares.
        first: The lowest drawn file and rank.
        last: The highest drawn file and rank.
        turned: Whether rank 1 is at the top.
        square_px: The side of a square, in pixels.
        chosen_frame: The width of the frame, in units; None for the usual one.
    """

    size: int
    first: Coordinates
    last: Coordinates
    turned: bool
    square_px: float
    coordinates: bool
    chosen_frame: float | None = None

    @property
    def columns(self) -> int:
        """The number of drawn files."""
        return self.last[0] - self.first[0] + 1

    @property
    def rows(self) -> int:
        """The number of drawn ranks."""
        return self.last[1] - self.first[1] + 1

    @property
    def width(self) -> float:
        """The width of the drawn squares, in units."""
        return self.columns * UNIT

    @property
    def height(self) -> float:
        """The height of the drawn squares, in units."""
        return self.rows * UNIT

    @property
    def pixel(self) -> float:
        """The size of a pixel, in units."""
        return UNIT / self.square_px

    @property
    def letter(self) -> float:
        """The size of the coordinates in units, never illegibly small."""
        if self.chosen_frame is not None:
            return self.chosen_frame * _LETTER_OF_FRAME
        return max(_LETTER, _LEAST_LETTER_PX * self.pixel)

    @property
    def frame(self) -> float:
        """The width of the frame, in units."""
        if self.chosen_frame is not None:
            return self.chosen_frame
        if not self.coordinates:
            return max(16.0, 3 * self.pixel)
        return max(_FRAME, 1.75 * self.letter)

    @property
    def whole(self) -> bool:
        """Whether the whole board is drawn."""
        return self.columns == self.rows == self.size

    def places(self) -> Iterator[Coordinates]:
        """Iterates over the drawn places, from the lowest rank."""
        for rank in range(self.first[1], self.last[1] + 1):
            for file in range(self.first[0], self.last[0] + 1):
                yield file, rank

    def shows(self, place: Coordinates) -> bool:
        """Checks whether a place is drawn."""
        return all(low <= at <= high for low, at, high in zip(self.first, place, self.last, strict=True))

    def corner(self, place: Coordinates) -> tuple[float, float]:
        """Returns the top left point of a place in the drawing."""
        file, rank = place
        if self.turned:
            return (self.last[0] - file) * UNIT, (rank - self.first[1]) * UNIT
        return (file - self.first[0]) * UNIT, (self.last[1] - rank) * UNIT

    def centre(self, place: Coordinates) -> tuple[float, float]:
        """Returns the centre of a place in the drawing."""
        x, y = self.corner(place)
        return x + UNIT / 2, y + UNIT / 2

    def at_edge(self) -> dict[str, bool]:
        """Returns for each side (left, right, top, bottom) whether the board ends there."""
        left, bottom = (at == 0 for at in self.first)
        right, top = (at == self.size - 1 for at in self.last)
        if self.turned:
            left, right, top, bottom = right, left, bottom, top
        return {"left": left, "right": right, "top": top, "bottom": bottom}
