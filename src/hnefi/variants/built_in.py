"""The variants that ship with Hnefi."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from hnefi.variants.files import load_variant
from hnefi.variants.model import Variant

_FOLDER = Path(__file__).parent / "data"


@cache
def built_in_ids() -> tuple[str, ...]:
    """Returns the sorted ids of the variants that ship with Hnefi. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def built_in_variant(variant_id: str) -> Variant:
    """Returns a variant that ships with Hnefi; its file is read once."""
    return load_variant(_FOLDER / f"{variant_id}.toml")


@cache
def booklet_ids() -> tuple[str, ...]:
    """Returns the sorted ids of the rule sets of the booklets: each of their rules cites a numbered clause.

    >>> len(booklet_ids())
    7
    """
    return tuple(variant_id for variant_id in built_in_ids() if _cites_clauses(built_in_variant(variant_id)))


def measured(variant: Variant, file: str) -> tuple[dict[str, Any], Any]:
    """Returns a file of measurements, and its row of a variant; None for changed rules and custom ones."""
    table = _measurements(file)
    is_unchanged = variant.id in built_in_ids() and variant.rules == built_in_variant(variant.id).rules
    return table, table["variants"].get(variant.id) if is_unchanged else None


@cache
def _measurements(file: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((_FOLDER.parent / file).read_text("utf-8"))
    return read


def _cites_clauses(variant: Variant) -> bool:
    """Checks whether the rules cite clauses; those of world variants name a source (decision 28)."""
    return all("clause" in entry for entries in variant.why.values() for entry in entries)
