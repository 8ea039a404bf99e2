"""A fair queue: jobs wait by address and visitor, and whoever has used least is served next."""

import heapq
import itertools
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
_OLD_ACCOUNTS = 1_000


@dataclass(frozen=True, slots=True)
class Owner:
    """Who is charged for a job.

    Attributes:
        address: The network address; all its visitors share its turns.
        visitor: The visitor; all jobs of a visitor share the visitor's turns.
    """

    address: str
    visitor: str


class FairQueue(Generic[T]):
    """A queue by start-time fair queueing: first among addresses, then among the visitors of an address.

    Each address and each visitor has an account, to which jobs are charged by cost. The address with the
    least on its account is next. One that was idle starts where the job served last started, so that it is
    served soon but has saved nothing. Among equals, and of one visitor, the shortest job is first.

    >>> queue = FairQueue[str]()
    >>> for number in range(3):
    ...     queue.put(f"long {number}", Owner("192.0.2.1", "ana"), 3_000)
    >>> queue.take()
    'long 0'
    >>> queue.put("short", Owner("192.0.2.2", "bran"), 5)
    >>> queue.take(), queue.take()
    ('short', 'long 1')
    """

    def __init__(self) -> None:
        self._addresses = _Accounts()
        self._visitors: dict[str, _Accounts] = {}
        self._jobs: dict[Owner, list[tuple[float, int, T]]] = {}
        self._number = itertools.count()
        self._count = 0

    def __len__(self) -> int:
        """Counts the waiting jobs."""
        return self._count

    def put(self, job: T, owner: Owner, cost: float) -> None:
        """Adds a job with its estimated cost."""
        self._addresses.wait(owner.address, cost)
        self._visitors.setdefault(owner.address, _Accounts()).wait(owner.visitor, cost)
        heapq.heappush(self._jobs.setdefault(owner, []), (cost, next(self._number), job))
        self._count += 1

    def take(self, most: float | None = None) -> T | None:
        """Removes the next job, charges its estimated cost, and returns it; None if there is none.

        `finish` has to follow. `most` is the highest cost of the job; None for any.
        """
        owner = self._next() if most is None else self._next_below(most)
        if owner is None:
            return None
        cost, _, job = heapq.heappop(self._jobs[owner])
        visitors, left = self._visitors[owner.address], self._jobs[owner]
        visitors.serve(owner.visitor, cost, left[0][0] if left else None)
        self._forget_job(owner)
        visitor = visitors.first()
        following = None if visitor is None else self._jobs[Owner(owner.address, visitor)][0][0]
        self._addresses.serve(owner.address, cost, following)
        if following is None:
            self._addresses.leave(owner.address)
        return job

    def finish(self, owner: Owner, estimated: float, actual: float) -> None:
        """Corrects the charge of a job that was taken, by its actual cost."""
        self._addresses.finish(owner.address, actual - estimated)
        visitors = self._visitors[owner.address]
        visitors.finish(owner.visitor, actual - estimated)
        if visitors.is_idle:
            del self._visitors[owner.address]

    def discard(self, job: T, owner: Owner) -> bool:
        """Removes a job that nobody needs any more, and returns whether it waited."""
        jobs = self._jobs.get(owner, [])
        kept = [item for item in jobs if item[2] is not job]
        if len(kept) == len(jobs):
            return False
        heapq.heapify(kept)
        self._jobs[owner] = kept
        self._forget_job(owner)
        visitors = self._visitors[owner.address]
        if not visitors.is_waiting:
            self._addresses.leave(owner.address)
        if visitors.is_idle:
            del self._visitors[owner.address]
        return True

    def precedes(self, owner: Owner, other: Owner) -> bool:
        """Checks whether the jobs of an owner come before those of another one, or have the same owner."""
        if owner.address != other.address:
            return self._addresses.spent(owner.address) <= self._addresses.spent(other.address)
        visitors = self._visitors.get(owner.address)
        if visitors is None or owner == other:
            return True
        return visitors.spent(owner.visitor) <= visitors.spent(other.visitor)

    def _next(self) -> Owner | None:
        address = self._addresses.first()
        if address is None:
            return None
        visitor = self._visitors[address].first()
        assert visitor is not None
        return Owner(address, visitor)

    def _next_below(self, most: float) -> Owner | None:
        """Returns the owner of the next job with at most this cost."""
        able = [owner for owner, jobs in self._jobs.items() if jobs[0][0] <= most]
        return min(able, key=self._order, default=None)

    def _order(self, owner: Owner) -> tuple[float, float, float, int]:
        cost, number, _ = self._jobs[owner][0]
        visitors = self._visitors[owner.address]
        return self._addresses.spent(owner.address), visitors.spent(owner.visitor), cost, number

    def _forget_job(self, owner: Owner) -> None:
        """Notes that a job has left the queue."""
        self._count -= 1
        if not self._jobs[owner]:
            del self._jobs[owner]
            self._visitors[owner.address].leave(owner.visitor)


