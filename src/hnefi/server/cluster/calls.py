"""Commands of a gateway to game workers, each of which is repeated until it has a reply."""

import asyncio
import itertools
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from hnefi.errors import HnefiError
from hnefi.server.cluster.messages import BusModel, Command, CommandBody, Open, Reply
from hnefi.server.cluster.owners import OwnerTable
from hnefi.server.refusals import Refused
from hnefi.server.store import NotSaved

__all__ = ["Answer", "Calls", "Request", "Sender", "address_of_worker"]

_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
_AFTER_REFUSAL_S = 0.1
_GIVE_UP_S = 10.0
_MOST_ATTEMPTS = 1_000


class Sender(Protocol):
    """What sends messages over the bus; see `Bus`."""

    def send(self, channel: str, message: BusModel, text: str | None = None) -> None:
        """Sends a message without waiting."""


class Request(NamedTuple):
    """What a visitor asks of the owner of a game.

    Attributes:
        game: The id of the game.
        slot: Its slot.
        visitor: The hash of the visitor's secret, None without one.
        body: What is asked.
        seq: The last event the visitor had seen.
        message: The id of the client's message.
        received_us: When it was received.
        address: The network address of the visitor.
        is_charged: Whether a rematch was charged.
    """

    game: str
    slot: int
    visitor: str | None
    body: CommandBody
    seq: int = 0
    message: str | None = None
    received_us: int = 0
    address: str = ""
    is_charged: bool = False


class Answer(NamedTuple):
    """The reply to a request.

    Attributes:
        worker: The id of the worker that replied.
        reply: The reply.
        texts: The messages for browsers that came with it.
    """

    worker: int
    reply: Reply
    texts: Sequence[str]


def address_of_worker(worker: int) -> str:
    """Returns the address of a game worker on the bus.

    >>> address_of_worker(7)
    'w:7'
    """
    return f"w:{worker}"


class Calls:
    """The commands of a gateway that wait for a reply."""

    def __init__(
        self,
        sender: Sender,
        owners: OwnerTable,
        *,
        pauses_s: Sequence[float] = _PAUSES_S,
        give_up_s: float = _GIVE_UP_S,
        after_refusal_s: float = _AFTER_REFUSAL_S,
    ) -> None:
        """Creates it without any.

        Args:
            sender: Sends commands.
            owners: Who owns which slot.
            pauses_s: After how many seconds without a reply a command is repeated; the last one stays.
            give_up_s: After how many seconds it is given up.
            after_refusal_s: After how many seconds it is repeated if a worker does not own the game.
        """
        self.sender, self.owners = sender, owners
        self.pauses_s, self.give_up_s, self.after_refusal_s = tuple(pauses_s), give_up_s, after_refusal_s
        self.repeated = 0
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Call] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    async def call(self, request: Request) -> Answer:
        """Sends a command to the owner of its game, and waits for the reply.

        Raises:
            HnefiError: If it was refused.
            NotSaved: If it could not be stored, or nobody has replied in time.
        """
        number = next(self._numbers)
        waiting = self._waiting[number] = _Call(self, number, request)
        try:
            waiting.send()
            answer = await waiting.answer
        finally:
            del self._waiting[number]
            waiting.end()
        if (error := answer.reply.error) is not None:
            raise _error_of(error, answer.reply)
        return answer

    def on_reply(self, worker: int, reply: Reply, text: str | None) -> None:
        """Passes a reply on to whom it belongs."""
        waiting = self._waiting.get(reply.id)
        if waiting is not None:
            waiting.on_reply(Answer(worker, reply, text.split("\t") if text else ()))

    def on_owners_changed(self, slots: set[int]) -> None:
        """Repeats commands whose games have a new owner at once."""
        for waiting in list(self._waiting.values()):
            if waiting.slot in slots:
                waiting.on_new_owner()

    def send_all_again(self) -> None:
        """Repeats all: messages were lost."""
        for waiting in list(self._waiting.values()):
            waiting.send()


class _Call:
    """One command until its reply."""

    def __init__(self, calls: Calls, number: int, request: Request) -> None:
        self.slot = request.slot
        self._calls = calls
        self._number = number
        self._request = request
        self._reads = isinstance(request.body, Open)
        self._attempt = 0
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._end = self._loop.call_later(calls.give_up_s, self._give_up)
        self.answer: asyncio.Future[Answer] = self._loop.create_future()

    def send(self) -> None:
        """Sends it to the owner that is known by now, and waits for the reply, or for an owner."""
        calls = self._calls
        pause_s = calls.pauses_s[min(self._attempt, len(calls.pauses_s) - 1)]
        epoch, worker = calls.owners.of(self.slot)
        if worker is None:
            calls.owners.doubt()
        else:
            if self._attempt:
                calls.repeated += 1
                calls.owners.doubt()
            self._attempt += 1
            calls.sender.send(address_of_worker(worker), self._command(epoch))
        self._repeat_after(pause_s)

    def _command(self, epoch: int) -> Command:
        request = self._request
        return Command(
            id=self._number,
            game=request.game,
            slot=request.slot,
            epoch=epoch,
            visitor=request.visitor,
            address=request.address,
            seq=request.seq,
            message=request.message,
            received_us=request.received_us,
            attempt=min(self._attempt, _MOST_ATTEMPTS),
            is_charged=request.is_charged,
            body=request.body,
        )

    def _repeat_after(self, pause_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(pause_s, self.send)

    def on_reply(self, answer: Answer) -> None:
        """Takes a reply, unless it comes from a former owner and says nothing about what is stored."""
        reply, owners = answer.reply, self._calls.owners
        if reply.not_owner:
            owners.note([(self.slot, reply.worker, reply.epoch)] if reply.worker is not None else [])
            owners.doubt()
            self._repeat_after(self._calls.after_refusal_s)
        elif reply.epoch < owners.of(self.slot).epoch and (reply.error is not None or self._reads):
            self._repeat_after(self._calls.after_refusal_s)
        elif not self.answer.done():
            self.answer.set_result(answer)

    def on_new_owner(self) -> None:
        """Sends it at once if there is a new owner."""
        if self._calls.owners.of(self.slot).worker is not None:
            self.send()

    def _give_up(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(NotSaved("no game worker has answered"))

    def end(self) -> None:
        """Repeats it no more."""
        self._end.cancel()
        if self._timer is not None:
            self._timer.cancel()


def _error_of(code: str, reply: Reply) -> Exception:
    """Returns the error of a reply, with the class that decides how it is answered."""
    if code == "not_saved":
        return NotSaved("the game worker could not store it")
    return (Refused if reply.is_refusal else HnefiError)(code, code, reply.parameters)
