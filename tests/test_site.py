"""The documentation site: no dead links, no network access, complete contents."""

import re
import subprocess
import sys
from pathlib import Path

import docs_doctests
import docs_pages
import pytest

from hnefi.cli.app import COMMANDS

ROOT = Path(__file__).parents[1]


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "build_docs.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    run = build(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "site"


@pytest.mark.deep
def test_every_page_of_docs_is_a_page_of_the_site(site: Path) -> None:
    pages = [path.relative_to(docs_pages.DOCS) for path in docs_pages.DOCS.rglob("*.md")]
    pages += [Path(page) for page in docs_pages.ROOT_PAGES.values()]
    names = [
        page.with_name("index.html") if page.stem == "README" else page.with_suffix(".html") for page in pages
    ]
    assert [name for name in names if not (site / name).exists()] == []


@pytest.mark.deep
def test_the_site_loads_nothing_from_the_network(site: Path) -> None:
    loading = re.compile(
        r"<(?:script|img|iframe)[^>]*\ssrc=\"https?:|<link[^>]*\shref=\"https?:|url\([\"']?https?:"
    )
    files = [path for kind in ("html", "css") for path in site.rglob(f"*.{kind}")]
    assert len(files) > 50
    assert [path.name for path in files if loading.search(path.read_text("utf-8"))] == []


@pytest.mark.deep
def test_the_help_of_every_command_is_in_the_reference(site: Path) -> None:
    page = (site / docs_pages.COMMAND_PAGE).with_suffix(".html").read_text("utf-8")
    assert [name for name in COMMANDS if f'id="hnefi-{name}"' not in page] == []


@pytest.mark.deep
def test_every_public_name_of_the_library_is_in_the_reference(site: Path) -> None:
    import hnefi

    page = (site / "reference" / "api" / "hnefi.html").read_text("utf-8")
    modules = {path.stem for path in (site / "reference" / "api").glob("*.html")}
    names = {name for name in hnefi.__all__ if not name.startswith("_")} - modules
    assert [name for name in names if f'id="hnefi.{name}"' not in page] == []


def test_every_package_has_its_group_in_the_reference() -> None:
    grouped = [module for modules in docs_pages.API_GROUPS.values() for module in modules]
    assert sorted(grouped) == sorted(docs_pages.api_modules())


@pytest.mark.deep
def test_examples_of_docstrings_are_shown_as_code(site: Path) -> None:
    pages = (site / "reference" / "api").glob("*.html")
    assert [page.name for page in pages if "<p>&gt;&gt;&gt;" in page.read_text("utf-8")] == []


def test_an_example_is_fenced_and_the_text_around_it_left_alone() -> None:
    text = "Adds.\n\n>>> 1 + 1\n2\n>>> [\n...     0]\n[0]\n\nMore."
    fenced = "Adds.\n\n```pycon\n>>> 1 + 1\n2\n>>> [\n...     0]\n[0]\n```\n\nMore."
    assert docs_doctests.fence_doctests(text) == fenced


def test_options_in_inline_code_are_marked_and_blocks_left_alone(tmp_path: Path) -> None:
    import build_docs

    page = tmp_path / "page.html"
    page.write_text("<code>variants --where goal=edge</code><pre><code><a></a>--lan</code></pre>", "utf-8")
    build_docs.keep_options_whole(page)
    assert page.read_text("utf-8") == (
        '<code>variants <span class="option">--where</span> goal=edge</code>'
        "<pre><code><a></a>--lan</code></pre>"
    )


@pytest.mark.deep
@pytest.mark.parametrize(
    ("link", "is_dead"),
    [("glossary.md#ply", False), ("nowhere.md", True), ("glossary.md#no-such-heading", True)],
    ids=["alive", "no page", "no heading"],
)
def test_a_dead_link_ends_the_build(
    link: str, is_dead: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import build_docs

    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text(f"# Start\n\n[there]({link})\n", "utf-8")
    (docs / "glossary.md").write_text("# Glossary\n\n## Ply\n", "utf-8")

    def write_pages(target: Path) -> None:
        target.parent.mkdir()
        docs.rename(target)

    monkeypatch.setattr(docs_pages, "write_pages", write_pages)
    monkeypatch.setattr(docs_pages, "navigation", lambda _: ["index.md", "glossary.md"])
    assert (build_docs.build(tmp_path / "work") != 0) is is_dead
