"""A game worker: carries out the commands of gateways, and tells them what happens in their games."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection
from typing import Any, Protocol

from hnefi.errors import HnefiError
from hnefi.server.cluster.messages import (
    ALL,
    Adjudicate,
    AnyMessage,
    BusModel,
    Command,
    Create,
    Created,
    CreateLink,
    Do,
    Event,
    Join,
    Leaving,
    Missed,
    Open,
    Play,
    Presence,
    Present,
    Reply,
    SaveClassroom,
    Unfollow,
    UseLink,
)
from hnefi.server.cluster.owned_rooms import OwnedRooms
from hnefi.server.games.actions import Action
from hnefi.server.games.audience import Counts
from hnefi.server.games.background import BackgroundTasks
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import ActionCommand, MoveCommand
from hnefi.server.games.new_game import Guest
from hnefi.server.games.room import Room
from hnefi.server.games.time import Time
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import ClassroomRow, Conflict, LeaseLost, NotSaved, Store, Write, slot_of

__all__ = ["GameWorker", "WorkerBus"]

_log = logging.getLogger(__name__)
_EARLIEST_US = 5 * SECOND_US
"""By how much a command may have been received before the time of this worker."""


class WorkerBus(Protocol):
    """What the game worker needs of the bus; see `Bus`."""

    def send(self, channel: str, message: BusModel, text: str | None = None) -> None:
        """Sends a message without waiting."""

    def add_peer(self, address: str) -> None:
        """Sends beats to a process, and expects messages from it."""

    def forget(self, address: str) -> None:
        """Forgets a process that has ended."""


class _ChargeFirst(Exception):
    """A rematch counts as a new game, for which the gateway charges the visitor."""


def _charge_first() -> None:
    raise _ChargeFirst


def _charged() -> None:
    """Does nothing: the gateway has charged."""


class GameWorker:
    """Serves the games of the slots that this process owns."""

    def __init__(
        self,
        bus: WorkerBus,
        rooms: OwnedRooms,
        store: Store,
        site_time: Time,
        epoch: Callable[[int], int | None],
    ) -> None:
        """Creates it without followers.

        Args:
            bus: Its end of the bus; another one after the lease was lost.
            rooms: The rooms of its slots.
            store: Their store.
            site_time: The time of the site.
            epoch: Returns the epoch of a slot; None if this worker does not own it.
        """
        self.bus = bus
        self._rooms = rooms
        self._store = store
        self._time = site_time
        self.epoch = epoch
        self._opening = asyncio.Lock()
        self._relays: dict[str, dict[str, _GatewayRelay]] = {}
        self._tasks = BackgroundTasks(_log, "a command could not be carried out")

    async def stop(self) -> None:
        """Ends its tasks."""
        await self._tasks.cancel()

    # Messages

    def on_message(self, sender: str, message: AnyMessage, _text: str | None) -> None:
        """Handles a message of the bus."""
        match message:
            case Command():
                self._tasks.spawn(self._serve(sender, message))
            case Present():
                self._note_present(sender, message)
            case Unfollow():
                for game in message.games:
                    self._unfollow(sender, game)
            case Leaving() if sender.startswith("g:"):
                self._drop(sender)
                self.bus.forget(sender)
            case Created() if self.epoch(message.slot) is not None:
                self._tasks.spawn(self._load(message.game))

    def on_gap(self, sender: str | None) -> None:
        """Asks a gateway for what may have been lost, or all of them if None."""
        gateways = list(self._relays) if sender is None else [sender]
        for gateway in gateways:
            if gateway.startswith("g:"):
                self.bus.send(gateway, Missed())

    def on_absent(self, gateway: str) -> None:
        """Drops a silent gateway from all rooms; its players count as away."""
        self._drop(gateway)
        # If it was only stopped, it reads this first, and opens its games again.
        self.bus.send(gateway, Missed())

    def _drop(self, gateway: str) -> None:
        for game in list(self._relays.get(gateway, ())):
            self._unfollow(gateway, game)
        self._relays.pop(gateway, None)

    def forget(self, slots: Collection[int] | None) -> None:
        """Forgets who follows games of slots that are owned no more; None for all."""
        for games in self._relays.values():
            for game in [game for game in games if slots is None or slot_of(game) in slots]:
                del games[game]

    def _note_present(self, gateway: str, message: Present) -> None:
        relay = self._relays.get(gateway, {}).get(message.game)
        if relay is None:
            self.bus.send(gateway, Missed())
        else:
            relay.room.set_relay(relay, Counts(*message.connections))

    def _unfollow(self, gateway: str, game: str) -> None:
        if (relay := self._relays.get(gateway, {}).pop(game, None)) is not None:
            relay.room.remove_relay(relay)

    async def _load(self, game: str) -> None:
        with contextlib.suppress(NotSaved, Refused):
            await self._rooms.room(game)

    # Commands

    async def _serve(self, gateway: str, command: Command) -> None:
        """Carries out a command, and replies."""
        try:
            if isinstance(command.body, Open):
                await self._open(gateway, command, command.body)
                return
            reply, text = await self._carry_out(command)
        except LeaseLost:
            reply, text = self._reply(command, not_owner=True), None
        except (NotSaved, Conflict):
            reply, text = self._reply(command, error="not_saved"), None
        except _ChargeFirst:
            reply, text = self._reply(command, is_charge=True), None
        except HnefiError as error:
            is_refusal = isinstance(error, Refused)
            reply = self._reply(command, error=error.code, parameters=error.parameters, is_refusal=is_refusal)
            text = None
        self.bus.send(gateway, reply, text)

    async def _open(self, gateway: str, command: Command, body: Open) -> None:
        """Opens a game, one in an iteration of the event loop.

        The whole state of a long game takes milliseconds, for which the moves of others would have to wait.
        """
        room = await self._rooms.room(command.game)
        async with self._opening:
            if self._rooms.loaded(command.game) is not room:
                raise LeaseLost("the slot was given up meanwhile")
            begun_ns = time.thread_time_ns()
            missed = room.messages_since(body.since)
            text = room.state_for(command.visitor) if missed is None else "\t".join(missed) or None
            cost_us = (time.thread_time_ns() - begun_ns) // 1000
            reply = self._reply_of(command, room, is_state=missed is None, cost_us=cost_us)
            self.bus.send(gateway, reply, text)
            if body.follows and reply.seq is not None:
                self._follow(gateway, room, Counts(*body.connections))
            await asyncio.sleep(0)

    def _reply(self, command: Command, **fields: Any) -> Reply:
        epoch = self.epoch(command.slot)
        if epoch is None:
            # It may have given up the slot while it carried out the command; what is stored is stored.
            fields = fields if fields.get("seq") is not None else {"not_owner": True}
        return Reply(id=command.id, slot=command.slot, epoch=epoch or 0, **fields)

    async def _carry_out(self, command: Command) -> tuple[Reply, str | None]:
        game, visitor, body = command.game, command.visitor, command.body
        if visitor is not None and command.address:
            self._rooms.addresses.note(visitor, command.address)
        if isinstance(body, (Play, Do)):
            return await self._act(command, body)
        if isinstance(body, SaveClassroom):
            return await self._save_classroom(command, body), None
        if isinstance(body, Adjudicate):
            room = await self._rooms.room(game)
            await room.adjudicate(body.result)
            return self._reply(command, seq=room.state.seq), None
        if visitor is None:
            raise refused("no_seat")
        until_us = None
        if isinstance(body, Create):
            room = await self._create(game, body, visitor)
        elif isinstance(body, Join):
            room = await self._rooms.take_seat(game, visitor, body.invite, body.name)
        elif isinstance(body, CreateLink):
            until_us = await self._create_link(game, body, visitor)
            room = await self._rooms.room(game)
        else:
            assert isinstance(body, UseLink)
            room = await self._use_link(game, body, visitor)
        return self._reply_of(command, room, is_state=True, until_us=until_us), room.state_for(visitor)

    def _reply_of(self, command: Command, room: Room, **fields: Any) -> Reply:
        players = tuple(sorted(room.players_of(command.visitor)))
        return self._reply(command, seq=room.state.seq, players=players, **fields)

    async def _act(self, command: Command, body: Play | Do) -> tuple[Reply, str | None]:
        room = await self._rooms.room(command.game)
        players = room.players_of(command.visitor)
        room.note_seen(players)
        acts = (
            MoveCommand(body.move, body.call)
            if isinstance(body, Play)
            else ActionCommand(Action(body.action))
        )
        now_us = self._time.now_us()
        received_us = min(max(command.received_us, now_us - _EARLIEST_US), now_us)
        charge = _charged if command.is_charged else _charge_first
        rematch = room.state.rematch
        done = await room.act(players, acts, command.message or "", command.seq, received_us, charge)
        if room.state.rematch is not None and rematch is None:
            self._announce(room.state.rematch)
        return self._reply(command, seq=done), None

    def _announce(self, game: str) -> None:
        """Makes the owner of a new game load it."""
        if self.epoch(slot_of(game)) is None:
            self.bus.send(ALL, Created(game=game, slot=slot_of(game)))
        else:
            self._tasks.spawn(self._load(game))

    async def _create(self, game: str, body: Create, visitor: str) -> Room:
        try:
            guest = None if body.guest is None else Guest(body.guest, body.guest_name)
            return await self._rooms.create_as(game, body.new.new_game(), visitor, body.invite, guest)
        except Conflict:
            # The command was repeated. Nobody else knows the id.
            room = await self._rooms.room(game)
            if not room.players_of(visitor):
                raise refused("conflict") from None
            return room

    async def _save_classroom(self, command: Command, body: SaveClassroom) -> Reply:
        row = ClassroomRow(command.game, body.revision, body.changed_us, body.body)
        try:
            await self._store.write(Write(row.code, classroom=row))
        except Conflict:
            raise refused("conflict") from None
        return self._reply(command, seq=body.revision)

    async def _create_link(self, game: str, body: CreateLink, visitor: str) -> int:
        try:
            return await self._rooms.add_link(game, visitor, body.secret)
        except Conflict:
            link = await self._store.find_link(body.secret)
            if link is None:
                raise refused("bad_link") from None
            return link.until_us

    async def _use_link(self, game: str, body: UseLink, visitor: str) -> Room:
        try:
            return await self._rooms.take_linked_seat(body.secret, visitor)
        except Refused:
            # If the command was repeated, the visitor has the seat, and the link is gone.
            room = await self._rooms.room(game)
            if not room.players_of(visitor):
                raise
            return room

    def _follow(self, gateway: str, room: Room, counts: Counts) -> None:
        """Sends the later messages of a game to a gateway, from the iteration of the reply on."""
        games = self._relays.setdefault(gateway, {})
        relay = games.get(room.id)
        if relay is None or relay.room is not room:
            relay = games[room.id] = _GatewayRelay(self, gateway, room)
        self.bus.add_peer(gateway)
        room.set_relay(relay, counts)


class _GatewayRelay:
    """A gateway that follows a room; see `hnefi.server.games.audience.Relay`."""

    __slots__ = ("_gateway", "_slot", "_worker", "room")

    def __init__(self, worker: GameWorker, gateway: str, room: Room) -> None:
        self.room = room
        self._worker = worker
        self._gateway = gateway
        self._slot = slot_of(room.id)

    def send(self, text: str, seq: int | None) -> None:
        worker, game, slot = self._worker, self.room.id, self._slot
        epoch = worker.epoch(slot) or 0
        message = (
            Presence(game=game, slot=slot, epoch=epoch)
            if seq is None
            else Event(game=game, slot=slot, epoch=epoch, seq=seq)
        )
        worker.bus.send(self._gateway, message, text)

    def send_state(self) -> None:
        self._worker.bus.send(self._gateway, Missed())
