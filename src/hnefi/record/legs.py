"""Creates a match from the records of its legs."""

from collections.abc import Sequence

from hnefi.match import Leg, Match, MatchFormat, Sides, TieBreak
from hnefi.record.faults import record_error
from hnefi.record.replay import Replay


def read_match(replays: Sequence[Replay]) -> Match:
    """Returns the match of some legs, in order; the last may still go on.

    Args:
        replays: The replayed records, with the headers `Match`, `Leg`, `Attackers` and `Defenders`.

    Raises:
        RecordError: `no_match` without these headers; `wrong_leg` if a leg is missing, repeated or of another
            match; `wrong_sides` if the sides differ from the match; `unfinished_leg` before the last leg.
        MatchError: If the names are not two different players.
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
    match_format, leg = _header(played, "Match"), _header(played, "Leg")
    if match_format != match.format.value or leg != str(number) or match.next_leg != number:
        raise record_error(
            "wrong_leg", found=f"{match_format} {leg}", expected=f"{match.format.value} {number}"
        )
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
