"""Key moments of games: what is described of each, and which moments are kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from hnefi import Game, Move, Outcome, Reason, Record, RecordError, Setup, Side, sample_game, variant
from hnefi.i18n import languages
from hnefi.paper.drawings import Drawings
from hnefi.paper.game_pages import game_parts
from hnefi.record import Node, Variation, load_records, variant_headers
from hnefi.variants.built_in import built_in_ids
from hnefi.words import KeyMoment, key_moments

RECORDS = Path(__file__).parent / "records"


def recorded(name: str, number: int = 0) -> Record:
    return load_records(RECORDS / f"{name}.tafl").records[number]


def described(record: Record, lang: str) -> list[tuple[int, str]]:
    return [(moment.ply, moment.text) for moment in key_moments(record, lang)]


def played(name: str, position: str, moves: str, calls: str = "off") -> Record:
    rules = variant(name).rules
    game = Game.replay(rules, Setup(position), [Move(move) for move in moves.split()])
    return Record.from_game(game, [*variant_headers(variant(name)), ("Calls", calls)])


def test_a_game_is_described_by_captures_roads_and_end() -> None:
    assert described(recorded("two-legs"), "en") == [
        (23, "The first capture, a black piece on b9."),
        (27, "The road to the corner a1 is open."),
        (33, "The king reaches the corner a1: White wins."),
    ]


@pytest.mark.parametrize("name", built_in_ids())
@pytest.mark.parametrize("lang", languages())
def test_a_sample_game_has_a_few_moments_with_whole_sentences(name: str, lang: str) -> None:
    record = sample_game(name)
    assert record is not None
    moments = key_moments(record, lang)
    assert 2 <= len(moments) <= 6
    assert [moment.ply for moment in moments] == sorted({moment.ply for moment in moments})
    assert moments[-1].kinds[-1] == "end"
    for moment in moments:
        assert moment.game.ply_count == moment.ply
        assert moment.text.endswith(".")
        assert not {"{", "}", "_"} & set(moment.text + moment.title)
        assert moment.text[0].isupper()
        check(moment)


def check(moment: KeyMoment) -> None:
    """Checks what a moment says against its game."""
    assert moment.game.last is not None
    assert moment.game.parent is not None
    if {"first_capture", "reply", "captures"} & set(moment.kinds):
        assert all(square.name in moment.text for square in moment.game.last.captures)
    if {"road", "roads"} & set(moment.kinds):
        assert moment.game.last.side is Side.DEFENDERS
        assert any(road.to_square.name in moment.text for road in moment.game.position.open_roads)
    if moment.better is not None:
        assert moment.game.parent.is_legal(moment.better)
        assert moment.better != moment.game.last.move
        assert str(moment.better) in moment.text
    assert ("mistake" in moment.kinds) == (moment.better is not None)
    assert ("end" in moment.kinds) == (moment.game.outcome is not None)


def test_pieces_have_the_names_of_the_variant_and_roads_their_calls() -> None:
    assert described(recorded("brandub-globe"), "fr") == [
        (5, "Première prise, un prince en b5."),
        (
            10,
            (
                "Les princes prennent à leur tour\u00a0: un attaquant en a6. "
                "La route du refuge a7 est ouverte. Les princes annoncent «\u00a0une sortie\u00a0»."
            ),
        ),
        (12, "Le brannán atteint le refuge a7\u00a0: les princes gagnent."),
    ]


def test_a_captured_king_is_described_with_his_square() -> None:
    record = played("ard-ri-globe", "7/7/2t4/1tKt3/7/2t4/7 a 0", "c2-c3")
    assert record.reason is Reason.KING_CAPTURED
    (moment,) = key_moments(record, "fr")
    assert moment.text == "Le roi est pris en c4\u00a0: les assaillants gagnent."
    assert moment.title == "Coup 1\u00a0: c2-c3xc4"
    assert moment.kinds == ("end",)


def test_an_end_without_a_square_is_described_as_the_outcome() -> None:
    record = recorded("two-legs")
    first = replace(record, nodes=record.nodes[:3])
    resigned = first.with_headers({"Result": "attackers", "Reason": "resignation"})
    (moment,) = key_moments(resigned, "en")
    assert (moment.ply, moment.text) == (3, "The king’s side resigns. The attackers win.")
    unfinished = first.with_headers({"Result": "*", "Reason": None})
    assert key_moments(unfinished, "en") == ()


def marked(record: Record, at: int, glyph: str, better: str) -> Record:
    nodes = list(record.nodes)
    line = Variation((Node(Move(better)),))
    nodes[at] = replace(nodes[at], comments=(glyph,), variations=(line,))
    return replace(record, nodes=tuple(nodes))


def test_the_mistake_is_the_last_one_of_the_loser() -> None:
    record = recorded("two-legs")
    assert record.outcome == Outcome(Side.DEFENDERS, Reason.CORNER)
    record = marked(marked(record, 3, "?", "f1-g1"), 5, "?", "d2-c2")
    of_winner = marked(record, 6, "?", "e7-f7")
    (found,) = [moment for moment in key_moments(of_winner, "en") if moment.better]
    assert (found.ply, found.text) == (6, "Black makes a mistake: d2-c2 was better.")
    decisive = marked(record, 1, "??", "d1-c1")
    (found,) = [moment for moment in key_moments(decisive, "fr") if moment.better]
    assert (found.ply, found.better) == (2, Move("d1-c1"))
    assert found.text == "Les noirs commettent l’erreur décisive\u00a0: d1-c1 était meilleur."
    assert found.kinds == ("mistake",)


def test_several_pieces_captured_by_one_move_are_described() -> None:
    start = "4T4/9/9/2Tt1tT2/4K4/9/Tt4tT1/2T5t/9 d 0"
    assert described(played("tablut-geoludie", start, "c2-c3 i2-i3 e9-e6"), "en") == [
        (1, "The first capture, a black piece on b3."),
        (2, "Black captures in turn: a white piece on h3."),
        (3, "One move captures several pieces: a black piece on d6 and a black piece on f6."),
    ]
    first = played("tablut-geoludie", start, "e9-e6")
    assert described(first, "en") == [(1, "The first capture, a black piece on d6 and a black piece on f6.")]


def test_of_too_many_moments_the_most_important_are_kept() -> None:
    record = recorded("two-legs")
    assert [moment.kinds for moment in key_moments(record, "en", most=1)] == [("end",)]
    assert [moment.kinds for moment in key_moments(record, "en", most=2)] == [("road",), ("end",)]
    assert key_moments(record, "en", most=0) == ()


def test_a_capture_right_beside_another_moment_is_left_out_if_three_others_are_left() -> None:
    record = recorded("two-legs")
    assert [moment.ply for moment in key_moments(record, "en")] == [23, 27, 33]
    assert record.nodes[27].captures
    shorter = replace(record, nodes=record.nodes[:28])
    resigned = shorter.with_headers({"Result": "defenders", "Reason": "resignation"})
    assert [moment.kinds for moment in key_moments(resigned, "en")] == [
        ("first_capture",),
        ("road",),
        ("reply", "end"),
    ]


def test_refused_escapes_do_not_count() -> None:
    moments = key_moments(recorded("refused-escape"), "en")
    assert [(moment.ply, moment.kinds) for moment in moments] == [(1, ("road",)), (3, ("end",))]
    assert moments[0].text == "Two roads are open: to a1 and a9."


def test_a_faulty_record_is_refused() -> None:
    with pytest.raises(RecordError) as refused:
        key_moments(recorded("faulty"), "en")
    assert refused.value.code == "square_occupied"


def test_a_better_move_is_written_on_paper_like_the_moves_of_the_game() -> None:
    record = marked(recorded("two-legs"), 3, "??", "f1-g1")
    parts = game_parts(record, variant("tablut-geoludie"), Drawings("en"), 5.0, 50.0)["parts"]
    captions = [part["board"].get("caption", "") for part in parts]
    assert any(caption.endswith("the decisive mistake: f1–g1 was better.") for caption in captions)
