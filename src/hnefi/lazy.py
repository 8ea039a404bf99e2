"""Imports names of a package when they are first used, so that importing the package itself stays fast."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


def on_first_use(
    package: str, names: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Returns the `__getattr__` of a package that imports its public names on first use, and its `__dir__`.

    Args:
        package: The name of the package.
        names: By modules of the package, the names that each has; other names in `__all__` are modules.

    >>> find, _ = on_first_use("hnefi", {})
    >>> find("no_such_name")
    Traceback (most recent call last):
    AttributeError: module 'hnefi' has no attribute 'no_such_name'
    """
    homes = {name: module for module, found in names.items() for name in found}

    def find(name: str) -> object:
        if name not in homes and name not in listed():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes.get(name, name)}")
        value = getattr(module, name) if name in homes else module
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        """Returns what is public, imported or not, so that `dir` and `help` show it."""
        return sorted(sys.modules[package].__all__)

    return find, listed
