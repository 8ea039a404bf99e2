"""The built-in variant files: their sections, and all entries that name a clause."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hnefi.variants.built_in import built_in_ids, built_in_variant

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = ROOT / "src" / "hnefi" / "variants" / "data"
IDS = built_in_ids()
# The protocol of variants without calls.
NO_CALLS = {"sanction": "none", "replay": "same_piece", "wrong_number": "call"}


def renamed(variant_id: str, new_id: str) -> str:
    """Returns the text of a file under another id."""
    text = (VARIANTS / f"{variant_id}.toml").read_text("utf-8")
    return text.replace(f'id = "{variant_id}"', f'id = "{new_id}"', 1)


def load(variant_id: str) -> dict[str, Any]:
    """Returns the sections of a file; the clauses in common words stand where the others do, before them."""
    one = built_in_variant(variant_id)
    calls = {} if one.calls is None else {"calls": one.calls}
    return {"about": one.about, "match": one.match, "why": one.why, "fixed": [*one.fixed], **calls}


def entries(file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns every entry that names a clause, with the place where it stands."""
    for leaf, items in file["why"].items():
        for entry in items:
            yield f"why.{leaf}", entry
    for section in ("calls", "match"):
        for entry in file.get(section, {}).get("why", []):
            yield f"{section}.why", entry
    for entry in file["fixed"]:
        yield "fixed", entry
