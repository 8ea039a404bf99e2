"""Recorded games, one or a million, checked against rules (docs/guide/recorded-games.md)."""

from hnefi.replaying.checking import check, unclaimed
from hnefi.replaying.findings import BROKEN, FAULTS, REMARKS, Finding, Kind, Verdict
from hnefi.replaying.tally import Checker, Place, Row, Seen

__all__ = [
    "BROKEN",
    "FAULTS",
    "REMARKS",
    "Checker",
    "Finding",
    "Kind",
    "Place",
    "Row",
    "Seen",
    "Verdict",
    "check",
    "unclaimed",
]
