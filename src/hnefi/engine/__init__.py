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

from hnefi.engine.analysis import Analysis, AnalysisLine, Calibration, Score
from hnefi.engine.interface import EngineLike
from hnefi.engine.levels import LEVEL_COUNT, Level, level, levels
from hnefi.engine.limits import Clock, Limit
from hnefi.engine.native import Engine
from hnefi.engine.otep_client import OtepEngine, start_engine
from hnefi.engine.streams import AnalysisStream, AsyncAnalysisStream
from hnefi.engine.ugi_client import ExternalEngine
from hnefi.engine.weights import Weights, calibrated_ids, weights_for
from hnefi.errors import EngineError

__all__ = [
    "LEVEL_COUNT",
    "Analysis",
    "AnalysisLine",
    "AnalysisStream",
    "AsyncAnalysisStream",
    "Calibration",
    "Clock",
    "Engine",
    "EngineError",
    "EngineLike",
    "ExternalEngine",
    "Level",
    "Limit",
    "OtepEngine",
    "Score",
    "Weights",
    "calibrated_ids",
    "level",
    "levels",
    "start_engine",
    "weights_for",
]
