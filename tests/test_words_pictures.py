"""Pictures of rules as text: complete, and confirmed by the core."""

from dataclasses import replace
from itertools import product

import pytest

from hnefi import Piece, variant, variant_ids, words
from hnefi.variants.built_in import booklet_ids
from hnefi.words.scenes import Scene, picture_of
from hnefi.words.wording import wording_of
from tests.rules_text import (
    KINDS,
    all_text,
    check_pictures,
    check_places,
    pictures_of,
    rules_text_of,
    with_values,
)
from tests.test_i18n import LANGUAGES


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
