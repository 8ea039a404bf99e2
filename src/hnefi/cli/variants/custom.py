"""`hnefi variants add`, `remove`, `check` and `path`: the folder of custom variants."""

from pathlib import Path

import click

from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import CommandError
from hnefi.cli.files import read_file
from hnefi.cli.naming import json_option, read_variant_file
from hnefi.cli.output import print_json
from hnefi.cli.texts import error_text, translate, translate_plural
from hnefi.cli.values import FilePath, Text
from hnefi.errors import HnefiError, VariantError
from hnefi.places import custom_variants_folder
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.custom import custom_error, custom_variants, known_by_id, remove_variant, save_variant
from hnefi.variants.finding import all_variants
from hnefi.variants.links import is_link, parse_link
from hnefi.variants.model import Variant

_ADD = (
    ("variants add my-game.toml", "file"),
    ("variants add 'https://tafl.example/en/rules/new#eNp…'", "link"),
)
_REMOVE = (
    ("variants remove my-game", "plain"),
    ("variants remove my-game --json", "json"),
)
_CHECK = (
    ("variants check", "all"),
    ("variants check my-game.toml --json", "file"),
)
_PATH = (
    ("variants path", "plain"),
    ("variants path --json", "json"),
)
_LARGEST_MB = 1


@command("add", _ADD, group="variants")
@argument("sources", key="variant_sources", type=Text(), nargs=-1, required=True)
@option("--replace", is_flag=True, help="replace_variant")
@json_option
def add(sources: tuple[str, ...], replace: bool, as_json: bool) -> None:
    """Adds custom variants."""
    kept: list[dict[str, object]] = []
    for source in sources:
        one, text = _read(source)
        where, told = save(one, text, overwrite=replace)
        kept.append({"id": one.id, "file": str(where)})
        if not as_json:
            click.echo(told)
    if as_json:
        print_json({"kept": kept})


def save(one: Variant, text: str | None = None, *, overwrite: bool) -> tuple[Path, str]:
    """Saves a variant; returns the path of its file, and what to tell about it."""
    before = custom_variants().variants.get(one.id, one)
    path = save_variant(one, text, overwrite=overwrite)
    told = [translate("cli.variants.add.kept", id=one.id, path=path)]
    if before.rules.hash != one.rules.hash:
        told.append(translate("cli.variants.add.earlier"))
    if alike := [other.id for other in all_variants() if other.rules == one.rules and other.id != one.id]:
        told.append(translate("cli.variants.add.alike", ids=", ".join(alike)))
    return path, "\n".join(told)


def _read(source: str) -> tuple[Variant, str | None]:
    """Reads a variant from a file, a rules string or a link; returns the text of a file too."""
    if source.lower().endswith(".toml"):
        return read_variant_file(source), read_file(source, _LARGEST_MB).decode("utf-8-sig")
    return (parse_link(source) if is_link(source) else read_variant_file(source)), None


@command("remove", _REMOVE, group="variants")
@argument("ids", key="variant_ids", type=Text(), nargs=-1, required=True)
@json_option
def remove(ids: tuple[str, ...], as_json: bool) -> None:
    """Removes custom variants."""
    gone: list[dict[str, object]] = []
    for variant_id in ids:
        where = remove_variant(variant_id)
        gone.append({"id": variant_id, "file": str(where)})
        if not as_json:
            click.echo(translate("cli.variants.remove.removed", path=where))
    if as_json:
        print_json({"removed": gone})


@command("check", _CHECK, group="variants")
@argument("files", key="variant_files", type=FilePath(), nargs=-1)
@json_option
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Checks variant files."""
    sound, faulty, copies = _checked(files) if files else _custom()
    if as_json:
        facts = [
            {"file": file, "code": error.code, "faults": _faults(error)} for file, error in faulty.items()
        ]
        remarks = [
            {"file": file, "code": error.code, "message": error_text(error)} for file, error in copies.items()
        ]
        print_json({"sound": sound, "faulty": facts, "remarks": remarks})
    else:
        for error in faulty.values():
            click.echo(error_text(error))
        for file, error in copies.items():
            click.echo(translate("cli.variants.check.copy", path=file, message=error_text(error)))
        click.echo(translate_plural("cli.variants.check.sound", len(sound), faulty=len(faulty)))
    return 1 if faulty else 0


def _faults(error: HnefiError) -> list[str]:
    """Returns the faults of a file; its error where it cannot be read."""
    return [*map(str, error.faults)] if isinstance(error, VariantError) else [error.detail]


_Checked = tuple[list[str], dict[str, HnefiError], dict[str, HnefiError]]
"""The ids without faults, and by files the faults, and the remarks: copies cannot be added under their id."""


def _custom() -> _Checked:
    custom = custom_variants()
    return list(custom.variants), {str(path): error for path, error in custom.faults.items()}, {}


def _checked(files: tuple[str, ...]) -> _Checked:
    sound: list[str] = []
    faulty: dict[str, HnefiError] = {}
    copies: dict[str, HnefiError] = {}
    for file in files:
        try:
            checked = read_variant_file(file)
            with known_by_id(checked):
                sound.append(checked.id)
            if checked.id in built_in_ids():
                copies[file] = custom_error("shipped_variant", checked.id)
        except VariantError as error:
            faulty[file] = error.of_file(file) if error.faults else error
        except CommandError as error:
            faulty[file] = error
    return sound, faulty, copies


@command("path", _PATH, group="variants")
@json_option
def path(as_json: bool) -> None:
    """Prints the folder of custom variants."""
    folder = custom_variants_folder()
    if as_json:
        print_json({"folder": str(folder), "variants": list(custom_variants().variants)})
    else:
        click.echo(str(folder))
