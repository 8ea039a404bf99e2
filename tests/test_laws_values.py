"""Laws of values and of whole games: nothing changes, everything can be copied, a game is its plies."""

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import CalledGame, Game, IllegalMove, Move, Outcome, Reason, Side, Square, parse_move, variant
from tests.samples import examples
from tests.strategies import games

laws = examples(20)

_SQUARE = r"[a-s](?:1[0-9]|[1-9])"
_LETTER = "(?:[a-z](?=[a-z]))?"
_CAPTURED = rf"x{_LETTER}({_SQUARE}(?:[x/]{_LETTER}{_SQUARE})*)"
TYPED = re.compile(rf" *{_LETTER}({_SQUARE}) *(?:[-^]=|[-^=x])? *({_SQUARE})(?:{_CAPTURED})?[-+#]* *")


@given(games())
@laws
def test_games_are_unchanged_by_later_moves(game: Game) -> None:
    before = (str(game.position), game.plies, game.outcome, game.quiet, game.repetitions, game.zobrist)
    for move in game.legal_moves()[:5]:
        game.play(move)
        assert game.play(move) == game.play(str(move))
        assert game.play(move).parent == game
    game.position.pieces.clear()
    game.start.pieces.clear()
    assert before == (
        str(game.position),
        game.plies,
        game.outcome,
        game.quiet,
        game.repetitions,
        game.zobrist,
    )


GAME = variant("brandub-globe").new_game().play("d1-c1")


@pytest.mark.parametrize(
    "value",
    [
        GAME,
        GAME.position,
        GAME.rules,
        GAME.start,
        GAME.last,
        GAME.position.describe(GAME.legal_moves()[0]),
        CalledGame(GAME, "auto"),
        Move("d1-c1"),
        Square("a1"),
        Outcome(None, Reason.AGREEMENT),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_attribute_can_be_set(value: object) -> None:
    for name in (*(name for name in dir(value) if not name.startswith("_")), "other"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, None)


@given(games())
@laws
def test_every_value_can_be_pickled_and_copied(game: Game) -> None:
    values = [game, game.position, game.rules, game.start, game.outcome, game.legal_moves(), game.rules.goals]
    values += [*game.plies, *map(game.position.describe, game.legal_moves())]
    for value in values:
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert type(again) is type(value)
        assert copy.deepcopy(value) == value
    again = pickle.loads(pickle.dumps(game))
    assert (again.plies, again.turn, again.outcome) == (game.plies, game.turn, game.outcome)
    assert again.repetitions == game.repetitions
    assert again.position.quiet == game.position.quiet


@given(games())
@laws
def test_a_game_is_its_start_and_its_plies(game: Game) -> None:
    plies = game.plies
    assert len(plies) == game.ply_count
    assert game.last == (plies[-1] if plies else None)
    assert Game.replay(game.rules, game.start, [ply.move for ply in plies]) == game
    again = Game(game.rules, game.start)
    for ply in plies:
        assert again.turn is ply.side
        parent, again = again, again.play(str(ply))
        assert again.parent == parent
        assert again.last == ply
        assert again.passed == ply.passed
        keeps_turn = ply.passed or again.position.going is not None
        assert again.turn in (None, ply.side if keeps_turn else ply.side.opponent)
    assert again == game
    assert hash(again) == hash(game)
    if plies:
        assert game.parent != game


@given(games())
@laws
def test_repetitions_are_counted_over_the_whole_game(game: Game) -> None:
    """A side that passes leaves an occurrence of its own, before the one that is then to move."""
    occurrences: list[tuple[object, Side]] = []
    once = Game(game.rules, game.start)
    line = [once]
    for ply in game.plies:
        line.append(line[-1].play(ply.move))
    for one in line:
        pieces = frozenset(one.position.pieces.items())
        turn = one.position.turn
        if one.passed:
            occurrences.append((pieces, turn.opponent))
        occurrences.append((pieces, turn))
        assert one.repetitions == occurrences.count((pieces, turn))


def test_only_what_comes_from_outside_ends_a_game_from_outside() -> None:
    game = variant("brandub-globe").new_game()
    outside = {Reason.AGREEMENT, Reason.RESIGNATION, Reason.TIME, Reason.ABANDONED, Reason.ADJUDICATION}
    for reason in Reason:
        if reason not in outside:
            with pytest.raises(ValueError, match="outcome"):
                game.end(Outcome(Side.ATTACKERS, reason))
            continue
        over = game.end(Outcome(Side.ATTACKERS, reason))
        assert over.outcome == Outcome(Side.ATTACKERS, reason)
        assert over.legal_moves() == []
        with pytest.raises(ValueError, match="over"):
            over.end(Outcome(None, Reason.AGREEMENT))
        with pytest.raises(IllegalMove) as refused:
            over.play("d1-c1")
        assert refused.value.code == "game_over"
        assert pickle.loads(pickle.dumps(over)) == over


@examples(50)
@given(st.one_of(st.from_regex(TYPED, fullmatch=True), st.text("ads129 -=^x/+#K×–", max_size=12)))
def test_a_move_is_read_in_the_forms_of_one_grammar_and_in_no_other(text: str) -> None:
    for one in (text, text.upper(), text.replace("-", "–"), text[:-1], f"{text}x", text.replace(" ", ",", 1)):
        found = TYPED.fullmatch(one.lower().replace("×", "x").replace("–", "-"))
        if found is None:
            with pytest.raises(IllegalMove, match="is not a move"):
                parse_move(one)
        else:
            move, captures = parse_move(one)
            assert str(move) == f"{found[1]}-{found[2]}"
            written = {re.sub(f"^{_LETTER}", "", name) for name in re.split("[x/]", found[3] or "") if name}
            assert {square.name for square in captures or ()} == written


@pytest.mark.parametrize("typed", ["d2-c2", "d2c2", "d2 c2", "D2xc2", "d2 – c2"])
def test_a_game_takes_a_move_as_people_type_it(typed: str) -> None:
    game = variant("brandub-globe").new_game()
    assert game.is_legal(typed)
    assert str(game.play(typed).last) == "d2-c2"
