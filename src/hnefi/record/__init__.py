"""Game records: a text format like PGN, for one game or many (decision 14)."""

from hnefi.record.editing import (
    NodePath,
    WalkedNode,
    add_variation,
    change_node,
    demote,
    promote,
    remove_variation,
    set_comments,
    walk,
)
from hnefi.record.from_game import PlayedMove, variant_headers
from hnefi.record.legs import read_match
from hnefi.record.model import GLYPHS, MAX_DEPTH, Node, Record, Status, Variation
from hnefi.record.move_tree import MoveTree, TreePly
from hnefi.record.parser import Reading, load_records, parse_records, read_records
from hnefi.record.replay import Replay, ReplayFault, explain_fault
from hnefi.record.turn_ends import stop_before
from hnefi.record.writer import format_records, save_records

__all__ = [
    "GLYPHS",
    "MAX_DEPTH",
    "MoveTree",
    "Node",
    "NodePath",
    "PlayedMove",
    "Reading",
    "Record",
    "Replay",
    "ReplayFault",
    "Status",
    "TreePly",
    "Variation",
    "WalkedNode",
    "add_variation",
    "change_node",
    "demote",
    "explain_fault",
    "format_records",
    "load_records",
    "parse_records",
    "promote",
    "read_match",
    "read_records",
    "remove_variation",
    "save_records",
    "set_comments",
    "stop_before",
    "variant_headers",
    "walk",
]
