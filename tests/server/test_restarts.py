"""Restarts: nothing is loaded before it is touched, no clock is charged, nothing expires; damaged games."""

import random
import shutil
from pathlib import Path

import pytest

from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US, GRACE_US, SECOND_US
from hnefi.server.games.expiry import alive_since_us
from hnefi.server.games.state import Status, fold
from hnefi.server.messages.views import game_view
from hnefi.server.secrets import hash_of
from hnefi.server.store import changes, reading
from hnefi.server.store.rows import NotSaved
from tests.server.harness import ANA, BRAN, FakeClock, RoomsHarness, load, refuses, request
from tests.server.serving import ROOT, HttpClient, RunningServer, execute
from tests.server.test_clocks import CLOCKS, A, D, move, status_of, timed


def deadlines(folder: Path) -> dict[str, int | None]:
    """Reads the stored deadline of every game."""
    return dict(execute(folder / "games.db", "SELECT id, due_us FROM game"))


async def test_a_start_loads_no_correspondence_game_and_its_deadline_still_ends_it(tmp_path: Path) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        room = await timed(harness, kind="days", days=2)
        await move(room)
    await time.advance(3_600 * SECOND_US)
    async with RoomsHarness(tmp_path, time) as again:
        assert len(again.rooms.loaded) == 0
        # Beyond the horizon at first: it is read when it comes near.
        await time.advance(DAY_US)
        assert len(again.rooms.loaded) == 0
        await again.rooms.deadlines.read()
        await time.advance(DAY_US + GRACE_US - 3_000 * SECOND_US)
        await again.rooms.deadlines.read()
        await time.advance(2_999 * SECOND_US)
        assert len(again.rooms.loaded) == 0
        await time.advance(2 * SECOND_US)
        assert status_of(await again.rooms.room(room.id)) is Status.OVER


async def test_no_restart_is_charged(tmp_path: Path) -> None:
    time = FakeClock()
    left_us = 60 * SECOND_US
    async with RoomsHarness(tmp_path, time) as harness:
        room = await timed(harness, moves=2, kind="fischer", initial_s=60, increment_s=0)
    for _ in range(3):
        time._now_us += 7 * DAY_US
        async with RoomsHarness(tmp_path, time) as again:
            room = await again.rooms.room(room.id)
            left_us += GRACE_US
            assert room.state.leg.clocks.left_us(A, time.now_us()) == left_us
            assert room.state.seq == 5  # no event
            await time.advance(5 * SECOND_US)
            left_us -= 5 * SECOND_US
    time._now_us += DAY_US
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(room.id)
        await move(room)
        assert room.state.leg.clocks.left_us(A, time.now_us()) == left_us + GRACE_US


async def test_a_move_that_was_received_before_a_restart_counts_as_after_it(tmp_path: Path) -> None:
    """The time between is charged to no clock, also when the game is loaded again."""
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        room = await timed(harness, moves=2, kind="fischer", initial_s=60, increment_s=0)
    time._now_us += 20 * SECOND_US
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(room.id)
        await move(room, None, time.now_us() - 5 * SECOND_US)
        stored = await load(again.store, room.id)
        loaded = fold(stored.events, room.state.rules, again.rooms.restarts)
        assert loaded.leg.clocks == room.state.leg.clocks
        assert loaded.leg.clocks.left_us(A, time.now_us()) == 60 * SECOND_US + GRACE_US


async def test_the_stored_deadline_of_a_live_game_is_never_too_late_and_seldom_written(
    tmp_path: Path,
) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        room = await timed(harness, kind="fischer", initial_s=60, increment_s=5)
        stored = []
        for think_s in (1, 2, 9, 1, 1, 8, 2, 12, 30, 3, 20, 4):
            await time.advance(think_s * SECOND_US)
            await move(room)
            due_us = deadlines(tmp_path)[room.id]
            assert due_us is not None
            assert room.state.deadline_us is not None
            assert time.now_us() < due_us <= room.state.deadline_us
            stored.append(due_us)
        assert len(set(stored)) < len(stored) / 2
    # The timer of the loaded game is exact.
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(room.id)
        left_us = room.state.leg.clocks.left_us(room.state.leg.clocks.side or A, time.now_us())
        await time.advance(left_us - SECOND_US)
        assert status_of(room) is Status.PLAYING
        await time.advance(2 * SECOND_US)
        assert status_of(room) is Status.OVER


