"""The order of writes for a loss of power: no move is acknowledged before its event has been synchronised.

The system calls of a real server are traced. An event counts as safe when `fdatasync` of the write-ahead log
has returned that was called after the event was written.
"""

import asyncio
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.deep.report import note
from tests.server.kills import check, new_client_game, play_until_killed
from tests.server.serving import RunningServer
from tests.timeouts import wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace"),
]
GAMES, MOVES = 12, 150
TRACED = "trace=pwrite64,fdatasync,fsync,write,sendto,sendmsg"
# Process, padded to five places, then a call with its arguments, or the end of one that another thread
# interrupted.
CALL = re.compile(r"(\d+) +(\w+)\(\d+<([^>]*)>(.*)")
RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>.*= (-?\d+)")
MESSAGE = re.compile(r"m\d+-\d+")
ACKNOWLEDGED = re.compile(r'\\"type\\":\\"ack\\",\\"id\\":\\"(m\d+-\d+)\\"')


@dataclass
class Log:
    """The write-ahead log, as far as it is written and as far as it is safe."""

    written: set[str] = field(default_factory=set)
    """Message ids in what was written."""

    safe: set[str] = field(default_factory=set)
    acknowledged: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    """Messages that were acknowledged before they were safe."""

    _syncing: dict[str, set[str]] = field(default_factory=dict)
    _writing: dict[str, set[str]] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Reads a line of the trace."""
        if (found := RESUMED.match(line)) is not None:
            process, call, result = found.groups()
            self._end(process, call, int(result) >= 0)
        elif (found := CALL.match(line)) is not None:
            process, call, path, rest = found.groups()
            if path.endswith("games.db-wal"):
                if call == "pwrite64":
                    self._writing[process] = set(MESSAGE.findall(rest))
                else:
                    self._syncing[process] = set(self.written)
                if not rest.endswith("<unfinished ...>"):
                    self._end(process, call, not rest.rpartition(" = ")[2].startswith("-"))
            elif path.startswith(("socket:", "TCP")):
                for message in ACKNOWLEDGED.findall(rest):
                    self.acknowledged.append(message)
                    if message not in self.safe:
                        self.early.append(message)

    def _end(self, process: str, call: str, has_succeeded: bool) -> None:
        """Notes the end of a call on the log; calls on other files are not begun here."""
        begun = self._writing if call == "pwrite64" else self._syncing
        messages = begun.pop(process, set())
        if has_succeeded:
            (self.written if call == "pwrite64" else self.safe).update(messages)


def test_the_trace_shows_what_is_early() -> None:
    log = Log()
    for line in (
        r'1     pwrite64(6</x/games.db-wal>, "m1-1", 4, 0) = 4',
        r"1 fdatasync(6</x/games.db-wal> <unfinished ...>",
        r'2 pwrite64(6</x/games.db-wal>, "m2-2", 4, 4) = 4',
        r'3 write(9<socket:[5]>, "{\"type\":\"ack\",\"id\":\"m1-1\",\"seq\":4}", 9) = 9',
        r"1 <... fdatasync resumed>) = 0",
        r'3 write(9<socket:[5]>, "{\"type\":\"ack\",\"id\":\"m1-1\",\"seq\":4}", 9) = 9',
        r'3 write(9<socket:[5]>, "{\"type\":\"ack\",\"id\":\"m2-2\",\"seq\":5}", 9) = 9',
        r"1 fdatasync(6</x/games.db-wal>) = -1 EIO (Input/output error)",
        r'3 write(9<socket:[5]>, "{\"type\":\"ack\",\"id\":\"m2-2\",\"seq\":5}", 9) = 9',
    ):
        log.read(line)
    assert (log.safe, log.early) == ({"m1-1"}, ["m1-1", "m2-2", "m2-2"])


def test_a_move_is_acknowledged_after_its_event_was_synchronised(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    with RunningServer(tmp_path / "site") as server:
        games = [new_client_game(server, seed) for seed in range(GAMES)]
        words = ["strace", *f"-f -y -s 9000 -e {TRACED} -p {server.pid} -o".split(), str(trace)]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as strace:
            wait_until(lambda: trace.exists() or strace.poll() is not None, "the trace begins")
            if strace.poll() is not None:
                pytest.skip("processes cannot be traced here")
            asyncio.run(play_until_killed(server, games, MOVES, server.kill))
    log = Log()
    for line in trace.read_text("utf-8", errors="replace").splitlines():
        log.read(line)
    assert check(tmp_path / "site", games) >= MOVES
    assert len(log.acknowledged) >= MOVES
    assert log.early == []
    note(
        "power loss",
        f"{len(log.acknowledged)} acknowledged moves in a trace of system calls",
        "each was sent after fdatasync of the log with its event had returned",
        None,
        0.0,
    )
