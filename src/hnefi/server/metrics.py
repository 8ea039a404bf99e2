"""Metrics in the format of Prometheus, each declared once for the server and its documentation.

Whatever is counted elsewhere anyway, such as rooms or outages, is read when the metrics are asked for.
"""

import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric as Family

from hnefi import __version__, i18n
from hnefi.errors import HnefiError

_BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_REQUEST_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_BATCH_BUCKETS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)

ROUTES = (
    "analysis",
    "docs",
    "follow",
    "games",
    "health",
    "library",
    "other",
    "page",
    "picture",
    "play",
    "records",
    "rules",
    "static",
)
"""The classes of HTTP requests: the values of the label `route`."""

_STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
_CLOSE_CODES = (1003, 1007, 1008, 1009, 1011, 1012, 1013)
_OTHER = "other"
_HOST = "127.0.0.1"

Kind = Literal["counter", "gauge", "histogram"]


@dataclass(frozen=True, slots=True)
class Metric:
    """The declaration of a metric.

    Attributes:
        name: Its name. That of a counter ends with `_total`.
        unit: What its values count.
        buckets: The upper bounds of a histogram.
    """

    name: str
    kind: Kind
    unit: str
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


def _seconds(
    name: str, text: str, *labels: str, buckets: tuple[float, ...] = _BUCKETS_S, unit: str = "seconds"
) -> Metric:
    return Metric(name, "histogram", unit, text, labels, buckets)


def _gauge(name: str, unit: str, text: str, *labels: str) -> Metric:
    return Metric(name, "gauge", unit, text, labels)


def _counter(name: str, unit: str, text: str, *labels: str) -> Metric:
    return Metric(name, "counter", unit, text, labels)


METRICS = (
    _seconds("hnefi_move_seconds", "From receiving a move on a WebSocket until it is stored"),
    _seconds("hnefi_action_seconds", "The same for any other action of a player"),
    _seconds("hnefi_hello_seconds", "From receiving a hello until its answer: opening a game on a WebSocket"),
    _seconds(
        "hnefi_http_seconds",
        "From the head of an HTTP request until its response begins",
        "route",
        buckets=_REQUEST_BUCKETS_S,
    ),
    _counter(
        "hnefi_http_responses_total", "responses", "HTTP responses by class of status", "route", "status"
    ),
    _counter(
        "hnefi_refusals_total", "refusals", "Refused requests and messages by code of the error", "code"
    ),
    _counter(
        "hnefi_socket_closes_total", "WebSockets", "WebSockets that the server closed, by close code", "code"
    ),
    _seconds("hnefi_commit_seconds", "Writing one batch to disk"),
    _seconds("hnefi_batch_writes", "Writes committed together", buckets=_BATCH_BUCKETS, unit="writes"),
    _counter("hnefi_events_total", "events", "Events that were added to games, without those that begin one"),
    _counter("hnefi_failed_writes_total", "writes", "Writes that failed: nothing of them is stored"),
    _counter("hnefi_outages_total", "outages", "Outages of the database, in which all clocks stand"),
    _gauge("hnefi_outage", "0 or 1", "Whether the database cannot write at the moment"),
    _gauge("hnefi_ready", "0 or 1", "Whether the server has started and does not stop yet"),
    _gauge("hnefi_connections", "WebSockets", "Open WebSockets"),
    _gauge("hnefi_followers", "streams", "Open streams of events over HTTP"),
    _gauge("hnefi_processes", "processes", "Processes on the same database that are alive"),
    _gauge("hnefi_rooms", "games", "Games in memory"),
    _gauge("hnefi_deadlines", "clocks", "Running clocks of games in memory and of the next hour"),
    _gauge("hnefi_damaged_games", "games", "Games set aside since the start, because they cannot be read"),
    _gauge("hnefi_engine_queue", "jobs", "Jobs waiting for an engine"),
    _gauge("hnefi_engine_places", "searches", "Searches that all engines together can carry out at once"),
    _gauge("hnefi_picture_queue", "pictures", "Pictures that are drawn or wait for it"),
    _gauge("hnefi_rules_queue", "jobs", "Jobs about custom rules waiting for their turn"),
    _gauge("hnefi_example_queue", "jobs", "Examples of rules waiting for their turn"),
    _gauge("hnefi_page_queue", "pages", "Pages waiting to be rendered"),
    _gauge(
        "hnefi_drawing_queue",
        "requests",
        "Drawings, QR codes, records and searches in the library waiting",
    ),
    _gauge("hnefi_write_queue", "writes", "Writes waiting for the next commit"),
    _gauge("hnefi_disk_free_bytes", "bytes", "Free space on the disk of the data folder"),
    _gauge("hnefi_disk_bytes", "bytes", "Size of the disk of the data folder"),
    _seconds("hnefi_loop_stall_seconds", "How late the event loop woke"),
    _seconds("hnefi_loop_work_seconds", "How much of that was its own work at most"),
    _seconds("hnefi_collection_seconds", "Work of the garbage collector"),
    _gauge("hnefi_build_info", "always 1", "The version of Hnefi and of Python", "version", "python"),
    _gauge("process_virtual_memory_bytes", "bytes", "Virtual memory of the server, without its workers"),
    _gauge("process_resident_memory_bytes", "bytes", "Memory of the server, without its workers"),
    _gauge("process_start_time_seconds", "seconds", "When the server started, since 1970"),
    _counter("process_cpu_seconds_total", "seconds", "Processor time of the server, without its workers"),
    _gauge("process_open_fds", "files", "Open files and connections"),
    _gauge("process_max_fds", "files", "The most files and connections it may open"),
)
"""Every metric, in the order of the documentation. Those of the process exist on Linux only."""

