"""Settings of several processes."""

import pytest

from hnefi.server.settings import ROLES, SETTINGS, Settings, cluster_fault

BUS, ROLE = (setting for setting in SETTINGS if setting.group == "cluster")
PASSWORD = "horse-0123"
POSTGRES = "postgresql://hnefi@/hnefi"


@pytest.mark.parametrize(
    ("bus", "is_right"),
    [
        ("redis://127.0.0.1:6379", True),
        (f"rediss://site:{PASSWORD}@[fd00::1]:6380/3?ssl_ca_certs=/etc/bus.pem", True),
        (f"http://:{PASSWORD}@bus", False),
        (f"redis://:{PASSWORD}/@bus", False),
        (f"redis://:{PASSWORD}@bus/games", False),
        (f"redis://:{PASSWORD}@", False),
        ("redis:", False),
        ("bus", False),
        ("", False),
    ],
)
def test_the_url_of_a_bus_is_checked_and_not_shown(bus: str, is_right: bool) -> None:
    assert BUS.fault_of(bus) == (None if is_right else "wrong_value")
    assert BUS.shown(bus) == "…"


def test_the_role_of_a_process_is_one_of_three() -> None:
    assert [ROLE.fault_of(role) for role in ("gateway", "games", "engine")] == [None] * 3
    assert ROLE.fault_of("worker") == "wrong_value"
    assert ROLE.choices == ROLES
    assert (Settings().bus, Settings().role) == (None, None)


@pytest.mark.parametrize(
    ("bus", "role", "database", "fault"),
    [
        (None, None, None, None),
        (None, None, POSTGRES, None),
        (None, "games", POSTGRES, "role_needs_bus"),
        ("redis://bus", None, None, "bus_needs_postgres"),
        ("redis://bus", "gateway", "sqlite:///games.db", "bus_needs_postgres"),
        ("redis://bus", None, POSTGRES, None),
        ("redis://bus", "engine", "postgresql+psycopg://hnefi@/hnefi", None),
    ],
)
def test_several_processes_need_a_bus_and_postgres(
    bus: str | None, role: str | None, database: str | None, fault: str | None
) -> None:
    assert cluster_fault(bus, role, database) == fault
