"""Line input: from a terminal with completion, or from a pipe."""

import re
import sys
from collections.abc import Iterable
from typing import Protocol

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory

from hnefi.cli.play.line_input import action_words, call_word
from hnefi.cli.play.session import Session
from hnefi.cli.texts import language, translate
from hnefi.i18n import text

# The number of lines below the input line that stay free for completions.
MENU_LINES = 5
_LONGEST_LINE = 4096
_HALF_MOVE = re.compile(r"([a-s]\d{1,2})(-| ?)([a-s]?\d{0,2})")
_WHOLE_MOVE = re.compile(r"[a-s]\d{1,2}[- ]?[a-s]\d{1,2}(\s+|\s*!\s*)(.*)")


class Keyboard(Protocol):
    """A source of input lines."""

    def ask(self, prompt: str, session: Session | None = None) -> str | None:
        """Reads a line, completing the moves of a game; returns None at the end of input.

        Raises:
            KeyboardInterrupt: If Ctrl-C is pressed.
        """


class LineKeyboard:
    """Plain lines from a pipe or a dumb terminal; lines from a pipe are echoed."""

    def ask(self, prompt: str, session: Session | None = None) -> str | None:
        """Asks for a line."""
        del session
        click.echo(prompt, nl=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        if sys.stdin is None:
            click.echo()
            return None
        line = sys.stdin.readline(_LONGEST_LINE)
        if len(line) == _LONGEST_LINE and not line.endswith("\n"):
            while (more := sys.stdin.readline(_LONGEST_LINE)) and not more.endswith("\n"):
                pass
        if not line:
            click.echo()
            return None
        if not sys.stdin.isatty():
            click.echo("".join(sign if sign.isprintable() else " " for sign in line.strip()[:200]))
        return line


class TerminalKeyboard:
    """A terminal with line editing, completion and history."""

    def __init__(self) -> None:
        self._completer = MoveCompleter()
        self._prompt: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            completer=self._completer,
            complete_while_typing=True,
            reserve_space_for_menu=MENU_LINES,
        )

    def ask(self, prompt: str, session: Session | None = None) -> str | None:
        """Asks for a line."""
        self._completer.session = session
        try:
            # prompt_toolkit would highlight a no-break space.
            return self._prompt.prompt(prompt.replace("\u00a0", " "))
        except EOFError:
            return None


class MoveCompleter(Completer):
    """Completes moves square by square, then calls and actions."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Returns the completions at the cursor."""
        del complete_event
        typed = document.text_before_cursor.lstrip().lower()
        if self.session is None or not typed:
            return
        if found := _WHOLE_MOVE.fullmatch(typed):
            yield from self._calls(found[2])
            return
        moves = list(self._moves(typed))
        yield from moves or _actions(typed)

    def _moves(self, typed: str) -> Iterable[Completion]:
        assert self.session is not None
        moves = self.session.called.legal_moves()
        found = _HALF_MOVE.fullmatch(typed)
        origins = {move.from_square.name for move in moves}
        if found and found[1] in origins:
            for move in moves:
                target = move.to_square.name
                if move.from_square.name == found[1] and target.startswith(found[3]):
                    yield Completion(f"{found[1]}-{target}", -len(typed), display=f"{found[1]}-{target}")
        else:
            pieces = self.session.game.position.pieces
            for square in sorted({move.from_square for move in moves}):
                if square.name.startswith(typed):
                    name = translate(f"piece.{pieces[square].value}")
                    yield Completion(square.name, -len(typed), display_meta=name)

    def _calls(self, typed: str) -> Iterable[Completion]:
        assert self.session is not None
        if self.session.called.mode != "manual":
            return
        for key in ("one_exit", "two_exits", "king_in_danger"):
            word = call_word(self.session.variant, key)
            if word and word.startswith(typed):
                yield Completion(word, -len(typed))


def _actions(typed: str) -> Iterable[Completion]:
    """Completes actions in the language of the run."""
    for action in dict.fromkeys(action_words().values()):
        words = [word.strip() for word in text(f"play.words.{action}", language()).split(",")]
        word = next((word for word in words if word.startswith(typed)), None)
        if word is not None:
            yield Completion(word, -len(typed), display_meta=translate(f"play.order.{action}"))
