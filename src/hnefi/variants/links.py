"""Variants in links: packed into a fragment, or as a base variant with changed rules in a query."""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

from hnefi.errors import shorten
from hnefi.variants.clauses import without_clauses
from hnefi.variants.custom import custom_error, custom_id, derive
from hnefi.variants.files import format_variant, parse_variant
from hnefi.variants.finding import variant as find_variant
from hnefi.variants.model import Variant

_SWITCH_PREFIX = "rule."
_MIN_LINK_CHARACTERS = 100
_MAX_LINK_CHARACTERS = 8192
_LINK_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_MAX_FILE_BYTES = 65_536
# What a link says of the game; long texts would not fit.
_LINKED = frozenset(("names", "also", "family", "region", "status", "status_note", "words", "corner_names"))


def query_switches(query: Mapping[str, str]) -> dict[str, str]:
    """Returns the switches in the query parameters of a page.

    >>> query_switches({"variant": "fetlar-11", "rule.king_armed": "none", "rule.goal": ""})
    {'king_armed': 'none'}
    """
    return {
        key.removeprefix(_SWITCH_PREFIX): value
        for key, value in query.items()
        if key.startswith(_SWITCH_PREFIX) and value
    }


def parse_query(url: str) -> dict[str, str]:
    """Parses the query parameters of a URL.

    >>> parse_query("https://tafl.example/rules/new?variant=fetlar-11#main")
    {'variant': 'fetlar-11'}
    """
    return dict(parse_qsl(url.strip().partition("?")[2].partition("#")[0]))


def format_query(variant_id: str, switches: Mapping[str, str], **more: str) -> str:
    """Formats a variant with its switches, and further parameters unless they are empty, as a query string.

    >>> format_query("fetlar-11", {"king_armed": "none"}, name="")
    'variant=fetlar-11&rule.king_armed=none'
    """
    return "&".join(filter(None, (urlencode({"variant": variant_id}), format_changes(switches, **more))))


def format_changes(switches: Mapping[str, str], **more: str) -> str:
    """Formats switches as a query string without the variant, for addresses that name it in their path.

    >>> format_changes({"goal": "edge"}, name="To the edge")
    'name=To+the+edge&rule.goal=edge'
    """
    changes = {f"{_SWITCH_PREFIX}{key}": value for key, value in switches.items()}
    return urlencode({key: value for key, value in more.items() if value} | changes)


def format_link(variant: Variant | str) -> str:
    """Packs id, names, rules, calls and match of a variant into characters that a URL may contain.

    >>> from hnefi import variant
    >>> parse_link(format_link("brandub-breyer")).rules == variant("brandub-breyer").rules
    True
    """
    found = find_variant(variant)
    about = {key: value for key, value in found.about.items() if key in _LINKED}
    packed = zlib.compress(format_variant(replace(without_clauses(found), about=about)).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def is_link(text: str) -> bool:
    """Checks whether a text looks like one that `parse_link` parses.

    >>> from hnefi import variant
    >>> is_link(format_link(variant("brandub-globe"))), is_link("brandub-globe")
    (True, False)
    """
    if "#" in text or "variant=" in text:
        return True
    # Compressed texts of any length begin alike.
    return len(text) > _MIN_LINK_CHARACTERS and text.startswith("eN") and _LINK_LETTERS.issuperset(text)


def parse_link(text: str) -> Variant:
    """Parses a variant from the result of `format_link`, from a URL that ends in it, or from a page's URL.

    Raises:
        CustomVariantError: `damaged_link`.
        VariantError: With all faults of its rules.

    >>> parse_link("https://tafl.example/en/rules/new?variant=fetlar-11&rule.goal=edge&name=To+the+edge").id
    'to-the-edge'
    """
    query = parse_query(text)
    if "variant" in query:
        base = find_variant(query["variant"])
        name = query.get("name") or base.name("en")
        return derive(base, custom_id(name), {"en": name}, query_switches(query))
    letters = text.strip().rpartition("#")[2]
    try:
        if len(letters) > _MAX_LINK_CHARACTERS:
            raise ValueError(f"{len(letters)} letters")
        packed = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(packed, _MAX_FILE_BYTES)
        if not unpacker.eof:
            raise ValueError("too long, or cut off")
        file_text = unpacked.decode()
    except (ValueError, zlib.error) as error:
        raise custom_error("damaged_link", shorten(letters), why=str(error)) from error
    return parse_variant(file_text)
