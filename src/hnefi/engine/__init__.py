"""Engines: programs that play and analyse games. `Engine` is the native one; others speak UGI or OTEP.

>>> from hnefi import variant
>>> from hnefi.engine import Engine, Limit
>>> game = variant("ard-ri-globe").new_game()
>>> with Engine(table_mib=4) as engine:
...     for analysis in engine.analyse(game, Limit(depth=3), lines=2):
...         assert len(analysis.lines) == 2
>>> analysis.depth, analysis.is_final
(3, True)
"""

from typing import TYPE_CHECKING

from hnefi._core import BookMove
from hnefi.engine.analysis import Analysis, AnalysisLine, Calibration, Score
from hnefi.engine.book import OpeningBook, book_for
from hnefi.engine.interface import EngineLike
from hnefi.engine.levels import LEVEL_COUNT, Level, level, levels
from hnefi.engine.limits import Clock, Limit
from hnefi.engine.native import Engine
from hnefi.engine.streams import AnalysisStream, AsyncAnalysisStream
from hnefi.engine.weights import Weights, calibrated_ids, weights_for
from hnefi.errors import EngineError
from hnefi.lazy import on_first_use as _on_first_use

if TYPE_CHECKING:
    from hnefi.engine.otep_client import OtepEngine, start_engine
    from hnefi.engine.ugi_client import ExternalEngine

# Engines of other programs are imported on first use, with the formats in which one talks to them.
_NAMES = {
    "otep_client": ("OtepEngine", "start_engine"),
    "ugi_client": ("ExternalEngine",),
}
__getattr__, __dir__ = _on_first_use(__name__, _NAMES)

__all__ = [
    "LEVEL_COUNT",
    "Analysis",
    "AnalysisLine",
    "AnalysisStream",
    "AsyncAnalysisStream",
    "BookMove",
    "Calibration",
    "Clock",
    "Engine",
    "EngineError",
    "EngineLike",
    "ExternalEngine",
    "Level",
    "Limit",
    "OpeningBook",
    "OtepEngine",
    "Score",
    "Weights",
    "book_for",
    "calibrated_ids",
    "level",
    "levels",
    "start_engine",
    "weights_for",
]
