"""The folder of a site: only its own files are replaced or deleted."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from hnefi.errors import HnefiError
from hnefi.files import write_atomically

LIST = "hnefi-site.json"
"""The list of the files of a site, in its folder; other folders have lists of other names."""


class SiteFolderError(HnefiError):
    """Raised if a folder has other files than those of a site: `site_folder_in_use`."""


def check_folder(folder: Path, *, may_add: bool, listing: str = LIST) -> None:
    """Checks that a folder is missing, empty, or that of a site.

    If `may_add`, the site may be written beside other files. `listing` is the name of its list.

    Raises:
        SiteFolderError: If it has other files.
        OSError: If it cannot be read.
    """
    if may_add or not folder.exists() or (folder / listing).is_file():
        return
    if (found := next(folder.iterdir(), None)) is not None:
        facts = {"path": str(folder), "found": found.name}
        raise SiteFolderError("site_folder_in_use", f"{folder}: has {found.name}", facts)


def write_site(
    folder: Path,
    files: Mapping[str, bytes],
    facts: Mapping[str, object],
    report: Callable[[int], None],
    listing: str = LIST,
) -> None:
    """Writes the files of a site, and deletes those of an earlier one that it no longer has.

    Each file is replaced as a whole. Pages come last, after everything they load; then old files are deleted.
    So an interruption leaves pages that work. The folder is created if missing. The list has `facts` about
    the site besides its files. `report` is called with the number of files written.

    Raises:
        OSError: If a file cannot be written.
    """
    before = _listed(folder, listing)
    order = sorted(files, key=lambda path: (path.endswith(".html"), -path.count("/"), path))
    folder.mkdir(parents=True, exist_ok=True)
    # The files of both sites belong to the folder until the old ones are deleted.
    _write_list(folder / listing, facts, sorted({*before, *files}))
    for done, path in enumerate(order, 1):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not _has(target, files[path]):
            _replace(target, files[path])
        report(done)
    for path in set(before) - set(files):
        _delete(folder, path)
    _write_list(folder / listing, facts, sorted(files))


def _replace(target: Path, content: bytes) -> None:
    """Replaces a file as a whole. It is not flushed to disk: a site can be built again."""
    new = target.with_name(f".{target.name}.new")
    try:
        new.write_bytes(content)
        new.replace(target)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def _has(target: Path, content: bytes) -> bool:
    """Checks whether a file has a content already."""
    try:
        return target.stat().st_size == len(content) and target.read_bytes() == content
    except OSError:
        return False


def facts_of(folder: Path, listing: str = LIST) -> dict[str, Any]:
    """Returns the list of the files of a site, with the facts about it; empty if there is none."""
    try:
        facts = json.loads((folder / listing).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _listed(folder: Path, listing: str) -> list[str]:
    """Returns the files of the site by its list; none without one."""
    listed = facts_of(folder, listing).get("files")
    found = listed if isinstance(listed, list) else []
    return [path for path in found if isinstance(path, str) and _is_inside(path)]


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and parts[0] != "/" and ".." not in parts


def _write_list(path: Path, facts: Mapping[str, object], files: list[str]) -> None:
    write_atomically(path, json.dumps({**facts, "files": files}, indent=1) + "\n", mode=0o644)


def _delete(folder: Path, path: str) -> None:
    """Deletes a file of an earlier site, and the folders that become empty."""
    target = folder / path
    with suppress(FileNotFoundError):
        target.unlink()
    for parent in target.parents:
        if parent == folder:
            return
        try:
            parent.rmdir()
        except OSError:
            return
