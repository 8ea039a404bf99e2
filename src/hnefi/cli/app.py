"""The top-level command `hnefi`: its commands, language detection, and error reporting."""

import errno
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click

from hnefi import i18n
from hnefi.cli.commands import CommandGroup, Option
from hnefi.cli.faults import INTERRUPTED, CommandError, bad_usage, file_error
from hnefi.cli.output import drop_output, prepare_streams, print_json
from hnefi.cli.texts import error_text, language_of_run, translate
from hnefi.errors import HnefiError

_SECTIONS = {
    "cli.head.playing": ("play", "serve", "variants", "rules", "show", "hint", "puzzles"),
    "cli.head.collecting": ("analyse", "replay", "convert", "library"),
    "cli.head.making": ("diff", "booklet", "print", "box"),
    "cli.head.hosting": ("site", "backup", "restore"),
    "cli.head.developing": ("apply", "engine", "book", "lab"),
    "cli.head.helping": ("help", "completion"),
}
"""The commands in the order of the help text, by the key of their heading."""

COMMANDS = tuple(name for names in _SECTIONS.values() for name in names)
_EXAMPLES = (
    ("serve --open", "serve"),
    ("play", "play"),
    ("play brandub-globe --against computer --level 1", "computer"),
    ("variants", "variants"),
    ("rules brandub-globe", "rules"),
    ("apply brandub-globe start d2-c2 --json", "apply"),
)
# Commands whose function is not named like its module.
_FUNCTIONS = {"print": "print_sheets", "help": "show_help"}
_FAILED, _BROKEN_PIPE = 2, 141


class Hnefi(CommandGroup):
    """The top-level command group."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Runs a command line and exits with its exit code."""
        prepare_streams()
        self._main_shell_completion({}, "hnefi")
        sys.exit(_guarded(self._run, list(sys.argv[1:] if args is None else args)))

    def member_summary(self, name: str) -> str:
        """Returns the one-line summary of a command."""
        return translate(f"cli.{name}.short")

    def _run(self, args: list[str]) -> int:
        # Parsing takes words from the list, in which an error looks for `--json`.
        with self.make_context("hnefi", [*args]) as ctx:
            code = self.invoke(ctx)
        return code if isinstance(code, int) else 0


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from hnefi import __version__

        click.echo(f"hnefi {__version__}")
        ctx.exit()


hnefi = Hnefi(
    name="hnefi",
    members={name: f"hnefi.cli.{name}:{_FUNCTIONS.get(name, name)}" for name in COMMANDS},
    sections=_SECTIONS,
    examples=_EXAMPLES,
    params=[Option(["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_show_version)],
)


def _guarded(run: Callable[[list[str]], int], args: list[str]) -> int:
    """Runs a command and turns every failure into one sentence and an exit code."""
    language: str | None = None
    try:
        language = _language_in(args)
        with language_of_run(language):
            code = run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return _BROKEN_PIPE
    except (HnefiError, click.ClickException, OSError, MemoryError) as error:
        with language_of_run(language):
            # An error of standard output, which has no file name, cannot be told there.
            is_of_output = isinstance(error, OSError) and error.filename is None
            return _report(_as_error(error), "--json" in _options(args) and not is_of_output)


def _options(args: list[str]) -> list[str]:
    return args[: args.index("--")] if "--" in args else args


def _language_in(args: list[str]) -> str | None:
    """Returns the value of `--lang` before parsing, because parsing errors are in that language too."""
    options = _options(args)
    wanted: str | None = None
    for index, arg in enumerate(options):
        name, equals, value = arg.partition("=")
        if name == "--lang":
            wanted = value if equals else next(iter(options[index + 1 :]), "")
    if wanted is None or wanted.replace("-", "_").split("_")[0].lower() in i18n.languages():
        return wanted
    raise bad_usage("choice", name="--lang", found=wanted, expected=" | ".join(i18n.languages()))


def _as_error(error: Exception) -> HnefiError:
    """Converts any exception into an error that has a text."""
    if isinstance(error, HnefiError):
        return error
    if isinstance(error, click.ClickException):
        return _usage_error(error)
    if isinstance(error, OSError):
        why = error.strerror or type(error).__name__
        if error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF) and error.filename is None:
            drop_output()
            return CommandError("cannot_write", why, {"path": "stdout", "why": why})
        return file_error("cannot_read", error.filename, why)
    return CommandError("out_of_memory", "out of memory")


def _usage_error(error: click.ClickException) -> CommandError:
    if isinstance(error, click.NoSuchOption):
        is_number = error.option_name.removeprefix("-").isdigit()
        return bad_usage("negative" if is_number else "option", found=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return bad_usage("missing", name=error.param.make_metavar(error.ctx or click.Context(hnefi)))
    if isinstance(error, click.BadOptionUsage):
        return bad_usage("value", name=error.option_name)
    return bad_usage("other", found=error.format_message())


def _report(error: HnefiError, as_json: bool) -> int:
    message = error_text(error)
    try:
        if as_json:
            print_json({"error": {"code": error.code, "message": message}})
            if sys.stdout is not None:
                sys.stdout.flush()
        else:
            click.echo(message, err=True)
    except OSError:
        drop_output()
    return _FAILED
