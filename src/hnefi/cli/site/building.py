"""`hnefi site build`: writes the pages as static files."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hnefi import i18n
from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import bad_usage, check_writable, file_error
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.serve import packages_of_server
from hnefi.cli.texts import decimal, language, translate
from hnefi.cli.values import Choices, Text, Words, listed
from hnefi.lessons import lessons
from hnefi.variants.finding import variant, variant_ids

if TYPE_CHECKING:
    from hnefi.paper import Imprint

_EXAMPLES = (
    ("site build tafl", "plain"),
    ("site build tafl --variants lessons", "lessons"),
    ("site build tafl --variants brandub-globe,copenhagen-11 --languages fr", "some"),
    ("site build museum --kiosk --variants brandub-globe,hist-tablut-9", "kiosk"),
)
_MEGABYTE = 1_000_000
_MOST_OF_KIOSK = 5
_IDLE, _LEAST_IDLE, _MOST_IDLE = 60, 10, 3600
_VARIANTS = "all | lessons | brandub-globe,…"


@command("build", _EXAMPLES, group="site")
@argument("folder", key="site_folder", type=Text())
@option("--variants", "chosen", type=Words(), default="all", metavar="site_variants", help="site_variants")
@option("--languages", type=Choices(i18n.languages()), default=(), metavar="languages", help="site_languages")
@option("--kiosk", is_flag=True)
@counted("--idle", least=_LEAST_IDLE, most=_MOST_IDLE, metavar="seconds", help="kiosk_idle")
@imprint_options
@option("--force", is_flag=True, help="site_force")
@json_option
def build(
    folder: str,
    chosen: str,
    languages: tuple[str, ...],
    kiosk: bool,
    idle: int | None,
    imprint: "Imprint",
    force: bool,
    as_json: bool,
) -> None:
    """Writes a site of static files."""
    # The packages of the pages take seconds to load.
    wanted = _variants(chosen)
    # That of this run is the first.
    languages = languages or tuple(sorted(i18n.languages(), key=lambda one: one != language()))
    if idle is not None and not kiosk:
        raise bad_usage("needs", name="--idle", needed="--kiosk")
    if kiosk and len(wanted) > _MOST_OF_KIOSK:
        raise bad_usage("kiosk", found=len(wanted), expected=_MOST_OF_KIOSK)
    check_writable(Path(folder))
    with packages_of_server():
        from hnefi.server.site.building import build_site
        from hnefi.server.site.folder import facts_of
        from hnefi.server.site.plan import SitePlan, pages_of, with_first_variant
    plan = SitePlan(
        wanted if kiosk else with_first_variant(tuple(name for name in variant_ids() if name in wanted)),
        languages,
        dt.datetime.now(dt.UTC).date(),
        imprint.url,
        imprint,
        (idle or _IDLE) if kiosk else 0,
    )
    if not force and plan.loses(before := facts_of(Path(folder))):
        part = "other_kiosk" if before.get("kiosk") else "other_site"
        raise bad_usage(part, path=folder, found=", ".join(pages_of(before)))
    try:
        with progress_bar(translate("cli.site.build.progress"), 0) as show:
            files = build_site(Path(folder), plan, lambda done, total: show(done, total=total), may_add=force)
    except OSError as error:
        raise file_error("cannot_write", error.filename or folder, error) from None
    counts = {"pages": sum(path.endswith(".html") for path in files), "files": len(files)}
    size = sum(map(len, files.values()))
    if as_json:
        facts = {"folder": folder, "variants": plan.variants, "languages": plan.languages}
        print_json({**facts, **counts, "bytes": size})
        return
    megabytes = decimal(size / _MEGABYTE)
    click.echo(translate("cli.site.build.done", path=folder, **counts, megabytes=megabytes))
    click.echo(translate("cli.site.build.next.kiosk" if kiosk else "cli.site.build.next", path=folder))


def _variants(chosen: str) -> tuple[str, ...]:
    """Returns the ids of the chosen variants, in the order in which they are named."""
    names = listed(chosen)
    if not names:
        raise bad_usage("choice", name="--variants", found=chosen, expected=_VARIANTS)
    if names == ["all"]:
        return variant_ids()
    if names == ["lessons"]:
        return tuple(name for name in variant_ids() if lessons(name))
    return tuple(dict.fromkeys(variant(name).id for name in names))
