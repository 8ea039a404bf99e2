"""Game records: a text format in the tradition of PGN, for one game or many (decision 14)."""

from hnefi.record.legs import read_match
from hnefi.record.model import MAX_DEPTH, Node, Record, Status, Variation
from hnefi.record.played import Played, variant_headers
from hnefi.record.reading import Reading, load_records, parse_records, read_records
from hnefi.record.replay import Replay, ReplayFault
from hnefi.record.telling import explain_fault
from hnefi.record.tree import GLYPHS, Tree, TreePly
from hnefi.record.turns import stop_before
from hnefi.record.writing import format_records, save_records

__all__ = [
    "GLYPHS",
    "MAX_DEPTH",
    "Node",
    "Played",
    "Reading",
    "Record",
    "Replay",
    "ReplayFault",
    "Status",
    "Tree",
    "TreePly",
    "Variation",
    "explain_fault",
    "format_records",
    "load_records",
    "parse_records",
    "read_match",
    "read_records",
    "save_records",
    "stop_before",
    "variant_headers",
]
