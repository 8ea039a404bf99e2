"""Keys of positions, which all images of a position share."""

import random

import pytest

from hnefi import Game, Move, all_variants, random_game
from tests.test_library import BRANDUB, played


def keys_by_hand(game: Game) -> list[int]:
    """The smallest key over all images: of each position one that all its images share."""
    found = []
    steps = [game]
    while steps[-1].parent is not None:
        steps.append(steps[-1].parent)
    for step in reversed(steps):
        images = {step.position.transformed(one).canonical_key for one in game.rules.symmetries}
        assert images == {step.position.canonical_key}
        found.append(step.position.canonical_key)
    return found


@pytest.mark.parametrize("rules", ["brandub-globe", "tablut-geoludie", "foteviken-tablut-9", "copenhagen-11"])
def test_all_images_share_a_key_and_their_moves_a_number(rules: str) -> None:
    game = played(random.Random(rules), 24, rules)
    line = game.canonical_line()
    assert [key for key, _ in line] == keys_by_hand(game)
    assert [number is None for _, number in line] == [False] * game.ply_count + [True]
    position, table = game.rules, game.parent
    assert table is not None
    for symmetry in position.symmetries:
        image = table.position.transformed(symmetry)
        moves = table.position.legal_moves()
        mapped = [
            Move.of(*(game.rules.map_square(one, symmetry) for one in (move.from_square, move.to_square)))
            for move in moves
        ]
        assert image.canonical_moves(mapped) == table.position.canonical_moves(moves)


def test_lines_have_the_keys_and_moves_of_their_positions() -> None:
    """A line updates its keys from ply to ply, also where a king is captured or pieces have ranks."""
    reasons = set()
    for one in all_variants():
        game = random_game(one.rules, 2, 300)
        reasons.add(game.outcome and game.outcome.reason.value)
        line, steps = game.canonical_line(), [game]
        while steps[-1].parent is not None:
            steps.append(steps[-1].parent)
        steps.reverse()
        assert [key for key, _ in line] == [step.position.canonical_key for step in steps], one.id
        for (_, number), before, ply in zip(line, steps, game.plies, strict=False):
            assert [number] == before.position.canonical_moves([ply.move]), one.id
        assert game.moves_text() == " ".join(map(str, game.plies))
    assert "king_captured" in reasons


def test_other_positions_have_other_keys() -> None:
    rng = random.Random(5)
    seen: dict[int, set[str]] = {}
    for _ in range(60):
        game = played(rng)
        step: Game | None = game
        while step is not None:
            position = step.position
            images = {str(position.transformed(one)).rsplit(" ", 1)[0] for one in game.rules.symmetries}
            known = seen.setdefault(position.canonical_key, images)
            assert known == images
            step = step.parent
    assert len(seen) > 1000


def test_sides_to_move_and_sizes_are_distinguished() -> None:
    start = BRANDUB.new_game().position
    turned = Game(BRANDUB.rules, type(start.setup)(str(start.setup).replace(" a ", " d "))).position
    assert turned.turn is not start.turn
    assert turned.canonical_key != start.canonical_key
