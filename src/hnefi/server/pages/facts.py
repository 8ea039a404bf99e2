"""The facts of variants that pages carry for their scripts."""

from collections.abc import Mapping
from typing import Any

from hnefi.server.game_facts import all_game_facts, game_facts
from hnefi.server.names import LONGEST_TITLE, normalised_name
from hnefi.server.pages.page import PageNotFound, PageRequest
from hnefi.variants.finding import variant
from hnefi.variants.links import query_switches


def site_games(request: PageRequest) -> dict[str, dict[str, Any]]:
    """Returns the facts of the variants of the site, by id."""
    known = request.known
    return {name: facts for name, facts in all_game_facts(request.lang).items() if name in known}


def asked_title(query: Mapping[str, str]) -> str:
    r"""Returns the name that a query gives to changed rules; empty if it has none, or one that is refused.

    >>> [asked_title({"name": name, "rule.goal": "edge"}) for name in ("To  the edge", "x" * 61, "\u202eX")]
    ['To the edge', '', '']
    """
    name = query.get("name", "") if query_switches(query) else ""
    try:
        return normalised_name(name) if len(name) <= LONGEST_TITLE else ""
    except ValueError:
        return ""


def changed_facts(request: PageRequest) -> dict[str, Any] | None:
    """Returns the facts of a variant with the switches of the query and their name; None without switches.

    Raises:
        VariantError: If there is no such variant, or it cannot have these rules.
    """
    switches = query_switches(request.values)
    if not switches:
        return None
    chosen = variant(request.values.get("variant", "")).with_switches(switches)
    return game_facts(chosen, request.lang, title=asked_title(request.values))


def requested_facts(request: PageRequest, usual: str = "") -> dict[str, Any]:
    """Returns the facts of the variant of the query, or else of the usual one, with its switches.

    Raises:
        PageNotFound: If there is no such variant.
        VariantError: If it cannot have these rules.
    """
    name = request.values.get("variant", usual)
    found = changed_facts(request) or all_game_facts(request.lang).get(name)
    if found is None:
        raise PageNotFound
    return found
