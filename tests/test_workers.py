"""Worker processes: answers, errors, time limits, restarts."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hnefi.errors import HnefiError
from hnefi.workers.engine_process import EngineProcess
from hnefi.workers.limits import Limits
from hnefi.workers.pool import WorkerPool
from hnefi.workers.worker import AsyncWorker, Handler, Worker, WorkerExited
from tests.codes import has_code
from tests.timeouts import timeout_s, wait_until

ROOT = Path(__file__).parents[1]
LIMITS = Limits(memory_mib=2048, cpu_s=600)
FOR_EVER_S = 3600


@contextmanager
def handler(offset: int = 0) -> Iterator[Handler]:
    def answer(job: object) -> object:
        if job == "pid":
            return os.getpid()
        if job == "blocked":
            return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        if job == "refuse":
            raise HnefiError("bad_job", "bad_job", {"why": "asked for"})
        if job == "end":
            os._exit(3)
        if job == "compute":
            begun = time.process_time()
            while time.process_time() - begun < 0.02:
                pass
            raise HnefiError("bad_job", "bad_job")
        if job == "hang":
            time.sleep(FOR_EVER_S)
        if isinstance(job, Path):
            job.touch()
            time.sleep(FOR_EVER_S)
        return offset + int(str(job))

    yield answer


def async_worker(*, is_reused: bool = True, most_s: float | None = None) -> AsyncWorker:
    return AsyncWorker(handler, LIMITS, timeout_s=most_s or timeout_s(), is_reused=is_reused)


def has_ended(pid: int) -> bool:
    """Checks whether a process has ended, though its parent may not have noticed."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_reaches_no_worker_at_any_time_and_its_parent_again_after_the_start() -> None:
    worker = Worker(handler)
    # The process has inherited its mask: it held before Python started.
    assert worker.run("blocked")
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    worker.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
async def test_ctrl_c_reaches_no_engine_process() -> None:
    process = EngineProcess(memory_mib=768)
    await process.start()
    assert process.pid
    group = os.getpgid(process.pid)
    await process.end()
    assert group != os.getpgrp()


def test_a_worker_answers_and_survives_errors_of_its_handler() -> None:
    worker = Worker(handler, 10)
    assert worker.run(1) == 11
    with pytest.raises(HnefiError, check=has_code("bad_job")) as refusal:
        worker.run("refuse")
    assert refusal.value.parameters == {"why": "asked for"}
    assert worker.run(2) == 12
    worker.close()


def test_a_worker_that_ends_before_it_answers_is_lost() -> None:
    worker = Worker(handler)
    with pytest.raises(WorkerExited) as lost:
        worker.run("end")
    assert (lost.value.code, lost.value.parameters) == ("lost_process", {"status": "3"})
    worker.close()


def test_a_pool_answers_every_job_once() -> None:
    with WorkerPool(3, handler, 100) as pool:
        assert sorted(pool.run(iter(range(20)))) == list(range(100, 120))


def test_a_pool_ends_workers_that_are_at_a_job() -> None:
    with WorkerPool(2, handler) as pool:
        pids = [next(pool.run(iter(["pid"]))) for _ in range(2)]
        for worker in pool._workers:
            worker.send("hang")
    assert all(has_ended(pid) for pid in pids)


async def test_a_reused_worker_keeps_its_process_and_is_replaced_when_that_ends() -> None:
    worker = async_worker()
    first = await worker.run("pid")
    assert await worker.run("pid") == first == worker.pid
    os.kill(first, signal.SIGKILL)
    assert await worker.run("pid") != first
    await worker.stop()
    assert worker.pid is None


async def test_the_time_of_a_job_is_known_even_if_it_fails_or_ends_every_process() -> None:
    worker = async_worker()
    for job, code, least_ms in (("compute", "bad_job", 20.0), ("end", "engine_busy", 0.001)):
        with pytest.raises(HnefiError, check=has_code(code)):
            await worker.run(job)
        assert worker.cost_ms >= least_ms
    assert await worker.run(1) == 1
    await worker.stop()


async def test_a_worker_that_is_not_reused_answers_each_job_in_a_new_process() -> None:
    worker = async_worker(is_reused=False)
    assert await worker.run("pid") != await worker.run("pid")
    assert worker.pid is None


async def test_a_job_that_takes_too_long_is_killed_and_the_next_is_answered() -> None:
    worker = async_worker(most_s=0.5)  # it expires; the jobs that are answered are the first of a process
    pid = await worker.run("pid")
    with pytest.raises(HnefiError, check=has_code("engine_busy")):
        await worker.run("hang")
    assert has_ended(pid)
    assert await worker.run(7) == 7
    await worker.stop()


async def test_a_cancelled_job_leaves_no_answer_for_the_next(tmp_path: Path) -> None:
    has_begun = tmp_path / "begun"
    worker = async_worker()
    await worker.run(0)
    job = asyncio.create_task(worker.run(has_begun))
    async with asyncio.timeout(timeout_s()):
        while not has_begun.exists():
            await asyncio.sleep(0.001)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert await worker.run(7) == 7
    await worker.stop()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks at /proc")
def test_workers_end_with_the_process_that_started_them() -> None:
    script = (
        "import sys, time\n"
        "from hnefi.workers.worker import Worker\n"
        "from tests.test_workers import handler\n"
        "if __name__ == '__main__':\n"
        "    worker = Worker(handler)\n"
        "    print(worker.run('pid'), flush=True)\n"
        "    time.sleep(3600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        was_alive = not has_ended(pid)
        process.kill()
    assert was_alive
    wait_until(lambda: has_ended(pid), "the worker ends")
