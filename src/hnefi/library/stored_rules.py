"""The rules of the games of a library, which may be those of no variant that is known here."""

import json
from collections.abc import Iterator

from hnefi._core import Rules
from hnefi.library.store import Library
from hnefi.variants.model import Variant
from hnefi.variants.switches import parse_switches

_USED = "SELECT * FROM rules WHERE EXISTS (SELECT 1 FROM games WHERE games.rules = rules.id)"
_LISTED = "variant || CASE switches WHEN '' THEN '' ELSE '; ' || switches END"


def variants_of(library: Library, variant_id: str) -> Iterator[Variant]:
    """Iterates over the rules of games of a variant with any switches, those added last first.

    Raises:
        LibraryError: If it cannot be read.
    """
    return _stored(library, "variant = ? ORDER BY switches != '', id DESC", variant_id.strip().lower())


def variants_by_rules(library: Library, name: str) -> Iterator[Variant]:
    """Iterates over the rules of games with a hash, or with an id and switches: `mine; quiet_limit=40`.

    Raises:
        LibraryError: If it cannot be read.
    """
    listed = "; ".join(part.strip() for part in name.split(";"))
    return _stored(library, f"lower({_LISTED}) = ? OR hash = ?", listed.lower(), listed.lower())


def rules_of_size(library: Library, size: int) -> Iterator[Rules]:
    """Iterates over the rules of games on boards of a size.

    Raises:
        LibraryError: If it cannot be read.
    """
    return (one.rules for one in _stored(library, "json_extract(tree, '$.board.size') = ?", size))


def _stored(library: Library, condition: str, *values: object) -> Iterator[Variant]:
    with library.reading() as connection:
        text = f"SELECT variant, switches, tree FROM ({_USED}) WHERE {condition}"
        rows = connection.execute(text, values).fetchall()
    for variant_id, switches, tree in rows:
        changes = parse_switches([part for part in switches.split(";") if part])
        yield Variant(variant_id, 1, Rules(tree), json.loads(tree), changes)
