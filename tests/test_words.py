"""Rules as text: every rule and value has text, in good prose, with correct pictures."""

import json
import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from write_golden_words import GOLDEN, WHOLE, other_clauses, printed

from hnefi import Rules, Variant, parse_variant, variant, words
from hnefi.server.game_facts import game_facts
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.clauses import without_clauses
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant
from hnefi.variants.schema import schema
from hnefi.words.nouns import nouns_of
from tests.reference.random_rules import random_tree
from tests.rules_text import (
    KINDS,
    Tree,
    all_text,
    check_pictures,
    pictures_of,
    rules_text_of,
    section_of,
    with_values,
)
from tests.samples import examples
from tests.strategies import SEEDS
from tests.test_i18n import FRENCH_FAULTS, LANGUAGES, prose

# --- the variants -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant_id", "lang"), list(product(WHOLE, LANGUAGES)))
def test_the_rules_read_as_they_were_approved(variant_id: str, lang: str) -> None:
    assert printed(variant_id, lang) == (GOLDEN / f"{variant_id}.{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_of_every_variant_was_approved(lang: str) -> None:
    lines = (GOLDEN / f"clauses.{lang}.txt").read_text(encoding="utf-8").splitlines()
    assert [f"{name}: {text}" for text, name in other_clauses(lang).items()] == lines


# --- every rule, every value --------------------------------------------------------------------------------

SUBSETS = [list(kinds) for n in range(4) for kinds in combinations(KINDS, n)]
NO_THRONE = {
    "throne": "none",
    "throne_stop": list(KINDS),
    "throne_pass": list(KINDS),
    "throne_hostile": dict.fromkeys(KINDS, "never"),
}
NO_CORNERS = {
    "corners": "none",
    "corner_stop": list(KINDS),
    "corner_hostile": dict.fromkeys(KINDS, "never"),
    "goal": "edge",
}
CAMPS = [["a4", "a6", "b5"], ["i4", "i6", "h5"]]
SMALLER = "3t3/3T3/7/tT1K1Tt/7/7/7"
RANKED = "3c3/3T3/7/nT1K1Nt/7/7/7"
JUMPERS = ("king", "commanders", "knights")
MANNERS = ("none", "restricted", "over", "capture")

REPEATED = ("draw", "draw_in_a_row", "defenders_lose", "mover_loses")
# For each leaf the values to try, each with what has to go with it.
VALUES: dict[str, list[dict[str, Any]]] = {
    **{
        leaf: [{leaf: value} for value in entry.get("values", (True, False))]
        for leaf, entry in schema().items()
        if entry["kind"] in ("choice", "flag")
    },
    "quiet_limit": [{"quiet_limit": value} for value in (0, 1, 20, 100)],
    "size": [{}, {"size": 7, "start": SMALLER}],
    "start": [{}, {"size": 7, "start": SMALLER}, {"size": 7, "start": RANKED}],
    "throne": [{}, NO_THRONE],
    "corners": [{}, NO_CORNERS, {"corners": "2x2"}],
    "camps": [{}, {"camps": CAMPS}, {"camps": CAMPS[:1]}],
    "range": [{"range": dict(zip(KINDS, reach, strict=True))} for reach in product((0, 1, 3), repeat=3)],
    "throne_stop": [{"throne_stop": kinds} for kinds in SUBSETS],
    "throne_pass": [{"throne_pass": kinds} for kinds in SUBSETS],
    "corner_stop": [{"goal": "edge", "corner_stop": kinds} for kinds in SUBSETS],
    **{
        leaf: [
            {leaf: dict(zip(KINDS, (*when, "never"), strict=True))}
            for when in product(("never", "empty", "always"), repeat=2)
        ]
        for leaf in ("throne_hostile", "corner_hostile")
    },
    "camp_hostile": [{"camps": CAMPS, "camp_hostile": kinds} for kinds in SUBSETS],
    "king_capture": [
        {"king_capture": dict(zip(("on_throne", "beside_throne", "elsewhere"), modes, strict=True))}
        for modes in product(("custodial", "four_sides", "never"), repeat=3)
    ],
    "repetition": [
        {"repetition": {"count": count, "result": result}}
        for count, result in ((0, "none"), (2, "draw"), *((3, result) for result in REPEATED))
    ],
    "jumps": [{"jumps": dict(zip(JUMPERS, manners, strict=True))} for manners in product(MANNERS, repeat=3)],
    "occupied_camps": [
        {"camps": CAMPS, "camp_hostile": list(KINDS), "occupied_camps": value}
        for value in ("harmless", "hostile")
    ],
}


def test_all_leaves_are_tried_with_all_their_choices() -> None:
    assert sorted(VALUES) == sorted(schema())
    for leaf, entry in schema().items():
        if entry["kind"] in ("choice", "flag"):
            choices = set(entry.get("values", (True, False)))
            tried = {with_values(**values) and read(with_values(**values), leaf) for values in VALUES[leaf]}
            assert tried == choices, leaf


def read(tree: Tree, leaf: str) -> Any:
    at: Any = tree
    for section in section_of(leaf):
        at = at[section]
    return at


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("leaf", VALUES)
def test_every_value_of_every_rule_has_a_distinct_sentence(leaf: str, lang: str) -> None:
    sentences = []
    for values in VALUES[leaf]:
        clauses = rules_text_of(with_values(**values), lang).clauses_about(leaf)
        assert clauses, values
        sentences.append(" ".join(clause.text for clause in clauses))
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("when", ["never", "empty", "always"])
def test_the_kings_rights_on_throne_and_corners_are_described(when: str, lang: str) -> None:
    hostile = {"attackers": "never", "defenders": "never", "king": when}
    modes = dict.fromkeys(("on_throne", "beside_throne", "elsewhere"), "custodial")
    tree = with_values(throne_hostile=hostile, corner_hostile=hostile, king_capture=modes)
    for leaf in ("throne_hostile", "corner_hostile"):
        clauses = rules_text_of(tree, lang).clauses_about(leaf)
        assert all(clause.is_silent for clause in clauses) == (when == "never")


@pytest.mark.parametrize("goal", ["corner", "edge"])
def test_a_king_is_spared_in_a_line_on_the_edge_only_where_he_does_not_win_there(goal: str) -> None:
    changed = variant("copenhagen-11").with_switches({"goal": goal, "exit_fort": "none"})
    for lang, spared in (("en", "king in such a line is spared"), ("fr", "le roi est épargné")):
        told = words.rules(changed, lang).clauses_about("shieldwall")
        assert (spared in " ".join(clause.text for clause in told)) == (goal == "corner")


# --- prose --------------------------------------------------------------------------------------------------


@given(SEEDS, st.sampled_from(LANGUAGES))
@examples(20)
def test_random_rules_have_well_formed_text(seed: int, lang: str) -> None:
    text = rules_text_of(random_tree(random.Random(seed)), lang)
    for sentence in all_text(text):
        assert "{" not in sentence
        assert "  " not in sentence
        assert sentence[:1] == sentence[:1].upper()
        if lang == "fr":
            assert not any(fault.search(prose(sentence)) for fault in FRENCH_FAULTS.values()), sentence
    for leaf in schema():
        assert text.clauses_about(leaf), leaf
    check_pictures(text)


# --- nouns, calls, match ------------------------------------------------------------------------------------


def test_french_nouns_take_their_articles() -> None:
    forms = {"the_attacker": "l’attaquant", "The_attacker": "L’attaquant", "of_attacker": "de l’attaquant"}
    forms |= {"a_attacker": "un attaquant", "the_king": "le roi", "of_king": "du roi", "to_king": "au roi"}
    assert nouns_of({}, "fr").items() >= forms.items()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_of_games_name_the_king_as_everywhere_and_the_rules_as_the_source_does(lang: str) -> None:
    one = variant("brandub-globe")
    assert nouns_of(one.about, lang)["king"] == "brannán"
    assert "brannán" not in " ".join(game_facts(one, lang)["goals"].values())
    aims = [
        game_facts(variant(name), "fr")["goals"]["attackers"] for name in ("brandub-globe", "brandub-breyer")
    ]
    assert aims == ["Prenez le roi.", "Prenez tous les défenseurs (le roi\xa0: nulle)."]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mode_of_calls_is_described(lang: str) -> None:
    base = variant("gwezboell-globe")
    seen = set()
    modes = [("none", "same_piece"), ("replay", "same_piece"), ("replay", "any_piece")]
    modes.append(("until_called", "same_piece"))
    for sanction, replay in modes:
        text = words.rules(base.with_switches({"sanction": sanction, "replay": replay}), lang)
        section = next(section for section in text.sections if section.id == "calls")
        seen.add(" ".join(clause.text for clause in section.clauses if not clause.is_silent))
    assert len(seen) == len(modes)
    wrong = [
        words.rules(base.with_switches({"wrong_number": worth}), lang) for worth in ("call", "forgotten")
    ]
    assert len({words.to_text(text) for text in wrong}) == 2
    assert "calls" not in [section.id for section in words.rules(variant("ard-ri-globe"), lang).sections]


def test_rules_without_a_variant_have_no_names_calls_or_match() -> None:
    text = words.rules(variant("brandub-globe").rules, "en")
    assert text.title == "Rules"
    assert [section.id for section in text.sections][-1] == "ends"
    assert "brannán" not in " ".join(all_text(text))


def start_of(one: Variant | Rules) -> str:
    """Returns what the text says of the start position."""
    clauses = [clause for section in words.rules(one, "en").sections for clause in section.clauses]
    return " ".join(clause.text for clause in clauses if clause.leaves == ("start",))


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_a_file_without_clauses_tells_its_start_position_in_words(variant_id: str) -> None:
    told = start_of(parse_variant(format_variant(without_clauses(variant(variant_id)))))
    assert re.search(r"At the start the \S+ stands on .+ around him and .+ farther out\.", told)
    assert "The figure shows the exact layout." in told


@pytest.mark.parametrize("variant_id", [*booklet_ids(), "copenhagen-11"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_without_pictures_names_no_figure(variant_id: str, lang: str) -> None:
    text = words.rules(variant(variant_id), lang)
    shown, told = (" ".join(words.to_text(text, pictures=drawn).split()) for drawn in (True, False))
    [layout] = [clause.text for clause in text.clauses_about("start") if clause.parts == ("layout",)]
    assert (layout in shown, layout in told) == (True, False)


@pytest.mark.parametrize(
    ("start", "is_told"),
    [
        ("3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3", True),
        # An attacker as near as a defender; defenders on three sides; a king beside the throne.
        ("3t3/3t3/2tT3/t1TKTtt/3T3/3t3/3t3", False),
        ("3t3/3t3/2TT3/ttTK1tt/3T3/3t3/3t3", False),
        ("3t3/3t3/3T3/ttT1Ktt/3T3/3t3/3t3", False),
    ],
)
def test_a_start_position_is_told_in_words_where_they_are_true(start: str, is_told: bool) -> None:
    tree = json.loads(variant("brandub-globe").rules.to_json())
    tree["board"]["start"] = start
    assert ("farther out" in start_of(Rules(json.dumps(tree)))) == is_told


# --- sections besides the rules -----------------------------------------------------------------------------

BEFORE = ["facts", "material"]
AFTER = ["readings", "advice", "balance", "measurements", "history", "names", "family", "doubts", "source"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sections_about_the_game_stand_around_the_rules(lang: str) -> None:
    text = words.rules(variant("tablut-geoludie"), lang)
    ids = [section.id for section in text.sections]
    rules = [section.id for section in text.rules_sections]
    assert ids == [*BEFORE, *rules, *AFTER]
    assert not any(clause.leaves for part in text.sections if not part.is_rules for clause in part.clauses)


def test_rules_without_data_have_no_other_sections() -> None:
    one = variant("brandub-globe")
    assert all(section.is_rules for section in words.rules(one.rules, "en").sections)
    mine = derive(one, "mine", {"en": "Mine"}, {"king_armed": "none"})
    assert [part.id for part in words.rules(mine, "en").sections if not part.is_rules] == [
        "readings",
        "doubts",
        "source",
    ]


def test_doubts_about_a_switched_rule_are_left_out() -> None:
    def doubts(**switches: str) -> list[str]:
        text = words.rules(variant("brandub-breyer").with_switches(switches), "en")
        return [one.text for part in text.sections if part.id == "doubts" for one in part.clauses]

    whole = doubts()
    left_out = set(whole) - set(doubts(repetition="4,draw"))
    begin, end = min(map(whole.index, left_out)), max(map(whole.index, left_out)) + 1
    # The title of a rule stands once, before the first doubt about it.
    assert (whole[begin].startswith("Repetition. "), set(whole[begin:end])) == (True, left_out)
    assert sum(text.startswith("Repetition. ") for text in whole) == 1


# --- setting ------------------------------------------------------------------------------------------------


def test_text_keeps_its_width_and_can_do_without_signs() -> None:
    text = words.rules(variant("brandub-breyer"), "fr")
    for width in (60, 80, 120):
        assert max(map(len, words.to_text(text, width=width).splitlines())) <= width
    boards = [line for line in words.to_text(text, ascii_only=True).splitlines() if re.match(r"^ \d ", line)]
    assert boards
    assert all(line.isascii() for line in boards)


def test_colours_change_nothing_but_colour() -> None:
    text = words.rules(variant("brandub-breyer"), "en")
    coloured = words.to_text(text, colour="truecolor")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == words.to_text(text)


def test_html_is_well_formed_and_its_ids_are_unique() -> None:
    for lang in LANGUAGES:
        text = words.rules(variant("tablut-geoludie"), lang)
        page = words.to_html(text)
        root = ET.fromstring(page)
        ids = [part.get("id") for part in root.iter() if part.get("id")]
        assert len(ids) == len(set(ids))
        figures = root.findall(".//figure")
        assert len(figures) == len(pictures_of(text))
        captions = [figure.findtext("figcaption") for figure in figures]
        assert captions == [picture.caption for picture in pictures_of(text)]


def test_markdown_has_all_sections_and_sentences() -> None:
    text = words.rules(variant("gwezboell-globe"), "en")
    page = words.to_markdown(text)
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [section.heading for section in text.sections]
    for section in text.sections:
        for clause in section.clauses:
            assert (clause.text in page) != clause.is_silent
