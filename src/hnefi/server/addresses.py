"""Rules in the address of a page: a variant, and the rules that are otherwise."""

from collections.abc import Mapping
from urllib.parse import urlencode

__all__ = ["changes_in", "query_of"]

_PREFIX = "rule."


def changes_in(query: Mapping[str, str]) -> dict[str, str]:
    """Gives the rules that an address changes.

    >>> changes_in({"variant": "fetlar-11", "rule.king_armed": "none", "rule.goal": ""})
    {'king_armed': 'none'}
    """
    named = {key.removeprefix(_PREFIX): value for key, value in query.items() if key.startswith(_PREFIX)}
    return {key: value for key, value in named.items() if value}


def query_of(variant_id: str, switches: Mapping[str, str], **more: str) -> str:
    """Writes a variant with its switches into an address, and what else is given.

    >>> query_of("fetlar-11", {"king_armed": "none"})
    'variant=fetlar-11&rule.king_armed=none'
    """
    return urlencode(
        {"variant": variant_id, **more} | {f"{_PREFIX}{key}": value for key, value in switches.items()}
    )
