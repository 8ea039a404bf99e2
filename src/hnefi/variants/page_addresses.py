"""Addresses of a variant: of its page at a server and in a site of static files, and of its printed files."""

from typing import TYPE_CHECKING

from hnefi.variants.links import format_query

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

RULES_PATH = "/rules/{variant}"
"""The part of the path of a variant's page after the language."""


def page_path(variant: "Variant", lang: str) -> str:
    """Returns the path of a variant's page; one with changed rules has that of the rules editor, with them.

    >>> from hnefi import variant
    >>> page_path(variant("brandub-globe"), "fr")
    '/fr/rules/brandub-globe/'
    >>> page_path(variant("fetlar-11").with_switches({"king_armed": "none"}), "en")
    '/en/rules/new/?variant=fetlar-11&rule.king_armed=none'
    """
    if variant.switches:
        return f"/{lang}/rules/new/?{format_query(variant.id, variant.switches)}"
    return f"/{lang}{RULES_PATH.format(variant=variant.id)}/"


def print_file(variant_id: str, form: str, lang: str) -> str:
    """Returns the name of the file of a printed form.

    >>> print_file("brandub-globe", "booklet", "fr")
    'brandub-globe-booklet-fr.pdf'
    """
    return f"{variant_id}-{form}-{lang}.pdf"
