"""Weights of the evaluation: fitted ones where there are any for the rules, else derived from them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from hnefi._core import Rules
from hnefi.errors import EngineError
from hnefi.pieces import Piece

__all__ = ["Weights", "weights_for"]

_FOLDER = Path(__file__).parents[1] / "weights"
# A soldier more among eight changes what is to be expected more than one among thirty-two.
_SCALE_PER_ATTACKER = 25.0
_LEAST_SCALE, _MOST_SCALE = 150.0, 700.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation uses for some rules.

    Attributes:
        text: The weights as JSON; None for those the core derives from the rules.
        scale: What turns a score into chances: see `Score.scale`.
        is_fitted: Whether they were fitted from games.
    """

    text: str | None
    scale: float
    is_fitted: bool = False


def weights_for(rules: Rules, folder: Path = _FOLDER) -> Weights:
    """Gives the weights for rules: fitted for exactly these, or derived.

    Raises:
        EngineError: `bad_weights`, if a file of weights is faulty.
    """
    found = _by_rules(folder).get(rules.hash)
    return derived(rules) if found is None else found


def derived(rules: Rules) -> Weights:
    """Gives weights for rules that nobody has fitted any for."""
    attackers = sum(piece is Piece.ATTACKER for piece in rules.start.pieces.values())
    return Weights(None, min(max(_SCALE_PER_ATTACKER * attackers, _LEAST_SCALE), _MOST_SCALE))


@cache
def _by_rules(folder: Path) -> Mapping[str, Weights]:
    """Reads all files of weights; only the first analysis pays for it."""
    return MappingProxyType(dict(map(_read, sorted(folder.glob("*.json")))))


def _read(path: Path) -> tuple[str, Weights]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights, scale = data["weights"], float(data["scale"])
        rules = str(data["rules"])
        if not isinstance(weights, dict) or not 1.0 <= scale <= 10_000.0:
            raise ValueError(f"scale {scale}, weights {type(weights).__name__}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = f"{type(error).__name__}: {error}"
        message = f"{path.name}: {why}, expected rules, weights and scale"
        raise EngineError("bad_weights", message, {"path": path.name, "why": why}) from error
    return rules, Weights(json.dumps(weights), scale, is_fitted=True)
