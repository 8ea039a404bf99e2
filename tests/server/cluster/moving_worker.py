"""A process for `test_stopped_workers`: a game worker that adds events to one game while it owns it.

It prints `stored SEQ MESSAGE` for every event that is acknowledged, and `lost` when it has lost its lease.
"""

import asyncio
import itertools
import sys

from hnefi.server.store import Conflict, NotSaved, slot_of
from tests.server.cluster.game_workers import GameWorker
from tests.server.test_store import moved

GAME = "a"


async def add_events(worker: GameWorker) -> None:
    """Adds events for ever. After a refusal it reads the log again, as a room does."""
    for number in itertools.count():
        try:
            while worker.ownership.owns(GAME):
                stored = await worker.store.load(GAME)
                seq = 1 if stored is None else stored.events[-1].seq + 1
                while True:
                    message = f"{worker.ownership.worker}-{number}-{seq}"
                    await worker.store.write(moved(GAME, seq, message))
                    print("stored", seq, message, flush=True)
                    seq += 1
        except (Conflict, NotSaved):
            pass
        await asyncio.sleep(0.01)


async def main(url: str) -> None:
    worker = GameWorker(url, None)
    worker.busy = {slot_of(GAME)}  # no slot that is given up to balance
    losses = worker.on_lost

    async def on_lost() -> None:
        await losses()
        print("lost", flush=True)

    worker.on_lost = on_lost  # type: ignore[method-assign]
    await worker.begin()
    await asyncio.gather(worker.ownership.run(), add_events(worker))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
