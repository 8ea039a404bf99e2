"""Plays a single game, or the legs of a match in sequence."""

import shlex
from dataclasses import dataclass, replace
from datetime import datetime

from hnefi import words
from hnefi._core import CalledGame
from hnefi.cli.naming import typed_variant
from hnefi.cli.play.current_game import CurrentGame
from hnefi.cli.play.game_files import Resumed
from hnefi.cli.play.game_loop import GameLoop
from hnefi.cli.play.names import displayed_name
from hnefi.cli.play.session import Session
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.match import Decision, Leg, Match, MatchFormat, Standing
from hnefi.record import Record, variant_headers
from hnefi.variants.model import Variant
from hnefi.variants.switches import parse_switches


@dataclass(slots=True)
class MatchPlay:
    """A single game or a match of two players.

    Attributes:
        variant: The variant, its switches applied.
        match: The match; None without names.
        seed: What the sides were drawn with.
    """

    variant: Variant
    start: CalledGame
    match: Match | None
    advises: bool
    seed: str | None = None

    def begin(self, loop: GameLoop) -> None:
        """Plays from the first game on."""
        if self.seed is not None and self.match is not None:
            sides, you = self.match.sides, translate("play.player.you")
            if loop.opponent is not None and you in (sides.attackers, sides.defenders):
                loop.screen.write(translate(f"play.drawn.{sides.side(you).value}", seed=self.seed))
            else:
                first = displayed_name(sides.attackers)
                loop.screen.write(translate("play.drawn", player=first, seed=self.seed))
        doubt = _open_point(self.variant)
        if doubt is not None:
            switch, sentence = doubt
            values = {"variant": self.variant.id, "switch": switch, "sentence": sentence}
            loop.screen.write(translate("play.doubts", **values))
        self._play(loop, self._prepare_game(()))

    def go_on(self, loop: GameLoop, found: Resumed) -> None:
        """Continues a resumed game, or its next leg."""
        if found.session is None:
            self._play(loop, self._prepare_game(found.records))
            return
        current = self._prepare_game(found.records[:-1])
        current.session, current.old, current.headers = found.session, found.records[-1], ()
        self._play(loop, current)

    def _play(self, loop: GameLoop, current: CurrentGame) -> None:
        while loop.play(current):
            outcome = current.session.outcome
            if self.match is None or outcome is None:
                break
            game = current.session.game
            self.match = self.match.play(Leg.of(game if game.outcome else game.end(outcome)))
            if self.match.format is MatchFormat.TWO_LEGS:
                self._print_standings(loop, self.match)
            if self.match.is_over:
                break
            current = self._prepare_game(current.records)
        self._print_resume_hint(loop, current)

    def _prepare_game(self, before: tuple[Record, ...]) -> CurrentGame:
        """Prepares the next game."""
        session = Session(self.variant, self.start, advises=self.advises)
        headers = (("Date", datetime.now().astimezone().date().isoformat()), *variant_headers(self.variant))
        if self.match is None or self.match.next_leg is None or self.match.next_sides is None:
            return CurrentGame(session, headers, before=before)
        seed = (("SidesSeed", self.seed),) if self.seed else ()
        leg = self.match.next_leg
        return CurrentGame(
            session,
            (*self.match.headers(leg), *seed, *headers),
            sides=self.match.next_sides,
            leg=leg if self.match.format is MatchFormat.TWO_LEGS else None,
            before=before,
        )

    def _print_standings(self, loop: GameLoop, match: Match) -> None:
        loop.screen.write(translate("play.match.after_leg", leg=len(match.legs)))
        for standing in match.standings:
            loop.screen.write(_standing_line(standing))
        verdict = match.verdict
        if verdict is None:
            loop.screen.write(translate("play.match.next_leg"))
        elif verdict.decision is Decision.DRAWN:
            loop.screen.write(loop.screen.strong(translate("play.match.drawn")))
        else:
            winner = displayed_name(verdict.winner or "")
            line = translate(f"play.match.won.{verdict.decision.value}", player=winner)
            loop.screen.write(loop.screen.strong(line))

    def _print_resume_hint(self, loop: GameLoop, current: CurrentGame) -> None:
        """Prints where the game is saved and how to resume it."""
        path = loop.game_file.path
        if path is not None and path.is_file():
            is_last = self.match is None or self.match.next_leg in (None, self.match.format.legs)
            is_over = current.session.outcome is not None and is_last
            key = "play.kept" if is_over else "play.left"
            words = shlex.join(filter(None, (typed_variant(), "--resume", str(path))))
            opponent = f" {loop.opponent.typed}" if loop.opponent and loop.opponent.typed else ""
            loop.screen.write(translate(key, path=path, words=words + opponent))
        elif current.session.outcome is None:
            loop.screen.write(translate("play.left.unkept"))
        loop.screen.flush()


def _standing_line(standing: Standing) -> str:
    points = f"{standing.points.numerator // standing.points.denominator}"
    if standing.points.denominator == 2:
        points = f"{points if points != '0' else ''}½"
    captures = translate_plural("play.match.captures", standing.captures)
    player = displayed_name(standing.player)
    return translate("play.match.standing", player=player, points=points, captures=captures)


def _open_point(variant: Variant) -> tuple[str, str] | None:
    """Returns a switch for a point that the source leaves open, and the rule with it in words.

    It is the one of the draw by quiet moves, which changes most games; None if the source has no doubt about
    it, or if the game is played by switches already.
    """
    if variant.switches:
        return None
    entries = variant.why.get("quiet_limit", ())
    switches = [switch for entry in entries if "doubt" in entry for switch in entry.get("switch", ())]
    if not switches:
        return None
    changed = replace(variant.with_switches(parse_switches(switches[:1])), why={})
    clauses = words.rules(changed, language(), pictures=False).clauses_about("quiet_limit")
    return switches[0], " ".join(clause.text for clause in clauses)
