"""Trusted proxies: the addresses and networks whose connections and headers are believed."""

import ipaddress


class TrustedProxies:
    """The proxies that an operator trusts.

    >>> proxies = TrustedProxies("127.0.0.1, 10.0.0.0/8")
    >>> [host in proxies for host in ("127.0.0.1", "10.1.2.3", "192.0.2.7", "", None)]
    [True, True, False, False, False]
    """

    def __init__(self, words: str) -> None:
        """Reads addresses and networks.

        Args:
            words: Addresses and networks separated by commas; `*` for all; what is neither stands for itself,
                such as the name of a Unix socket.
        """
        self._trusts_all = words.strip() == "*"
        self._names: set[str] = set()
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for word in filter(None, map(str.strip, words.split(","))):
            try:
                self._networks.append(ipaddress.ip_network(word))
            except ValueError:
                self._names.add(word)

    def __contains__(self, host: str | None) -> bool:
        """Checks whether the client of a connection is one of them."""
        if self._trusts_all or not host:
            return self._trusts_all
        if host in self._names:
            return True
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
