"""Parameter types and options for variants, switches and positions."""

import shlex
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from hnefi._core import Setup
from hnefi.cli.commands import Decorator, argument, option
from hnefi.cli.faults import path_text
from hnefi.cli.files import SUFFIX, read_file
from hnefi.cli.texts import language
from hnefi.cli.values import Text
from hnefi.errors import VariantError
from hnefi.variants.files import parse_content
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant
from hnefi.variants.schema import schema
from hnefi.variants.switches import CALL_SWITCHES, parse_switches

_LARGEST_VARIANT_MB = 1
_RULES_STRING = "dim:"
_TYPED = "hnefi.variant"


class VariantName(Text):
    """The id of a variant, the path of a variant file, or a rules string of OpenTafl."""

    name = "variant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads the variant."""
        if isinstance(value, Variant):
            return value
        found = read_variant(str(value))
        if ctx is not None and found.id not in variant_ids():
            ctx.meta[_TYPED] = str(value)
        return found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Returns the ids with this prefix."""
        return [CompletionItem(known) for known in variant_ids() if known.startswith(incomplete.lower())]


class Subject(VariantName):
    """A variant, or the path of a file of games."""

    name = "subject"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the variant, or the path of a file of games: any file but that of a variant.

        A folder is such a path too, if no variant has its name: reading it tells what it is.
        """
        path = Path(str(value))
        is_games = path.suffix.lower() == SUFFIX or (path.suffix.lower() != ".toml" and path.is_file())
        if is_games or str(value) == "-":
            return str(value)
        try:
            return super().convert(value, param, ctx)
        except VariantError:
            if not value or not path.is_dir():
                raise
        return str(value)


class SwitchText(Text):
    """`KEY=VALUE`."""

    name = "switch"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Returns the keys with this prefix."""
        keys = [*schema(), *CALL_SWITCHES]
        return [CompletionItem(f"{key}=") for key in keys if key.startswith(incomplete)]


def read_variant(name: str) -> Variant:
    """Returns a variant by its id, from a variant file, or from a rules string of OpenTafl.

    Raises:
        VariantError: If there is none, or the file or the string has faults.
        SetupError: If the string has pieces that Hnefi does not have.
        CommandError: If the file cannot be read.
    """
    if name.lstrip().startswith(_RULES_STRING):
        return _from_rules_string(name)
    if not name.lower().endswith(".toml"):
        try:
            return variant(name.encode("utf-8", "replace").decode("utf-8"))
        except VariantError as error:
            if error.code == "unknown_variant" and Path(name).is_file():
                raise VariantError.of_facts("unknown_variant", part="file", path=name) from None
            raise
    return parse_content(read_file(name, _LARGEST_VARIANT_MB), path_text(name))


def read_variant_file(name: str) -> Variant:
    """Returns a variant as `read_variant` does, where a file is expected.

    Raises:
        VariantError: As `read_variant`; `no_variant_file` for a file whose name has another extension.
        CommandError: If the file cannot be read.
    """
    try:
        return read_variant(name)
    except VariantError as error:
        if error.code == "unknown_variant" and (name == "-" or Path(name).exists()):
            raise VariantError.of_facts("no_variant_file", path=name) from None
        raise


def _from_rules_string(text: str) -> Variant:
    # Most variants are named by their ids.
    from hnefi.formats import explain_gap
    from hnefi.formats.opentafl import parse_rules_text, variant_from_rules

    found, gaps = variant_from_rules(parse_rules_text(text))
    for gap in gaps:
        click.echo(explain_gap(gap, language()), err=True)
    return found


def typed_variant() -> str | None:
    """Returns how a variant that is not installed was named to the command that runs; None without one."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(_TYPED)


def typed_words(found: Variant) -> str:
    """Returns the words of a command line for a variant: its name as it was typed, and its switches."""
    typed = typed_variant() or found.id
    return shlex.join([typed, *(f"--switch={key}={value}" for key, value in found.switches.items())])


def switched(found: Variant, switches: Sequence[str]) -> Variant:
    """Returns the variant with the rules that `--switch` changes."""
    return found.with_switches(parse_switches(list(switches))) if switches else found


def read_setup(found: Variant, position: str) -> Setup:
    """Parses a position text; `start` is the start position.

    Raises:
        SetupError: If it is not a position on this board.
    """
    return found.rules.start if position.strip().lower() == "start" else Setup(position)


def variant_argument(name: str = "variant", key: str = "variant", **settings: Any) -> Decorator:
    """Returns a decorator that adds the argument VARIANT, or another one for a variant."""
    return argument(name, key=key, type=VariantName(), **settings)


switch_option = option("--switch", "-s", "switches", multiple=True, type=SwitchText(), help="switch")


def switches_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--switch`; the function gets its variant with the rules changed."""

    @wraps(function)
    def call(*args: Any, variant: Variant, switches: Sequence[str], **given: Any) -> Any:
        return function(*args, variant=switched(variant, switches), **given)

    return switch_option(call)


json_option = option("--json", "as_json", is_flag=True, help="json")
