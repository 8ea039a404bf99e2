"""Renamed public names still work, warn, and stand in the changelog."""

import contextlib
import warnings
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from hnefi import variant
from hnefi.deprecated import ARGUMENTS, ATTRIBUTES, MODULES, NAMES
from hnefi.formats import FORMATS
from hnefi.variants import variants_where
from hnefi.words import Clause

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


@pytest.mark.parametrize("old", sorted(ATTRIBUTES))
def test_a_renamed_attribute_exists_under_both_names(old: str) -> None:
    path, _, attribute = old.rpartition(".")
    home, _, class_name = path.rpartition(".")
    with warnings.catch_warnings(action="ignore"):
        owner = getattr(import_module(home), class_name)
        assert hasattr(owner, attribute)
    assert hasattr(owner, ATTRIBUTES[old].rpartition(".")[2])


def test_renamed_attributes_of_the_core_warn_and_return_the_same() -> None:
    called = variant("brandub-globe").new_called_game("auto")
    position = called.game.position
    for owner, old in ((called, "owed"), (position, "exits"), (position, "may_stop")):
        new = ATTRIBUTES[f"hnefi.{type(owner).__name__}.{old}"].rpartition(".")[2]
        with pytest.warns(DeprecationWarning, match=f"is now .*{new}"):
            found = getattr(owner, old)
        assert found == getattr(owner, new)


@pytest.mark.parametrize("call", sorted(ARGUMENTS))
def test_a_renamed_argument_is_taken_under_its_old_name(call: str) -> None:
    path, _, rest = call.partition("(")
    home, _, name = path.rpartition(".")
    owners = [import_module(home)] if home != "hnefi.formats.Format" else list(FORMATS)
    for owner in owners:
        called = getattr(owner, name)
        assert ARGUMENTS[call] in signature(called).parameters
        # The old name reaches the call as the new one: what is refused, if anything, is another argument.
        with pytest.warns(DeprecationWarning, match="is now"), contextlib.suppress(Exception):
            called(**{rest.removesuffix("=)"): object()})


def test_the_value_of_a_renamed_argument_arrives() -> None:
    with pytest.warns(DeprecationWarning, match="is now"):
        clause = Clause((), "Text.", begins=True)  # type: ignore[call-arg]
    assert clause.begins_paragraph
    with pytest.warns(DeprecationWarning, match="is now"):
        assert variants_where(answers={"king_armed": "none"})  # type: ignore[call-arg]


@pytest.mark.parametrize(("old", "new"), sorted({**MODULES, **NAMES, **ATTRIBUTES, **ARGUMENTS}.items()))
def test_the_changelog_has_old_and_new_name(old: str, new: str) -> None:
    if old in ARGUMENTS:
        new = old.replace(old.partition("(")[2], f"{new}=)")
    assert f"| `{old}` | `{new}` |" in CHANGELOG
