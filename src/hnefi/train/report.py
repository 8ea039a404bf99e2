"""The report of a training as one page: losses, matches and calibrations as pictures."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from hnefi import i18n
from hnefi.lab.report import Table, number, percent
from hnefi.train.charts import Bar, Line, Point, intervals_chart, lines_chart, reliability_chart
from hnefi.variants.model import Variant

_SIDES = ("attackers", "defenders")
_LOSSES = ("nothing", "score", "learned", "quantised")
_STEPS = ("playing", "training", "matches", "calibrating")


def html_report(report: Mapping[str, Any], variant: Variant, lang: str | None = None) -> str:
    """Returns the page."""
    lang = lang or i18n.current_language()
    page = _Page(report, variant, lang)
    style = resources.files("hnefi.train").joinpath("report.css").read_text(encoding="utf-8")
    title = escape(page.text("title", variant=variant.name(lang)))
    return (
        f'<!doctype html>\n<html lang="{escape(lang)}">\n<head>\n'
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f"{page.body()}\n</main>\n</body>\n</html>\n"
    )


def candidate_name(facts: Mapping[str, Any], lang: str | None = None) -> str:
    """Returns the name of a candidate, with its parameters if they are not the defaults."""
    name = i18n.text(f"train.kind.{facts['kind']}", lang, of=facts.get("of"))
    if "result_share" not in facts:
        return name
    return i18n.text("train.kind.share", lang, kind=name, share=number(facts["result_share"], 2, lang))


class _Page:
    """The parts of a page."""

    def __init__(self, report: Mapping[str, Any], variant: Variant, lang: str) -> None:
        self._report, self._variant, self._lang = report, variant, lang

    def text(self, key: str, **parameters: object) -> str:
        """Returns a text of the report."""
        return i18n.text(f"train.report.{key}", self._lang, **parameters)

    def body(self) -> str:
        """Returns everything below the title."""
        generations: Sequence[Mapping[str, Any]] = self._report["generations"]
        parts = [f'<p class="verdict">{escape(self._verdict(generations))}</p>', self._provenance()]
        parts.append(self._matches(generations))
        for generation in generations:
            number_of = generation["generation"]
            parts.append(f"<h2>{escape(self.text('generation', number=number_of))}</h2>")
            parts.append(f"<p>{escape(self._effort(generation))}</p>")
            parts += [self._candidate(facts) for facts in generation["candidates"] if "samples" in facts]
            if "calibration" in generation:
                parts.append(self._calibration(generation["calibration"]))
        return "\n".join(parts)

    def _verdict(self, generations: Sequence[Mapping[str, Any]]) -> str:
        won = [
            (generation["generation"], facts)
            for generation in generations
            for facts in generation["candidates"]
            if facts["accepted"]
        ]
        if not won:
            return self.text("verdict.refused")
        generation, facts = won[-1]
        return self.text("verdict.won", generation=generation, kind=candidate_name(facts, self._lang))

    def _provenance(self) -> str:
        rows = [
            (self.text(f"made.{name}"), str(self._report[name]))
            for name in ("nodes", "seed", "hnefi", "commit", "core", "processor", "command")
            if self._report.get(name)
        ]
        items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
        return f"<dl>{items}</dl>"

    def _effort(self, generation: Mapping[str, Any]) -> str:
        steps = generation["seconds"]
        times = [
            self.text("step", step=self.text(f"step.{step}"), time=self._duration(steps[step]))
            for step in _STEPS
            if step in steps
        ]
        positions = i18n.grouped(generation["positions"], self._lang)
        return self.text("effort", positions=positions, steps=" · ".join(times))

    def _duration(self, seconds: float) -> str:
        if seconds < 90:
            return self.text("seconds", n=round(seconds))
        if seconds < 90 * 60:
            return self.text("minutes", n=round(seconds / 60))
        return self.text("hours", n=number(seconds / 3600, 1, self._lang))

    def _matches(self, generations: Sequence[Mapping[str, Any]]) -> str:
        bars = [
            self._bar(generation["generation"], facts, match)
            for generation in generations
            for facts in generation["candidates"]
            for match in facts["matches"]
        ]
        chart = intervals_chart(
            bars, self.text("matches"), self.text("elo"), lambda value: number(value, 0, self._lang)
        )
        heading, note = escape(self.text("matches")), escape(self.text("matches.note"))
        return f'<h2>{heading}</h2>\n<p class="note">{note}</p>\n<figure>{chart}</figure>'

    def _bar(self, generation: int, facts: Mapping[str, Any], match: Mapping[str, Any]) -> Bar:
        first, verdict = match["first"], match["sprt"]["accepted"]
        style = {True: "won", False: "lost", None: "open"}[verdict]
        limit = (
            self.text("limit.time", n=match["time_ms"])
            if "time_ms" in match
            else self.text("limit.nodes", n=i18n.grouped(match["nodes"], self._lang))
        )
        name = self.text("match", generation=generation, kind=candidate_name(facts, self._lang), limit=limit)
        low, high = first["elo_bounds"]
        counts = f"{first['wins']}/{first['draws']}/{first['losses']}"
        return Bar(name, first["elo"], low, high, style, f"{counts} {self.text(f'sprt.{style}')}")

    def _candidate(self, facts: Mapping[str, Any]) -> str:
        samples = i18n.grouped(facts["samples"], self._lang)
        kind = candidate_name(facts, self._lang)
        heading = self.text("candidate", kind=kind[0].upper() + kind[1:], samples=samples)
        parts = [f"<h3>{escape(heading)}</h3>"]
        if facts.get("curve"):
            parts.append(f"<figure>{self._losses_chart(facts)}</figure>")
            parts.append(f'<p class="note">{escape(self.text("curves.note"))}</p>')
        return "\n".join([*parts, self._losses_table(facts)])

    def _losses_chart(self, facts: Mapping[str, Any]) -> str:
        lines = [
            Line(self.text("curve.held_out"), facts["held_out_curve"], "first"),
            Line(self.text("curve.training"), facts["curve"], "second"),
        ]
        weights = [facts[side]["positions"] for side in _SIDES]
        marks = {}
        for name in ("nothing", "score"):
            losses = math.fsum(w * facts[side][name] for w, side in zip(weights, _SIDES, strict=True))
            marks[self.text(f"loss.{name}")] = losses / (sum(weights) or 1)
        texts = self.text("curves"), self.text("epoch")
        return lines_chart(lines, marks, *texts, lambda value: number(value, 3, self._lang))

    def _losses_table(self, facts: Mapping[str, Any]) -> str:
        heads = (self.text("losses"), *(self.text(f"loss.{name}") for name in _LOSSES), self.text("rounding"))
        rows = tuple(
            (
                i18n.text(f"side.{side}", self._lang),
                *(number(facts[side][name], 4, self._lang) for name in _LOSSES),
                number(facts[side]["quantised"] - facts[side]["learned"], 4, self._lang),
            )
            for side in _SIDES
        )
        return _table(Table(heads, rows, (1, 2, 3, 4, 5)))

    def _calibration(self, facts: Mapping[str, Any]) -> str:
        points = [
            Point(
                one["expected"],
                one["observed"],
                2 * math.sqrt(one["expected"] * (1 - one["expected"]) / max(one["games"], 1.0)),
                self.text(
                    "point",
                    score=one["score"],
                    expected=percent(one["expected"], self._lang),
                    observed=percent(one["observed"], self._lang),
                    games=number(one["games"], 0, self._lang),
                ),
            )
            for one in facts["calibration"]["held_out"]
        ]
        axes = self.text("expected"), self.text("observed")
        chart = reliability_chart(
            points,
            self.text("calibration"),
            axes,
            lambda share: i18n.text("lab.percent", self._lang, number=f"{100 * share:.0f}"),
        )
        values = self.text(
            "calibration.values",
            games=facts["calibration"]["games"],
            scale=number(facts["scale"], 0, self._lang),
            margin=number(facts["margin"], 0, self._lang),
        )
        return (
            f'<h3>{escape(self.text("calibration"))}</h3>\n<p class="note">{escape(values)}</p>\n'
            f"<figure>{chart}</figure>"
        )


def _table(table: Table) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        classes = (' class="number"' if index in table.numbers else "" for index in range(len(row)))
        return "".join(f"<{tag}{one}>{escape(cell)}</{tag}>" for one, cell in zip(classes, row, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
    head = f"<thead><tr>{cells('th', table.heads)}</tr></thead>"
    return f'<div class="table"><table>{head}<tbody>{body}</tbody></table></div>'
