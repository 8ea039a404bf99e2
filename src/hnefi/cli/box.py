"""`hnefi box`: writes all that a box, a museum table or a lesson needs from one variant."""

import datetime as dt
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from hnefi import i18n
from hnefi.cli.commands import command, option
from hnefi.cli.faults import bad_usage, check_writable, file_error
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.print.writing import bleed_option, colour_option
from hnefi.cli.progress import progress_bar
from hnefi.cli.serve import packages_of_server
from hnefi.cli.texts import decimal, language, translate
from hnefi.cli.values import Choices, FilePath
from hnefi.paper import BoxFile, Imprint, box_files, box_forms, box_page
from hnefi.paper.imprints import logo_type
from hnefi.variants.custom import known_by_id
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("box brandub-globe -o brandub", "plain"),
    ("box my-tafl.toml --languages fr,en --publisher 'The Oak Workshop' --logo oak.svg -o my-tafl", "custom"),
)
LIST = "hnefi-box.json"
"""The list of the files of a box, in its folder."""

_SITE = "site"
_MEGABYTE = 1_000_000


@command("box", _EXAMPLES)
@variant_argument()
@option("--output", "-o", "out", type=FilePath(), metavar="site_folder", help="box_output")
@option("--languages", type=Choices(i18n.languages()), default=(), metavar="languages", help="box_languages")
@colour_option
@bleed_option("box_bleed")
@option("--no-site", is_flag=True)
@imprint_options
@option("--force", is_flag=True, help="site_force")
@json_option
def box(
    variant: Variant,
    out: str | None,
    languages: tuple[str, ...],
    colour: bool,
    bleed: float,
    no_site: bool,
    imprint: Imprint,
    force: bool,
    as_json: bool,
) -> None:
    """Writes the folder."""
    if out is None:
        raise bad_usage("missing", name="--output")
    languages = languages or (language(),)
    # The packages of the pages take seconds to load.
    with packages_of_server():
        from hnefi.server.site.folder import check_folder, facts_of, write_site
    folder = Path(out)
    check_writable(folder)
    try:
        check_folder(folder, may_add=force, listing=LIST)
        if not force and (other := facts_of(folder, LIST).get("variant", variant.id)) != variant.id:
            raise bad_usage("other_box", path=out, found=other)
        forms = box_files(variant, languages, imprint, colour=colour, bleed=bleed)
        with known_by_id(variant), progress_bar(translate("cli.box.progress"), 0) as show:
            printed, files = _made(variant, languages, imprint, forms, not no_site, show)
            facts = {"variant": variant.id, "languages": languages}
            made = len(files)
            write_site(folder, files, facts, lambda done: show(made + done, total=2 * made), LIST)
    except OSError as error:
        raise file_error("cannot_write", error.filename or out, error) from None
    size = sum(map(len, files.values()))
    if as_json:
        site = None if no_site else _SITE
        listed = [one.facts for one in printed]
        answer = {"folder": out, **facts, "page": "index.html", "prints": listed, "site": site}
        print_json({**answer, "files": len(files), "bytes": size})
        return
    counts = {"files": len(files), "megabytes": decimal(size / _MEGABYTE)}
    click.echo(translate("cli.box.done", path=out, **counts))


def _made(
    variant: Variant,
    languages: tuple[str, ...],
    imprint: Imprint,
    forms: Iterable[BoxFile],
    has_site: bool,
    show: Callable[..., None],
) -> tuple[list[BoxFile], dict[str, bytes]]:
    """Returns the printed forms, and all files of the folder by path."""
    printed: list[BoxFile] = []
    total = len(box_forms(variant)) * len(languages)
    for one in forms:
        printed.append(one)
        show(len(printed), total=total)
    logo = f"logo.{logo_type(imprint.logo)}" if imprint.logo else ""
    page = box_page(variant, languages, imprint, printed, logo, _SITE if has_site else "")
    files = {one.name: one.content for one in printed}
    files["index.html"] = page.encode()
    if logo:
        files[logo] = imprint.logo
    if has_site:
        from hnefi.server.site.building import site_files
        from hnefi.server.site.plan import SitePlan, with_first_variant

        today = dt.datetime.now(dt.UTC).date()
        plan = SitePlan(with_first_variant((variant.id,)), languages, today, imprint.url, imprint)
        site = site_files(plan, lambda done, all_: show(total + done, total=total + all_))
        files |= {f"{_SITE}/{path}": content for path, content in site.items()}
    return printed, files
