"""Gateways and game workers over a bus in memory: every kind of request, lost messages, new owners."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from hnefi.errors import HnefiError
from hnefi.server.cluster.bus_model import BusModel
from hnefi.server.cluster.calls import Answer
from hnefi.server.cluster.followed_game import FollowedGame
from hnefi.server.cluster.messages import Missed, Reply
from hnefi.server.games.actions import Action
from hnefi.server.games.commands import ActionCommand, MoveCommand
from hnefi.server.games.games import Games, Subscription
from hnefi.server.refusals import Refused, TooManyRequests
from hnefi.server.store import slot_of
from tests.codes import has_code
from tests.server.cluster.memory_site import MemorySite, until
from tests.server.harness import ANA, BRAN, EVE, RecordingListener, request, settle

SECOND = 1_000_000


def nothing() -> None:
    """Charges nothing."""


def run(work: Callable[[MemorySite], Coroutine[Any, Any, None]], folder: Path, **changes: Any) -> None:
    async def main() -> None:
        async with MemorySite(folder, **changes) as site:
            await work(site)

    asyncio.run(main())


class Follower(RecordingListener):
    """A connection that follows a game, and plays with `act`."""

    subscription: Subscription

    async def open(
        self, games: Games, game: str, visitor: str | None, since: int | None = None
    ) -> "Follower":
        self.subscription = await games.subscribe(game, visitor, since)
        self.players = self.subscription.players
        for text in self.subscription.first():
            self.send(text)
        self.subscription.begin(self)
        return self

    @property
    def seq(self) -> int:
        """The last event of which it knows; each follows on the one before, and no state takes one back."""
        seq = 0
        for message in self.received:
            if message["type"] == "state":
                assert message["seq"] >= seq, [one.get("seq") for one in self.received]
                seq = message["seq"]
            elif message["type"] == "event":
                assert message["seq"] == seq + 1, [one.get("seq") for one in self.received]
                seq = message["seq"]
        return seq

    async def act(self, command: MoveCommand | ActionCommand, message: str, now_us: int) -> int:
        return await self.subscription.act(command, message, self.seq, now_us, nothing)


async def new_game(site: MemorySite, **changes: object) -> str:
    """Creates a game of Ana and Bran by two gateways."""
    first, second = (gateway.games for gateway in site.gateways[:2])
    created = await first.create(request(**changes), ANA)
    assert created.invite is not None
    await second.join(created.id, BRAN, created.invite, "Bran")
    return created.id


def test_players_at_two_gateways_play_and_see_each_other(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        ana = await Follower().open(site.gateways[0].games, game, ANA)
        bran = await Follower().open(site.gateways[1].games, game, BRAN)
        eve = await Follower().open(site.gateways[1].games, game, None)
        assert [ana.received[0]["you"], bran.received[0]["you"], eve.received[0]["you"]] == [[0], [1], []]
        done = await ana.act(MoveCommand("d2-c2"), "m1", site.time.now_us())
        assert done == 4
        await settle()
        assert [ana.seq, bran.seq, eve.seq] == [4, 4, 4]
        # The same message acts once.
        assert await ana.subscription.act(MoveCommand("d2-c2"), "m1", 3, site.time.now_us(), nothing) == 4
        with pytest.raises(Refused) as refused:
            await ana.act(MoveCommand("c2-d2"), "m2", site.time.now_us())
        assert refused.value.code == "not_your_turn"
        with pytest.raises(HnefiError) as illegal:
            await bran.act(MoveCommand("a1-a2"), "m1", site.time.now_us())
        assert not isinstance(illegal.value, Refused)
        bran.subscription.end()
        await settle()
        presence = [message for message in ana.received if message["type"] == "presence"]
        assert presence[-1]["present"] == [True, False]
        # An event is published once for a gateway, however many follow the game there.
        published = [channel for channel, data in site.bus_server.published if b'"type":"event"' in data]
        assert sorted(published) == ["g:a", "g:b"]

    run(main, tmp_path)


def test_every_other_request_is_answered_by_the_owner(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        first, second = (gateway.games for gateway in site.gateways)
        game = await new_game(site, clock={"kind": "fischer", "initial_s": 600, "increment_s": 0})
        assert '"you":[1]' in await first.state(game, BRAN)
        secret, _ = await first.create_link(game, BRAN)
        assert '"you":[1]' in await second.use_link(secret, EVE)
        with pytest.raises(Refused, check=has_code("bad_link")):
            await second.use_link(secret, "f" * 64)
        reads = first.state("nobody", None), first.read("nobody"), first.subscribe("nobody", ANA, None)
        for unknown in reads:
            with pytest.raises(Refused, check=has_code("unknown_game")):
                await unknown
        assert len(site.gateways[0].games) == 0
        read = await second.read(game)
        assert read.players_of(EVE) == {1}
        assert read.state.seq == 3
        assert [one.id for one in (await first.read_own(ANA)).games] == [game]
        with pytest.raises(HnefiError, check=has_code("unknown_variant")):
            await first.create(request(variant="chess"), ANA)
        with pytest.raises(Refused, check=has_code("no_seat")):
            await first.create_link(game, "f" * 64)

    run(main, tmp_path)


def test_the_visitor_is_charged_for_a_rematch_once_by_the_gateway(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        games, game = site.gateways[0].games, await new_game(site)
        now_us, charged = site.time.now_us(), []

        def refuse() -> None:
            raise TooManyRequests("too_many_games", "too_many_games")

        await games.act(game, ANA, ActionCommand(Action.RESIGN), "a", 3, now_us, nothing)
        await games.act(game, ANA, ActionCommand(Action.OFFER_REMATCH), "b", 4, now_us, nothing)
        accept = ActionCommand(Action.ACCEPT_REMATCH)
        with pytest.raises(TooManyRequests):
            await games.act(game, BRAN, accept, "c", 5, now_us, refuse)
        done = await games.act(game, BRAN, accept, "d", 5, now_us, lambda: charged.append(1))
        assert (done, charged) == (6, [1])
        rematch = (await games.read(game)).state.rematch
        assert rematch is not None
        # Its owner has loaded it, since it may have a clock.
        await until(lambda: site.workers[1].rooms.loaded(rematch) is not None)

    run(main, tmp_path)


def test_a_bus_that_loses_every_fifth_message_loses_no_move(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        players = [await Follower().open(site.gateways[0].games, game, ANA)]
        players.append(await Follower().open(site.gateways[1].games, game, BRAN))
        watching = [await Follower().open(gateway.games, game, None) for gateway in site.gateways]
        site.bus_server.lose_every(5)
        acknowledged = await play(site, players, 30)
        site.bus_server.drops = lambda _channel, _data: False
        site.tick()
        everybody = [*players, *watching]
        await until(lambda: all(follower.seq == acknowledged[-1] for follower in everybody))
        assert acknowledged == list(range(4, 4 + len(acknowledged)))
        assert sum(gateway.calls.repeated for gateway in site.gateways) > 0

    run(main, tmp_path)


async def play(site: MemorySite, players: list[Follower], moves: int) -> list[int]:
    """Plays moves at random, each after the last; returns the numbers of the events."""
    chance, done = random.Random(1), []
    for number in range(moves):
        mover = players[number % 2]
        state = (await site.gateways[0].games.read(mover.received[0]["game"])).state
        if state.turn is None:
            break
        move = str(chance.choice(state.leg.game.legal_moves()))
        sent = mover.subscription.act(MoveCommand(move), f"m{number}", state.seq, site.time.now_us(), nothing)
        done.append(await sent)
    return done


def test_play_goes_on_while_games_change_their_owner(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        players = [await Follower().open(site.gateways[0].games, game, ANA)]
        players.append(await Follower().open(site.gateways[1].games, game, BRAN))
        playing = asyncio.ensure_future(play(site, players, 30))
        for owner in (2, 1, 2, 1, 2):
            goal = len(site.bus_server.published) + 5
            while not playing.done() and len(site.bus_server.published) < goal:
                await asyncio.sleep(0)
            await site.hand_over([slot_of(game)], owner)
        acknowledged = await playing
        assert acknowledged == list(range(4, 4 + len(acknowledged)))
        await until(lambda: {player.seq for player in players} == {acknowledged[-1]})
        # The followers are with the new owner: it says who is there.
        room = site.workers[2].rooms.loaded(game)
        assert room is not None
        await until(lambda: room.attendance().away_us == (0, 0))
        assert site.workers[1].rooms.loaded(game) is None

    run(main, tmp_path)


def test_a_worker_that_is_cut_off_is_replaced_and_its_replies_are_not_believed(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        ana = await Follower().open(site.gateways[0].games, game, ANA)
        bran = await Follower().open(site.gateways[1].games, game, BRAN)
        site.kill(1)
        assert await ana.act(MoveCommand("d2-c2"), "m1", site.time.now_us()) == 4
        await until(lambda: bran.seq == 4)
        # The former owner comes back, and says what it knows.
        former = site.workers[1]
        former.bus._transport.is_cut = False  # type: ignore[attr-defined]
        former.worker.on_gap(None)
        await settle()
        assert await bran.act(MoveCommand("c4-c3"), "m2", site.time.now_us()) == 5
        await until(lambda: ana.seq == 5)

    run(main, tmp_path)


def test_a_restarted_bus_brings_back_what_was_missed(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        ana = await Follower().open(site.gateways[0].games, game, ANA)
        bran = await Follower().open(site.gateways[1].games, game, BRAN)
        site.bus_server.kill()
        sent = asyncio.ensure_future(ana.act(MoveCommand("d2-c2"), "m1", site.time.now_us()))
        await settle()
        assert not sent.done()
        site.bus_server.restart()
        assert await sent == 4
        await until(lambda: bran.seq == 4)

    run(main, tmp_path)


async def move_before_state_arrives(site: MemorySite, game: str, owner: int) -> None:
    """Makes a move right after the whole state was sent to a gateway, which receives both in one go."""
    server = site.bus_server

    def hold(_channel: str, data: bytes) -> bool:
        server.is_holding = server.is_holding or b'"is_state":true' in data
        return False

    server.drops = hold
    await until(lambda: server.is_holding)
    room = site.workers[owner].rooms.loaded(game)
    assert room is not None
    await room.act(frozenset({0}), MoveCommand("d2-c2"), "m1", room.state.seq, site.time.now_us())
    await settle()
    server.drops = lambda _channel, _data: False
    server.release()


def test_a_state_that_a_move_has_overtaken_takes_nothing_back(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game, games = await new_game(site), site.gateways[0].games
        ana = await Follower().open(games, game, ANA)
        bran = await Follower().open(games, game, BRAN)
        # The new owner has no event in memory, and answers with the whole state.
        await site.hand_over([slot_of(game)], 2)
        await move_before_state_arrives(site, game, 2)
        await until(lambda: (ana.seq, bran.seq) == (4, 4))
        assert await bran.act(MoveCommand("c4-c3"), "m2", site.time.now_us()) == 5
        await until(lambda: (ana.seq, bran.seq) == (5, 5))
        # A state of the same event, as after a change of the clock, is passed on.
        room = site.workers[2].rooms.loaded(game)
        assert room is not None
        room.send_state()
        await until(lambda: all(one.received[-1]["type"] == "state" for one in (ana, bran)))
        assert (ana.seq, bran.seq) == (5, 5)

    run(main, tmp_path)


def test_a_move_that_overtakes_the_first_answer_is_not_missed(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        opening = asyncio.ensure_future(Follower().open(site.gateways[0].games, game, None))
        await move_before_state_arrives(site, game, 1)
        eve = await opening
        await until(lambda: eve.seq == 4)

    run(main, tmp_path)


def test_a_state_is_the_truth_if_nothing_has_happened_since_it_was_asked_for() -> None:
    def answer(seq: int) -> Answer:
        return Answer(
            1,
            Reply(id=1, slot=0, epoch=1, parameters={}, seq=seq, is_state=True),
            [f'{{"seq":{seq},"you":[]}}'],
        )

    followed, listener = FollowedGame("abc", 0), RecordingListener(1)
    assert followed.begin(answer(7))
    followed.audience.add(listener)
    assert followed.on_event(8, '{"seq":8}')
    assert not followed.catch_up(answer(7), known=7)
    assert listener.received == [{"seq": 8}]
    # The database was set back to an older copy.
    assert followed.catch_up(answer(6), known=8)
    assert listener.received[1:] == [{"seq": 6, "you": [1]}]
    assert followed.on_event(7, '{"seq":7}')
    assert listener.received[2:] == [{"seq": 7}]


def test_a_silent_gateway_is_away_until_it_opens_its_games_again(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        ana = await Follower().open(site.gateways[0].games, game, ANA)
        bran = await Follower().open(site.gateways[1].games, game, BRAN)
        await settle()
        worker = site.workers[1]
        room = worker.rooms.loaded(game)
        assert room is not None
        # It was stopped: it reads nothing for a while, then all at once.
        site.bus_server.is_holding = True
        worker.worker.on_absent("g:b")
        assert room.attendance().away_us[1] > 0
        site.bus_server.release()
        await until(lambda: room.attendance().away_us == (0, 0))
        assert await ana.act(MoveCommand("d2-c2"), "m1", site.time.now_us()) == 4
        await until(lambda: bran.seq == 4)

    run(main, tmp_path)


def test_games_without_followers_are_forgotten(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        ana = await Follower().open(site.gateways[0].games, game, ANA)
        await settle()
        room = site.workers[1].rooms.loaded(game)
        assert room is not None
        ana.subscription.end()
        ana.subscription.end()
        await settle()
        assert room.is_empty
        assert len(site.gateways[0].games) == 0

    run(main, tmp_path)


def test_gaps_and_ends_of_other_processes_concern_no_game(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game = await new_game(site)
        await Follower().open(site.gateways[0].games, game, ANA)
        await settle()
        site.bus_server.published.clear()
        for sender in ("e:one", "g:two", "w:x"):
            site.gateways[0].games.on_gap(sender)
            site.gateways[0].games.on_absent(sender)
            site.gateways[0].games.on_message(sender, Missed(), None)
        site.workers[1].worker.on_gap("e:one")
        await settle()
        assert site.bus_server.published == []

    run(main, tmp_path)


def test_every_request_acts_once_if_each_first_reply_is_lost(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        lost: set[bytes] = set()

        def drops(channel: str, data: bytes) -> bool:
            if not channel.startswith("g:") or b'"type":"reply"' not in data:
                return False
            number = channel.encode() + data.partition(b'"id":')[2].partition(b",")[0]
            is_first = number not in lost
            lost.add(number)
            return is_first

        site.bus_server.drops = drops
        first, second = (gateway.games for gateway in site.gateways)
        now_us = site.time.now_us()
        created = await first.create(request(), ANA)
        assert created.invite is not None
        game = created.id
        await second.join(game, BRAN, created.invite, "Bran")
        ana = await Follower().open(first, game, ANA)
        assert await ana.act(MoveCommand("d2-c2"), "m1", now_us) == 4
        secret, _ = await first.create_link(game, BRAN)
        assert '"you":[1]' in await second.use_link(secret, EVE)
        await first.act(game, ANA, ActionCommand(Action.RESIGN), "a", 4, now_us, nothing)
        await first.act(game, ANA, ActionCommand(Action.OFFER_REMATCH), "b", 5, now_us, nothing)
        charged: list[int] = []
        accept = ActionCommand(Action.ACCEPT_REMATCH)
        await second.act(game, EVE, accept, "c", 6, now_us, lambda: charged.append(1))
        assert charged == [1]
        read = await first.read(game)
        assert read.state.seq == 7
        assert sorted(seat.player for seat in read.seats) == [0, 1, 1]
        assert len((await first.read_own(ANA)).games) == 2
        assert len(lost) >= 9

    run(main, tmp_path)


def test_games_are_opened_one_in_an_iteration_and_charged(tmp_path: Path) -> None:
    async def main(site: MemorySite) -> None:
        game, games = await new_game(site), site.gateways[0].games
        worker = site.workers[1]
        sent: list[int] = []
        iteration, send = 0, worker.bus.send

        def note(channel: str, message: BusModel, text: str | None = None) -> None:
            sent.append(iteration)
            send(channel, message, text)

        worker.bus.send = note  # type: ignore[method-assign]
        opening = asyncio.gather(*(games.subscribe(game, None, None) for _ in range(8)))
        while not opening.done():
            iteration += 1
            await asyncio.sleep(0)
        replies = len(set(sent))
        assert replies >= 8
        assert all(subscription.cost_ms > 0 for subscription in await opening)

    run(main, tmp_path)
