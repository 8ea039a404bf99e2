"""Joins the files that scripts share, so that a page loads few of them."""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

# What a page loads beside its scripts, and the part of all its bytes that one request less is worth.
PAGE_B = 50_000
REQUEST = 0.03


def is_shared(name: str, part: dict[str, Any]) -> bool:
    """Checks whether a file is what scripts share, none that is loaded by itself."""
    return name.endswith(".js") and "entryPoint" not in part


def shared_by(parts: dict[str, dict[str, Any]], pages: list[str], active: set[str]) -> dict[str, set[str]]:
    """Returns which shared files each script of a bundle has to import, so that few remain.

    Files are joined in groups, and who imports one imports its whole group. That spares requests of those
    scripts of pages that import more than one of them, and costs bytes where only one is needed. No page
    loads an active file in vain.
    """
    imports = {name: imported_by(part) for name, part in parts.items() if name.endswith(".js")}
    groups = {name: {name} for name, part in parts.items() if is_shared(name, part)}

    def loaded(names: Iterable[str], *kinds: str) -> set[str]:
        """Returns some files and those that they import."""
        found, waiting = set[str](), [*names]
        while waiting:
            if (name := waiting.pop()) not in found:
                found.add(name)
                waiting += groups.get(name, ())
                waiting += [one for kind in ("import-statement", *kinds) for one in imports[name][kind]]
        return found

    def size(names: Iterable[str]) -> int:
        return sum(parts[name]["bytes"] for name in names)

    at_once = [loaded([page]) for page in pages]
    needs = [*at_once, *(loaded([page], "dynamic-import") for page in pages)]
    totals = [PAGE_B + size(need) for need in needs]

    def gain(one: str, other: str) -> float:
        """Returns what joining two files spares all pages, as parts of their bytes."""
        if not (spared := sum(one in need and other in need for need in at_once)):
            return 0
        joined = loaded([one, other])
        both = zip(needs, totals, strict=True)
        added = [(joined - need, total) for need, total in both if (one in need) != (other in need)]
        if any(files & active for files, _ in added):
            return 0
        return REQUEST * spared - sum(size(files) / total for files, total in added)

    while True:
        firsts = sorted({min(group) for group in groups.values()})
        pairs = combinations(firsts, 2)
        best, one, other = max(((gain(*pair), *pair) for pair in pairs), default=(0, "", ""))
        if best <= 0:
            return {name: loaded([name]) & groups.keys() for name in imports.keys() - groups.keys()}
        joined = loaded([one, other])
        for need in needs:
            if need & {one, other}:
                need.update(joined)
        group = groups[one] | groups[other]
        groups |= dict.fromkeys(group, group)


def imported_by(part: dict[str, Any]) -> dict[str, set[str]]:
    """Returns the files that a script imports, by the kind of the import."""
    found: dict[str, set[str]] = {"import-statement": set(), "dynamic-import": set()}
    for one in part["imports"]:
        found.setdefault(one["kind"], set()).add(Path(one["path"]).name)
    return found
