"""The command `hnefi play`: its options."""

import os
import re
import secrets
import shutil
import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hnefi.cli.apply import CALL_MODES
from hnefi.cli.commands import command, counted, gathered, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import check_output
from hnefi.cli.naming import read_setup, switch_option, switched, variant_argument
from hnefi.cli.play.game_files import GameFile, default_path, latest_path, resume
from hnefi.cli.play.game_loop import GameLoop
from hnefi.cli.play.keyboard import Keyboard, LineKeyboard, TerminalKeyboard
from hnefi.cli.play.match_play import MatchPlay
from hnefi.cli.play.screen import Screen
from hnefi.cli.play.variant_menu import choose_variant
from hnefi.cli.search_options import Seconds, engine_options
from hnefi.cli.texts import translate
from hnefi.cli.values import Choice, FilePath, Text, Words
from hnefi.engine import LEVEL_COUNT, Limit
from hnefi.engine.levels import USUAL_LEVEL
from hnefi.errors import EngineError
from hnefi.match import Match, MatchFormat, Sides, TieBreak, draw_sides
from hnefi.pieces import Side
from hnefi.variants.model import Variant

if TYPE_CHECKING:
    from hnefi.cli.play.opponent import Opponent

_EXAMPLES = (
    ("play", "choose"),
    ("play brandub-globe --against computer --level 1", "computer"),
    ('play tablut-kouvia --against "other-engine --ugi" --time 5', "engine"),
    ("play gwezboell-globe --calls manual", "calls"),
    ("play ard-ri-globe --switch quiet_limit=40", "doubt"),
    ("play tablut-kouvia --match --attackers Ana --defenders Bran --draw", "match"),
    ("play brandub-globe -o evening.tafl", "record"),
    ("play --resume evening.tafl", "resume"),
)
# The argument that means the last file.
_LATEST = "?"
_OF_NEW_GAMES = (
    *("--switch", "--calls", "--match", "--single", "--attackers", "--defenders", "--draw", "--seed"),
    *("--side", "--position", "--output"),
)
_SIDES = ("attackers", "defenders", "lot")
_COMPUTER = "computer"
_USUAL_MS = 2_000
_MOST_NODES = 10**12


@dataclass(frozen=True, slots=True)
class _PlayerOptions:
    """The options about players and match."""

    two_legs: bool
    single: bool
    attackers: str | None
    defenders: str | None
    draw: bool
    seed: str | None

    def against(self, variant: Variant, computer: str, side: str) -> tuple[Match, str | None]:
        """Returns the match against the computer, and the seed of the drawing of sides.

        Raises:
            MatchError: If the player name is invalid.
            CommandError: If both sides are named.
        """
        if self.attackers and self.defenders:
            raise bad_usage("together", first="--attackers", second="--defenders")
        own = self.attackers or self.defenders or translate("play.player.you")
        is_drawn = self._is_drawn
        if not is_drawn:
            side = "attackers" if self.attackers else "defenders" if self.defenders else side
        names = (computer, own) if side == "defenders" and not is_drawn else (own, computer)
        return self._between(names, variant, is_drawn=is_drawn or side == "lot")

    def match(self, variant: Variant) -> tuple[Match | None, str | None]:
        """Returns the match of two players, and the seed of the drawing of sides.

        Both are None for a single game without names.

        Raises:
            MatchError: If the player names are invalid.
        """
        named = self.attackers or self.defenders or self._is_drawn
        if not named and self._format(variant) is MatchFormat.SINGLE:
            return None, None
        # The first player is the one who begins.
        unnamed = translate("play.player.first"), translate("play.player.second")
        if variant.rules.start.turn is Side.DEFENDERS:
            unnamed = unnamed[::-1]
        names = self.attackers or unnamed[0], self.defenders or unnamed[1]
        return self._between(names, variant, is_drawn=self._is_drawn)

    @property
    def _is_drawn(self) -> bool:
        return bool(self.draw or self.seed)

    def _between(
        self, names: tuple[str, str], variant: Variant, *, is_drawn: bool
    ) -> tuple[Match, str | None]:
        """Returns the match of two players, the attackers first unless the sides are drawn, and the seed."""
        seed = (self.seed or secrets.token_hex(8)) if is_drawn else None
        sides = draw_sides(names, seed) if seed else Sides(*names)
        return Match(self._format(variant), sides, tie_break=TieBreak.of(variant)), seed

    def _format(self, variant: Variant) -> MatchFormat:
        """Returns the format asked for, else the one that the variant's text mentions."""
        if self.two_legs:
            return MatchFormat.TWO_LEGS
        return MatchFormat.SINGLE if self.single else MatchFormat.of(variant)


