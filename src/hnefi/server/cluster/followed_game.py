"""A game that connections of this process follow, and that a game worker owns."""

from collections import deque
from collections.abc import Collection

from hnefi.server.cluster.calls import Answer
from hnefi.server.games.audience import Audience, Counts
from hnefi.server.games.room import MOST_MISSED

__all__ = ["FollowedGame"]

_NOBODY = '"you":[]'


class FollowedGame:
    """Passes the messages of the owner of a game on to the connections that follow it.

    Attributes:
        id: The id of the game.
        slot: Its slot.
        audience: The connections.
        worker: The game worker from which its messages come, None before the first answer.
        epoch: The epoch of the slot as that worker said it.
        seq: The last event that was passed on.
        known: The last event of which a game worker has told, passed on or not.
        subscriptions: How many have opened it, with those that do not follow it yet.
        is_announcing: Whether the number of spectators will be announced soon.
    """

    def __init__(self, game: str, slot: int) -> None:
        """Creates it without connections."""
        self.id, self.slot = game, slot
        self.audience = Audience()
        self.worker: int | None = None
        self.epoch = 0
        self.seq: int | None = None
        self.known = 0
        self.subscriptions = 0
        self.is_announcing = False
        self._state: tuple[int, str] | None = None
        self._recent: deque[tuple[int, str]] = deque(maxlen=MOST_MISSED)

    @property
    def counts(self) -> Counts:
        """Its connections, by seat."""
        return self.audience.here

    def begin(self, answer: Answer) -> bool:
        """Takes the answer to a connection that opened it; returns False if somebody here lacks an event."""
        seq = self._note_owner(answer)
        self.known = max(self.known, seq)
        if self.seq is None:
            self.seq = seq
        return self.known <= self.seq

    def first(self, answer: Answer) -> list[str]:
        """Returns what a connection gets first: the answer, and what was passed on since."""
        seq, players = answer.reply.seq or 0, answer.reply.players
        first = list(answer.texts)
        if self._state is not None and self._state[0] > seq:
            seq, state = self._state
            first = [_for_viewer(state, players)]
        return first + [text for number, text in self._recent if number > seq]

    def on_event(self, seq: int, text: str) -> bool:
        """Passes an event on, unless it was already; returns False if one before it is missing."""
        self.known = max(self.known, seq)
        if self.seq is None or seq <= self.seq:
            return True
        if seq > self.seq + 1:
            return False
        self._pass_on(seq, text)
        return True

    def catch_up(self, answer: Answer, known: int) -> bool:
        """Passes on what was missed: events, or the whole state.

        A state that an event has overtaken is dropped. The answer wakes a task, but an event that comes with
        it is passed on at once.

        Args:
            answer: The answer of the owner.
            known: What `known` was when the owner was asked. A state before that is no old one: the
                database was set back.

        Returns:
            False if the answer was dropped.
        """
        seq = self._note_owner(answer)
        if answer.reply.is_state:
            if seq < self.known and known < self.known:
                return False
            self.seq = self.known = seq
            self._recent.clear()
            (state,) = answer.texts
            # Connections that have opened it, but do not follow it yet, lack what the state replaces.
            self._state = (seq, state) if self.subscriptions > len(self.audience) else None
            self.audience.send_states(lambda players: _for_viewer(state, players))
            return True
        first = seq - len(answer.texts) + 1
        for number, text in enumerate(answer.texts, start=first):
            self.on_event(number, text)
        return True

    def _pass_on(self, seq: int, text: str) -> None:
        self.seq = seq
        self._recent.append((seq, text))
        self.audience.send(text, seq)

    def _note_owner(self, answer: Answer) -> int:
        self.worker, self.epoch = answer.worker, answer.reply.epoch
        assert answer.reply.seq is not None
        return answer.reply.seq


def _for_viewer(state: str, players: Collection[int]) -> str:
    """Returns the state for a viewer with these seats; in a name, quotation marks have a backslash."""
    you = ",".join(map(str, sorted(players)))
    return state.replace(_NOBODY, f'"you":[{you}]', 1)
