"""Sample games: one short recorded game for each built-in variant, one file per variant.

`hnefi lab sample` makes them, by games of the engine against itself (decision 42).
"""

from functools import cache
from pathlib import Path

from hnefi.record import Record, load_records
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

__all__ = ["sample_game", "sample_game_file"]

_FOLDER = Path(__file__).parent


def sample_game(subject: Variant | str) -> Record | None:
    """Returns the sample game of a variant, ended by its rules; None if these rules have none.

    The record is annotated: the move that gave away the game has the glyph `??`, every other clear mistake
    `?`, each with the better line as a variation.

    Args:
        subject: A variant, or its id or name. Rules of one's own, and rules changed by switches, have none.

    Raises:
        VariantError: `unknown_variant` or `ambiguous_variant`, for an id or name.

    >>> record = sample_game("brandub-globe")
    >>> record.result, record.replay().ok
    ('defenders', True)
    """
    played = variant(subject)
    if played.id not in built_in_ids():
        return None
    record = _recorded(played.id)
    return record if record is not None and record.header("Rules") == played.rules.hash else None


def sample_game_file(variant_id: str) -> Path:
    """Returns the path of the sample game of a variant, whether or not there is one."""
    return _FOLDER / f"{variant_id}.tafl"


@cache
def _recorded(variant_id: str) -> Record | None:
    """Reads the file of a variant once; None if there is no file."""
    path = sample_game_file(variant_id)
    return load_records(path).records[0] if path.exists() else None
