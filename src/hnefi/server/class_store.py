"""The classes that this process knows, read and changed together with other processes.

A class is a row of the store, so that every process serves every class. A change is refused if another
process has changed the class meanwhile, and repeated then.
"""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple

from hnefi.server.games.classroom import Classroom, Ending
from hnefi.server.games.state import State, Status
from hnefi.server.messages.rules import ShapeView, shape_of
from hnefi.server.process import Process
from hnefi.server.refusals import Refused, refused
from hnefi.server.secrets import new_secret
from hnefi.server.store import changes, reading
from hnefi.server.store.rows import ClassroomRow, Conflict, NotSaved

_FRESH_S = 1.0
"""How old a class may be that is read for several devices."""

_ATTEMPTS, _PAUSE_S = 30, 0.05
_MOST_READ = 500


class Board(NamedTuple):
    """A game of a class as it was read, up to an event."""

    seq: int
    position: str
    shape: ShapeView
    turn: str | None
    moves: int
    ending: Ending | None


class StoredClass(NamedTuple):
    """A class as it is stored."""

    row: ClassroomRow
    classroom: Classroom


class KnownClass:
    """What this process knows of a class."""

    def __init__(self) -> None:
        self.reading, self.changing, self.pairing = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self.read: StoredClass | None = None
        self.read_s = 0.0
        self.revision = 0
        """What was written here last, so that nobody is shown an older one after it."""

        self.boards: dict[str, Board] = {}


class ClassStore:
    """Reads and changes classes.

    Attributes:
        known: What this process knows of classes, the last used one last.
    """

    def __init__(self, backend: Process) -> None:
        self._backend = backend
        self.known: OrderedDict[str, KnownClass] = OrderedDict()

    def entry(self, code: str) -> KnownClass:
        """Returns what this process knows of a class, nothing at first."""
        entry = self.known.setdefault(code, KnownClass())
        self.known.move_to_end(code)
        if len(self.known) > _MOST_READ:
            self.known.popitem(last=False)
        return entry

    async def read(self, code: str, *, is_fresh: bool) -> tuple[StoredClass, Mapping[str, Board]]:
        """Returns a class with the results up to now, and the boards on its wall.

        Unless `is_fresh`, it may have been read a moment ago.

        Raises:
            Refused: `unknown_class`.
        """
        entry = self.entry(code)
        async with entry.reading:
            is_old = is_fresh or monotonic() - entry.read_s >= _FRESH_S
            if entry.read is None or is_old or entry.read.row.revision < entry.revision:
                await self._refresh(code, entry)
            assert entry.read is not None
            return entry.read, entry.boards

    async def _load(self, code: str) -> StoredClass:
        row = await self._backend.store.read(reading.classroom, code)
        if row is None:
            self.known.pop(code, None)
            raise refused("unknown_class")
        return StoredClass(row, Classroom.model_validate_json(row.body))

    async def _refresh(self, code: str, entry: KnownClass) -> None:
        """Reads a class and its boards, and notes the results of games that have ended."""
        at_s = monotonic()
        stored = await self._load(code)
        entry.boards = await self._read_boards(stored.classroom, entry.boards)
        endings = {game: one.ending for game, one in entry.boards.items() if one.ending is not None}
        ended = stored.classroom.ended(endings)
        if ended is not stored.classroom:
            try:
                stored = await self.change(code, lambda one: one.ended(endings))
            except NotSaved:  # the next reader tries again
                stored = StoredClass(stored.row, ended)
        entry.read, entry.read_s = stored, at_s

    async def _read_boards(self, classroom: Classroom, known: Mapping[str, Board]) -> dict[str, Board]:
        """Reads the games on the wall: those that are played, and the last one of each member."""
        wanted = _games_on_wall(classroom)
        last = await self._backend.store.read(reading.last_events, wanted) if wanted else {}
        boards = {}
        for game, seq in last.items():
            board = known.get(game)
            if board is None or board.seq != seq:
                try:
                    board = _board_of((await self._backend.games.read(game)).state)
                except Refused:  # damaged, or deleted meanwhile
                    continue
            if board is not None:
                boards[game] = board
        return boards

    async def change(self, code: str, change: Callable[[Classroom], Classroom | None]) -> StoredClass:
        """Changes a class, again if somebody else has changed it meanwhile; None deletes it.

        Raises:
            Refused: `unknown_class`, or what `change` raises.
            NotSaved: If the database fails, or others change the class all the time.
        """
        entry = self.entry(code)
        async with entry.changing:
            for attempt in range(_ATTEMPTS):
                stored = await self._load(code)
                changed = change(stored.classroom)
                if changed is stored.classroom:
                    return stored
                revision, deletes = stored.row.revision, changed is None
                try:
                    written = await self.write(changed or stored.classroom, revision, deletes=deletes)
                except Conflict:
                    await asyncio.sleep(random.random() * _PAUSE_S * min(attempt, 4))
                    continue
                entry.revision = revision + 1
                return written
        raise NotSaved("others change the class all the time")

    async def write(self, classroom: Classroom, revision: int, *, deletes: bool = False) -> StoredClass:
        """Writes the revision after a known one.

        Raises:
            Conflict: If somebody else has written it.
        """
        written = classroom.model_copy(update={"token": new_secret()})
        body = "" if deletes else written.model_dump_json()
        row = ClassroomRow(classroom.code, revision + 1, self._backend.time.now_us(), body)
        try:
            await self._backend.store.change(changes.write_classroom, row)
        except Conflict:
            # With several processes a write may be repeated after it was stored.
            found = await self._backend.store.read(reading.classroom, classroom.code)
            is_done = found is None if deletes else found is not None and found.body == body
            if not is_done:
                raise
        return StoredClass(row, written)


def _games_on_wall(classroom: Classroom) -> list[str]:
    """Returns the games that are played, and those after which nobody of its two has begun another one."""
    last: dict[int, str] = {}
    wanted: dict[str, None] = {}
    for one in classroom.games:
        if one.result is None:
            wanted[one.game] = None
        if one.result != "void":
            last |= dict.fromkeys(one.players, one.game)
    return [*wanted, *(game for game in dict.fromkeys(last.values()) if game not in wanted)]


def _board_of(state: State) -> Board | None:
    """Returns what is shown of a game; None if it has not begun, which only a damaged one has not."""
    if not state.legs:
        return None
    leg = state.leg
    ending = None
    if state.status is Status.ABORTED:
        ending = Ending("void", None, leg.ply_count)
    elif leg.outcome is not None:
        winner = leg.outcome.winner
        ending = Ending(winner.value if winner else "draw", leg.outcome.reason.value, leg.ply_count)
    turn = None if leg.turn is None else leg.turn.value
    return Board(state.seq, str(leg.game.position.setup), shape_of(state.rules), turn, leg.ply_count, ending)
