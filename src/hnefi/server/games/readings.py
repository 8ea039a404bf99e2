"""The metrics of games in memory, and of searches for them."""

from collections.abc import Callable, Mapping

from hnefi.server.games.rooms import Rooms
from hnefi.server.store import Store
from hnefi.workers.scheduler import SearchScheduler


def game_readings(rooms: Rooms, store: Store) -> Mapping[str, Callable[[], float]]:
    """Returns what `Metrics.read` takes."""
    return {
        "hnefi_events_total": lambda: store.counts.events,
        "hnefi_failed_writes_total": lambda: store.counts.failed,
        "hnefi_outages_total": lambda: rooms.heartbeat.outages,
        "hnefi_outage": lambda: rooms.heartbeat.is_outage,
        "hnefi_clock_in_doubt": lambda: rooms.machine_clock.is_doubtful,
        "hnefi_processes": lambda: 1 if rooms.sharing is None else rooms.sharing.alive,
        "hnefi_rooms": lambda: len(rooms),
        "hnefi_deadlines": lambda: len(rooms.timers),
        "hnefi_damaged_games": lambda: rooms.damaged,
        "hnefi_write_queue": lambda: store.queued_writes,
    }


def engine_readings(engines: SearchScheduler) -> Mapping[str, Callable[[], float]]:
    """Returns what `Metrics.read` takes."""
    return {"hnefi_engine_queue": lambda: len(engines), "hnefi_engine_places": lambda: engines.places}
