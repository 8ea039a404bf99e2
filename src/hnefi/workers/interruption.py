"""Ctrl+C while processes start: they never get the signal, so that they print no traceback."""

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def without_interruption() -> Iterator[None]:
    """Delays Ctrl+C in this thread; processes that `multiprocessing` starts in the block never get it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Otherwise the first process would start it, which unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
