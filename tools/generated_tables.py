"""Tables within pages of the documentation that tools write."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"


class GeneratedTable(NamedTuple):
    """A table between two marks of a page.

    Attributes:
        page: The page.
        name: What the marks call the table.
        tool: The tool that writes it, without `.py`.
        content: Returns the table.
    """

    page: Path
    name: str
    tool: str
    content: Callable[[], str]

    def text(self) -> str:
        """Returns the page with the table of now."""
        begin, end = (
            f"<!-- {self.name}: written by tools/{self.tool}.py -->\n",
            f"<!-- end of {self.name} -->\n",
        )
        before, _, rest = self.page.read_text(encoding="utf-8").partition(begin)
        _, _, after = rest.partition(end)
        return before + begin + self.content() + end + after

    def check(self) -> None:
        """Checks that the page has the table of now."""
        assert self.page.read_text(encoding="utf-8") == self.text(), f"run tools/{self.tool}.py"

    def write(self) -> None:
        """Writes the page."""
        self.page.write_text(self.text(), encoding="utf-8")