_DECLARED = {metric.name: metric for metric in METRICS}


class Metrics:
    """The metrics of one server, and the collector of those that are read when they are asked for."""

    def __init__(self) -> None:
        # Otherwise every counter and histogram has a second metric with the time of its creation.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.move = self._histogram("hnefi_move_seconds")
        self.action = self._histogram("hnefi_action_seconds")
        self.hello = self._histogram("hnefi_hello_seconds")
        self.commit = self._histogram("hnefi_commit_seconds")
        self.batch = self._histogram("hnefi_batch_writes")
        self.stall = self._histogram("hnefi_loop_stall_seconds")
        self.work = self._histogram("hnefi_loop_work_seconds")
        self.collection = self._histogram("hnefi_collection_seconds")
        requests = self._histogram("hnefi_http_seconds")
        responses = self._counter("hnefi_http_responses_total")
        # Looked up once: a child of a metric costs more to find than to change.
        self._requests = {route: requests.labels(route) for route in ROUTES}
        self._responses = {
            (route, status): responses.labels(route, status) for route in ROUTES for status in _STATUSES
        }
        closes = self._counter("hnefi_socket_closes_total")
        self._closes = {code: closes.labels(str(code)) for code in _CLOSE_CODES}
        self._refusals = self._counter("hnefi_refusals_total")
        self._readings: dict[Metric, Callable[[], float | None]] = {}
        self.registry.register(self)
        build = _DECLARED["hnefi_build_info"]
        info = Gauge(build.name, build.help, build.labels, registry=self.registry)
        info.labels(__version__, platform.python_version()).set(1)
        ProcessCollector(registry=self.registry)
        self._began = 0.0

    def _histogram(self, name: str) -> Histogram:
        metric = _DECLARED[name]
        return Histogram(name, metric.help, metric.labels, buckets=metric.buckets, registry=self.registry)

    def _counter(self, name: str) -> Counter:
        metric = _DECLARED[name]
        return Counter(name, metric.help, metric.labels, registry=self.registry)

    def serve(self, port: int) -> None:
        """Serves the metrics on this machine only, in a thread.

        Raises:
            HnefiError: `cannot_serve_metrics`, if the port is in use or not permitted.
        """
        try:
            start_http_server(port, _HOST, self.registry)
        except OSError as error:
            facts = {"host": _HOST, "port": str(port), "why": error.strerror or type(error).__name__}
            raise HnefiError("cannot_serve_metrics", f"{_HOST}:{port}: {facts['why']}", facts) from None

    def read(self, functions: Mapping[str, Callable[[], float | None]]) -> None:
        """Sets what returns the values of gauges and counters that are read when they are asked for.

        They are called in another thread; None is for an unknown value.
        """
        self._readings |= {_DECLARED[name]: function for name, function in functions.items()}

    def collect(self) -> Iterator[Family]:
        """Reads all values. An unknown one is left out, so that alerts do not take it for a zero."""
        for metric, function in tuple(self._readings.items()):
            if (value := function()) is None:
                continue
            family = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
            yield family(metric.name, metric.help, value=float(value))

    def committed(self, writes: int, seconds: float) -> None:
        """Records a commit."""
        self.batch.observe(writes)
        self.commit.observe(seconds)

    def responded(self, route: str, status: int, seconds: float) -> None:
        """Records that a response begins."""
        self._requests[route].observe(seconds)
        self._responses[route, f"{status // 100}xx"].inc()

    def refused(self, code: str) -> None:
        """Counts a refusal by its code; unknown codes count as one, so that labels are bounded."""
        self._refusals.labels(code if code in known_codes() else _OTHER).inc()

    def closed(self, code: int) -> None:
        """Counts a WebSocket that the server closed."""
        if (count := self._closes.get(code)) is not None:
            count.inc()

    def collected(self, phase: str, _facts: dict[str, int]) -> None:
        """Records a run of the garbage collector; a callback of `gc`."""
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.collection.observe(time.thread_time() - self._began)


@cache
def known_codes() -> frozenset[str]:
    """Returns the codes of all errors, each of which has a text."""
    return frozenset(key.split(".")[1] for key in i18n.texts(("error.",)))
