"""Keeps renamed public names working for one release, each use with a `DeprecationWarning`."""

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType

MODULES: Mapping[str, str] = {
    "hnefi.authoring": "hnefi.variants",
    "hnefi.engine.base": "hnefi.engine.interface",
    "hnefi.engine.choosing": "hnefi.engine.move_choice",
    "hnefi.engine.external": "hnefi.engine.ugi_client",
    "hnefi.engine.job": "hnefi.engine.streams",
    "hnefi.engine.otep_external": "hnefi.engine.otep_client",
    "hnefi.engine.otep_serving": "hnefi.engine.otep_server",
    "hnefi.engine.own": "hnefi.engine.native",
    "hnefi.engine.proving": "hnefi.engine.proof",
    "hnefi.engine.reviewing": "hnefi.engine.review",
    "hnefi.engine.serving": "hnefi.engine.ugi_server",
    "hnefi.lab.faults": "hnefi.lab.errors",
    "hnefi.lab.ledger": "hnefi.lab.append_log",
    "hnefi.lab.play": "hnefi.lab.runner",
    "hnefi.likeness": "hnefi.variants.similarity",
    "hnefi.replaying": "hnefi.checking",
    "hnefi.switches": "hnefi.variants.switches",
    "hnefi.variant": "hnefi.variants",
}
"""Modules that were renamed: the old and the new name."""

NAMES: Mapping[str, str] = {
    "hnefi.Likeness": "hnefi.Similarity",
    "hnefi.MatchForm": "hnefi.MatchFormat",
    "hnefi.authoring.AuthoringError": "hnefi.variants.CustomVariantError",
    "hnefi.authoring.changes_in": "hnefi.variants.query_switches",
    "hnefi.authoring.keep_variant": "hnefi.variants.save_variant",
    "hnefi.authoring.link_text": "hnefi.variants.format_link",
    "hnefi.authoring.own_id": "hnefi.variants.custom_id",
    "hnefi.authoring.query_in": "hnefi.variants.parse_query",
    "hnefi.authoring.query_of": "hnefi.variants.format_query",
    "hnefi.checking.Place": "hnefi.checking.GameLocation",
    "hnefi.engine.base.ThinkingEngine": "hnefi.engine.interface.BaseEngine",
    "hnefi.engine.choosing.choose": "hnefi.engine.move_choice.choose_move",
    "hnefi.engine.choosing.seen_at_a_glance": "hnefi.engine.move_choice.static_candidates",
    "hnefi.engine.otep.ClockWords": "hnefi.engine.otep.ClockMessage",
    "hnefi.engine.proving.Prover": "hnefi.engine.proof.ProofSearch",
    "hnefi.engine.reviewing.Step": "hnefi.engine.review.RecordedPly",
    "hnefi.engine.reviewing.steps_of": "hnefi.engine.review.recorded_plies",
    "hnefi.engine.serving.Server": "hnefi.engine.ugi_server.UgiServer",
    "hnefi.errors.shown": "hnefi.errors.shorten",
    "hnefi.formats.Sheet": "hnefi.formats.RawGame",
    "hnefi.formats.opentafl.own_variant": "hnefi.formats.opentafl.variant_from_rules",
    "hnefi.lab.balance.Kept": "hnefi.lab.balance.StoredExperiment",
    "hnefi.lab.balance.kept_experiments": "hnefi.lab.balance.stored_experiments",
    "hnefi.lab.calibration.Seen": "hnefi.lab.calibration.ScoreSample",
    "hnefi.lab.calibration.seen_in": "hnefi.lab.calibration.score_samples",
    "hnefi.lab.folder.open_alone": "hnefi.lab.folder.open_exclusively",
    "hnefi.lab.ledger.Ledger": "hnefi.lab.append_log.AppendLog",
    "hnefi.lab.selfplay.PlayedOut": "hnefi.lab.selfplay.SelfPlayGame",
    "hnefi.lab.selfplay.Start": "hnefi.lab.selfplay.SelfPlayTask",
    "hnefi.lab.selfplay.play_all": "hnefi.lab.selfplay.play_self_play_games",
    "hnefi.library.KeptGame": "hnefi.library.LibraryGame",
    "hnefi.likeness.Likeness": "hnefi.variants.similarity.Similarity",
    "hnefi.match.MatchForm": "hnefi.match.MatchFormat",
    "hnefi.places.own_variants_folder": "hnefi.places.custom_variants_folder",
    "hnefi.record.Played": "hnefi.record.PlayedMove",
    "hnefi.record.Tree": "hnefi.record.MoveTree",
    "hnefi.replaying.Kind": "hnefi.checking.FindingKind",
    "hnefi.replaying.Row": "hnefi.checking.Tally",
    "hnefi.replaying.Seen": "hnefi.checking.CheckedGame",
    "hnefi.replaying.Verdict": "hnefi.checking.CheckResult",
    "hnefi.switches.Tree": "hnefi.variants.schema.TreeDict",
    "hnefi.switches.neutral_section": "hnefi.variants.schema.neutral_section",
    "hnefi.switches.value_at": "hnefi.variants.schema.value_at",
    "hnefi.switches.written": "hnefi.variants.switches.format_value",
    "hnefi.variant.OwnVariants": "hnefi.variants.CustomVariants",
    "hnefi.variant.own_variants": "hnefi.variants.custom_variants",
    "hnefi.variant.shipped_ids": "hnefi.variants.built_in_ids",
    "hnefi.variant.variants": "hnefi.variants.all_variants",
}
"""Names of modules that were renamed, in full: `hnefi.old` to `hnefi.package.new`."""

REMOVED_IN = "0.3.0"


def warn_renamed(old: str, new: str, stacklevel: int = 3) -> None:
    """Warns that a public name was renamed.

    Args:
        old: The old name, in full.
        new: The new name, in full.
        stacklevel: How many frames above this one the name was used.
    """
    message = f"{old} is now {new}; the old name goes in {REMOVED_IN}"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel)


def old_names(module: str) -> Callable[[str], object]:
    """Returns the `__getattr__` of a module that has names in `NAMES`.

    >>> old_names("hnefi")("no_such_name")
    Traceback (most recent call last):
    AttributeError: module 'hnefi' has no attribute 'no_such_name'
    """

    def find(name: str) -> object:
        new = NAMES.get(f"{module}.{name}")
        if new is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_renamed(f"{module}.{name}", new)
        home, _, attribute = new.rpartition(".")
        return getattr(import_module(home), attribute)

    return find


class _RenamedModule(ModuleType):
    """Stands in for a module under its old name, and imports the new one when an attribute is read."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        old = self.__name__
        if f"{old}.{name}" in NAMES:
            return old_names(old)(name)
        warn_renamed(old, MODULES[old])
        return getattr(import_module(MODULES[old]), name)


def register_old_modules() -> None:
    """Makes every module of `MODULES` importable under its old name."""
    for old in MODULES:
        sys.modules.setdefault(old, _RenamedModule(old))
