"""Writes the pages of the documentation site: those of `docs/`, and those generated from the sources.

- the command-line reference, from the help of every command;
- the API reference: a page for each package, filled from its docstrings by mkdocstrings;
- ARCHITECTURE.md, CONTRIBUTING.md and CHANGELOG.md, which stand in the root.

Links to sources outside `docs/` become plain text, since the site does not hold them.
"""

import os
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "hnefi"
COMMAND_PAGE = "reference/command-line.md"

ROOT_PAGES = {
    "CONTRIBUTING.md": "contributing/index.md",
    "ARCHITECTURE.md": "contributing/architecture.md",
    "CHANGELOG.md": "changelog.md",
}
"""Files of the root, and the pages of the site that show them."""

API_GROUPS = {
    "Rules and games": ("hnefi", "pieces", "errors", "variants", "rule_tree", "squares", "match", "lazy"),
    "Records and collections": ("record", "sample_games", "formats", "checking", "library"),
    "Words and pictures": (
        "diagram",
        "notebook",
        "words",
        "paper",
        "examples",
        "staging",
        "lessons",
        "puzzles",
        "i18n",
    ),
    "Engine and experiments": ("engine", "lab", "measure", "train"),
    "Server and command line": (
        "server",
        "workers",
        "cli",
        "places",
        "files",
        "archives",
        "text_faults",
        "closing",
    ),
}
"""The packages of the API reference by group; a package that is in none appears in the last one."""

_INLINE_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^)\s]+)\)")


# --- The folder of all pages --------------------------------------------------------------------------


def write_pages(target: Path) -> None:
    """Writes every page of the site to a folder: those of `docs/` and those that are made here."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("*.py", "*.toml", "__pycache__"))
    made = {
        page: relocate_links((ROOT / name).read_text("utf-8"), name, page)
        for name, page in ROOT_PAGES.items()
    }
    made |= {f"reference/api/{module}.md": api_page(module) for module in api_modules()}
    made |= {COMMAND_PAGE: f"{(DOCS / COMMAND_PAGE).read_text('utf-8')}\n\n{command_help()}"}
    for page, text in made.items():
        (target / page).parent.mkdir(parents=True, exist_ok=True)
        (target / page).write_text(text, "utf-8")
    for path in target.rglob("*.md"):
        page = path.relative_to(target).as_posix()
        path.write_text(unlink_sources(path.read_text("utf-8"), page), "utf-8")


def unlink_sources(text: str, page: str) -> str:
    """Returns a page whose links to files of the project outside of the site are plain text."""

    def unlink(found: re.Match[str]) -> str:
        target = found[2].partition("#")[0]
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        is_source = "://" not in target and not path.startswith("docs/") and (ROOT / path).exists()
        return found[1] if is_source else found[0]

    return _INLINE_LINK.sub(unlink, text)


def navigation(listed: list[Any]) -> list[Any]:
    """Returns the navigation of `docs/site.toml` with the generated pages and the folders listed whole."""
    sections = {key: value for entry in listed if isinstance(entry, dict) for key, value in entry.items()}
    sections["Reference"] += [{"API": [{group: pages} for group, pages in _api_navigation().items()]}]
    return [
        *listed,
        {"Explanation": [*_pages("explanation"), *_folder_sections("explanation")]},
        {"Measurements": _pages("measurements")},
        {"Contributing": [*ROOT_PAGES.values(), *_pages("contributing")]},
    ]


# --- The command line ---------------------------------------------------------------------------------


def command_help() -> str:
    """Returns a section for every command, with its help in English."""
    os.environ["HNEFI_LANG"] = "en"
    from hnefi.cli.app import hnefi

    sections = []
    for context in _commands(hnefi, None, "hnefi"):
        name = context.command_path
        level = "#" * min(2 + name.count(" ", len("hnefi ")), 3)
        sections.append(f"{level} {name}\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(sections)


def _commands(command: click.Command, parent: click.Context | None, name: str) -> Iterator[click.Context]:
    """Iterates over a command and the commands below it."""
    context = command.make_context(name, [], parent, resilient_parsing=True)
    yield context
    if isinstance(command, click.Group):
        for member in command.list_commands(context):
            found = command.get_command(context, member)
            if found is not None:
                yield from _commands(found, context, member)


# --- The API ------------------------------------------------------------------------------------------


def api_modules() -> list[str]:
    """Returns the names of the package and of its public packages and modules, `hnefi` first."""
    inside = sorted(
        path.stem
        for path in PACKAGE.iterdir()
        if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists())
    )
    return ["hnefi", *inside]


def api_page(module: str) -> str:
    """Returns the page of a package: its own names first, then those of its modules."""
    if module == "hnefi":
        return "# hnefi\n\n::: hnefi\n    options:\n      show_root_heading: false\n"
    parts = [f"# hnefi.{module}\n"]
    for name in _public_modules(module):
        heading = "\n    options:\n      show_root_heading: false\n" if name == f"hnefi.{module}" else "\n"
        parts.append(f"::: {name}{heading}")
    return "\n".join(parts)


def _public_modules(module: str) -> list[str]:
    folder = PACKAGE / module
    if not folder.is_dir():
        return [f"hnefi.{module}"]
    found = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if "migrations" in parts or any(part.startswith("_") for part in parts):
            continue
        found.append(".".join(("hnefi", *parts)))
    return sorted(found)


def _api_navigation() -> dict[str, list[str]]:
    groups = {name: list[str]() for name in API_GROUPS}
    last = list(groups)[-1]
    homes = {module: group for group, modules in API_GROUPS.items() for module in modules}
    for module in api_modules():
        groups[homes.get(module, last)].append(f"reference/api/{module}.md")
    return groups


# --- Links and lists ----------------------------------------------------------------------------------


def relocate_links(text: str, old: str, new: str) -> str:
    """Returns the text of a file of the root with its links as they are on a page of the site.

    >>> relocate_links("[a](docs/guide/server.md#the-connection)", "README.md", "contributing/index.md")
    '[a](../guide/server.md#the-connection)'
    """

    def move(found: re.Match[str]) -> str:
        target, mark, anchor = found[2].partition("#")
        if "://" in target or not target:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(old), target))
        path = f"docs/{ROOT_PAGES[path]}" if path in ROOT_PAGES else path
        return f"[{found[1]}]({posixpath.relpath(path, posixpath.dirname(f'docs/{new}'))}{mark}{anchor})"

    return _INLINE_LINK.sub(move, text)


def _pages(folder: str) -> list[str]:
    """Lists the pages that lie in a folder itself, its index first."""
    found = [path.name for path in (DOCS / folder).glob("*.md")]
    return [f"{folder}/{name}" for name in sorted(found, key=lambda name: (name != "README.md", name))]


def _folder_sections(folder: str) -> list[dict[str, list[str]]]:
    return [
        {path.name.capitalize(): _pages(f"{folder}/{path.name}")}
        for path in sorted((DOCS / folder).iterdir())
        if path.is_dir()
    ]