class _Accounts:
    """What each member has been charged, and which of the waiting members is next."""

    def __init__(self) -> None:
        self._spent: dict[str, float] = {}
        self._running: dict[str, int] = {}
        self._waiting: set[str] = set()
        # Entries whose amount is no longer that of the account are ignored.
        self._heap: list[tuple[float, float, int, str]] = []
        self._shortest: dict[str, float] = {}
        """The cost of the shortest waiting job of each waiting member."""

        self._number = itertools.count()
        self._floor = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether any member waits."""
        return bool(self._waiting)

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits or is served."""
        return not self._waiting and not self._running

    def spent(self, name: str) -> float:
        """Returns the amount on an account; that of an idle member rises to where service stands."""
        amount = self._spent.get(name, self._floor)
        return amount if name in self._waiting else max(amount, self._floor)

    def wait(self, name: str, cost: float) -> None:
        """Adds a member to those that wait, with a job of this cost."""
        if name not in self._waiting:
            self._spent[name] = self.spent(name)
            self._waiting.add(name)
        elif cost >= self._shortest[name]:
            return
        self._shortest[name] = cost
        self._push(name)

    def first(self) -> str | None:
        """Returns the waiting member that has spent least; None if nobody waits."""
        while self._heap:
            amount, cost, _, name = self._heap[0]
            if name in self._waiting and (self._spent[name], self._shortest[name]) == (amount, cost):
                return name
            heapq.heappop(self._heap)
        return None

    def serve(self, name: str, cost: float, following: float | None) -> None:
        """Charges a job that begins; `following` is the cost of the member's next one, if any."""
        self._floor = max(self._floor, self._spent[name])
        self._close_old_accounts()
        self._running[name] = self._running.get(name, 0) + 1
        if following is not None:
            self._shortest[name] = following
        self._charge(name, cost)

    def finish(self, name: str, correction: float) -> None:
        """Corrects the charge of a job that has ended; when nobody is left, all accounts are closed."""
        self._charge(name, correction)
        self._running[name] -= 1
        if not self._running[name]:
            del self._running[name]
        if self.is_idle:
            self._spent.clear()
            self._heap.clear()
            self._floor = 0.0

    def leave(self, name: str) -> None:
        """Removes a member from those that wait."""
        self._waiting.discard(name)
        self._shortest.pop(name, None)
        if self._spent[name] <= self._floor and name not in self._running:
            del self._spent[name]

    def _close_old_accounts(self) -> None:
        """Forgets members that would begin at the floor anyway, when there are many."""
        if len(self._spent) > 2 * (len(self._waiting) + len(self._running)) + _OLD_ACCOUNTS:
            self._spent = {
                name: amount
                for name, amount in self._spent.items()
                if amount > self._floor or name in self._waiting or name in self._running
            }

    def _charge(self, name: str, cost: float) -> None:
        self._spent[name] = self._spent.get(name, self._floor) + cost
        if name in self._waiting:
            self._push(name)

    def _push(self, name: str) -> None:
        heapq.heappush(self._heap, (self._spent[name], self._shortest[name], next(self._number), name))
