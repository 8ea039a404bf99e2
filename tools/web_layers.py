"""Checks that modules of `web/src` import only from their own folder and from lower layers, without cycles.

Modules in `web/src` itself are the lowest layer. Pages do not import each other. Type imports and dynamic
imports count, too.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "web" / "src"

# From the top. Folders of one layer do not import each other.
LAYERS = (
    ("opened",),
    ("entries", "pages"),
    ("game",),
    ("ui",),
    ("board", "engine"),
    ("",),
)

_IMPORT = re.compile(r"""^(?:import|export)\b[^;"]*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)""", re.MULTILINE)


def main() -> None:
    """Prints every import that is forbidden; the exit code is 1 if there is one."""
    wrong = list(forbidden_imports(imports_of(SOURCES)))
    print("\n".join(wrong) or "no import points upwards, and there is no cycle")
    sys.exit(1 if wrong else 0)


Imports = Mapping[str, list[str]]


def imports_of(sources: Path) -> Imports:
    """Returns the imports of every module in a folder. Modules are named by their paths in it."""
    root = sources.resolve()
    modules = sorted([*root.rglob("*.ts"), *root.rglob("*.tsx")])
    return {module.relative_to(root).as_posix(): list(_targets(module, root)) for module in modules}


def _targets(module: Path, root: Path) -> Iterator[str]:
    for match in _IMPORT.finditer(module.read_text(encoding="utf-8")):
        yield (module.parent / (match[1] or match[2])).resolve().relative_to(root).as_posix()


def forbidden_imports(imports: Imports) -> Iterator[str]:
    """Iterates over imports that point upwards or sideways, and one cycle, as `importing -> imported`."""
    for module, targets in imports.items():
        for target in targets:
            if not _is_allowed(_folder(module), _folder(target)):
                yield f"{module} -> {target}"
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        yield " -> ".join(reversed(error.args[1]))


def _folder(module: str) -> str:
    """Returns the folder of a module: that of its page, or the one in the sources."""
    *folders, _ = module.split("/")
    return "/".join(folders[:2]) if folders[:1] == ["pages"] else "".join(folders[:1])


def _is_allowed(folder: str, imported: str) -> bool:
    return folder == imported or _layer(folder) < _layer(imported)


def _layer(folder: str) -> int:
    """Returns the number of a layer, from 0 at the top. A folder without a layer is an error."""
    return next(number for number, folders in enumerate(LAYERS) if folder.partition("/")[0] in folders)


if __name__ == "__main__":
    main()
