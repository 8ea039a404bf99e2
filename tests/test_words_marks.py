"""Marks, origins and pictures in the rules as text: whose a sentence is, and what the core confirms."""

import tomllib
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib.resources import files
from itertools import product

import pytest

from hnefi import Piece, parse_variant, variant, variant_ids, words
from hnefi.server.pages.rules.content import rules_page
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.clauses import without_clauses
from hnefi.variants.files import format_variant
from hnefi.variants.schema import schema
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.scenes import Scene, picture_of
from hnefi.words.wording import wording_of
from tests.rules_text import (
    KINDS,
    all_text,
    check_pictures,
    check_places,
    pictures_of,
    rules_text_of,
    section_of,
    with_values,
)
from tests.samples import deep, sampled
from tests.test_i18n import LANGUAGES


def clauses_of(text: words.RulesText) -> list[words.Clause]:
    return [clause for section in text.sections for clause in section.spoken_clauses]


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_every_sentence_about_a_rule_has_the_mark_of_its_weakest_source(variant_id: str, lang: str) -> None:
    for clause in clauses_of(words.rules(variant(variant_id), lang)):
        if set(clause.leaves) - {"fixed"}:
            assert clause.sources, clause.text
        if clause.sources:
            decided = {source.mark for source in clause.sources} & {"usage", "doubtful"}
            assert clause.mark == ("ruling" if decided else "text"), clause.text
        else:
            assert clause.mark is None, clause.text


def test_a_switch_marks_the_sentences_that_it_changes() -> None:
    switches = {"quiet_limit": "40", "corner_hostile.king": "never"}
    changed = clauses_of(words.rules(variant("brandub-globe").with_switches(switches), "en"))
    assert {leaf for clause in changed if clause.mark == "choice" for leaf in clause.leaves} == {
        "quiet_limit",
        "corner_hostile",
    }
    assert [mark for mark, _, _ in words.legend(words.rules(variant("brandub-globe"), "en"))] == [
        "text",
        "ruling",
    ]


def test_rules_without_sources_have_no_marks() -> None:
    one = variant("brandub-globe")
    custom = parse_variant(format_variant(without_clauses(one)))
    for text in (words.rules(one.rules, "en"), words.rules(custom, "en")):
        assert text.marks == ()
        assert words.legend(text) == ()


@pytest.mark.parametrize("variant_id", variant_ids())
def test_marked_paragraphs_are_the_paragraphs(variant_id: str) -> None:
    for section in words.rules(variant(variant_id), "fr").sections:
        assert tuple(" ".join(clause.text for clause in each) for each in section.marked_paragraphs) == (
            section.paragraphs
        )
        assert all(
            leaf in schema() or leaf in ("calls", *CALL_SWITCHES, "match", "fixed")
            for clause in section.clauses
            for leaf in clause.leaves
        )


@pytest.mark.parametrize("lang", ["fr", *deep("en")])
@pytest.mark.parametrize("variant_id", sampled(variant_ids()))
def test_each_mark_of_the_rules_page_leads_to_its_source(variant_id: str, lang: str) -> None:
    page = rules_page(variant_id, lang)
    sources = {
        f"why-{section['id']}-{origin.leaf}" for section in page["sections"] for origin in section["origins"]
    }
    shown = [
        each for section in page["sections"] for sentences in section["paragraphs"] for each in sentences
    ]
    assert {clause.mark for clause, _ in shown} >= {"text", "ruling"}
    cited = [
        source for section in page["sections"] for origin in section["origins"] for source in origin.sources
    ]
    assert all(
        source in cited for origin in words.why(variant(variant_id), lang) for source in origin.sources
    )
    for clause, target in (*page["aims"], *shown):
        assert clause.mark is None or target in sources, clause
    assert not any("=" in reading for reading in page["readings"].values())