async def test_a_page_that_comes_back_after_a_restart_gets_the_clocks_of_now(tmp_path: Path) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        room = await timed(harness, kind="days", days=1)
        seq = await move(room)
        assert room.first_messages(None, seq) == []
    time._now_us += DAY_US
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(room.id)
        assert room.first_messages(None, seq) == [room.state_for(None)]
        clocks = game_view(room, frozenset({0})).clocks
        assert clocks is not None
        assert clocks.defenders_ms == (DAY_US + GRACE_US) // 1_000


async def test_stored_deadlines_are_those_of_the_clocks(tmp_path: Path) -> None:
    """Plays games of all kinds at random, with restarts, and compares. Those of live games may be earlier."""
    chance, time = random.Random(5), FakeClock()
    games: list[str] = []
    for _ in range(4):
        async with RoomsHarness(tmp_path, time) as harness:
            games += [(await timed(harness, **clock)).id for clock in CLOCKS]
            for _ in range(30):
                await time.advance(chance.randrange(5 * SECOND_US))
                room = await harness.rooms.room(chance.choice(games))
                if room.state.turn is not None:
                    await move(room)
            states = {game: (await harness.rooms.room(game)).state for game in games}
        for game, stored_us in deadlines(tmp_path).items():
            exact_us = states[game].deadline_us
            if stored_us is None or exact_us is None or states[game].created.clock.kind != "fischer":
                assert stored_us == exact_us
            else:
                assert stored_us <= exact_us
        time._now_us += chance.randrange(DAY_US)


def test_days_are_counted_while_the_server_is_alive() -> None:
    restarts = [e.Restart(10 * DAY_US, 20 * DAY_US), e.Restart(22 * DAY_US, 50 * DAY_US)]
    assert alive_since_us([], 60 * DAY_US, 7) == 53 * DAY_US
    assert alive_since_us(restarts, 60 * DAY_US, 7) == 53 * DAY_US
    assert alive_since_us(restarts, 60 * DAY_US, 11) == 21 * DAY_US
    assert alive_since_us(restarts, 60 * DAY_US, 14) == 8 * DAY_US


async def test_no_flag_falls_while_the_store_cannot_write(harness: RoomsHarness) -> None:
    time, heartbeat = harness.time, harness.rooms.heartbeat
    room = await timed(harness, moves=2, kind="fischer", initial_s=60, increment_s=0)
    slow = await timed(harness, kind="days", days=1)
    await time.advance(20 * SECOND_US)
    await heartbeat.beat()
    harness.store.fails = True
    with pytest.raises(NotSaved):
        await move(room)
    await heartbeat.beat()
    assert (heartbeat.outages, heartbeat.is_outage) == (1, True)
    await time.advance(2 * DAY_US)
    # The time of the player has run out.
    with pytest.raises(NotSaved):
        await move(room)
    await heartbeat.beat()
    harness.store.fails = False
    await heartbeat.beat()
    assert (heartbeat.outages, heartbeat.is_outage) == (1, False)
    await time.advance(0)
    for game, left_us in ((room, 40 * SECOND_US), (slow, DAY_US - 20 * SECOND_US)):
        assert status_of(game) is Status.PLAYING
        assert game.state.leg.clocks.left_us(A, time.now_us()) == left_us + GRACE_US
    await move(room)
    await time.advance(60 * SECOND_US + GRACE_US)
    assert status_of(room) is Status.OVER
    for game in (room, slow):
        stored = await load(harness.store, game.id)
        assert fold(stored.events, game.state.rules) == game.state


