"""One sitting: a single game, or the legs of a match one after the other."""

import shlex
from datetime import datetime

from hnefi._core import CalledGame
from hnefi.cli.play.keeping import Resumed
from hnefi.cli.play.seat import Seat
from hnefi.cli.play.session import Session
from hnefi.cli.play.table import Table
from hnefi.cli.speech import say, say_count
from hnefi.match import Decision, Leg, Match, MatchForm, Standing
from hnefi.record import Record, variant_headers
from hnefi.variant import Variant

__all__ = ["Sitting"]


class Sitting:
    """What two players have come to play."""

    def __init__(
        self,
        variant: Variant,
        start: CalledGame,
        match: Match | None,
        *,
        seed: str | None = None,
        advises: bool,
    ) -> None:
        """Prepares a sitting.

        Args:
            variant: The variant, its switches applied.
            start: How each game begins.
            match: The match they play, with the legs that were played; None if nobody has a name.
            seed: With what their sides were drawn.
            advises: Whether roads and dangers are counted for them.
        """
        self._variant = variant
        self._start = start
        self._match = match
        self._seed = seed
        self._advises = advises

    def begin(self, table: Table) -> None:
        """Plays from the first move of the first game."""
        if self._seed is not None and self._match is not None:
            sides, you = self._match.sides, say("play.player.you")
            if table.opponent is not None and you in (sides.attackers, sides.defenders):
                table.screen.tell(say(f"play.drawn.{sides.side(you).value}", seed=self._seed))
            else:
                table.screen.tell(say("play.drawn", player=sides.attackers, seed=self._seed))
        if self._variant.match.get("legs") == 2 and self._match is None:
            table.screen.tell(say("play.hint.match"))
        self._play(table, self._seat(()))

    def go_on(self, table: Table, found: Resumed) -> None:
        """Goes on with a game, or with the next leg of its match."""
        if found.session is None:
            self._play(table, self._seat(found.records))
            return
        seat = self._seat(found.records[:-1])
        seat.session, seat.old, seat.headers = found.session, found.records[-1], ()
        self._play(table, seat)

    def _play(self, table: Table, seat: Seat) -> None:
        while table.play(seat):
            outcome = seat.session.outcome
            if self._match is None or outcome is None:
                break
            game = seat.session.game
            self._match = self._match.play(Leg.of(game if game.outcome else game.end(outcome)))
            if self._match.form is MatchForm.TWO_LEGS:
                self._tell_standings(table, self._match)
            if self._match.is_over:
                break
            seat = self._seat(seat.records)
        self._part(table, seat)

    def _seat(self, before: tuple[Record, ...]) -> Seat:
        """Prepares the next game."""
        session = Session(self._variant, self._start, advises=self._advises)
        headers = (("Date", datetime.now().astimezone().date().isoformat()), *variant_headers(self._variant))
        if self._match is None or self._match.next_leg is None or self._match.next_sides is None:
            return Seat(session, headers, before=before)
        seed = (("SidesSeed", self._seed),) if self._seed else ()
        leg = self._match.next_leg
        return Seat(
            session,
            (*self._match.headers(leg), *seed, *headers),
            sides=self._match.next_sides,
            leg=leg if self._match.form is MatchForm.TWO_LEGS else None,
            before=before,
        )

    def _tell_standings(self, table: Table, match: Match) -> None:
        table.screen.tell(say("play.match.after_leg", leg=len(match.legs)))
        for standing in match.standings:
            table.screen.tell(_standing_line(standing))
        verdict = match.verdict
        if verdict is None:
            table.screen.tell(say("play.match.next_leg"))
        elif verdict.decision is Decision.DRAWN:
            table.screen.tell(table.screen.strong(say("play.match.drawn")))
        else:
            line = say(f"play.match.won.{verdict.decision.value}", player=verdict.winner)
            table.screen.tell(table.screen.strong(line))

    def _part(self, table: Table, seat: Seat) -> None:
        """Says where the game is kept, and how to go on with it."""
        path = table.keeper.path
        if path is not None and path.exists():
            is_over = seat.session.outcome is not None and (self._match is None or self._match.is_over)
            key = "play.kept" if is_over else "play.left"
            words = [shlex.quote(str(path)), table.opponent.typed if table.opponent else ""]
            table.screen.tell(say(key, path=path, quoted=" ".join(filter(None, words))))
        elif seat.session.outcome is None:
            table.screen.tell(say("play.left.unkept"))
        table.screen.flush()


def _standing_line(standing: Standing) -> str:
    points = f"{standing.points.numerator // standing.points.denominator}"
    if standing.points.denominator == 2:
        points = f"{points if points != '0' else ''}½"
    captures = say_count("play.match.captures", standing.captures)
    return say("play.match.standing", player=standing.player, points=points, captures=captures)
