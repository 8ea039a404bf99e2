"""Compiles the catalogues of texts (.po to .mo): a step of the build, which can also be run alone."""

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

LOCALE = Path(__file__).parents[1] / "src" / "hnefi" / "locale"


class CatalogueError(Exception):
    """A catalogue that cannot be compiled; the message says where."""


def compile_catalogue(source: Path) -> Path:
    """Compiles one catalogue beside its source, and gives the file it wrote.

    Raises:
        CatalogueError: If the catalogue is not well formed.
    """
    language = source.parts[-3]
    try:
        with source.open("rb") as file:
            catalogue = read_po(file, locale=language, domain=source.stem, abort_invalid=True)
    except (PoFileError, UnicodeDecodeError, ValueError) as error:
        raise CatalogueError(f"{source}: {error}") from error
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    target = source.with_suffix(".mo")
    target.write_bytes(compiled.getvalue())
    return target


def compile_catalogues(locale: Path = LOCALE) -> list[Path]:
    """Compiles every catalogue of the package, and gives the files it wrote.

    Raises:
        CatalogueError: If there is none, or one is not well formed.
    """
    sources = sorted(locale.glob("*/LC_MESSAGES/*.po"))
    if not sources:
        raise CatalogueError(f"{locale}: no catalogue, expected one .po file per language")
    return [compile_catalogue(source) for source in sources]


if __name__ == "__main__":
    try:
        compile_catalogues()
    except CatalogueError as error:
        sys.exit(str(error))
