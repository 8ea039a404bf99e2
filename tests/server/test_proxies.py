"""Which clients are trusted proxies."""

import pytest

from hnefi.server.http.monitoring import TrustedProxies


@pytest.mark.parametrize(
    ("words", "trusted", "others"),
    [
        ("", [], ["127.0.0.1", "", None]),
        ("*", ["127.0.0.1", "unix:/run/a", "", None], []),
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1", "::ffff:127.0.0.1", "localhost", "", None]),
        ("10.0.0.0/8,::1", ["10.255.0.1", "::1", "0:0:0:0:0:0:0:1"], ["11.0.0.1", "::2", "10.0.0.0/8"]),
        (" 2001:db8::/32 , 192.0.2.7 ", ["2001:db8::5", "192.0.2.7"], ["2001:db9::5", "192.0.2.8"]),
        # An address with bits beyond its network is no network, here as in uvicorn's own list.
        ("unix:/run/a,10.0.0.1/8", ["unix:/run/a"], ["unix:/run/b", "10.0.0.1", "/run/a"]),
    ],
)
def test_proxies_are_trusted_by_address_network_or_name(
    words: str, trusted: list[str | None], others: list[str | None]
) -> None:
    async def nothing(*_: object) -> None:
        pass

    proxies = TrustedProxies(nothing, words).trusted_hosts
    assert [host for host in trusted if host not in proxies] == []
    assert [host for host in others if host in proxies] == []
