"""Notices between processes on PostgreSQL: what was committed, so that nobody has to ask.

They only wake: whatever is lost, the tables have. A notice is sent after the commit, in a transaction of its
own that waits for no disk. Events go to the processes where somebody follows the game, all else, and those in
games against the computer, to all.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from hnefi.server.events import Event, read_body
from hnefi.server.store.database import SILENCE
from hnefi.server.store.processes import CHANNEL
from hnefi.server.store.rows import UNCHANGED, Counts, Write, event_row

_log = logging.getLogger(__name__)
_LONGEST = 7_900
"""PostgreSQL takes 8,000 bytes."""

_PAUSE_S, _POLL_S = 0.5, 0.5
_dumped = partial(json.dumps, separators=(",", ":"))


@dataclass(slots=True)
class Notice:
    """What another process has committed.

    Attributes:
        events: New events of games, without gaps, as `events_of` reads them.
        changed: Games that have to be read again.
        present: How many connections it has to games.
        is_busy: Whether it has left a move of the computer to others.
    """

    process: int
    events: dict[str, list[list[Any]]] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    present: dict[str, Counts] = field(default_factory=dict)
    is_busy: bool = False


def notices_of(process: int, writes: Iterable[Write]) -> list[tuple[str, str]]:
    """Returns the notices about writes that were committed, each with its channel.

    Each is as short as PostgreSQL demands.
    """
    events: dict[str, dict[str, list[list[Any]]]] = {}
    changed, present = set[str](), dict[str, Sequence[int]]()
    is_busy = False
    for write in writes:
        present |= write.present or {}
        is_busy |= write.is_left
        if write.game and write.work is not None:
            changed.add(write.game)
        elif write.events:
            # A process that chooses a move of the computer does not follow the game, and has to stop.
            is_for_all = write.computer_us != UNCHANGED
            channels = [CHANNEL] if is_for_all else [channel_of(one) for one in write.followers]
            rows = [list(event_row(write.game, one)[1:]) for one in write.events] if channels else []
            for channel in channels:
                events.setdefault(channel, {}).setdefault(write.game, []).extend(rows)
    parts: list[dict[str, Any]] = [{"c": [game]} for game in changed]
    parts += [{"p": {game: counts}} for game, counts in present.items()]
    parts += [{"b": 1}] if is_busy else []
    notices = [(CHANNEL, text) for text in _packed(process, parts)]
    for channel, games in events.items():
        told = ({"e": {game: rows}} for game, rows in games.items() if game not in changed)
        notices += [(channel, text) for text in _packed(process, told)]
    return notices


def channel_of(process: int) -> str:
    """Returns the channel of what a single process is told."""
    return f"{CHANNEL}_{process}"


def _packed(process: int, parts: Iterable[dict[str, Any]]) -> list[str]:
    """Puts as many parts into a notice as it can hold; what is too long is only named."""
    texts, packed, length = list[str](), list[str](), 0
    for part in parts:
        text = _dumped(part)
        if len(text) > _LONGEST - 100:
            text = _dumped({"c": list(part["e"])})
        if packed and length + len(text) > _LONGEST - 100:
            texts.append(f"[{process},{','.join(packed)}]")
            packed, length = [], 0
        packed.append(text)
        length += len(text) + 1
    return [*texts, f"[{process},{','.join(packed)}]"] if packed else texts


def read_notice(text: str) -> Notice:
    """Parses a notice.

    Raises:
        ValueError: If it is none.
    """
    try:
        process, *parts = json.loads(text)
        notice = Notice(process)
        for part in parts:
            notice.events |= part.get("e", {})
            notice.changed.update(part.get("c", ()))
            notice.is_busy |= "b" in part
            notice.present |= {game: Counts(*counts) for game, counts in part.get("p", {}).items()}
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError(f"not a notice: {text[:100]}") from error
    return notice


def events_of(rows: Iterable[Sequence[Any]]) -> list[Event]:
    """Returns the events of a game in a notice."""
    return [Event(seq, t_us, actor, message, read_body(body)) for seq, t_us, actor, message, body in rows]


class Sender:
    """Sends notices over a connection of its own, whose commits wait for no disk."""

    def __init__(self, url: str) -> None:
        """Creates it for a PostgreSQL; it connects when it sends."""
        self._url = _plain(url)
        self._cursor: psycopg.Cursor[Any] | None = None

    def send(self, notices: Iterable[tuple[str, str]]) -> None:
        """Sends notices on their channels; those that cannot be sent are lost."""
        try:
            for notice in notices:
                if self._cursor is None:
                    options = "-c synchronous_commit=off"
                    self._cursor = psycopg.connect(
                        self._url, autocommit=True, options=options, **SILENCE
                    ).cursor()
                self._cursor.execute("SELECT pg_notify(%s, %s)", notice, prepare=True)
        except psycopg.Error:
            self.close()

    def close(self) -> None:
        """Closes its connection."""
        cursor, self._cursor = self._cursor, None
        if cursor is not None:
            cursor.connection.close()


def _plain(url: str) -> str:
    """Returns a URL as psycopg takes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


class Listening:
    """A thread that listens to notices, over a connection of its own.

    Attributes:
        me: The id of this process, whose own notices it does not read; a new one is soon listened to.
        is_listening: Set while no notice is missed.
    """

    def __init__(self, url: str, me: int, on_notice: Callable[[Notice | None], None]) -> None:
        """Starts to listen as the process `me`.

        The thread calls `on_notice` with each notice; with None whenever it begins to listen, after which
        nothing is missed until the connection is lost.
        """
        self._url = _plain(url)
        self._on_notice = on_notice
        self.me = me
        self._is_closed = False
        self.is_listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hnefi-notices", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._is_closed = True
        self._thread.join()

    def _run(self) -> None:
        pause = threading.Event()
        while not self._is_closed:
            try:
                self._listen()
            except psycopg.Error as error:
                if self.is_listening.is_set():
                    _log.warning("notices of other processes are lost until the database answers: %s", error)
                self.is_listening.clear()
                pause.wait(_PAUSE_S)

    def _listen(self) -> None:
        with psycopg.connect(self._url, autocommit=True, **SILENCE) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            me: int | None = None
            while not self._is_closed:
                if me != self.me:
                    me = self.me
                    connection.execute(f"LISTEN {channel_of(me)}")
                    self.is_listening.set()
                    self._on_notice(None)
                for found in connection.notifies(timeout=_POLL_S):
                    if found.payload.startswith((f"[{self.me},", f"[{self.me}]")):
                        continue
                    try:
                        self._on_notice(read_notice(found.payload))
                    except ValueError as error:
                        _log.warning("%s", error)
