"""Queries of a library: games by their headers, names, dates and variants."""

import random

import pytest

from hnefi.errors import VariantError
from hnefi.library import Library, Query, count_games, find_games, opening_tree, player_stats
from tests.test_library import BRANDUB, add, library, played, raw

__all__ = ["library"]


def test_games_are_found_by_their_headers(library: Library) -> None:
    rng = random.Random(4)
    facts = [
        ("Ann", "Bo", "2019-05-01", "attackers"),
        ("Bo", "Cy", "2020-06-01", "draw"),
        ("Cy", "Ann", "", "*"),
    ]
    for attackers, defenders, date, result in facts:
        game = played(rng, 6)
        add(library, raw(game, Attackers=attackers, Defenders=defenders, Date=date or "?", Result=result))

    def found(**asked: object) -> list[str]:
        query = Query(**asked)  # type: ignore[arg-type]
        names = [one.attackers for one in find_games(library, query)]
        assert len(names) == count_games(library, query)
        return names

    assert found() == ["Cy", "Bo", "Ann"]
    assert found(player="ann") == ["Cy", "Ann"]
    assert found(attackers="b") == ["Bo"]
    assert found(defenders="BO") == ["Ann"]
    assert found(result="draw") == ["Bo"]
    assert found(since="2020") == ["Bo"]
    assert found(until="2019") == ["Ann"]
    assert found(least_plies=7) == []
    assert found(source="some") == ["Cy", "Bo", "Ann"]
    assert found(source="other") == []
    assert found(ids=[1, 3]) == ["Cy", "Ann"]
    assert found(player="ann", position=BRANDUB.new_game().position) == ["Cy", "Ann"]
    assert found(player="%") == []


def test_names_are_found_in_any_case_as_statistics_count_them(library: Library) -> None:
    rng = random.Random(12)
    for plies, (attackers, defenders) in enumerate((("Émile", "Zoé"), ("ZOÉ", "éMILE"), ("Éa", "Straße")), 6):
        add(library, raw(played(rng, plies), Attackers=attackers, Defenders=defenders))
    assert {one.name: one.games for one in player_stats(library)}["Émile"] == 2
    assert [count_games(library, Query(player=name)) for name in ("émile", "ÉMILE", "zoé", "strasse")] == [
        2,
        2,
        2,
        1,
    ]
    assert count_games(library, Query(attackers="é", defenders="É")) == 2
    assert [one.attackers for one in find_games(library, Query(), order="attackers")] == [
        "ZOÉ",
        "Éa",
        "Émile",
    ]


def test_dates_are_found_however_they_are_written(library: Library) -> None:
    rng = random.Random(11)
    dates = ["2020/05/09", "9 May 2020", "10.5.2020", "2020.05.11", "", "2020", "spring"]
    for number, date in enumerate(dates):
        add(library, raw(played(rng, 6 + number), Date=date or "?"))

    def found(**asked: str) -> list[int]:
        return [one.id for one in find_games(library, Query(**asked), order="date")]  # type: ignore[arg-type]

    assert found() == [4, 3, 1, 6, 7, 5, 2]
    assert found(since="2020-05", until="2020-05") == [4, 3, 1]
    assert found(since="2020-05-10") == [4, 3]
    assert found(until="2020") == [4, 3, 1, 6]
    assert found(until="9999") == [4, 3, 1, 6]


def test_the_last_games_are_the_same_however_they_are_looked_for(library: Library) -> None:
    rng, reached = random.Random(7), BRANDUB.new_game().position
    for _ in range(3):
        add(library, *(raw(played(rng, 6)) for _ in range(12)))
    everything = [one.id for one in find_games(library, Query(variant=BRANDUB.id))]
    assert len(everything) == 36
    for asked in (Query(position=reached), Query(position=reached, variant=BRANDUB.id)):
        for limit, offset in ((100, 0), (5, 0), (5, 8)):
            found = [one.id for one in find_games(library, asked, limit=limit, offset=offset)]
            assert found == everything[offset : offset + limit]


def test_values_that_no_query_can_have_are_named(library: Library) -> None:
    with pytest.raises(TypeError, match=r"variant: .*Variant'>, expected the id of a variant"):
        Query(variant=BRANDUB)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"size: 1180591620717411303424, expected -\d+ to \d+"):
        Query(size=2**70)
    for name, wrong in (
        ("since", "spring"),
        ("until", "2019-02-30"),
        ("result", "White"),
        ("reason", "nope"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: {wrong}, expected "):
            Query(**{name: wrong})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"offset: -1180591620717411303424, expected"):
        list(find_games(library, Query(), offset=-(2**70)))
    with pytest.raises(ValueError, match="order: 'size', expected one of id, date"):
        list(find_games(library, Query(), order="size"))
    for name in ("depth", "least_games", "widest"):
        with pytest.raises(ValueError, match=f"^{name}: -1, expected at least 0$"):
            opening_tree(library, BRANDUB.new_game(), **{name: -1})  # type: ignore[arg-type]


def test_a_query_takes_every_name_of_a_variant_as_the_command_line_does(library: Library) -> None:
    add(library, raw(played(random.Random(5), 6, "copenhagen-11"), "copenhagen-11"))
    assert [count_games(library, Query(variant=name)) for name in ("Copenhagen", " copenhagen-11 ")] == [1, 1]
    with pytest.raises(VariantError, match="“brandub” matches several variants: brandub-breyer, "):
        Query(variant="brandub")
    assert count_games(library, Query(variant="of-games-alone")) == 0
