"""Weights of the evaluation: fitted ones where there are any for the rules, else default ones."""

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
_MAX_ABSOLUTE = 10_000.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights and calibration for a set of rules.

    Attributes:
        text: The weights as JSON; None for the default weights, which the core derives from the rules.
        calibration: Converts scores to winning chances.
        is_fitted: Whether they were fitted by games.
    """

    text: str | None
    calibration: Calibration
    is_fitted: bool = False


DERIVED = Weights(None, Calibration(scale=140.0, margin=120.0))
"""The default weights, for rules that no weights were fitted for.

Calibrated by the medians of seven rule sets (docs/measurements/weights.md). The offset is 0, since the
balance between the sides is not known.
"""


def weights_for(rules: Rules, folder: Path = _FOLDER) -> Weights:
    """Returns the weights for rules: fitted for exactly these rules, calibrated for them, or default ones.

    Raises:
        EngineError: `bad_weights`, if a file of weights is invalid.
    """
    return _by_rules(folder).get(rules.hash, DERIVED)


def calibrated_ids() -> tuple[str, ...]:
    """Returns the ids of the variants with a measured calibration, sorted. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def _by_rules(folder: Path) -> Mapping[str, Weights]:
    """Reads all files of weights, once, and returns them by the hash of their rules."""
    return MappingProxyType(dict(map(_read, sorted(folder.glob("*.json")))))


def _read(path: Path) -> tuple[str, Weights]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights, rules = data["weights"], str(data["rules"])
        numbers = [float(data.get(name, 0.0)) for name in ("scale", "offset", "margin")]
        is_valid = numbers[0] >= 1.0 and numbers[2] >= 0.0
        is_valid = is_valid and all(abs(one) <= _MAX_ABSOLUTE for one in numbers)
        if not (weights is None or isinstance(weights, dict)) or not is_valid:
            raise ValueError(f"scale, offset, margin {numbers}, weights {type(weights).__name__}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        message = f"{path.name}: {why}, expected rules, weights, scale, offset and margin"
        raise EngineError("bad_weights", message, {"path": path.name, "why": why}) from error
    text = None if weights is None else json.dumps(weights)
    return rules, Weights(text, Calibration(*numbers), is_fitted=weights is not None)
