"""Formats the faults of records in the user's language."""

from hnefi.errors import RecordError
from hnefi.i18n import explain, text
from hnefi.record.replay import ReplayFault


def explain_fault(fault: RecordError | ReplayFault, lang: str | None = None, /) -> str:
    """Returns the message of a fault with its place: line and column, or ply and variation.

    >>> from hnefi.record import read_records
    >>> explain_fault(read_records("1. d2-c2 }").faults[0], "en")
    'Line 1, column 10: “}” is not expected here.'
    """
    if isinstance(fault, RecordError):
        message = explain(fault, lang)
        if not fault.line:
            return message
        return text("record.at", lang, line=fault.line, column=fault.column, message=message)
    message = explain(fault.error, lang)
    if fault.path:
        path = "/".join(f"{ply}.{number}" for ply, number in fault.path)
        return text("record.side_line", lang, ply=fault.ply, path=path, message=message)
    return text("record.ply", lang, ply=fault.ply, message=message) if fault.ply else message