def test_signs_follow_their_sentences_in_every_format() -> None:
    text = words.rules(variant("ard-ri-globe"), "fr")
    ruled = next(clause for clause in clauses_of(text) if clause.leaves == ("attackers_captured",))
    stated = next(clause for clause in clauses_of(text) if clause.leaves == ("king_armed",))
    assert (ruled.sign, stated.sign) == ("*", "§")
    terminal = words.to_text(text, width=200)
    assert f"- {ruled.text}*\n" in terminal
    assert f"{stated.text}§ " in terminal
    assert terminal.splitlines()[-2:] == [f"{sign} {meaning}" for _, sign, meaning in words.legend(text)]
    assert f"- {ruled.text}\\*\n" in words.to_markdown(text)
    page = ET.fromstring(words.to_html(text))
    links = [link for link in page.iter("a") if link.get("href") == "#rules-mark-ruling"]
    assert links
    assert all(link.text == "*" and link.get("aria-label") == "notre lecture" for link in links)
    assert page.find(".//*[@id='rules-mark-ruling']") is not None


def leaves_of_file(variant_id: str) -> list[str]:
    """Returns the leaves in the file of a variant; it may omit an optional section."""
    source = files("hnefi").joinpath("variants", "data", f"{variant_id}.toml").read_text("utf-8")
    given = tomllib.loads(source)["rules"].get("special", {})
    return [leaf for leaf in schema() if leaf in given or section_of(leaf)[0] != "special"]


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_every_rule_has_an_origin_and_a_sentence(variant_id: str, lang: str) -> None:
    one = variant(variant_id)
    origins = words.why(one, lang)
    assert [origin.leaf for origin in origins if origin.leaf in schema()] == leaves_of_file(variant_id)
    for origin in origins:
        assert origin.sources, origin.leaf
        assert origin.sentences or origin.leaf == "fixed"
    shown = words.why_text(one, origins, lang, width=90)
    for source in one.about["sources"]:
        assert " ".join(source["title"].split()) in " ".join(shown.split())
    for origin in origins:
        for source in origin.sources:
            assert source.clause is None or source.clause in shown
            assert source.where != "-"
            assert source.ruling or source.mark != "doubtful"
    assert max(map(len, shown.splitlines())) <= 90


def test_origins_mark_the_rules_that_a_switch_changes() -> None:
    one = variant("brandub-globe").with_switches({"quiet_limit": "40"})
    origins = words.why(one, "en")
    assert [origin.leaf for origin in origins if origin.is_changed] == ["quiet_limit"]
    shown = words.why_text(one, origins, "en")
    changed = shown.partition("(quiet_limit)")[2]
    assert shown.count("Changed by a switch.") == 1
    assert "both\n    sides count.\n    Changed by a switch." in changed
    assert "Text: " in shown
    assert "Text: " not in words.why_text(one, [replace(origin, sources=()) for origin in origins], "en")


@pytest.mark.parametrize(("variant_id", "lang"), list(product(booklet_ids(), LANGUAGES)))
def test_the_calls_are_told_in_the_order_of_the_rules(variant_id: str, lang: str) -> None:
    told = [part for part in words.rules(variant(variant_id), lang).sections if part.id == "calls"]
    origins = [origin for origin in words.why(variant(variant_id), lang) if origin.leaf == "calls"]
    assert [" ".join(origin.sentences) for origin in origins] == [" ".join(part.paragraphs) for part in told]


def test_the_origin_of_a_rule_covers_only_that_rule() -> None:
    kouvia = {origin.leaf: origin.sentences for origin in words.why(variant("tablut-kouvia"), "en")}
    assert kouvia["guards_captured"] == ("If all the defenders are captured, the king plays on alone.",)
    assert kouvia["calls"][-2] == "No penalty is laid down for forgetting this call."


def test_what_is_told_of_the_game_without_changes_says_so() -> None:
    """Its king has to get to a corner, whatever a switch says."""
    for switches, is_said in (({}, False), ({"goal": "edge"}, True)):
        told = words.rules(variant("tablut-geoludie").with_switches(switches), "en")
        sections = {section.id: section.paragraphs[0] for section in told.sections}
        for name in ("material", "advice", "history", "names"):
            assert sections[name].startswith("What follows was written about") is is_said, name


