"""Imports names of a package when they are first used, so that importing the package itself stays fast."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Returns the `__getattr__` of a package that imports some of its names on first use.

    Args:
        package: The name of the package.
        homes: Those names, each with the module that has it; a submodule of the package is its own home.

    >>> on_first_use("hnefi", {})("no_such_name")
    Traceback (most recent call last):
    AttributeError: module 'hnefi' has no attribute 'no_such_name'
    """

    def find(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(home)
        value = module if home == f"{package}.{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return find
