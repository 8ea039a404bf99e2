"""Rules as text: the names of each text, its bold sentences, other readings, and no inner keys."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from hnefi import Rules, Variant, paper, variant, variant_ids, words
from hnefi.i18n import text
from hnefi.server.pages.rules.content import rules_page
from hnefi.variants.built_in import booklet_ids
from hnefi.words.nouns import nouns_of, uncapitalised
from hnefi.words.origins import origins_of
from hnefi.words.values import rule_title, value_words
from tests.rules_text import all_text, pictures_of, with_values
from tests.test_i18n import LANGUAGES
from tests.test_words import VALUES


def test_names_of_the_source_are_used() -> None:
    brandub = words.rules(variant("brandub-globe"), "fr")
    text = " ".join(clause.text for section in brandub.rules_sections for clause in section.clauses)
    assert "brannán" in text
    assert "princes" in text
    assert "défenseurs" not in text
    for variant_id, names in NAMES.items():
        one = variant(variant_id)
        for lang, (used, unused) in names.items():
            described = words.rules(one, lang)
            sentences = [
                each.text for section in described.rules_sections for each in section.spoken_clauses
            ] + [picture.caption for picture in pictures_of(described)]
            shown = " ".join(sentences)
            assert all(re.search(rf"\b{name}\b", shown) for name in used), (variant_id, lang)
            assert not any(re.search(rf"\b{name}\b", shown) for name in unused), (variant_id, lang)


# The words of each text that its rules use, and the usual words that they then do without. A square is first
# explained: the throne, the corner squares.
NAMES = {
    "ard-ri-globe": {
        "fr": (["assaillants", "gardes", "soldat", "refuge"], ["attaquants?", "défenseurs?", "coins?(?! s)"]),
        "en": (["attackers", "guards", "soldier", "refuge"], ["defenders?", "corners"]),
    },
    "brandub-globe": {
        "fr": (["attaquants", "princes", "brannán", "pion", "refuge"], ["roi", "défenseurs?", "coins"]),
        "en": (["attackers", "princes", "brannán", "soldier", "refuge"], ["king", "defenders?", "corners"]),
    },
    "brandub-breyer": {
        "fr": (["princes", "pion", "Tara", "forteresse", "Cashel", "Oilach"], ["défenseurs?", "coins"]),
        "en": (["princes", "Tara", "fortress", "Cashel", "Oilach"], ["defenders?", "corners"]),
    },
    "tablut-geoludie": {
        "fr": (["pièces noires", "noirs", "pièce blanche", "Konakis", "angle"], ["attaquants?", "coins"]),
        "en": (["black pieces", "white piece", "Konakis"], ["attackers?", "defenders?"]),
    },
    "gwezboell-globe": {
        "fr": (["assaillants", "défenseurs", "soldat", "refuge"], ["attaquants?", "coins"]),
        "en": (["soldier", "refuge"], ["corners"]),
    },
    "tablut-kouvia": {
        "fr": (["assaillants", "défenseurs", "pion", "Konakis"], ["attaquants?"]),
        "en": (["attackers", "defenders", "Konakis"], []),
    },
}


FEMININE = """
[about.words]
attacker.fr = { one = "sentinelle", many = "sentinelles", gender = "f" }
defender.fr = { one = "étoile", many = "étoiles", gender = "f" }
throne.fr = { one = "Avalon", article = false }
corner.fr = { one = "tour", many = "tours", gender = "f" }
soldier.fr = { one = "pièce", many = "pièces", gender = "f" }
"""


@pytest.mark.parametrize("variant_id", ["brandub-globe", "gwezboell-globe", "tablut-kouvia", "copenhagen-11"])
def test_french_sentences_agree_with_feminine_names(variant_id: str) -> None:
    names = tomllib.loads(FEMININE)["about"]["words"]
    nouns = nouns_of({"words": names}, "fr")
    forms = ("the_defender", "a_attacker", "this_defender", "of_throne", "one_of_corners", "All_attackers")
    assert [nouns[form] for form in forms] == [
        "l’étoile",
        "une sentinelle",
        "cette étoile",
        "d’Avalon",
        "l’une des tours",
        "Toutes les sentinelles",
    ]
    one = variant(variant_id)
    described = words.rules(replace(one, about={**one.about, "words": names}), "fr")
    shown = " ".join(all_text(described))
    feminine = "sentinelles?|étoiles?|tours?(?= (?:vide|occup))|pièces? (?:est|sont)"
    assert not re.search(rf"\b(un|tous les|aucun|ce|cet|le|du|au) ({feminine})\b", shown)
    assert not re.search(
        r"sentinelles?,? un(?! coup| côté| seul )\b|(?:sentinelles|étoiles) sont pris\b", shown
    )


QUEEN = """
king.en = { one = "dryad", gender = "f" }
king.fr = { one = "dryade", gender = "f" }
"""
MASCULINE = {
    "en": r"(?i)\b(?:he|him|his|himself)\b",
    "fr": r"(?i)\b(?:il|lui|le pren\w+|les prend tous|pris|seul|entouré|compté|épargné)\b",
}
# What a masculine word may be about instead of the king: a player, a side, a move, or nobody.
NOT_THE_KING = {
    "en": r"(?i)he makes the call after his own|he must make",
    "fr": (
        r"(?i)\bil (?:faut|en faut|n’y a|n’a pas d’autre|est interdit|passe|fait l’annonce|doit la refaire)"
        r"|lui (?:est|sont)|saut lui|rien n’est pris|a pris|bouger et sont pris|(?:un|ce|du) seul"
        r"|groupe est épargné|\. pris"
    ),
}


def rule_sets(names: dict[str, object]) -> Iterator[tuple[Variant, bool]]:
    """Iterates over games with these names, with pictures, and over values of rules, without them."""
    texts = ("brandub-globe", "brandub-breyer", "tablut-kouvia", "ard-ri-globe", "tablut-geoludie-slow")
    refused = variant("gwezboell-globe").with_switches({"sanction": "until_called"})
    for one in (*map(variant, (*texts, "copenhagen-11", "imperial-contest-9")), refused):
        yield replace(one, about={"words": names}), True
    steps = {"range": 27, "jumps": 21, "king_capture": 2}
    for values in (each for leaf in VALUES for each in VALUES[leaf][:: steps.get(leaf, 1)]):
        for groups in ("none", "king_and_one", "groups_and_rows") if "king_capture" in values else ("none",):
            rules = Rules(json.dumps(with_values(**{"blocked_groups": groups, **values})))
            yield replace(variant("tablut-geoludie"), rules=rules, about={"words": names}, why={}), False


def is_masculine(told: str, lang: str) -> bool:
    return re.search(MASCULINE[lang], re.sub(NOT_THE_KING[lang], "", told)) is not None


def masculine_texts(names: dict[str, object], lang: str) -> set[str]:
    """Returns the texts about these names with a masculine word that must be about the king."""
    nouns = nouns_of({"words": names}, lang)
    shown = {text("words.moment.end.king_captured", lang, square="e5", **nouns)}
    shown |= {text(f"page.rules.king.{goal}", lang, **nouns) for goal in ("corner", "edge")}
    shown |= {rule_title(leaf, lang, {"words": names}) for leaf in VALUES}
    for leaf in ("king_armed", "edge_hostile_king"):
        shown |= {value_words(leaf, values[leaf], lang) for values in VALUES[leaf]}
    for one, pictures in rule_sets(names):
        described = words.rules(one, lang, pictures=pictures)
        shown |= set(all_text(replace(described, sections=described.rules_sections)))
    return {told for told in shown if is_masculine(told, lang)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_about_a_king_with_a_feminine_name_agree(lang: str) -> None:
    names = tomllib.loads(FEMININE + QUEEN)["about"]["words"]
    assert masculine_texts(names, lang) == set()
    assert is_masculine(text("words.king.intro", lang, **nouns_of({}, lang)), lang)


def test_a_king_and_a_defender_are_feminine_only_together() -> None:
    names = tomllib.loads(FEMININE + QUEEN)["about"]["words"]
    both = [nouns_of({"words": names}, "fr")[form] for form in ("both", "taken_both")]
    assert both == ["toutes les deux", "prises"]
    del names["defender"]
    assert nouns_of({"words": names}, "fr")["taken_both"] == "pris"


@pytest.mark.parametrize("name", ["summary", "poster"])
def test_printed_rules_agree_with_a_feminine_king(name: str) -> None:
    names = tomllib.loads(FEMININE + QUEEN)["about"]["words"]
    one = replace(variant("brandub-globe"), about={"words": names})
    printed = json.dumps(paper.sheet_document(name, one, "fr").data, ensure_ascii=False)
    assert "La dryade est prise" in printed
    assert not is_masculine(printed, "fr")


@pytest.mark.parametrize("variant_id", variant_ids())
def test_french_names_have_their_gender(variant_id: str) -> None:
    shown = " ".join(all_text(words.rules(variant(variant_id), "fr")))
    assert not re.search(r"\b(?:un|le|du|au|ce|aucun) (?:citadelle|forteresse|pièce|Tara)\b", shown)


INNER_KEY = re.compile(r"--\w|\b\w+=\w|\b[a-z]+_[a-z]|[“«]\s?(?:strategy|start|tablut-\S+)\s?[”»]")


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_readers_see_no_inner_key_and_no_placeholder(variant_id: str, lang: str) -> None:
    one = variant(variant_id)
    described = words.rules(one, lang)
    sources = [source for origin in words.why(one, lang) for source in origin.sources]
    for shown in [
        *all_text(described),
        *(source.quotation for source in sources),
        *(source.ruling or "" for source in sources),
    ]:
        assert not re.search(r"[{}]", shown), shown
        assert not INNER_KEY.search(re.sub(r"https?:\S+", "", shown)), shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_ends_that_were_added_to_a_text_have_their_other_readings_in_one_section(lang: str) -> None:
    for variant_id, leaves in {
        "ard-ri-globe": ["quiet_limit", "no_move"],
        "brandub-breyer": ["attackers_captured", "repetition", "no_move"],
        "tablut-geoludie": ["repetition", "no_move"],
        "tablut-kouvia": ["repetition", "no_move"],
    }.items():
        assert [clause.name for clause in readings_of(variant(variant_id), lang)] == leaves
    decided = variant("ard-ri-globe").with_switches({"quiet_limit": "40"})
    assert [clause.name for clause in readings_of(decided, lang)] == ["no_move"]


def test_other_readings_are_whole_sentences() -> None:
    english = [clause.text for clause in readings_of(variant("brandub-breyer"), "en")]
    assert english[0].endswith("also agree that the game is drawn, since that side cannot move any more.")
    assert english[1:] == [
        (
            "The original rules say “several times in succession”, so players may agree on another number of"
            " repetitions: twice, four times, or three times in a row."
        ),
        "If a side cannot move, players may also agree that this side passes its turn.",
    ]
    assert [clause.text for clause in readings_of(variant("ard-ri-globe"), "fr")] == [
        "On peut aussi convenir que la partie est nulle après vingt coups de chaque camp sans prise.",
        "Si un camp ne peut pas jouer, on peut aussi convenir que la partie est nulle ou que ce camp perd.",
    ]
    for variant_id in variant_ids():
        assert all("players may" in clause.text.lower() for clause in readings_of(variant_id, "en"))


def test_doubts_say_why_one_publisher_has_two_readings_of_a_wrong_number() -> None:
    brandub, gwezboell = (
        " ".join(words.rules(variant(name), "fr").passage("doubts").split())
        for name in ("brandub-globe", "gwezboell-globe")
    )
    assert "alors que le gwezboell du même éditeur ne punit que le joueur qui oublie" in brandub
    assert "alors que le brandub du même éditeur exige le nombre" in gwezboell


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_of_material_name_the_pieces_in_the_language_of_the_reader(lang: str) -> None:
    for variant_id in variant_ids():
        listed = paragraphs(variant_id, "material", lang)
        assert [item for item in listed if re.search("[“«]", item)] == []


def test_sources_in_french_call_the_attackers_as_the_rules_do() -> None:
    for variant_id in booklet_ids():
        one = variant(variant_id)
        used = nouns_of(one.about, "fr")["attacker"]
        told = [source for origin in words.why(one, "fr") for source in origin.sources]
        texts = [text or "" for source in told for text in (source.quotation, source.ruling)]
        others = {"attaquant", "assaillant"} - {used}
        assert [text for text in texts if any(other in text for other in others)] == []


def test_the_list_of_ends_holds_only_ends() -> None:
    for variant_id in variant_ids():
        *items, order = paragraphs(variant_id, "ends", "en")
        assert [item for item in items if not re.search(r"\b(wins?|loses?|drawn)\b", item)] == []
        assert order.startswith("If one move ends the game in several of these ways")


def readings_of(one: Variant | str, lang: str) -> list[words.Clause]:
    sections = words.rules(one, lang).sections
    return [clause for section in sections if section.id == "readings" for clause in section.clauses]


def paragraphs(one: Variant | str, section_id: str, lang: str) -> list[str]:
    """Returns the paragraphs of a section, none if there is no such section."""
    sections = words.rules(one, lang, pictures=False).sections
    return [text for section in sections if section.id == section_id for text in section.paragraphs]


def test_the_bold_sentences_of_the_texts_are_sentences_of_the_rules() -> None:
    shown = " ".join(paragraphs("brandub-globe", "captures", "fr"))
    assert "Les deux pièces doivent être sur des cases adjacentes" in shown
    assert "Un pion qui occupe un refuge ne peut pas être pris." in shown
    aim, calls = (paragraphs("tablut-kouvia", section_id, "fr") for section_id in ("aim", "calls"))
    assert aim[0].startswith("Les défenseurs veulent prendre tous les assaillants, ou")
    assert "tuichi" in calls[-1]
    assert "conséquence" not in calls[-1]
    blocked = words.rules("tablut-geoludie", "fr").clauses_about("blocked_groups")
    assert any("se toucher par un côté" in clause.text for clause in blocked)


def test_other_names_do_not_repeat_the_name_of_the_game() -> None:
    for variant_id in variant_ids():
        one = variant(variant_id)
        for lang in LANGUAGES:
            names = "".join(paragraphs(one, "names", lang)[:1])
            head = one.name(lang).partition(" (")[0]
            assert f"“{head}”" not in names, variant_id
            assert f"«\u00a0{head}\u00a0»" not in names, variant_id


@pytest.mark.parametrize(("lang", "lead"), [("fr", "À notre avis, "), ("en", "In our reading, ")])
def test_a_ruling_continues_its_sentence(lang: str, lead: str) -> None:
    doubts = paragraphs("brandub-globe", "doubts", lang)
    assert doubts
    for doubt in doubts:
        assert doubt.partition(lead)[2][0].islower()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_ruling_begins_with_a_name(lang: str) -> None:
    for variant_id in variant_ids():
        one = variant(variant_id)
        nouns = nouns_of(one.about, lang).items()
        own = {noun for form, noun in nouns if form[:1].islower() and noun[:1].isupper()}
        rulings = [
            source.ruling
            for origin in origins_of(one, words.rules(one, lang, pictures=False))
            for source in origin.sources
            if source.ruling
        ]
        assert not [ruling for ruling in rulings if ruling.split()[0].strip(",.") in own]


@pytest.mark.parametrize(
    ("lang", "others"),
    [
        ("en", "4 princes (defenders) and the brannán (king)"),
        ("fr", "4 princes (défenseurs) et le brannán (roi)"),
    ],
)
def test_the_usual_names_stand_once_beside_the_names_of_a_variant_where_both_meet(
    lang: str, others: str
) -> None:
    def told(**options: bool) -> str:
        sections = words.rules(variant("brandub-globe"), lang, pictures=False, **options).rules_sections
        return " ".join(clause.text for section in sections for clause in section.clauses)

    assert others in told(explains_names=True)
    assert told(explains_names=True).count("(") == told().count("(") + 2
    plain = words.rules(variant("copenhagen-11"), lang, explains_names=True)
    assert plain.sections == words.rules(variant("copenhagen-11"), lang).sections
    kinds = [noun for _, _, noun in rules_page("brandub-globe", lang)["pieces"]]
    assert all(noun in others for noun in map(uncapitalised, kinds[1:]))
