"""Checks that the modules of `web/src` import only from their own folder and from layers below.

Modules in `web/src` itself are the lowest layer. Type imports count, too.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "web" / "src"

# From the top. Folders of one layer do not import each other.
LAYERS = (("entries",), ("game", "analysis", "editor", "lessons"), ("ui",), ("board",), ("",))

_IMPORT = re.compile(r"""^(?:import|export)\b[^;"]*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)""", re.MULTILINE)


def main() -> None:
    """Prints every import that points upwards or sideways; the exit code is 1 if there is one."""
    wrong = list(forbidden_imports(SOURCES))
    print("\n".join(wrong) or "no import points upwards")
    sys.exit(1 if wrong else 0)


def forbidden_imports(sources: Path) -> Iterator[str]:
    """Iterates over the forbidden imports of the modules in a folder, as `importing -> imported`."""
    for module in sorted([*sources.rglob("*.ts"), *sources.rglob("*.tsx")]):
        for match in _IMPORT.finditer(module.read_text(encoding="utf-8")):
            target = (module.parent / (match[1] or match[2])).resolve()
            if not _is_allowed(_folder(module, sources), _folder(target, sources)):
                yield f"{module.relative_to(sources)} -> {target.relative_to(sources.resolve())}"


def _folder(module: Path, sources: Path) -> str:
    parts = module.resolve().relative_to(sources.resolve()).parts
    return parts[0] if len(parts) > 1 else ""


def _is_allowed(folder: str, imported: str) -> bool:
    return folder == imported or _layer(folder) < _layer(imported)


def _layer(folder: str) -> int:
    """Returns the number of a layer, from 0 at the top. A folder without a layer is an error."""
    return next(number for number, folders in enumerate(LAYERS) if folder in folders)


if __name__ == "__main__":
    main()
