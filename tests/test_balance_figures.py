"""The measured balance in the rules in words is that of docs/measurements/balance.md."""

import pytest
import write_balance

from hnefi import variant, words
from hnefi.variants.balance import MeasuredBalance, measured_balance
from hnefi.variants.built_in import booklet_ids

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