@pytest.mark.parametrize("variant_id", sampled(variant_ids(), "brandub-breyer", "tablut-geoludie"))
def test_every_suggested_switch_changes_the_text(variant_id: str) -> None:
    one = variant(variant_id)
    for origin in words.why(one, "en"):
        for source in origin.sources:
            for switch in source.switches:
                key, _, value = switch.partition("=")
                other = words.rules(one.with_switches({key: value}), "en")
                assert words.to_text(other) != words.to_text(words.rules(one, "en")), switch


@pytest.mark.parametrize("variant_id", variant_ids())
def test_every_variant_shows_how_soldiers_and_king_are_taken(variant_id: str) -> None:
    one = variant(variant_id)
    kinds = {picture.kind for picture in pictures_of(words.rules(one, "en"))}
    wanted = {"start", "custodial", "safe", "king_elsewhere"}
    hostility = one.tree.hostility
    if set(hostility.corner_hostile.to_dict().values()) != {"never"}:
        wanted.add("corner")
    if hostility.throne_hostile.king != "never":
        wanted.add("king_beside_throne")
    if one.tree.capture.shieldwall != "none":
        wanted |= {"shieldwall", "exit_fort"}
    if one.tree.ends.enclosure != "none":
        wanted.add("enclosure")
    assert wanted - kinds <= ({"enclosure"} if one.rules.size == 7 else set())


# Pictures of moves that end a game themselves.
ENDING = {
    *("enclosure", "exit_fort", "king_and_one", "king_beside_throne", "king_corner", "king_edge"),
    *("king_elsewhere", "king_on_throne", "linnaean_king"),
}


@pytest.mark.parametrize("variant_id", variant_ids())
def test_pictures_offer_no_other_win(variant_id: str) -> None:
    """On the whole board neither side wins at once beside what the picture shows."""
    for picture in pictures_of(words.rules(variant(variant_id), "en")):
        if picture.move is None or picture.kind in ENDING:
            continue
        after = picture.position.play(picture.move)
        assert after.outcome is None, picture
        for position in (picture.position, after):
            ends = [position.describe(move).outcome for move in position.legal_moves()]
            assert [end for end in ends if end and end.winner is position.turn] == [], picture


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_pictures_agree_with_the_core(variant_id: str, lang: str) -> None:
    text = words.rules(variant(variant_id), lang)
    assert len(pictures_of(text)) >= (8 if variant_id in booklet_ids() else 4)
    check_pictures(text)


ALL_SPECIAL = {
    "linnaean": "guard",
    "blocked_groups": "groups",
    "shieldwall": "with_corner",
    "enclosure": "attackers_win",
    "exit_fort": "defenders_win",
    "tuichi": "defenders_win",
    "throne_hostile": {"attackers": "always", "defenders": "empty", "king": "empty"},
}


def test_every_special_rule_has_a_picture() -> None:
    shown = {picture.kind for picture in pictures_of(rules_text_of(with_values(**ALL_SPECIAL), "en"))}
    assert shown == {
        "start", "move", "crossing", "custodial", "safe", "double", "throne", "throne_held", "corner",
        "linnaean", "blocked_group", "shieldwall", "king_on_throne", "king_beside_throne", "king_elsewhere",
        "king_edge", "king_corner", "king_and_one", "two_roads", "exit_fort", "enclosure",
    }  # fmt: skip
    others = {"linnaean": "guard_and_king", "blocked_groups": "king_and_one", "king_armed": "anvil"}
    shown = {picture.kind for picture in pictures_of(rules_text_of(with_values(**others), "en"))}
    assert {"linnaean_king", "king_and_one", "king_anvil"} <= shown
    hammer = {"king_armed": "hammer", "range": dict.fromkeys(KINDS, 1), "corner_stop": list(KINDS)}
    shown = {picture.kind for picture in pictures_of(rules_text_of(with_values(**hammer), "en"))}
    assert {"king_hammer", "one_step", "side_by_side", "safe_in_corner"} <= shown


