"""Weights of the evaluation: fitted ones where there are any for the rules, else derived from them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from hnefi._core import Rules
from hnefi.engine.analysis import Calibration
from hnefi.errors import EngineError

__all__ = ["DERIVED", "Weights", "calibrated_ids", "weights_for"]

_FOLDER = Path(__file__).parents[1] / "weights"
_FARTHEST = 10_000.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What the evaluation uses for some rules.

    Attributes:
        text: The weights as JSON; None for those the core derives from the rules.
        calibration: What turns a score into chances.
        is_fitted: Whether they were fitted by games.
    """

    text: str | None
    calibration: Calibration
    is_fitted: bool = False


DERIVED = Weights(None, Calibration(scale=140.0, margin=120.0))
"""Those for rules that nobody has fitted any for.

Medians of the seven rule sets (docs/measurements/weights.md); the balance between the sides is not known.
"""


def weights_for(rules: Rules, folder: Path = _FOLDER) -> Weights:
    """Gives the weights for rules: fitted for exactly these, calibrated for these, or derived.

    Raises:
        EngineError: `bad_weights`, if a file of weights is faulty.
    """
    found = _by_rules(folder).get(rules.hash)
    return DERIVED if found is None else found


def calibrated_ids() -> tuple[str, ...]:
    """Lists the ids of the variants whose scores were measured, sorted. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def _by_rules(folder: Path) -> Mapping[str, Weights]:
    """Reads all files of weights; only the first analysis pays for it."""
    return MappingProxyType(dict(map(_read, sorted(folder.glob("*.json")))))


def _read(path: Path) -> tuple[str, Weights]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights, rules = data["weights"], str(data["rules"])
        numbers = [float(data.get(name, 0.0)) for name in ("scale", "offset", "margin")]
        is_meant = numbers[0] >= 1.0 and numbers[2] >= 0.0 and all(abs(one) <= _FARTHEST for one in numbers)
        if not (weights is None or isinstance(weights, dict)) or not is_meant:
            raise ValueError(f"scale, offset, margin {numbers}, weights {type(weights).__name__}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        message = f"{path.name}: {why}, expected rules, weights, scale, offset and margin"
        raise EngineError("bad_weights", message, {"path": path.name, "why": why}) from error
    text = None if weights is None else json.dumps(weights)
    return rules, Weights(text, Calibration(*numbers), is_fitted=weights is not None)
