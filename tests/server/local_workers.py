"""Workers without processes, for tests that look at what a worker answers and not at its process."""

import pickle
import time
from threading import Lock
from types import SimpleNamespace
from typing import Any, ClassVar

from hnefi.workers.limits import Limits
from hnefi.workers.worker import Handler, MakeHandler


class LocalWorker:
    """Stands in for `hnefi.workers.worker.Worker`: answers jobs in this process, copied as through a pipe.

    A process costs half a second before its first answer; here a handler of each kind is made once.
    """

    _handlers: ClassVar[dict[MakeHandler, Handler]] = {}
    _lock: ClassVar[Lock] = Lock()
    process = SimpleNamespace(pid=None, kill=lambda: None)
    cost_ms = 0.0

    def __init__(self, make_handler: MakeHandler, *args: object, limits: Limits | None = None) -> None:
        self._make_handler, self._args, self.limits = make_handler, args, limits

    def run(self, job: object) -> Any:
        with self._lock:
            handler, begun = self._handlers.get(self._make_handler), time.thread_time()
            if handler is None:
                # It lasts as long as the tests.
                handler = self._handlers[self._make_handler] = self._make_handler(*self._args).__enter__()
            try:
                return pickle.loads(pickle.dumps(handler(pickle.loads(pickle.dumps(job)))))
            finally:
                self.cost_ms = (time.thread_time() - begun) * 1000

    def close(self) -> None:
        """Ends nothing: there is no process."""
