"""Damaged games: they are set aside, stay in the lists of their players, and are never deleted."""

from pathlib import Path

import pytest

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.state import Status
from hnefi.server.store import changes
from tests.server.harness import BRAN, FakeClock, RoomsHarness, refuses
from tests.server.sqlite_files import execute
from tests.server.test_clocks import move, status_of, timed

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
