"""The lease of a game worker, checked in the transaction of every commit (decision 40)."""

import contextlib
import os
import secrets
import socket
from collections.abc import Callable
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event

from hnefi.server.store.rows import LeaseLost, NotSaved, Write, slot_of

__all__ = ["Lease"]

_CUT_MS = 3_000
"""After which time without an answer a connection counts as cut."""

_LONGEST_HOST = 40
_TOKEN_BYTES = 4

# BEGIN and the fence are one message to the database.
_BEGIN = "BEGIN; SELECT 1 FROM worker WHERE id = {} AND NOT ended FOR SHARE"
_BEAT = "UPDATE worker SET beats = beats + 1, beat_us = GREATEST(beat_us, %s) WHERE id = %s"


class Lease:
    """The lease of this process. The event loop changes it; the thread that writes reads it.

    Attributes:
        name: The name of this process, for people and of its connections; unique.
        worker: The id of this worker; None before it begins, and after the lease was lost.
        slots: The slots that may be written to, with their epochs. Writes to games of others are refused.
        on_lost: Called by the thread that writes when the lease is found to be lost.
    """

    def __init__(self, name: str | None = None) -> None:
        """Creates a lease without a worker; `Leases.begin` begins one."""
        host = socket.gethostname().encode("ascii", "replace").decode()[:_LONGEST_HOST]
        self.name = name or f"{host}:{os.getpid()}:{secrets.token_hex(_TOKEN_BYTES)}"
        self.worker: int | None = None
        self.slots: dict[int, int] = {}
        self.on_lost: Callable[[], None] = lambda: None

    def prepare(self, engine: Engine) -> None:
        """Prepares new connections: a process that is stopped in a transaction must not keep its locks."""
        event.listen(engine, "do_connect", _limit_silence)
        event.listen(engine, "connect", self._prepare)

    def _prepare(self, connection: Any, _record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('application_name', %s, false)", (self.name,))
            cursor.execute("SET idle_in_transaction_session_timeout = '1s'")
        connection.commit()
        with contextlib.suppress(psycopg.Error), connection.cursor() as cursor:  # not on every system
            cursor.execute(f"SET tcp_user_timeout = {_CUT_MS}")
        connection.rollback() if connection.info.transaction_status else connection.commit()

    def refuses(self, write: Write) -> bool:
        """Checks whether a write belongs to a slot that this worker does not own."""
        return bool(write.game) and slot_of(write.game) not in self.slots

    def begin(self, connection: Connection) -> None:
        """Begins a transaction that the end of this worker excludes until the commit.

        It is one message to the database, as BEGIN is.

        Raises:
            LeaseLost: If the worker has ended.
            NotSaved: If the connection fails.
        """
        worker = self.worker
        if worker is None:
            raise LeaseLost("this process has no lease")
        try:
            raw: Any = connection.connection
            with raw.cursor() as cursor:
                cursor.execute(_BEGIN.format(worker), prepare=False)
                cursor.nextset()
                is_held = cursor.fetchone() is not None
        except psycopg.Error as error:
            raise NotSaved(str(error)) from error
        if not is_held:
            self.on_lost()
            raise LeaseLost(f"worker {worker} has ended")

    def beat(self, connection: Connection, now_us: int) -> None:
        """Renews the lease, in a transaction that `begin` began."""
        connection.exec_driver_sql(_BEAT, (now_us, self.worker))


def _limit_silence(_dialect: object, _record: object, _arguments: object, parameters: dict[str, Any]) -> None:
    parameters.setdefault("tcp_user_timeout", _CUT_MS)
    parameters.setdefault("connect_timeout", _CUT_MS // 1000)
