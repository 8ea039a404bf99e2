"""The page that compares two games."""

import html
import re
from itertools import combinations

import pytest
from starlette.testclient import TestClient

from hnefi import variant
from hnefi.variants.built_in import booklet_ids
from hnefi.words.differences import differences


@pytest.mark.parametrize(("first", "second"), [*combinations(booklet_ids(), 2)])
def test_two_games_are_compared_in_the_words_of_their_rules(
    server: TestClient, first: str, second: str
) -> None:
    page = html.unescape(server.get(f"/fr/compare?first={first}&second={second}").text)
    found = list(differences(variant(first), variant(second), "fr"))
    assert re.findall(r'<h2 id="rule-[^"]+">(.+)</h2>', page) == [one.title for one in found]
    for one in found:
        assert all(sentence in page for sentence in one.sentences)
        assert one.sentences[0] != one.sentences[1], one.leaf
        assert all(one.sentences) or one.leaf == "calls"


def test_a_game_is_as_itself_and_one_that_is_unknown_is_named(server: TestClient) -> None:
    same = server.get("/en/compare?first=ard-ri-globe&second=Ard-ri-globe").text
    assert "Ard-ri (Le Globe Joueur) and Ard-ri (Le Globe Joueur) have the same rules." in same
    for query in ("first=brandub-breyer", "second=brandub-breyer", "second=", "first=&second="):
        assert ">11 rules differ.<" in server.get(f"/en/compare?{query}").text
    unknown = server.get("/en/compare?first=nonsuch")
    assert (unknown.status_code, "nonsuch" in unknown.text) == (400, True)
