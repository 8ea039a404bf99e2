"""Helpers for tests of rules as text: generate it from a tree, take it apart, check its pictures."""

import json
from copy import deepcopy
from typing import Any

from hnefi import Piece, Reason, Rules, variant, words
from hnefi.variants.schema import schema

KINDS = ("attackers", "defenders", "king")
Tree = dict[str, Any]


def section_of(leaf: str) -> list[str]:
    path: str = schema()[leaf]["path"]
    return path.split(".")


def with_values(**values: object) -> Tree:
    """Returns a rule tree with throne and corners, in which most values can be tried, with these values."""
    tree: Tree = json.loads(variant("tablut-geoludie").rules.to_json())
    for leaf, value in values.items():
        *sections, key = section_of(leaf)
        at = tree
        for section in sections:
            at = at[section]
        at[key] = deepcopy(value)
    return tree


def rules_text_of(tree: Tree, lang: str) -> words.RulesText:
    return words.rules(Rules(json.dumps(tree)), lang)


def all_text(rules: words.RulesText) -> list[str]:
    texts = [clause.text for section in rules.sections for clause in section.clauses]
    captions = [
        picture.caption
        for section in rules.sections
        for clause in section.clauses
        for picture in clause.pictures
    ]
    return [rules.title, *rules.facts, *(section.heading for section in rules.sections), *texts, *captions]


def pictures_of(rules: words.RulesText) -> list[words.Picture]:
    return [
        picture for section in rules.sections for clause in section.clauses for picture in clause.pictures
    ]


def check_pictures(text: words.RulesText) -> None:
    for picture in pictures_of(text):
        if picture.move is not None:
            check_played(picture)
        elif picture.roads:
            assert picture.position.open_roads == picture.roads
            assert len(picture.roads) == {"one_road": 1, "two_roads": 2}[picture.kind]
        else:
            assert picture.kind == "start"


def check_played(picture: words.Picture) -> None:
    """Checks that the move of a picture has the effect that the core computes."""
    assert picture.move is not None
    assert picture.position.is_legal(picture.move)
    check_places(picture)
    described = picture.position.describe(picture.move)
    soldiers = [capture for capture in described.captures if capture.piece is not Piece.KING]
    king_falls = len(soldiers) < len(described.captures)
    kind = picture.kind
    if kind in ("enclosure", "exit_fort"):
        assert described.outcome is not None
        assert described.outcome.reason is Reason(kind)
        return
    assert king_falls == (kind.startswith("king_") and kind not in ("king_hammer", "king_anvil")) or (
        kind == "linnaean_king" and king_falls
    )
    if kind == "safe":
        assert not described.captures
    if kind in ("custodial", "throne", "throne_held", "corner", "king_hammer", "king_anvil", "linnaean"):
        assert len(soldiers) == 1
        assert soldiers[0].square.name in picture.caption
    if kind in ("blocked_group", "shieldwall"):
        assert len(soldiers) == 2
        assert kind in {capture.how for capture in soldiers}


def check_places(picture: words.Picture) -> None:
    """Checks that every drawn piece may stop on its square."""
    rules = picture.position.rules
    movement = json.loads(rules.to_json())["movement"]
    for square, piece in picture.position.pieces.items():
        kind = piece.value if piece is Piece.KING else f"{piece.value}s"
        if square in rules.corners:
            assert kind in movement["corner_stop"]
        if square == rules.throne and piece is not Piece.KING:
            assert kind in movement["throne_stop"]
