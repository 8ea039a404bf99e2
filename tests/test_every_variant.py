"""Checks of every variant: random games, engine games, records, pages."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from hnefi import Record, parse_records, random_game, variant, variant_ids
from hnefi.engine import Engine, Limit
from hnefi.record import variant_headers
from tests.samples import sampled
from tests.server.conftest import browser_of

LONGEST = 300


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(threads=1) as ours:
        yield ours


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with browser_of(tmp_path_factory.mktemp("data")) as client:
        yield client


@pytest.mark.parametrize("name", variant_ids())
def test_a_game_of_chance_is_played_kept_and_read_again(name: str) -> None:
    game = random_game(variant(name).rules, 11, LONGEST)
    assert game.ply_count > 10
    assert game.outcome is not None or game.ply_count == LONGEST
    kept = Record.from_game(game, variant_headers(variant(name)))
    (read,) = parse_records(str(kept))
    replayed = read.replay()
    assert not replayed.faults
    assert replayed.game is not None
    assert replayed.game.position == game.position
    assert replayed.game.outcome == game.outcome


@pytest.mark.parametrize("name", variant_ids())
def test_the_engine_plays_a_legal_move_for_either_side(name: str, engine: Engine) -> None:
    game = variant(name).new_game()
    for _ in range(2):
        move = engine.play(game, Limit(nodes=300))
        assert game.is_legal(move)
        game = game.play(move)


@pytest.mark.parametrize("name", sampled(variant_ids()))
def test_a_new_game_can_be_asked_for_on_the_page(name: str, server: TestClient) -> None:
    page = server.get("/fr/new", params={"variant": name})
    assert page.status_code == 200
    assert f'value="{name}" checked' in page.text


def test_a_game_against_the_computer_is_made_for_a_variant_of_the_world(server: TestClient) -> None:
    for name in ("copenhagen-11", "alea-evangelii-19"):
        request = {"variant": name, "opponent": "computer", "level": 1, "side": "attackers"}
        assert server.post("/api/games", json=request).status_code == 201


def test_the_pages_have_every_variant(server: TestClient) -> None:
    listed = server.get("/fr/rules").text
    for name in variant_ids():
        assert f'href="/fr/rules/{name}"' in listed
        assert f'href="/fr/new?variant={name}"' in listed
    assert "reconstitué" in listed


def test_no_variant_is_read_before_one_is_asked_for() -> None:
    read = "sys.modules['hnefi.variants.built_in'].built_in_variant.cache_info().currsize"
    program = f"import sys, hnefi.variants; print('tomllib' in sys.modules, {read})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "0"]


def test_importing_hnefi_loads_only_what_every_program_needs() -> None:
    later = ("json", "tempfile", "tomllib", "zlib", "difflib", "hnefi.rule_tree", "hnefi.record")
    program = f"import sys, hnefi; print([name for name in {later!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
