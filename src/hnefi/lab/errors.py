"""Errors of experiments."""

from hnefi.errors import HnefiError


class LabError(HnefiError):
    """An experiment that cannot be run as requested, or results that belong to another one."""
