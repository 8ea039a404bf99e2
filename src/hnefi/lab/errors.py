"""Errors of experiments."""

from hnefi.errors import HnefiError, shorten


class LabError(HnefiError):
    """An experiment that cannot be run as requested, or results that belong to another one."""


def lab_error(code: str, **facts: object) -> LabError:
    """Returns the error with a code and its facts."""
    parameters = {name: shorten(value, 300) for name, value in facts.items()}
    line = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return LabError(code, f"{code}: {line}" if line else code, parameters)
