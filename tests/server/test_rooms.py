"""Rooms: games between friends, with the computer, on one device; offers, legs, links, refusals."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from hnefi import Outcome, Reason, Side, draw_sides, random_game, variant
from hnefi.server.events import Fischer, NoClock
from hnefi.server.games import computer_moves
from hnefi.server.games.audience import Audience
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import CommandRequest
from hnefi.server.games.recording import record_of
from hnefi.server.games.room import Room
from hnefi.server.games.state import Status
from hnefi.server.messages.socket import EventMessage
from hnefi.server.messages.views import game_view
from hnefi.server.store.rows import Counts
from hnefi.workers.fair_queue import Owner
from tests.server.harness import (
    ANA,
    ATTACKERS,
    BRAN,
    DEFENDERS,
    EVE,
    FakeClock,
    RecordingListener,
    RoomsHarness,
    do,
    friends,
    play,
    refused_escape,
    refuses,
    request,
    settle,
)
from tests.server.test_clocks import move, status_of
from tests.timeouts import timeout_s

EVENT = TypeAdapter(EventMessage)


def moves_of(room: Room) -> int:
    return room.state.leg.ply_count


async def test_event_messages_of_moves_are_complete(harness: RoomsHarness) -> None:
    for clock in (NoClock(), Fischer(initial_s=60, increment_s=2)):
        room = await friends(harness, clock=clock)
        for one in random_game(variant("brandub-globe").rules, 7, 40).plies:
            await move(room, one.move)
        assert len(room._recent) > 20
        for _, text in room._recent:
            assert EVENT.dump_json(EVENT.validate_json(text)).decode() == text


async def test_a_move_meant_for_another_board_is_refused(harness: RoomsHarness) -> None:
    room = await friends(harness)
    await play(room, ATTACKERS, "d2-c2")
    await play(room, DEFENDERS, "d3-c3")
    assert await refuses(play(room, ATTACKERS, "d1-c1", seq=4)) == "board_changed"
    assert await refuses(play(room, ATTACKERS, "d1-c1", seq=99)) == "seq_unknown"
    await do(room, DEFENDERS, "offer_draw")
    await play(room, ATTACKERS, "d1-c1", seq=5)
    assert not room.state.offers


async def test_draw_and_takeback_are_agreed_upon(harness: RoomsHarness) -> None:
    room = await friends(harness)
    assert await refuses(do(room, ATTACKERS, "offer_takeback")) == "nothing_to_take_back"
    await play(room, ATTACKERS, "d2-c2")
    await play(room, DEFENDERS, "d3-c3")
    await do(room, ATTACKERS, "offer_takeback")
    assert await refuses(do(room, ATTACKERS, "accept_takeback")) == "no_offer"
    assert await refuses(do(room, DEFENDERS, "accept_takeback", seq=4)) == "no_offer"
    await do(room, DEFENDERS, "accept_takeback")
    assert moves_of(room) == 0
    assert room.state.mover == 0
    await play(room, ATTACKERS, "d2-c2")
    await do(room, ATTACKERS, "offer_draw")
    await do(room, DEFENDERS, "decline_draw")
    await do(room, DEFENDERS, "offer_draw")
    await do(room, ATTACKERS, "offer_draw")
    assert status_of(room) is Status.OVER
    assert room.state.leg.outcome == Outcome(None, Reason.AGREEMENT)


async def test_a_match_of_two_legs_swaps_the_sides_and_counts(harness: RoomsHarness) -> None:
    room = await friends(harness, form="two_legs")
    ana = RecordingListener(0, room=room)
    await do(room, DEFENDERS, "resign")
    assert status_of(room) is Status.BETWEEN_LEGS
    assert ana.events()[-1]["after"]["score"] == [1.0, 0.0]
    assert await refuses(play(room, ATTACKERS, "d2-c2")) == "leg_over"
    late = room.state.seq
    await do(room, DEFENDERS, "next_leg")
    assert await refuses(do(room, ATTACKERS, "resign", seq=late)) == "board_changed"
    assert room.state.mover == 1
    await do(room, ATTACKERS, "resign")
    assert status_of(room) is Status.OVER
    verdict = ana.events()[-1]["after"]["verdict"]
    assert verdict == {"winner": None, "decision": "drawn"}


@pytest.mark.parametrize(
    ("variant", "moves", "verdict"),
    [
        ("brandub-globe", ("d1-b1", "c4-c1"), {"winner": None, "decision": "drawn"}),
        ("tablut-geoludie", ("e3-a3", "e2-a2"), {"winner": 0, "decision": "captures"}),
    ],
)
async def test_captures_break_a_tie_only_if_the_variant_defines_it(
    variant: str, moves: tuple[str, str], verdict: dict[str, object], harness: RoomsHarness
) -> None:
    room = await friends(harness, form="two_legs", variant=variant)
    ana = RecordingListener(0, room=room)
    for text in moves:
        await move(room, text)
    await do(room, frozenset({room.state.mover or 0}), "resign")
    await do(room, ATTACKERS, "next_leg")
    await do(room, frozenset({room.state.mover or 0}), "resign")
    assert ana.events()[-1]["after"]["score"] == [1.0, 1.0]
    assert ana.events()[-1]["after"]["verdict"] == verdict


async def test_lots_are_drawn_so_that_anyone_can_check(harness: RoomsHarness) -> None:
    for _ in range(6):
        room, invite = await harness.games.create(request(side="lot"), ANA)
        assert invite is not None
        commitment = room.state.created.lot
        assert game_view(room, frozenset()).seed is None
        await harness.games.join(room.id, BRAN, invite, "Bran")
        seed = room.state.seed
        assert seed is not None
        assert hashlib.sha256(seed.encode()).hexdigest() == commitment
        drawn = draw_sides(["first", "second"], seed)
        assert ("first", "second")[room.state.leg.attackers] == drawn.attackers


async def test_the_computer_answers_and_moves_are_taken_back_freely(
    harness: RoomsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    # After a failure the computer is asked again soon.
    monkeypatch.setattr(computer_moves, "_RETRY_S", 0.02)
    room, invite = await harness.games.create(request(opponent="computer", level=3), ANA)
    assert invite is None
    await play(room, ATTACKERS, "d2-c2")
    await settle()
    assert moves_of(room) == 2
    await do(room, ATTACKERS, "offer_takeback")
    assert moves_of(room) == 0
    await do(room, ATTACKERS, "offer_draw")
    assert not room.state.offers
    harness.computer.failures = 1
    await play(room, ATTACKERS, "d2-c2")
    async with asyncio.timeout(timeout_s()):
        while moves_of(room) < 2:
            await asyncio.sleep(0.05)
    await do(room, ATTACKERS, "resign")
    await do(room, ATTACKERS, "offer_rematch")
    assert room.state.rematch is not None
    again = await harness.rooms.room(room.state.rematch)
    await settle()
    assert again.state.leg.attackers == 1
    assert moves_of(again) == 1
    assert again.players_of(ANA) == ATTACKERS


async def test_searches_are_charged_to_the_visitor_and_the_address_that_it_came_from(
    harness: RoomsHarness,
) -> None:
    room, _ = await harness.games.create(request(opponent="computer", level=1), ANA)
    await move(room)
    await settle()
    # Without an address, a visitor counts as one.
    assert harness.computer.owners == [Owner(ANA, ANA)]
    harness.rooms.computer.note_address(ANA, "192.0.2.7")
    harness.rooms.computer.note_address(None, "192.0.2.8")
    await move(room)
    await settle()
    assert harness.computer.owners[1:] == [Owner("192.0.2.7", ANA)]


async def test_one_device_has_both_seats(harness: RoomsHarness) -> None:
    room, _ = await harness.games.create(request(opponent="same_device"), ANA)
    both = room.players_of(ANA)
    assert both == {0, 1}
    await play(room, both, "d2-c2")
    await play(room, both, "d3-c3")
    await do(room, both, "offer_takeback")
    assert moves_of(room) == 1
    assert room.state.mover == 1
    await do(room, both, "offer_draw")
    assert status_of(room) is Status.OVER


async def test_a_rematch_swaps_sides_and_keeps_the_seats(harness: RoomsHarness) -> None:
    room = await friends(harness)
    assert await refuses(do(room, ATTACKERS, "offer_rematch")) == "not_over"
    await do(room, ATTACKERS, "resign")
    await do(room, DEFENDERS, "offer_rematch")
    await do(room, ATTACKERS, "accept_rematch")
    assert room.state.rematch is not None
    again = await harness.rooms.room(room.state.rematch)
    assert again.state.leg.attackers == 1
    assert again.state.names == ("Ana", "Bran")
    assert again.state.created.after == room.id
    assert again.players_of(BRAN) == {1}
    await play(again, DEFENDERS, "d2-c2")
    assert await refuses(do(room, ATTACKERS, "offer_rematch")) == "already_rematched"


async def test_a_link_carries_a_seat_to_one_other_device(tmp_path: Path) -> None:
    async with RoomsHarness(tmp_path) as harness:
        room = await friends(harness)
        assert await refuses(harness.games.create_link(room.id, EVE)) == "no_seat"
        secret, _ = await harness.games.create_link(room.id, BRAN)
        assert await refuses(harness.games.use_link("y" * 43, EVE)) == "bad_link"
        await harness.games.use_link(secret, EVE)
        assert room.players_of(EVE) == {1}
        assert await refuses(harness.games.use_link(secret, "f" * 64)) == "bad_link"
        late, _ = await harness.games.create_link(room.id, BRAN)
        await harness.time.advance(16 * 60 * 1_000_000)
        assert await refuses(harness.games.use_link(late, "f" * 64)) == "bad_link"
    async with RoomsHarness(tmp_path, harness.time) as again:
        assert (await again.rooms.room(room.id)).players_of(EVE) == {1}
        assert [one.id for one in (await again.games.own_games(EVE))[0]] == [room.id]


async def test_an_escape_without_its_call_is_refused_and_replayed(harness: RoomsHarness) -> None:
    room = await friends(harness, calls="manual", start="t6/7/7/7/1K5/7/t6 d 0")
    ana = RecordingListener(0, room=room)
    first, idle, escape = refused_escape(room.state.leg.called)
    for one in (first, idle, escape):
        await move(room, one)
    assert ana.events("moved")[-1]["ply"]["refused"]
    assert room.state.mover == 0
    assert room.state.leg.called.must_replay is not None
    assert ana.events()[-1]["after"]["must_replay"]


@pytest.mark.parametrize("calls", ["off", "auto", "manual"])
async def test_a_call_of_nothing_counts_as_none_and_the_record_has_no_fault(
    harness: RoomsHarness, calls: str
) -> None:
    room = await friends(harness, calls=calls)
    for players, one in ((ATTACKERS, "d2-c2"), (DEFENDERS, "d3-c3"), (ATTACKERS, "c2-b2")):
        await play(room, players, one, 2)
    record = record_of(room.state, 1, room.time.leads)
    assert [node.call for node in record.nodes] == [0, 0, 0]
    assert record.replay().faults == ()


async def test_an_id_acts_once_and_serves_no_other_command(harness: RoomsHarness) -> None:
    room = await friends(harness)
    first = await play(room, ATTACKERS, "d2-c2", message="k")
    assert await play(room, ATTACKERS, "D2C2", message="k") == first
    assert await refuses(play(room, ATTACKERS, "d2-b2", message="k")) == "id_used"
    resigning = CommandRequest(id="k", seq=room.state.seq, do="resign")
    assert await refuses(room.act(ATTACKERS, resigning, room.time.now_us())) == "id_used"
    assert room.state.seq == first
    await play(room, DEFENDERS, "d3-c3", message="k")


@pytest.mark.parametrize(
    ("calls", "call", "recorded"), [("auto", 0, "!2"), ("manual", 2, "!2"), ("off", 0, "")]
)
async def test_two_roads_that_win_are_called(
    harness: RoomsHarness, calls: str, call: int, recorded: str
) -> None:
    start = "9/9/9/9/2K6/9/9/9/6t2 d 0"
    room = await friends(harness, variant="tablut-kouvia", calls=calls, start=start)
    ana = RecordingListener(0, room=room)
    await play(room, DEFENDERS, "c5-a5", call)
    assert room.state.leg.outcome == Outcome(Side.DEFENDERS, Reason.TUICHI)
    assert ana.events("moved")[-1]["ply"]["call"] == (2 if recorded else 0)
    assert f"c5-a5{recorded} defenders" in str(record_of(room.state, 1, room.time.leads))


async def test_games_expire_by_their_rule(harness: RoomsHarness) -> None:
    waiting, _ = await harness.games.create(request(), ANA)
    playing = await friends(harness)
    over = await friends(harness)
    await do(over, ATTACKERS, "resign")
    assert await harness.expire(8) == 0
    assert await harness.expire(8) == 1
    assert await refuses(harness.rooms.room(waiting.id)) == "unknown_game"
    await play(await harness.rooms.room(playing.id), ATTACKERS, "d2-c2")
    assert await harness.expire(59) == 0
    assert await harness.expire(2) == 0
    assert await harness.expire(8) == 1
    assert await refuses(harness.rooms.room(playing.id)) == "unknown_game"
    assert await harness.expire(12) == 0
    assert await harness.expire(8) == 1
    assert (await harness.games.own_games(ANA))[0] == []


async def test_abort_is_only_for_games_that_have_not_begun(harness: RoomsHarness) -> None:
    room = await friends(harness)
    await play(room, ATTACKERS, "d2-c2")
    await do(room, DEFENDERS, "abort")
    assert status_of(room) is Status.ABORTED
    room = await friends(harness)
    await play(room, ATTACKERS, "d2-c2")
    await play(room, DEFENDERS, "d3-c3")
    assert await refuses(do(room, ATTACKERS, "abort")) == "too_late_to_abort"
    waiting, _ = await harness.games.create(request(), ANA)
    await do(waiting, ATTACKERS, "abort")
    assert status_of(waiting) is Status.ABORTED


async def test_a_move_of_a_disconnected_sender_is_stored_and_broadcast(harness: RoomsHarness) -> None:
    room = await friends(harness)
    bran = RecordingListener(1, room=room)
    asking = asyncio.create_task(play(room, ATTACKERS, "d2-c2"))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    for _ in range(10):
        await settle()
    assert moves_of(room) == 1
    assert [event["ply"]["move"] for event in bran.events("moved")] == ["d2-c2"]
    await play(room, DEFENDERS, "d3-c3")


async def test_counts_are_the_sum_of_all_processes() -> None:
    changes: list[int] = []
    audience = Audience(
        FakeClock(), 0, lambda _: '{"type": "presence"}', lambda: changes.append(len(changes))
    )
    player, spectator = RecordingListener(1), RecordingListener()
    audience.add(player)
    audience.add(spectator)
    audience.set_elsewhere({7: Counts(1, 0, 30), 8: Counts(0, 2, 1)})
    assert audience.counts == Counts(1, 3, 32)
    assert audience.here == Counts(0, 1, 1)
    for _ in range(2):
        audience.remove(player)
    assert changes == [0, 1, 2]
    assert audience.counts == Counts(1, 2, 32)
    assert audience.players_here == []
    audience.set_elsewhere_at(8, Counts())
    assert audience.counts == Counts(1, 0, 31)
    assert not audience.is_empty
    audience.send_states(lambda players: json.dumps({"type": "state", "you": sorted(players)}))
    assert spectator.received[-1] == {"type": "state", "you": []}


async def test_an_absence_is_as_long_however_often_it_is_read(harness: RoomsHarness) -> None:
    for clock in (Fischer(initial_s=60, increment_s=2), None):
        new = request(clock=clock) if clock else request()
        (read, invite), (unread, other) = [await harness.games.create(new, ANA) for _ in range(2)]
        assert invite is not None
        assert other is not None
        await harness.time.advance(SECOND_US)
        assert read.audience.attendance().away_us == (SECOND_US, SECOND_US)
        # The friend is seen when he takes his seat, and not since the game was made.
        await harness.games.join(read.id, BRAN, invite, "Bran")
        await harness.games.join(unread.id, BRAN, other, "Bran")
        await harness.time.advance(SECOND_US)
        assert read.audience.attendance() == read.audience.attendance() == unread.audience.attendance()
        assert read.audience.attendance().away_us == (2 * SECOND_US, SECOND_US)
