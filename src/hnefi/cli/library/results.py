"""The results of games as words and as JSON, for tables of openings, of statistics and of books."""

from hnefi.cli.texts import translate
from hnefi.library.openings import Results


def share_words(results: Results) -> str:
    """Formats the attackers' share with its confidence interval."""
    if results.share is None:
        return "–"
    bounds = results.interval
    shares = {"share": results.share, "low": bounds.low, "high": bounds.high}
    return translate("cli.library.share", **{name: f"{100 * value:.0f}" for name, value in shares.items()})


def result_facts(results: Results) -> dict[str, object]:
    """Returns the results of games with the attackers' share, for JSON."""
    names = ("games", "attackers", "draws", "defenders", "unknown", "share")
    bounds = results.interval
    return {**{name: getattr(results, name) for name in names}, "interval": [bounds.low, bounds.high]}
