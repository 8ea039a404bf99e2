"""The games of a gateway: those who play and follow them are here, the games are with game workers."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from hnefi.errors import HnefiError
from hnefi.server.cluster.calls import Answer, Calls, Request, address_of_worker
from hnefi.server.cluster.followed_game import FollowedGame
from hnefi.server.cluster.messages import (
    Adjudicate,
    AnyMessage,
    BusModel,
    CommandBody,
    Create,
    CreateLink,
    Do,
    Event,
    Here,
    Join,
    Leaving,
    Missed,
    Open,
    Owners,
    Play,
    Presence,
    Present,
    Reply,
    SaveClassroom,
    Unfollow,
    UseLink,
)
from hnefi.server.cluster.owners import OwnerTable
from hnefi.server.cluster.people_elsewhere import PeopleElsewhere
from hnefi.server.cluster.stored_games import StoredGames, StoredReading
from hnefi.server.events import Result
from hnefi.server.games.audience import Listener
from hnefi.server.games.background import BackgroundTasks
from hnefi.server.games.commands import ActionCommand, MoveCommand
from hnefi.server.games.games import CreatedGame, OwnList
from hnefi.server.games.new_game import Guest, NewGame, playable_variant
from hnefi.server.games.opponents import Addresses
from hnefi.server.games.time import Time
from hnefi.server.messages.http import NewGameRequest
from hnefi.server.refusals import Refused, refused
from hnefi.server.secrets import hash_of, new_game_id, new_secret
from hnefi.server.store import ClassroomRow, Conflict, NotSaved, slot_of

__all__ = ["Gateway", "GatewayBus"]

_log = logging.getLogger(__name__)
_MOST_REOPENED = 64
"""How many games are opened again at a time, after messages were lost or owners have changed."""

_RETRY_S = 1.0
_SPECTATORS_S = 1.0


class GatewayBus(Protocol):
    """What the gateway needs of the bus; see `Bus`."""

    def send(self, channel: str, message: BusModel, text: str | None = None) -> None:
        """Sends a message without waiting."""

    def add_peer(self, address: str) -> None:
        """Sends beats to a process, and expects messages from it."""

    def forget(self, address: str) -> None:
        """Forgets a process that has ended."""


class Gateway:
    """All games, by way of the bus; see `hnefi.server.games.games.Games`."""

    def __init__(
        self, bus: GatewayBus, owners: OwnerTable, calls: Calls, stored: StoredGames, time: Time
    ) -> None:
        """Creates it without followed games.

        Args:
            bus: Its end of the bus.
            owners: Who owns which slot.
            calls: Its commands.
            stored: The games in the database.
            time: The time of the site.
        """
        self._bus = bus
        self._owners = owners
        self._calls = calls
        self._stored = stored
        self._time = time
        self._addresses = Addresses()
        self._followed: dict[str, FollowedGame] = {}
        self._stale: dict[str, None] = {}
        self._reopening = 0
        self._tasks = BackgroundTasks(_log, "a background task of the gateway failed")
        self.note_address = self._addresses.note
        self.people = PeopleElsewhere()

    def __len__(self) -> int:
        return len(self._followed)

    async def stop(self) -> None:
        """Ends its tasks."""
        await self._tasks.cancel()

    # Messages of game workers

    def on_message(self, sender: str, message: AnyMessage, text: str | None) -> None:
        """Handles a message of the bus; those for engine workers are ignored."""
        worker = _worker_of(sender)
        match message:
            case Owners():
                self._owners.note(message.slots)
            case Here():
                self.people.note(sender, message)
            case Leaving() if worker is None:
                self.people.forget(sender)
            case _ if worker is None:
                return
            case Event():
                self._on_event(sender, message, text or "")
            case Reply():
                self._calls.on_reply(worker, message, text)
            case Presence():
                followed = self._followed.get(message.game)
                if followed is not None and message.epoch >= followed.epoch:
                    followed.audience.send(text or "")
            case Missed():
                self._reopen_all(worker)
            case Leaving():
                self._owners.doubt()
                self._bus.forget(sender)

    def _on_event(self, sender: str, message: Event, text: str) -> None:
        followed = self._followed.get(message.game)
        if followed is None:
            self._bus.send(sender, Unfollow(games=[message.game]))
        elif not followed.on_event(message.seq, text):
            self._reopen(followed)

    def on_gap(self, sender: str | None) -> None:
        """Opens games again after messages were lost: those of a sender, or of everybody if None."""
        worker = None if sender is None else _worker_of(sender)
        if sender is None or worker is not None:
            self._owners.doubt()
            self._calls.send_all_again()
            self._reopen_all(worker)

    def on_absent(self, sender: str) -> None:
        """Looks for the new owner of the games of a worker that is silent."""
        if (worker := _worker_of(sender)) is not None:
            self._owners.doubt()
            self._reopen_all(worker)

    def on_owners_changed(self, slots: set[int]) -> None:
        """Repeats commands to the new owners of slots, and opens their games again."""
        self._calls.on_owners_changed(slots)
        for followed in self._followed.values():
            if followed.slot in slots and followed.worker is not None:
                epoch, worker = self._owners.of(followed.slot)
                if worker is not None and epoch != followed.epoch:
                    self._reopen(followed)

    # Opening games again

    def _reopen_all(self, worker: int | None) -> None:
        for followed in self._followed.values():
            if followed.worker is not None and worker in (None, followed.worker):
                self._reopen(followed)

    def _reopen(self, followed: FollowedGame) -> None:
        self._stale[followed.id] = None
        if self._reopening < _MOST_REOPENED:
            self._reopening += 1
            self._tasks.spawn(self._reopen_stale())

    async def _reopen_stale(self) -> None:
        try:
            while self._stale:
                game = next(iter(self._stale))
                del self._stale[game]
                if (followed := self._followed.get(game)) is not None:
                    await self._catch_up(followed)
        finally:
            self._reopening -= 1

    async def _catch_up(self, followed: FollowedGame) -> None:
        """Opens a game again, and passes on what was missed."""
        known = followed.known
        body = Open(since=followed.seq, connections=followed.counts)
        try:
            answer = await self._calls.call(Request(followed.id, followed.slot, None, body))
        except NotSaved:
            asyncio.get_running_loop().call_later(_RETRY_S, self._reopen, followed)
        except HnefiError as error:
            _log.warning("game %s could not be opened again: %s", followed.id, error)
        else:
            self._bus.add_peer(address_of_worker(answer.worker))
            if not followed.catch_up(answer, known):
                self._reopen(followed)
            if followed.counts != body.connections:
                self._announce(followed)

    # Connections

    async def subscribe(self, game: str, visitor: str | None, since: int | None) -> "_Subscription":
        """Opens a game for a connection."""
        followed = self._followed.get(game)
        if followed is None:
            followed = self._followed[game] = FollowedGame(game, slot_of(game))
        followed.subscriptions += 1
        try:
            answer = await self._ask(game, visitor, Open(since=since, connections=followed.counts))
        except BaseException:
            self.leave(followed)
            raise
        self._bus.add_peer(address_of_worker(answer.worker))
        if not followed.begin(answer):
            self._reopen(followed)
        return _Subscription(self, followed, visitor, answer)

    def leave(self, followed: FollowedGame) -> None:
        """Ends a subscription; a game without any is no longer followed."""
        followed.subscriptions -= 1
        if not followed.subscriptions and self._followed.pop(followed.id, None) is not None:
            self._stale.pop(followed.id, None)
            if followed.worker is not None:
                self._bus.send(address_of_worker(followed.worker), Unfollow(games=[followed.id]))

    def presence_changed(self, followed: FollowedGame, listener: Listener) -> None:
        """Announces a player who came or left at once, and spectators, who may be many, once a second."""
        if listener.players:
            self._announce(followed)
        elif not followed.is_announcing:
            followed.is_announcing = True
            asyncio.get_running_loop().call_later(_SPECTATORS_S, self._announce, followed)

    def _announce(self, followed: FollowedGame) -> None:
        followed.is_announcing = False
        if followed.worker is not None and followed.subscriptions:
            message = Present(game=followed.id, connections=followed.counts)
            self._bus.send(address_of_worker(followed.worker), message)

    # Commands

    async def act(
        self,
        game: str,
        visitor: str | None,
        command: MoveCommand | ActionCommand,
        message: str,
        seq: int,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> int:
        """Carries out a command of a visitor."""
        body: CommandBody
        if isinstance(command, MoveCommand):
            body = Play(move=command.move, call=command.call)
        else:
            body = Do(action=command.action.value)
        request = self._request(game, visitor, body)
        request = request._replace(seq=seq, message=message, received_us=received_us)
        answer = await self._calls.call(request)
        if answer.reply.is_charge:
            charge_game()
            answer = await self._calls.call(request._replace(is_charged=True))
        assert answer.reply.seq is not None
        return answer.reply.seq

    async def read(self, game: str) -> StoredReading:
        """Returns a game to read."""
        return await self._stored.read(game)

    async def read_own(self, visitor: str) -> OwnList:
        """Returns the games of a visitor to read, and those that are set aside."""
        return await self._stored.read_own(visitor)

    async def state(self, game: str, visitor: str | None) -> str:
        """Returns the message of the whole state of a game."""
        return (await self._ask(game, visitor, Open(follows=False))).texts[0]

    async def create(self, new: NewGame, visitor: str, guest: Guest | None = None) -> CreatedGame:
        """Creates a game under a new id; it is the owner of its slot who stores it."""
        playable_variant(new)
        game = new_game_id()
        invite = new_secret() if new.opponent == "friend" and guest is None else None
        wish = NewGameRequest(**{name: getattr(new, name) for name in NewGameRequest.model_fields})
        body = Create(
            new=wish,
            invite=None if invite is None else hash_of(invite),
            guest=None if guest is None else guest.visitor,
            guest_name="" if guest is None else guest.name,
        )
        answer = await self._ask(game, visitor, body)
        return CreatedGame(game, invite, answer.texts[0])

    async def join(self, game: str, visitor: str, invite: str | None, name: str) -> str:
        """Assigns the free seat of a game, and returns the message of the whole state."""
        digest = None if invite is None else hash_of(invite)
        return (await self._ask(game, visitor, Join(invite=digest, name=name))).texts[0]

    async def create_link(self, game: str, visitor: str) -> tuple[str, int]:
        """Creates a link; returns its secret, and until when it can be used."""
        secret = new_secret()
        until_us = (await self._ask(game, visitor, CreateLink(secret=hash_of(secret)))).reply.until_us
        assert until_us is not None
        return secret, until_us

    async def use_link(self, secret: str, visitor: str) -> str:
        """Assigns the seat of a link, and returns the message of the whole state."""
        link = await self._stored.find_link(hash_of(secret))
        if link is None:
            raise refused("bad_link")
        return (await self._ask(link.game, visitor, UseLink(secret=link.secret))).texts[0]

    async def adjudicate(self, game: str, result: Result) -> None:
        """Sets the result of a game; it is its owner who stores it."""
        await self._ask(game, None, Adjudicate(result=result))

    async def write_classroom(self, row: ClassroomRow) -> None:
        """Writes the next revision of a class; it is the owner of the slot of its code who stores it."""
        body = SaveClassroom(revision=row.revision, changed_us=row.changed_us, body=row.body)
        try:
            await self._ask(row.code, None, body)
        except Refused as refusal:
            if refusal.code != "conflict":
                raise
            raise Conflict("the class was changed meanwhile") from None

    async def _ask(self, game: str, visitor: str | None, body: CommandBody) -> Answer:
        return await self._calls.call(self._request(game, visitor, body))

    def _request(self, game: str, visitor: str | None, body: CommandBody) -> Request:
        address = self._addresses.of(visitor)
        return Request(
            game, slot_of(game), visitor, body, received_us=self._time.now_us(), address=address or ""
        )


class _Subscription:
    """A visitor's access to a game on one connection; see `hnefi.server.games.games.Subscription`."""

    def __init__(self, gateway: Gateway, followed: FollowedGame, visitor: str | None, answer: Answer) -> None:
        self.players = frozenset(answer.reply.players)
        self.cost_ms = answer.reply.cost_us / 1000
        self._gateway = gateway
        self._followed = followed
        self._visitor = visitor
        self._answer = answer
        self._listener: Listener | None = None
        self._is_over = False

    @property
    def seq(self) -> int:
        return self._followed.seq or 0

    def first(self) -> list[str]:
        return self._followed.first(self._answer)

    def begin(self, listener: Listener) -> None:
        self._listener = listener
        self._followed.audience.add(listener)
        self._gateway.presence_changed(self._followed, listener)

    def end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._listener is not None:
            self._followed.audience.remove(self._listener)
            self._gateway.presence_changed(self._followed, self._listener)
        self._gateway.leave(self._followed)

    def act(
        self,
        command: MoveCommand | ActionCommand,
        message: str,
        seq: int,
        received_us: int,
        charge_game: Callable[[], None],
    ) -> Coroutine[Any, Any, int]:
        return self._gateway.act(
            self._followed.id, self._visitor, command, message, seq, received_us, charge_game
        )


def _worker_of(sender: str) -> int | None:
    """Returns the id of a game worker by its address; None if it is another process."""
    kind, _, number = sender.partition(":")
    return int(number) if kind == "w" and number.isdecimal() else None
