"""The command `hnefi engine`: runs the engine for other programs over UGI or OTEP."""

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.naming import switch_option, switched, variant_argument
from hnefi.cli.output import drop_output, is_terminal
from hnefi.cli.texts import translate
from hnefi.cli.values import Choice
from hnefi.engine.levels import LEVEL_COUNT
from hnefi.engine.native import MOST_TABLE_MIB, MOST_THREADS
from hnefi.variants.finding import variant as variant_of
from hnefi.variants.model import Variant

if TYPE_CHECKING:
    from hnefi.engine.otep_server import OtepServer
    from hnefi.engine.settings import Settings
    from hnefi.engine.ugi_server import UgiServer

_EXAMPLES = (
    ("engine", "plain"),
    ("engine tablut-kouvia --threads 2 --hash 256", "variant"),
    ("engine --protocol otep --level 5", "otep"),
)
_USUAL = "brandub-globe"
_PROTOCOLS = ("ugi", "otep")
_LONGEST_LINE = 2_000_000


@command("engine", _EXAMPLES)
@variant_argument(required=False)
@switch_option
@counted("--threads", most=MOST_THREADS, default=1)
@counted("--hash", "table_mib", most=MOST_TABLE_MIB, default=64, help="hash")
@counted("--level", least=0, most=LEVEL_COUNT, default=0, help="engine_level")
@option("--protocol", type=Choice(_PROTOCOLS), default="ugi", metavar="protocol")
def engine(
    variant: Variant | None,
    switches: tuple[str, ...],
    protocol: str,
    **searching: int,
) -> None:
    """Runs the engine protocol on standard input and output."""
    from hnefi.engine.settings import Settings

    chosen = switched(variant or variant_of(_USUAL), switches)
    if is_terminal(sys.stdin):
        click.echo(translate("cli.engine.waiting"), err=True)
    with contextlib.suppress(BrokenPipeError):  # the client is gone
        _server(protocol, Settings(chosen, **searching)).serve(_lines())


def _server(protocol: str, settings: "Settings") -> "OtepServer | UgiServer":
    """Returns the server of a protocol; imports only that one, since a match starts many engines."""
    if protocol == "otep":
        from hnefi.engine.otep_server import OtepServer

        return OtepServer(settings, _write)
    from hnefi.engine.ugi_server import UgiServer

    return UgiServer(settings, _write)


def _lines() -> Iterator[str]:
    """Iterates over the lines of standard input; of one that is too long, only the beginning is kept."""
    while sys.stdin is not None and (raw := sys.stdin.buffer.readline(_LONGEST_LINE)):
        rest = raw
        while len(rest) == _LONGEST_LINE and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(_LONGEST_LINE)
        yield raw.decode("utf-8", "replace")


def _write(line: str) -> None:
    try:
        sys.stdout.buffer.write(f"{line}\n".encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        drop_output()
        raise
