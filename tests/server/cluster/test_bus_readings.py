"""The metrics of the bus."""

import asyncio

from prometheus_client import generate_latest

from hnefi.server.cluster import messages as m
from hnefi.server.cluster.bus import BEAT_S, SILENT_S, TICK_S
from hnefi.server.cluster.bus_readings import bus_readings
from hnefi.server.metrics import METRICS, Metrics
from tests.server.cluster.memory_bus import MemoryBusServer, settle_bus


def test_every_metric_of_the_bus_has_a_reading() -> None:
    of_slots = {"hnefi_slots", "hnefi_leases_lost_total"}
    assert set(bus_readings([])) == {metric.name for metric in METRICS if metric.needs_bus} - of_slots


def test_metrics_sum_the_ends_of_a_process() -> None:
    async def main() -> str:
        server = MemoryBusServer()
        ends = [server.bus("g:one"), server.bus("w:1")]
        metrics = Metrics()
        metrics.read(bus_readings(ends))
        for end in ends:
            await end.start([], lambda *_: None)
        await settle_bus()
        ends[0].send("w:1", m.Leaving())
        ends[1].send("g:one", m.Leaving())
        await settle_bus()
        server.publish("w:1", b"malformed")
        server.publish("w:1", m.encode("g:two", 3, []))
        await settle_bus()
        server.kill()
        for _ in range(round((BEAT_S + SILENT_S) / TICK_S)):
            ends[0].tick()
            await settle_bus()
        return generate_latest(metrics.registry).decode()

    lines = asyncio.run(main()).splitlines()
    values = dict(line.split() for line in lines if line.startswith("hnefi_bus_"))
    assert values == {
        "hnefi_bus_sent_total": "4.0",
        "hnefi_bus_received_total": "2.0",
        "hnefi_bus_dropped_total": "2.0",
        "hnefi_bus_malformed_total": "1.0",
        "hnefi_bus_gaps_total": "1.0",
        "hnefi_bus_outages_total": "1.0",
        "hnefi_bus_silent": "1.0",
    }
