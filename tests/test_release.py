"""The release: addresses for a package index."""

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import prepare_release
import pytest

ROOT = Path(__file__).parents[1]
ADDRESS = "https://host.example/hnefi"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def copied(folder: Path, heading: str) -> str:
    """Copies what is prepared into a folder, with this first heading of the changes; returns the version."""
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "CHANGELOG.md").write_text(f"# Changes\n\n## {heading}\n", "utf-8")
    return str(PROJECT["project"]["version"])


def test_the_links_of_a_release_are_absolute_and_lead_to_its_tag(tmp_path: Path) -> None:
    version = copied(tmp_path, f"{PROJECT['project']['version']}, 2026-12-24")
    prepare_release.prepare(tmp_path, ADDRESS, f"v{version}")
    targets = re.findall(r"\]\(([^)]+)\)", (tmp_path / "README.md").read_text("utf-8"))
    assert len(targets) > 15
    assert [target for target in targets if "://" not in target] == []
    assert f"{ADDRESS}/raw/v{version}/docs/pictures/analysis.png" in targets
    paths = [target.split(f"/blob/v{version}/")[1] for target in targets if "/blob/" in target]
    assert [path for path in paths if not (ROOT / path.partition("#")[0]).exists()] == []
    settings = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["urls"]["Source"] == ADDRESS
    assert {**settings["project"], "urls": None} == {**PROJECT["project"], "urls": None}


@pytest.mark.parametrize(
    ("heading", "tag", "message"),
    [
        ("{version}, 2026-12-24", "v9.9.9", "The tag is v9.9.9"),
        ("{version}, not yet released", "v{version}", "The first heading of CHANGELOG.md"),
    ],
)
def test_a_release_whose_tag_or_changes_do_not_fit_is_refused(
    heading: str, tag: str, message: str, tmp_path: Path
) -> None:
    version = copied(tmp_path, heading.format(version=PROJECT["project"]["version"]))
    before = (tmp_path / "README.md").read_bytes()
    with pytest.raises(SystemExit, match=message):
        prepare_release.prepare(tmp_path, ADDRESS, tag.format(version=version))
    assert (tmp_path / "README.md").read_bytes() == before


def test_links_elsewhere_and_to_headings_stay() -> None:
    text = "[a](https://one.example/) [b](#study) `x[1](2)`-free ![c](d.png) [e](guide/f.md#g)"
    assert prepare_release.absolute_links(text, ADDRESS, "v1").split() == [
        *("[a](https://one.example/)", "[b](#study)", f"`x[1]({ADDRESS}/blob/v1/2)`-free"),
        *(f"![c]({ADDRESS}/raw/v1/d.png)", f"[e]({ADDRESS}/blob/v1/guide/f.md#g)"),
    ]
