"""The rules page of a variant: its rules in words, pictures and sources."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hnefi import words
from hnefi.i18n import has_text, text
from hnefi.lessons import lessons
from hnefi.pieces import Piece
from hnefi.puzzles import has_puzzles
from hnefi.server.game_facts import all_game_facts, family_of, game_facts, heading_of
from hnefi.server.pages import drawings
from hnefi.server.pages.facts import asked_title
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.variant_families import family_key
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.links import format_changes, format_query, query_switches
from hnefi.variants.model import Variant
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.nouns import capitalised, nouns_of, with_usual_name
from hnefi.words.origins import origins_of
from hnefi.words.values import switch_words

# The page shows the board beside the goal already.
_NOT_DRAWN = ("start",)


def rules_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the rules page."""
    variant_id, switches = request.parameter("variant").lower(), query_switches(request.values)
    title = asked_title(request.values)
    page = rules_page(variant_id, request.lang, tuple(switches.items()), title)
    if switches:
        game = game_facts(variant(variant_id).with_switches(switches), request.lang, title=title)
    else:
        game = all_game_facts(request.lang)[page["id"]]
    return {
        "rules": page,
        "siblings": [one for one in page["siblings"] if one[0] in request.known],
        "has_lessons": bool(lessons(page["id"])) and not switches,
        "has_puzzles": has_puzzles(variant(variant_id)) and not switches,
        "game": game,
    }


@lru_cache(maxsize=64)
def rules_page(
    variant_id: str, lang: str, switches: tuple[tuple[str, str], ...] = (), title: str = ""
) -> dict[str, Any]:
    """Returns the rules page of a variant, also with changed rules and the name that these were given.

    Raises:
        VariantError: If there is no such variant, or it cannot have these rules.
    """
    base = variant(variant_id)
    one = base.with_switches(dict(switches))
    told = words.rules(one, lang)
    origins = origins_of(one, told)
    aim = next(section for section in told.sections if section.id == "aim")
    nouns = nouns_of(one.about, lang)
    name, author = heading_of(one, lang)
    if title:
        name, author = title, text("page.rules.after", lang, name=one.name(lang))
    elif switches:
        author = capitalised(text("page.rules.own", lang))
    return {
        "id": one.id,
        # The parts of its name; the second may be empty.
        "name": name,
        "author": author,
        "title": title or one.name(lang),
        "facts": told.facts,
        "aim": " ".join(aim.paragraphs),
        "aims": [_sentence(clause, "ends") for clause in aim.spoken_clauses],
        "legend": words.legend(told),
        "pieces": list(_pieces(one, lang, nouns)),
        "nouns": nouns,
        "goal": one.tree.ends.goal,
        "attackers_aim": words.attackers_aim(one.tree.ends),
        "board": drawings.board(one, None, lang) if switches else drawings.start_board(one.id, lang),
        "query": format_query(one.id, one.switches, name=title),
        # The query of the changes and their name; empty without changes.
        "changed": format_changes(one.switches, name=title),
        "sections": list(_sections(one, told, origins)),
        # The switches for other readings in words.
        "readings": {
            switch: switch_words(one, switch, lang)
            for origin in origins
            for source in origin.sources
            for switch in source.switches
        },
        # The other variants of the family, and the heading of their list.
        "siblings": [
            (other.id, other.name(lang))
            for other in all_variants()
            if other.id != one.id and family_of(other, "en") == family_of(one, "en")
        ],
        "others": _others(one, lang),
    }


def _pieces(one: Variant, lang: str, nouns: dict[str, str]) -> Iterator[tuple[Piece, int, str]]:
    """Iterates over the kinds of pieces at the start, each with its number and noun."""
    standing = list(one.rules.start.pieces.values())
    for soldier, noun, form in (
        (Piece.ATTACKER, "attackers", "attackers"),
        (Piece.DEFENDER, "defenders", "defenders"),
        (Piece.KING, "king", "The_king"),
    ):
        if count := standing.count(soldier):
            yield soldier, count, with_usual_name(one.about, noun, lang, nouns[form])
        for piece in Piece:
            if piece.soldier is soldier and piece is not soldier and (count := standing.count(piece)):
                rank = piece.value.partition("_")[2]
                yield piece, count, text(f"words.rank.{rank}{'s' if count > 1 else ''}", lang)


def _sections(
    one: Variant, told: words.RulesText, sources: Iterable[words.RuleOrigin]
) -> Iterator[dict[str, Any]]:
    """Iterates over the sections, each with the sources of the rules that it describes."""
    origins = {origin.leaf: origin for origin in sources}
    without_place = dict(origins)
    number = 0
    for section in told.sections:
        if section.id == "aim":
            continue
        described = [_origin_of(leaf) for clause in section.spoken_clauses for leaf in clause.leaves]
        silent = [leaf for clause in section.clauses for leaf in clause.leaves if leaf in without_place]
        here = {leaf: origins[leaf] for leaf in [*described, *silent, section.id] if leaf in origins}
        for leaf in here.keys() - {"fixed"}:
            without_place.pop(leaf, None)
        if "fixed" in here:
            here["fixed"] = _cited(here["fixed"], section)
            without_place["fixed"] = _without(without_place["fixed"], here["fixed"])
        if section is told.rules_sections[-1]:
            here = {**without_place, **here}
        figures = []
        for picture in section.pictures:
            if picture.kind not in _NOT_DRAWN:
                number += 1
                figures.append(_figure(one, picture, number, told.lang))
        yield {
            "id": section.id,
            "heading": section.heading,
            "paragraphs": [
                [_sentence(clause, section.id) for clause in clauses] for clauses in section.marked_paragraphs
            ],
            "is_list": section.is_list,
            "figures": figures,
            "origins": [origin for origin in here.values() if origin.sources],
        }


def _cited(fixed: words.RuleOrigin, section: words.Section) -> words.RuleOrigin:
    """Returns the sources of rules without a key that a section cites."""
    cited = [source for clause in section.spoken_clauses for source in clause.sources]
    return replace(fixed, sources=tuple(source for source in fixed.sources if source in cited))


def _without(fixed: words.RuleOrigin, placed: words.RuleOrigin) -> words.RuleOrigin:
    return replace(fixed, sources=tuple(one for one in fixed.sources if one not in placed.sources))


def _sentence(clause: words.Clause, section: str) -> tuple[words.Clause, str]:
    """Returns a sentence with the id of its source on the page."""
    leaf = _origin_of(clause.leaves[0]) if clause.leaves else ""
    return clause, f"why-{section}-{leaf}"


def _origin_of(leaf: str) -> str:
    """Returns the leaf under which the sources of a rule stand: those of all rules of calls are together."""
    return "calls" if leaf in CALL_SWITCHES else leaf


def _figure(one: Variant, picture: words.Picture, number: int, lang: str) -> dict[str, Any]:
    """Returns a numbered picture, and the query that opens its position."""
    return {
        "number": number,
        "picture": picture,
        "drawing": drawings.figure(picture, lang),
        "query": format_query(one.id, one.switches, position=str(picture.position.setup)),
    }


def _others(one: Variant, lang: str) -> str:
    """Returns the heading of the list of other variants of the family, with the article of its name."""
    key = f"page.rules.others.{family_key(one)}"
    if has_text(key, lang):
        return text(key, lang)
    return text("page.rules.others", lang, name=family_of(one, lang))