@dataclass(frozen=True, slots=True)
class _OpponentOptions:
    """The options about the opponent."""

    against: str | None
    level: int | None
    time_ms: int | None
    nodes: int | None
    settings: tuple[tuple[str, str], ...]

    @property
    def command(self) -> str | None:
        """The command line of an external engine; None for the native one, and for no opponent."""
        return None if self.against is None or self.against.strip().lower() == _COMPUTER else self.against

    def check(self) -> None:
        """Checks that the options go together.

        Raises:
            CommandError: If they do not.
        """
        if self.command is not None:
            if re.fullmatch(r"[\w.-]+", self.command) and shutil.which(self.command) is None:
                raise bad_usage("opponent", found=self.command, expected=f"`{_COMPUTER}`")
            if self.level:
                raise bad_usage("together", first="--level", second="--against")
            return
        given = {"--time": self.time_ms, "--nodes": self.nodes, "--engine-option": self.settings}
        for name in (name for name, value in given.items() if value):
            raise bad_usage("needs", name=name, needed=translate("cli.play.against_engine"))

    def opponent(self, *, is_usual: bool = False) -> "Opponent | None":
        """Returns the opponent; None if the options ask for none and none is usual.

        Raises:
            EngineError: If it cannot be used.
        """
        if not (self.against or self.level or is_usual):
            return None
        from hnefi.cli.play.opponent import Opponent

        if self.command is None:
            return Opponent.at_level(self.level or USUAL_LEVEL)
        unlimited = (self.time_ms, self.nodes) == (None, None)
        limit = Limit(nodes=self.nodes, time_ms=_USUAL_MS if unlimited else self.time_ms)
        return Opponent.of_program(self.command, self.settings, limit)


@command("play", _EXAMPLES)
@variant_argument(required=False)
@switch_option
@option("--calls", type=Choice(CALL_MODES), metavar="calls")
@gathered(
    "players",
    _PlayerOptions,
    option("--match", "two_legs", is_flag=True, help="match"),
    option("--single", is_flag=True),
    option("--attackers", type=Text(), metavar="player"),
    option("--defenders", type=Text(), metavar="player"),
    option("--draw", is_flag=True),
    option("--seed", type=Words(), metavar="seed"),
)
@gathered(
    "wanted",
    _OpponentOptions,
    option("--against", type=Words(), metavar="opponent"),
    counted("--level", most=LEVEL_COUNT),
    option("--time", "time_ms", type=Seconds(), help="against_time"),
    counted("--nodes", most=_MOST_NODES, help="against_nodes"),
    engine_options,
)
@option("--side", type=Choice(_SIDES), metavar="side")
@option("--position", type=Words(), metavar="position")
@option("--output", "-o", "record_path", type=FilePath(), help="record")
@option(
    "--resume", "--load", "resume_path", type=FilePath(), is_flag=False, flag_value=_LATEST, help="resume"
)
@option("--plain", is_flag=True)
def play(
    variant: Variant | None,
    switches: tuple[str, ...],
    calls: str | None,
    players: _PlayerOptions,
    wanted: _OpponentOptions,
    side: str | None,
    position: str | None,
    record_path: str | None,
    resume_path: str | None,
    plain: bool,
) -> None:
    """Plays a game for two, or against the computer."""
    if players.two_legs and players.single:
        raise bad_usage("together", first="--match", second="--single")
    # A position is for one game.
    players = replace(players, single=players.single or bool(position))
    wanted.check()
    if resume_path is not None:
        context = click.get_current_context()
        for one in context.command.params:
            if one.opts[0] in _OF_NEW_GAMES and context.params[str(one.name)]:
                raise bad_usage("together", first="--resume", second=one.opts[0])
        _resume(resume_path, variant, wanted, plain=plain)
        return
    keyboard, screen = _open_terminal(plain)
    chosen = variant or choose_variant(keyboard, screen)
    if chosen is None:
        return
    chosen = switched(chosen, switches)
    mode = calls or "auto"
    start = chosen.new_called_game(mode, read_setup(chosen, position or "start"))
    game_file = _game_file(record_path, chosen)
    opponent = wanted.opponent(is_usual=side is not None)
    with opponent or nullcontext():
        if opponent is None:
            match, drawn_with = players.match(chosen)
        else:
            opponent.check_rules(chosen.rules)
            match, drawn_with = players.against(chosen, opponent.name, side or "lot")
        match_play = MatchPlay(chosen, start, match, seed=drawn_with, advises=mode == "auto")
        match_play.begin(GameLoop(keyboard, screen, game_file, opponent))


def _resume(path: str, own: Variant | None, wanted: _OpponentOptions, *, plain: bool) -> None:
    """Resumes a saved game; an external engine has to be named again."""
    from hnefi.cli.play.opponent import opponent_among

    file = latest_path() if path == _LATEST else Path(path)
    found = resume(file, own)
    keyboard, screen = _open_terminal(plain)
    match_play = MatchPlay(found.variant, found.start, found.match, advises=True)
    players = found.match.players if found.match is not None else ("", "")
    with wanted.opponent() or opponent_among(players) or nullcontext() as opponent:
        if opponent is not None and opponent.name not in players:
            raise EngineError.of_facts("not_in_game", engine=opponent.name)
        if opponent is not None:
            opponent.check_rules(found.variant.rules)
        match_play.go_on(GameLoop(keyboard, screen, found.game_file, opponent), found)


def _open_terminal(plain: bool) -> tuple[Keyboard, Screen]:
    """Returns keyboard and screen that fit this terminal."""
    is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    is_able = is_terminal and not plain and os.environ.get("TERM", "") not in ("", "dumb")
    keyboard: Keyboard = TerminalKeyboard() if is_able else LineKeyboard()
    return keyboard, Screen(plain=plain, redraws=is_able)


def _game_file(path: str | None, variant: Variant) -> GameFile:
    """Returns the file for the game: the named one, or a new one if a person plays."""
    if path is not None:
        check_output(path)
        return GameFile.into(Path(path))
    if sys.stdin is None or not sys.stdin.isatty():
        return GameFile(None)
    return GameFile(default_path(variant.id, datetime.now().astimezone()), waits=True)
