"""The measurements that are kept, and the balance in the rules in words, are those of the documents."""

import re
import subprocess
from pathlib import Path

import pytest
import write_balance

from hnefi import variant, words
from hnefi.variants.balance import MeasuredBalance, measured_balance
from hnefi.variants.built_in import booklet_ids, built_in_ids
from tests.deep.mutate import MUTATIONS
from tests.test_perft import COUNTS

ROOT = Path(__file__).parents[1]
MEASUREMENTS = ROOT / "docs" / "measurements"
CHECKS = {
    cells[0]: cells
    for line in (MEASUREMENTS / "deep-checks.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := [cell.strip() for cell in line.strip("|").split(" | ")]) > 1
}


def git(*arguments: str) -> str:
    """Returns what git says; empty if it refuses."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip()


def test_every_commit_that_is_named_is_in_the_history() -> None:
    """A commit that was never landed, or was rebased, cannot be looked at by anybody."""
    if git("rev-parse", "--show-toplevel", "--is-shallow-repository").split("\n") != [str(ROOT), "false"]:
        pytest.skip("system: the history of the project is not here")
    history = git("rev-list", "HEAD").split()
    missing = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in (ROOT / "docs").rglob("*.md")
        for name in re.findall(r"\b[0-9a-f]{7,8}\b|\b[0-9a-f]{40}\b", page.read_text(encoding="utf-8"))
        if not name.isdigit() and not any(commit.startswith(name) for commit in history)
    ]
    assert not missing


def test_the_mutations_that_were_tried_are_those_of_the_list() -> None:
    text = (MEASUREMENTS / "mutations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\S+) \| (.*?) \| (.*?) \|", text, re.MULTILINE)
    assert [(file, meaning) for _, file, meaning, _ in rows] == [(one.file, one.meaning) for one in MUTATIONS]
    assert [number for number, *_ in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert "NOTHING" not in {killed_by for *_, killed_by in rows}
    assert CHECKS["mutations"][1].startswith(f"{len(MUTATIONS)} mutations")


def test_the_counts_of_the_long_checks_are_those_of_the_files() -> None:
    assert f" of {len(built_in_ids())} variants" in CHECKS["examples"][1]
    counts = sum(count.variant in booklet_ids() for count in COUNTS)
    assert CHECKS["perft"][1].startswith(f"{counts} counts ")


LANGUAGES = ("en", "fr")


def balance_text(variant_id: str, lang: str, **switches: str) -> str:
    text = words.rules(variant(variant_id).with_switches(switches), lang)
    return " ".join(one.text for part in text.sections if part.id == "measurements" for one in part.clauses)


def test_the_file_is_written_from_the_document() -> None:
    kept = write_balance.TARGET.read_text(encoding="utf-8")
    assert kept == write_balance.text(), "run tools/write_balance.py"


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_every_booklet_variant_is_measured_at_several_strengths(variant_id: str) -> None:
    found = measured_balance(variant(variant_id))
    assert len({one.nodes for one in found}) == len(found) >= 2
    for one in found:
        assert abs(one.defenders + one.attackers + one.drawn - 100) < 0.2
        assert one.low <= one.score <= one.high


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_the_figures_are_shown_with_their_conditions(variant_id: str, lang: str) -> None:
    described = balance_text(variant_id, lang)
    for one in measured_balance(variant(variant_id)):
        for figure in (one.defenders, one.attackers, one.drawn, one.score, one.low, one.high):
            assert f"{figure:.1f}".replace(".", "," if lang == "fr" else ".") in described
        assert str(one.games) in described
        assert f"{one.nodes:,}".replace(",", "\u202f" if lang == "fr" else ",") in described


@pytest.mark.parametrize(
    ("variant_id", "lang", "told"),
    [
        ("brandub-globe", "en", "the brannán’s side won about three games in four;"),
        ("brandub-globe", "fr", "le camp du brannán a gagné environ trois parties sur quatre"),
        ("tablut-kouvia", "fr", "les assaillants ont gagné environ neuf parties sur dix."),
        ("tablut-geoludie", "en", "say the opposite: Black won about"),
        ("tablut-geoludie-slow", "fr", "ne le confirment pas\u00a0: les noirs ont gagné environ"),
    ],
)
def test_the_balance_is_told_in_plain_words(variant_id: str, lang: str, told: str) -> None:
    sentence = words.rules(variant(variant_id), lang, pictures=False).passage("balance.tried")
    assert told in sentence
    assert not any(letter.isdigit() for letter in sentence)


def test_changed_rules_have_no_figures() -> None:
    assert balance_text("ard-ri-globe", "en")
    assert balance_text("ard-ri-globe", "en", quiet_limit="40") == ""
    # A switch of the calls changes no rule.
    assert balance_text("brandub-globe", "en", sanction="none") == balance_text("brandub-globe", "en")


@pytest.mark.parametrize(
    ("low", "high", "leaning"), [(50.1, 60, "defenders"), (40, 49.9, "attackers"), (45, 55, "even")]
)
def test_a_side_is_better_off_only_if_the_interval_says_so(low: float, high: float, leaning: str) -> None:
    assert MeasuredBalance(1000, 400, 4, 0, 0, 0, 50, low, high).leaning == leaning
