"""Puts a match together from the records of its legs."""

from collections.abc import Sequence

from hnefi.match import Leg, Match, MatchFormat, Sides, TieBreak
from hnefi.record.faults import record_error
from hnefi.record.replay import Replay


def read_match(replays: Sequence[Replay]) -> Match:
    """Gives the match whose legs these games are, in their order; the last may still go on.

    Args:
        replays: The legs, played from records with the headers `Match`, `Leg`, `Attackers`, `Defenders`.

    Raises:
        RecordError: `no_match` without such headers, `wrong_leg` if legs are missing, doubled or of another
            match, `wrong_sides` if the sides are not those of the match, `unfinished_leg` before the last.
        MatchError: If the names are no names of two players.
    """
    if not replays:
        raise record_error("no_match", name="Match")
    variant = replays[0].variant
    tie_break = TieBreak.NONE if variant is None else TieBreak.of(variant)
    match = Match(MatchFormat(_header(replays[0], "Match")), _sides(replays[0]), tie_break=tie_break)
    for number, played in enumerate(replays, start=1):
        _check_leg(match, number, played)
        game = played.game
        if game is not None and game.outcome is not None:
            match = match.play(Leg.of(game))
        elif number < len(replays):
            raise record_error("unfinished_leg", leg=number)
    return match


def _check_leg(match: Match, number: int, played: Replay) -> None:
    form, leg = _header(played, "Match"), _header(played, "Leg")
    if form != match.format.value or leg != str(number) or match.next_leg != number:
        raise record_error("wrong_leg", found=f"{form} {leg}", expected=f"{match.format.value} {number}")
    sides, expected = _sides(played), match.sides_of(number)
    if sides != expected:
        raise record_error(
            "wrong_sides",
            leg=number,
            found=f"{sides.attackers} – {sides.defenders}",
            expected=f"{expected.attackers} – {expected.defenders}",
        )


def _sides(played: Replay) -> Sides:
    return Sides(_header(played, "Attackers"), _header(played, "Defenders"))


def _header(played: Replay, name: str) -> str:
    value = played.record.header(name)
    if value is None:
        raise record_error("no_match", name=name)
    return value