async def test_a_game_that_left_memory_keeps_its_time_through_an_outage(harness: RoomsHarness) -> None:
    time = harness.time
    slow = await timed(harness, kind="days", days=1)
    await time.advance(DAY_US - 260 * SECOND_US)
    live = await timed(harness, kind="fischer", initial_s=3_600, increment_s=0)
    await time.advance(200 * SECOND_US)
    harness.rooms.close_idle()
    assert len(harness.rooms.loaded) == 1
    assert await harness.rooms.room(live.id) is live
    await harness.rooms.heartbeat.beat()
    harness.store.fails = True
    await harness.rooms.heartbeat.beat()
    await time.advance(600 * SECOND_US)
    harness.store.fails = False
    await harness.rooms.heartbeat.beat()
    again = await harness.rooms.room(slow.id)
    assert status_of(again) is Status.PLAYING
    assert again.state.leg.clocks.left_us(A, time.now_us()) == 60 * SECOND_US + GRACE_US


def test_a_corrected_variant_leaves_old_games_their_rules(tmp_path: Path) -> None:
    """Changes the file of a variant between two starts of a real server."""
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "src" / "hnefi", sources / "hnefi")
    file = sources / "hnefi" / "variants" / "data" / "brandub-globe.toml"
    new = {"variant": "brandub-globe", "opponent": "same_device"}
    with RunningServer(tmp_path / "data") as server:
        client = HttpClient(server.address)
        old = client.request("POST", "/api/games", new)
        play(client, old["game"], old["state"]["seq"], "d2-a2")
        server.stop()
        file.write_text(file.read_text().replace("range = { attackers = 0,", "range = { attackers = 1,"))
        server.sources = [str(sources)]
        server.start()
        # The old game has its move of three squares, and another one is legal.
        state = client.request("GET", f"/api/games/{old['game']}")
        play(client, old["game"], state["seq"], "d3-a3")
        play(client, old["game"], state["seq"] + 1, "d1-b1")
        rules = client.request("GET", f"/api/games/{old['game']}/rules")
        assert rules["movement"]["range"]["attackers"] == 0
        facts = client.request("GET", "/en/facts?variant=brandub-globe")
        assert facts["tree"]["movement"]["range"]["attackers"] == 1
        assert facts["hash"] != state["created"]["rules"]
        # New games have the new rules.
        young = client.request("POST", "/api/games", new)
        assert young["state"]["created"]["rules"] == facts["hash"]
        play(client, young["game"], young["state"]["seq"], "d2-a2", expect=422)
        server.stop()
        server.sources = []
        server.start()
        assert client.request("GET", f"/api/games/{young['game']}")["status"] == "playing"


def play(client: HttpClient, game: str, seq: int, text_of_move: str, expect: int | None = None) -> None:
    body = {"id": f"m{seq}", "seq": seq, "move": text_of_move}
    client.request("POST", f"/api/games/{game}/moves", body, expect)


# Rows that nobody needs any more: restarts from before the oldest game, and expired links

HOUR_US = 3_600 * SECOND_US


async def expire(harness: RoomsHarness, days: int) -> list[e.Restart]:
    """Waits, marks and deletes what has expired, and returns the restarts that are left."""
    await harness.expire(days)
    return await harness.store.read(reading.restarts)


async def test_restarts_are_deleted_that_were_before_the_oldest_game(tmp_path: Path) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        await harness.games.create(request(), ANA)  # it expires first, nobody joins
    time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        await time.advance(SECOND_US)
        young = await timed(harness, kind="days", days=14)
        await move(young)
        await move(young)
    time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        young = await harness.rooms.room(young.id)
        assert len(await expire(harness, 8)) == 2  # the old game is marked
        await move(young)
        kept = await harness.store.read(reading.restarts)
        assert await expire(harness, 8) == kept[1:]
        left = [young.state.leg.clocks.left_us(side, time.now_us()) for side in (A, D)]
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(young.id)
        now_us = time.now_us()
        loaded = room.state.leg.clocks
        turn, left_us = room.state.turn, dict(zip((A, D), left, strict=True))
        for side in (A, D):
            assert loaded.left_us(side, now_us) >= left_us[side]
            assert side is turn or loaded.left_us(side, now_us) == left_us[side]


