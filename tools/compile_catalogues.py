"""Compiles the catalogues of texts (.po to .mo), which the build does too. Needs Babel.

Run it after a change of a text: `python tools/compile_catalogues.py`.
"""

import os
import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

LOCALE = Path(__file__).parents[1] / "src" / "hnefi" / "locale"


def compile_catalogue(source: Path) -> int:
    """Compiles one catalogue beside its source and gives its number of texts.

    Raises:
        PoFileError: If the file cannot be read; the message says where.
    """
    with source.open("rb") as file:
        catalogue = read_po(file, locale=source.parts[-3], domain="hnefi", abort_invalid=True)
    # Programs that run meanwhile read the old catalogue or the new one, never a part of it.
    written = source.with_suffix(f".mo.{os.getpid()}")
    with written.open("wb") as file:
        write_mo(file, catalogue)
    written.replace(source.with_suffix(".mo"))
    return sum(1 for message in catalogue if message.id)


def main() -> int:
    """Compiles every catalogue; the exit code is 1 if one has a fault."""
    status = 0
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        try:
            print(f"{source.relative_to(LOCALE)}: {compile_catalogue(source)} texts")
        except PoFileError as error:
            print(f"{source}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
