"""Weights of the evaluation: fitted ones where there are any for the rules, else default ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hnefi._core import Rules, default_calibration
from hnefi.engine.analysis import Calibration
from hnefi.errors import EngineError
from hnefi.measure import calibration_spread
from hnefi.places import weights_folder
from hnefi.text_faults import json_facts
from hnefi.variants.finding import rules_of
from hnefi.variants.model import Variant

_FOLDER = Path(__file__).parents[1] / "weights"
_MOST = 10_000
# The numbers of a file: each without it, the least and the greatest.
_NUMBERS = {
    "scale": (0.0, 1, _MOST),
    "offset": (0.0, -_MOST, _MOST),
    "margin": (0.0, 0, _MOST),
    "mistake_odds": (1.0, 0.01, 100),
}
_bad_weights = partial(EngineError.of_facts, "bad_weights")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights, calibration and the odds of mistakes of levels for a set of rules.

    Attributes:
        text: The weights as JSON; None for the default weights, which the core derives from the rules.
        calibration: Converts scores to winning chances.
        is_fitted: Whether they were fitted by games.
        mistake_odds: The factor of the odds of the mistakes of levels, so that a beginner wins about half
            of the games against level 2.
        made: How they were made, as the file says: `trained` or, before `hnefi lab train`, `fitted`.
    """

    text: str | None
    calibration: Calibration
    is_fitted: bool = False
    mistake_odds: float = 1.0
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tree(self) -> dict[str, Any] | None:
        """The weights as in files; None for the default weights."""
        return None if self.text is None else dict(json.loads(self.text))

    def facts(self, of: Variant) -> dict[str, Any]:
        """Returns what a file of these weights for a variant holds, besides how they were made."""
        return {
            "rules": of.rules.hash,
            "without_limit": hash_without_limit(of.rules),
            "variant": of.id,
            "weights": self.tree,
            "scale": self.calibration.scale,
            "offset": self.calibration.offset,
            "margin": self.calibration.margin,
            "mistake_odds": self.mistake_odds,
        }


DERIVED = Weights(None, Calibration(*default_calibration()))
"""The default weights, for rules that no weights were fitted for.

The offset of their calibration is 0, since the balance between the sides is not known.
"""


def weights_for(rules: Rules | Variant | str, folder: Path | None = None) -> Weights:
    """Returns the weights for rules, a variant or its id or name: fitted, calibrated or default ones.

    Those of the user's folder go before those of the same rules in the package; a folder stands for both.

    Those of rules that differ by `quiet_limit` alone fit too; the spread of their calibration is not known.

    Raises:
        EngineError: `bad_weights`, if a file of weights is invalid.
    """
    rules = rules_of(rules)
    folders = (weights_folder(), _FOLDER) if folder is None else (folder,)
    found = [_by_rules(one) for one in folders]
    for exact, _ in found:
        if rules.hash in exact:
            return exact[rules.hash]
    key = hash_without_limit(rules)
    return next((similar[key] for _, similar in found if key in similar), DERIVED)


@lru_cache(maxsize=256)
def hash_without_limit(rules: Rules) -> str:
    """Returns the hash of rules with `quiet_limit` off, which the evaluation does not depend on."""
    tree = json.loads(rules.to_json())
    tree["ends"]["quiet_limit"] = 0
    return Rules(json.dumps(tree)).hash


def calibrated_ids() -> tuple[str, ...]:
    """Returns the ids of the variants with a measured calibration, sorted. Reads no file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def _by_rules(folder: Path) -> tuple[Mapping[str, Weights], Mapping[str, Weights]]:
    """Reads all files of weights, once: by the hash of their rules, and of these without a limit."""
    files = [_read(path) for path in sorted(folder.glob("*.json"))]
    exact = {rules: weights for rules, _, weights in files}
    similar = {
        key: replace(weights, calibration=replace(weights.calibration, spread=None))
        for _, key, weights in files
    }
    return MappingProxyType(exact), MappingProxyType(similar)


def built_in_weights(variant_id: str) -> Weights | None:
    """Returns the weights of a variant in the package; None without a file of them."""
    path = _FOLDER / f"{variant_id}.json"
    return read_weights(path) if path.exists() else None


def read_weights(path: Path) -> Weights:
    """Reads a file of weights. They may be those of another variant in the package, by its id.

    Raises:
        EngineError: `bad_weights`, if it is invalid.
    """
    return _read(path)[2]


def _read(path: Path) -> tuple[str, str, Weights]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _bad_weights(path=path.name, **json_facts(error)) from error
    data = data if isinstance(data, dict) else {}
    rules, weights = data.get("rules"), data.get("weights", "")
    if isinstance(weights, str) and weights in calibrated_ids():
        weights = json.loads((_FOLDER / f"{weights}.json").read_text(encoding="utf-8"))["weights"]
    if not isinstance(rules, str):
        raise _bad_weights(path=path.name, part="shape", key="rules", found=rules or "", expected='"…"')
    if not isinstance(weights, dict | None):
        raise _bad_weights(
            path=path.name, part="shape", key="weights", found=weights, expected='{…} | null | "VARIANT"'
        )
    numbers = {name: data.get(name, usual) for name, (usual, _, _) in _NUMBERS.items()}
    for name, (_, least, most) in _NUMBERS.items():
        if type(numbers[name]) not in (int, float) or not least <= numbers[name] <= most:
            facts = {"key": name, "found": data.get(name, ""), "expected": f"{least:g}…{most:g}"}
            raise _bad_weights(path=path.name, part="shape", **facts)
    try:
        spread = calibration_spread(data.get("calibration", {}).get("held_out", ()))
    except (AttributeError, KeyError, TypeError) as error:
        held_out = '{"held_out": [{"games": 9, "expected": 0.5, "observed": 0.5}, …]}'
        facts = {"key": "calibration", "found": data["calibration"], "expected": held_out}
        raise _bad_weights(path=path.name, part="shape", **facts) from error
    made = {key: data[key] for key in ("trained", "fitted") if key in data}
    text = None if weights is None else json.dumps(weights)
    scale, offset, margin, odds = map(float, numbers.values())
    calibration = Calibration(scale, offset, margin, spread)
    found = Weights(text, calibration, weights is not None, odds, made)
    return rules, str(data.get("without_limit", rules)), found
