"""Random rules, setups and games for the tests of laws."""

import json
import random
from typing import Any

from hypothesis import strategies as st

from hnefi import Game, Piece, Position, Rules, Setup, Side, Square, Variant, variant, variant_ids
from hnefi._core import random_game
from tests.reference.random_rules import random_tree
from tests.worked import variant_tree

SEEDS = st.integers(0, 2**32)
SIZES = st.sampled_from([5, 5, 7, 7, 9, 11, 13, 19])


def invented(count: int, seed: int, size: int | None = None) -> list[Variant]:
    """Returns variants whose rules are drawn at random."""
    rng, match = random.Random(seed), variant("fetlar-11").match
    found = []
    for number in range(count):
        tree, about = random_tree(rng, size), {"names": {"en": f"N° {number}"}}
        rules = Rules(json.dumps(tree))
        found.append(Variant(f"invented-{number}", 1, rules, tree, {}, about, None, match, {}, ()))
    return found


@st.composite
def trees(draw: st.DrawFn, sizes: st.SearchStrategy[int] = SIZES) -> dict[str, Any]:
    """A valid rule tree: of a variant, or with everything drawn."""
    identity = draw(st.none() | st.sampled_from(variant_ids()))
    if identity is not None:
        return variant_tree(identity)
    return random_tree(random.Random(draw(SEEDS)), draw(sizes))


@st.composite
def games(draw: st.DrawFn, sizes: st.SearchStrategy[int] = SIZES, plies: int = 40) -> Game:
    """A game under random rules, after some random plies; it may be over."""
    rules = Rules(json.dumps(draw(trees(sizes))))
    return random_game(rules, draw(SEEDS), draw(st.integers(0, plies)))


def positions(sizes: st.SearchStrategy[int] = SIZES) -> st.SearchStrategy[Position]:
    """A position of a game; the game may be over in it."""
    return games(sizes).map(lambda game: game.position)


def squares(size: int) -> st.SearchStrategy[Square]:
    """A square of a board."""
    places = st.integers(0, size - 1)
    return st.builds(Square.at, places, places)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any pieces anywhere: no king, several kings, a board full of attackers, a piece in mid-turn."""
    size = draw(st.sampled_from([5, 7, 9, 11, 13, 15, 17, 19]))
    pieces = draw(st.dictionaries(squares(size), st.sampled_from(Piece), max_size=size * size))
    going = draw(st.none() | st.sampled_from(sorted(pieces)) if pieces else st.none())
    return Setup.of(size, pieces, draw(st.sampled_from(Side)), draw(st.integers(0, 999_999)), going)
