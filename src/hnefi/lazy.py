"""Imports names of a package when they are first used, so that importing the package itself stays fast."""

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


def on_first_use(
    package: str, names: Mapping[str, Iterable[str]], modules: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Returns the `__getattr__` of a package that imports names and modules on first use, and its `__dir__`.

    Args:
        package: The name of the package.
        names: By modules of the package, the names that each has.
        modules: Modules of the package that are names of it, too.

    >>> find, _ = on_first_use("hnefi", {})
    >>> find("no_such_name")
    Traceback (most recent call last):
    AttributeError: module 'hnefi' has no attribute 'no_such_name'
    """
    homes = {name: module for module, found in names.items() for name in found}
    own = frozenset(modules)

    def find(name: str) -> object:
        if name not in homes and name not in own:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes.get(name, name)}")
        value = module if name in own else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        """Returns what is public, imported or not, so that `dir` and `help` show it."""
        return sorted(sys.modules[package].__all__)

    return find, listed
