"""Renamed public names still work, warn, and stand in the changelog."""

from importlib import import_module
from pathlib import Path

import pytest

from hnefi.deprecated import MODULES, NAMES

CHANGELOG = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("old", sorted(MODULES))
def test_a_renamed_module_is_found_by_its_old_name(old: str) -> None:
    new = import_module(MODULES[old])
    public = next(name for name in vars(new) if not name.startswith("_"))
    with pytest.warns(DeprecationWarning, match="is now"):
        assert getattr(import_module(old), public) is getattr(new, public)


@pytest.mark.parametrize("old", sorted(NAMES))
def test_a_renamed_name_is_found_by_its_old_name(old: str) -> None:
    home, _, attribute = old.rpartition(".")
    new_home, _, new_attribute = NAMES[old].rpartition(".")
    with pytest.warns(DeprecationWarning, match="is now"):
        found = getattr(import_module(home), attribute)
    assert found is getattr(import_module(new_home), new_attribute)


@pytest.mark.parametrize(("old", "new"), sorted({**MODULES, **NAMES}.items()))
def test_the_changelog_has_old_and_new_name(old: str, new: str) -> None:
    assert f"| `{old}` | `{new}` |" in CHANGELOG