@pytest.mark.parametrize("size", [5, 13, 19])
def test_pictures_fit_boards_of_any_size(size: int) -> None:
    middle = size // 2
    rows = ["." * size] * size
    rows[middle] = "t" + "." * (middle - 2) + "TKT" + "." * (middle - 2) + "t"
    text = rules_text_of(with_values(size=size, start="/".join(rows), **ALL_SPECIAL), "fr")
    check_pictures(text)
    kinds = {picture.kind for picture in pictures_of(text)}
    assert {"custodial", "safe", "throne", "corner", "king_on_throne", "king_beside_throne"} <= kinds


def test_no_soldier_is_drawn_in_a_corner_that_is_closed_to_him() -> None:
    rows = ". . t . .\n. . T . .\nt T K T t\n. . T . .\n. . t . ."
    small = {"size": 5, "start": rows, "blocked_groups": "groups", "shieldwall": "pieces"}
    for corner_stop in (["king"], list(KINDS)):
        kinds = set()
        for picture in pictures_of(rules_text_of(with_values(**small, corner_stop=corner_stop), "en")):
            check_places(picture)
            kinds.add(picture.kind)
        assert ("shieldwall" in kinds) == (corner_stop != ["king"])


def test_a_throne_that_does_not_count_leaves_the_king_safe_beside_it() -> None:
    harmless = dict.fromkeys(KINDS, "never")
    closed = rules_text_of(with_values(throne_hostile=harmless, throne_stop=["king"]), "en")
    open_to_attackers = rules_text_of(with_values(throne_hostile=harmless, throne_stop=list(KINDS)), "en")
    assert any("one side stays open" in sentence for sentence in all_text(closed))
    assert any("one of them on the throne" in sentence for sentence in all_text(open_to_attackers))
    assert "king_beside_throne" not in {picture.kind for picture in pictures_of(closed)}
    assert "king_beside_throne" in {picture.kind for picture in pictures_of(open_to_attackers)}


def test_an_empty_throne_has_no_clause_about_leaving_it() -> None:
    away = "\n".join([". . . t . . .", ". . . T . . .", *[". . . . . . ."] * 4, "t T . K . T t"])
    held = rules_text_of(with_values(throne_stop=[]), "en").clauses_about("throne_stop")[0].text
    free = (
        rules_text_of(with_values(throne_stop=[], size=7, start=away), "en")
        .clauses_about("throne_stop")[0]
        .text
    )
    assert held.startswith("Once the king has left the throne")
    assert free == "No piece may stop on the throne."


def test_no_picture_has_a_piece_where_it_could_not_have_stopped() -> None:
    """Every piece is checked, also those listed after one that may stand on the throne."""
    open_throne = variant("brandub-globe").with_switches({"throne_stop": "attackers,defenders,king"})
    on_throne = {(3, 3): Piece.DEFENDER, (0, 1): Piece.ATTACKER}
    on_corner = {(3, 3): Piece.DEFENDER, (0, 0): Piece.ATTACKER, (0, 1): Piece.ATTACKER}
    shown = [
        picture_of(wording_of(open_throne, "en"), Scene("test", pieces, (0, 1), (1, 1)), "", quietly=False)
        for pieces in (on_throne, on_corner)
    ]
    assert [len(pictures) for pictures in shown] == [1, 0]


@pytest.mark.parametrize("name", ["brandub-breyer", "copenhagen-11"])
def test_rules_without_pictures_have_the_same_sentences(name: str) -> None:
    whole, bare = (words.rules(variant(name), "fr", pictures=has) for has in (True, False))
    assert any(section.pictures for section in whole.sections)
    assert not any(clause.pictures for section in bare.sections for clause in section.clauses)
    assert [one.clauses for one in bare.sections] == [
        tuple(replace(clause, pictures=()) for clause in one.clauses) for one in whole.sections
    ]