async def test_recent_restarts_are_kept_without_games(tmp_path: Path) -> None:
    time = FakeClock()
    for restarts in range(3):
        async with RoomsHarness(tmp_path, time) as harness:
            assert len(await expire(harness, 0)) == restarts
        time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        assert len(await expire(harness, 6)) == 3
        assert await expire(harness, 2) == []


async def test_expired_links_are_deleted_and_others_are_kept(harness: RoomsHarness) -> None:
    room, _ = await harness.games.create(request(), ANA)
    old, _ = await harness.games.create_link(room.id, ANA)
    harness.time._now_us += HOUR_US
    young, until_us = await harness.games.create_link(room.id, ANA)
    assert until_us > harness.time.now_us()
    await harness.expire()
    found = [await harness.store.read(reading.find_link, hash_of(secret)) for secret in (old, young)]
    assert [link is None for link in found] == [True, False]
    await harness.games.use_link(young, "another device")


DAMAGES = (
    "UPDATE event SET body = 'x' WHERE game = :game AND seq = 4",
    "UPDATE event SET body = replace(body, 'd2-c2', 'd2-d9') WHERE game = :game AND seq = 4",
    "UPDATE event SET body = replace(body, 'd2-c2', 'd3-c3') WHERE game = :game AND seq = 4",
    "DELETE FROM event WHERE game = :game AND seq = 3",
    "UPDATE event SET t_us = 'soon' WHERE game = :game AND seq = 4",
    "UPDATE event SET actor = 7 WHERE game = :game AND seq = 4",
    "DELETE FROM event WHERE game = :game",
    "UPDATE event SET body = replace(body, 'created', 'aborted') WHERE game = :game AND seq = 1",
    "UPDATE rules SET tree = '{}'",
    "UPDATE rules SET tree = replace(tree, 'custodial', 'four_sides')",
)


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_game_is_set_aside_and_the_others_go_on(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        broken = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
        await harness.rooms.room(broken.id)
        await move(broken, "d2-c2")
        sound = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
        if "rules" in damage:
            await harness.store.change(changes.delete_games, games=(sound.id,))
    execute(tmp_path / "games.db", damage, game=broken.id)
    async with RoomsHarness(tmp_path, time) as again:
        await time.advance(700 * SECOND_US)  # its flag would have fallen
        for _ in range(3):
            assert await refuses(again.rooms.room(broken.id)) == "damaged_game"
        fresh = await timed(again, kind="none")
        await move(fresh, "d2-c2")
        if "rules" not in damage:
            assert status_of(await again.rooms.room(sound.id)) is Status.OVER
        games, set_aside = await again.games.own_games(BRAN)
        assert [game.id for game in set_aside] == [broken.id]
        assert [seat.player for seat in set_aside[0].seats if seat.visitor == BRAN] == [1]
        if "rules" not in damage:
            assert {game.id for game in games} == {sound.id, fresh.id}
    named = [record.message for record in caplog.records if broken.id in record.message]
    assert len(named) == 1
    assert "damaged" in named[0]


async def test_a_game_that_is_damaged_while_it_is_played_is_refused(
    tmp_path: Path, harness: RoomsHarness
) -> None:
    broken, sound = await timed(harness, kind="none"), await timed(harness, kind="none")
    await move(broken, "d2-c2")
    added = "INSERT INTO event SELECT game, seq + 1, t_us, actor, NULL, 'x' FROM event WHERE seq = 4"
    execute(tmp_path / "games.db", f"{added} AND game = :game", game=broken.id)
    for _ in range(2):
        assert await refuses(move(broken, "d3-c3")) == "damaged_game"
    await move(sound, "d2-c2")
