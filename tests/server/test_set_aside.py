"""Damaged games: they are set aside, stay in the lists of their players, and are never deleted."""

import logging
from pathlib import Path

import pytest

from hnefi.server.cluster.stored_games import StoredGames
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.games import OwnList
from hnefi.server.games.retention import EXPIRY, MARKED_DAYS
from hnefi.server.games.state import Status
from hnefi.server.refusals import Refused
from hnefi.server.store import Write
from tests.codes import has_code
from tests.server.harness import ANA, BRAN, EVE, FakeClock, RoomsHarness, request
from tests.server.test_clocks import SECOND, run, status_of, timed
from tests.server.test_restarts import act, execute

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
def test_a_damaged_game_is_set_aside_and_the_others_go_on(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        time = FakeClock()
        async with RoomsHarness(tmp_path, time) as harness:
            broken = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
            await harness.rooms.room(broken.id)
            await act(broken, "d2-c2")
            sound = await timed(harness, kind="fischer", initial_s=600, increment_s=0)
            if "rules" in damage:
                await harness.store.write(Write(deletes=(sound.id,)))
        execute(tmp_path, damage, **({"game": broken.id} if ":game" in damage else {}))
        async with RoomsHarness(tmp_path, time) as again:
            await time.advance(700 * SECOND)  # its flag would have fallen
            for _ in range(3):
                with pytest.raises(Refused, check=has_code("damaged_game")):
                    await again.rooms.room(broken.id)
            fresh = await timed(again, kind="none")
            await act(fresh, "d2-c2")
            if "rules" not in damage:
                assert status_of(await again.rooms.room(sound.id)) is Status.OVER
            own = await again.rooms.own_games(BRAN)
            assert [game.id for game in own.set_aside] == [broken.id]
            assert own.set_aside[0].players == {1}
            if "rules" not in damage:
                assert {game.id for game in own.games} == {sound.id, fresh.id}
                # A process that only reads the database finds the same.
                read = await StoredGames(again.store, time.leads).read_own(BRAN)
                assert [game.id for game in read.games] == [game.id for game in own.games]
                assert read.set_aside == own.set_aside
        named = [record.message for record in caplog.records if broken.id in record.message]
        assert len(named) == (1 if "rules" in damage else 2)
        assert all("damaged" in message for message in named)

    run(scenario())


def test_a_game_that_is_damaged_while_it_is_played_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with RoomsHarness(tmp_path) as harness:
            broken, sound = await timed(harness, kind="none"), await timed(harness, kind="none")
            await act(broken, "d2-c2")
            execute(tmp_path, DAMAGES[0], game=broken.id)
            broken._is_uncertain = True  # as after a commit whose answer was lost
            for _ in range(2):
                with pytest.raises(Refused, check=has_code("damaged_game")):
                    await act(broken, "d3-c3")
            await act(sound, "d2-c2")

    run(scenario())


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_process_that_only_reads_refuses_a_damaged_game(tmp_path: Path, damage: str) -> None:
    async def scenario() -> None:
        async with RoomsHarness(tmp_path) as harness:
            broken = await timed(harness, kind="none")
            await act(broken, "d2-c2")
            execute(tmp_path, damage, **({"game": broken.id} if ":game" in damage else {}))
            games = StoredGames(harness.store, harness.time.leads)
            with pytest.raises(Refused, check=has_code("damaged_game")):
                await games.read(broken.id)
            own = await games.read_own(ANA)
            assert own.games == []
            assert [(game.id, set(game.players)) for game in own.set_aside] == [(broken.id, {0})]
            assert await games.read_own(EVE) == OwnList([], [])

    run(scenario())


@pytest.mark.parametrize(
    ("seq", "variant", "names"),
    [
        (1, None, ("", "Bran")),
        (2, "brandub-globe", ("Ana", "")),
        (4, "brandub-globe", ("Ana", "Bran")),
    ],
)
def test_the_list_has_what_can_still_be_read(
    tmp_path: Path, seq: int, variant: str | None, names: tuple[str, str]
) -> None:
    async def scenario() -> None:
        time = FakeClock()
        async with RoomsHarness(tmp_path, time) as harness:
            broken = await timed(harness, kind="none")
            last_us = broken.state.t_us
            await time.advance(SECOND)
            await act(broken, "d2-c2")
            played_us = broken.state.t_us
        execute(
            tmp_path,
            "UPDATE event SET body = 'x' WHERE game = :game AND seq = :seq",
            game=broken.id,
            seq=str(seq),
        )
        async with RoomsHarness(tmp_path, time) as again:
            (found,) = (await again.rooms.own_games(ANA)).set_aside
            assert (found.created.variant if found.created else None) == variant
            assert found.names == names
            assert found.changed_us == (last_us if seq == 4 else played_us)

    run(scenario())


def test_a_damaged_invitation_has_a_free_seat(tmp_path: Path) -> None:
    async def scenario() -> None:
        time = FakeClock()
        async with RoomsHarness(tmp_path, time) as harness:
            room, _ = await harness.rooms.create(request(), ANA)
        execute(tmp_path, "UPDATE event SET actor = 7 WHERE game = :game", game=room.id)
        async with RoomsHarness(tmp_path, time) as again:
            (found,) = (await again.rooms.own_games(ANA)).set_aside
            assert found.names == ("", None)

    run(scenario())


@pytest.mark.parametrize("is_known", [True, False])
def test_a_damaged_game_never_expires(
    tmp_path: Path, is_known: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether it was opened or not: before a game is deleted it is replayed."""

    async def scenario() -> None:
        time = FakeClock()
        async with RoomsHarness(tmp_path, time) as harness:
            broken, sound = await timed(harness, kind="none"), await timed(harness, kind="none")
        execute(tmp_path, DAMAGES[0].replace("4", "3"), game=broken.id)
        async with RoomsHarness(tmp_path, time) as again:
            if is_known:
                with pytest.raises(Refused, check=has_code("damaged_game")):
                    await again.rooms.room(broken.id)
            deleted = 0
            for days in (EXPIRY["playing"] + 1, MARKED_DAYS + 1, EXPIRY["playing"] + 1, MARKED_DAYS + 1):
                time._now_us += days * DAY_US
                deleted += await again.rooms.delete_expired()
            assert deleted == 1
            assert again.rooms.damaged == 1
            own = await again.rooms.own_games(ANA)
            assert own.games == []
            assert [game.id for game in own.set_aside] == [broken.id]
        rows = execute(tmp_path, "SELECT id, marked_us FROM game")
        assert [tuple(row) for row in rows] == [(broken.id, None)]
        assert sound.id != broken.id
        assert sum(broken.id in record.message for record in caplog.records) == 1

    with caplog.at_level(logging.ERROR):
        run(scenario())
