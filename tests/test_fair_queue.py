"""The fair queue: turns of addresses and visitors, short jobs, accounts."""

from collections.abc import Iterable

from hnefi.workers.fair_queue import FairQueue, Owner

SCHOOL, HOME = "192.0.2.1", "192.0.2.2"
LONG, SHORT = 3_000.0, 5.0


def served(queue: FairQueue[str], count: int) -> list[str]:
    """Takes jobs one after the other, each until its end."""
    found = []
    for _ in range(count):
        job = queue.take()
        assert job is not None
        found.append(job)
    return found


def filled(jobs: Iterable[tuple[str, str, str, float]]) -> FairQueue[str]:
    queue = FairQueue[str]()
    for job, address, visitor, cost in jobs:
        queue.put(job, Owner(address, visitor), cost)
    return queue


def test_thirty_long_jobs_of_one_address_do_not_delay_another_ones() -> None:
    queue = filled((f"{n}", SCHOOL, f"pupil {n}", LONG) for n in range(30))
    assert queue.take() == "0"
    for number in range(5):
        queue.put(f"home {number}", Owner(HOME, "ana"), SHORT)
    assert served(queue, 6) == [*(f"home {number}" for number in range(5)), "1"]
    assert len(queue) == 28


def test_addresses_have_equal_shares_of_time_not_of_jobs() -> None:
    jobs = [(f"long {n}", SCHOOL, "v", 300.0) for n in range(4)]
    jobs += [(f"short {n}", HOME, "w", 100.0) for n in range(12)]
    order = served(filled(jobs), 16)
    assert [job.split()[0] for job in order] == ["short", "long", "short", "short"] * 4


def test_visitors_of_an_address_share_its_turns() -> None:
    jobs = [(f"a{n}", SCHOOL, "a", 10.0) for n in range(4)] + [(f"b{n}", SCHOOL, "b", 10.0) for n in range(4)]
    assert served(filled(jobs), 8) == ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"]


def test_the_shortest_job_of_a_visitor_is_first_and_equal_ones_in_order() -> None:
    costs = (30.0, 10.0, 20.0, 10.0)
    queue = filled((f"{n}", HOME, "v", cost) for n, cost in enumerate(costs))
    assert served(queue, 4) == ["1", "3", "2", "0"]
    assert queue.take() is None


def test_an_idle_owner_has_saved_nothing() -> None:
    queue = filled((f"s{n}", SCHOOL, "v", 100.0) for n in range(10))
    assert served(queue, 5) == [f"s{n}" for n in range(5)]
    for number in range(4):
        queue.put(f"h{number}", Owner(HOME, "w"), 100.0)
    # It was away for five turns, and does not get five in a row.
    assert served(queue, 5) == ["h0", "s5", "h1", "s6", "h2"]


def test_a_job_is_charged_by_what_it_took() -> None:
    jobs = [("s0", SCHOOL, "v", 10.0), ("s1", SCHOOL, "v", 10.0)]
    queue = filled([*jobs, *((f"h{n}", HOME, "w", 10.0) for n in range(4))])
    assert queue.take() == "s0"
    queue.finish(Owner(SCHOOL, "v"), 10.0, 35.0)
    assert served(queue, 5) == ["h0", "h1", "h2", "h3", "s1"]


def test_only_jobs_up_to_a_cost_are_taken_by_a_reserved_worker() -> None:
    queue = filled([("long", SCHOOL, "v", LONG), ("short", SCHOOL, "w", SHORT), ("other", HOME, "x", SHORT)])
    assert queue.take(500.0) == "short"
    assert queue.take(500.0) == "other"
    assert queue.take(500.0) is None
    assert queue.take() == "long"


def test_a_discarded_job_is_not_served_and_leaves_no_account() -> None:
    queue = filled([("a", SCHOOL, "v", LONG), ("b", SCHOOL, "v", LONG), ("c", HOME, "w", LONG)])
    queue.discard("a", Owner(SCHOOL, "v"))
    queue.discard("nobody", Owner("203.0.113.9", "x"))
    assert len(queue) == 2
    assert sorted(served(queue, 2)) == ["b", "c"]
    queue.finish(Owner(SCHOOL, "v"), LONG, 1.0)
    queue.finish(Owner(HOME, "w"), LONG, 1.0)
    assert not queue._visitors
    assert not queue._addresses._spent


def test_accounts_of_many_addresses_are_forgotten_while_work_never_ends() -> None:
    queue = filled([("endless", SCHOOL, "v", 1.0)])
    assert queue.take() == "endless"
    for number in range(10_000):
        owner = Owner(f"address {number}", "v")
        queue.put("job", owner, 1.0)
        queue.put("endless", Owner(SCHOOL, "v"), 1.0)
        served(queue, 2)
        queue.finish(owner, 1.0, 1.0)
        queue.finish(Owner(SCHOOL, "v"), 1.0, 1.0)
    assert len(queue._addresses._spent) < 3_000
    assert len(queue._addresses._heap) < 3_000
    assert len(queue._visitors) == 1


def test_among_equal_addresses_the_one_with_the_shortest_job_is_first() -> None:
    queue = filled([("a", SCHOOL, "v", LONG), ("b", HOME, "w", 50.0), ("c", "192.0.2.3", "x", LONG)])
    queue.put("d", Owner("192.0.2.3", "y"), SHORT)
    assert served(queue, 4) == ["d", "b", "a", "c"]
