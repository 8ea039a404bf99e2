"""Prepares a copy of the sources for a package index: addresses of the sources, and a tag that fits.

A package index shows README.md without the files beside it. In the copy its links lead to the tag, and
pyproject.toml gets the addresses of the project. None of this is committed: a fork has its own addresses.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")
_PLACE = "[project.scripts]\n"
_FIRST_CHANGES = re.compile(r"^## (.+)$", re.MULTILINE)


def main(arguments: list[str]) -> None:
    """Prepares this copy for the address and the tag that are named."""
    if len(arguments) != 2:
        sys.exit("usage: prepare_release.py ADDRESS TAG")
    prepare(ROOT, *arguments)


def prepare(root: Path, address: str, tag: str) -> None:
    """Writes the addresses into README.md and pyproject.toml; ends the program if the tag does not fit."""
    readme, project, changes = (root / name for name in ("README.md", "pyproject.toml", "CHANGELOG.md"))
    settings = project.read_text("utf-8")
    version = tomllib.loads(settings)["project"]["version"]
    if tag != f"v{version}":
        sys.exit(f"The tag is {tag}, and the version in pyproject.toml {version}: v{version} is expected.")
    heading = _FIRST_CHANGES.search(changes.read_text("utf-8"))
    if heading is None or not re.fullmatch(rf"{re.escape(version)}, \d{{4}}-\d\d-\d\d", heading[1]):
        sys.exit(f"The first heading of CHANGELOG.md is expected to be: ## {version}, YEAR-MONTH-DAY.")
    readme.write_text(absolute_links(readme.read_text("utf-8"), address, tag), "utf-8")
    project.write_text(settings.replace(_PLACE, f"{urls(address, tag)}\n{_PLACE}"), "utf-8")


def absolute_links(text: str, address: str, tag: str) -> str:
    """Returns a page of the root with absolute links: to pages of the site, and to pictures as files."""

    def absolute(link: re.Match[str]) -> str:
        sign, label, target = link.groups()
        return f"{sign}[{label}]({address}/{'raw' if sign else 'blob'}/{tag}/{target})"

    return _LINK.sub(absolute, text)


def urls(address: str, tag: str) -> str:
    """Returns the table of addresses for pyproject.toml."""
    pages = {
        "Documentation": f"{address}/blob/{tag}/docs/index.md",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
    }
    return "\n".join(["[project.urls]", *(f'{name} = "{page}"' for name, page in pages.items()), ""])


if __name__ == "__main__":
    main(sys.argv[1:])
