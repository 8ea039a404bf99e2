"""A file that is added to line by line, and says in its first line what it is about."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hnefi.lab.faults import lab_error
from hnefi.lab.folder import made_by, open_alone

__all__ = ["Ledger"]

_BUILD = "core"


class Ledger:
    """Entries as lines of JSON. Whatever happens, at most the last line is broken, and it is dropped.

    Without a path nothing is kept.
    """

    def __init__(self, path: Path | None, about: Mapping[str, object]) -> None:
        """Opens a file, and makes it where there is none.

        Args:
            path: The file.
            about: What all entries follow from; so does the build of Hnefi.

        Raises:
            LabError: `other_experiment` if the file is about something else, `bad_folder` if it cannot be
                used, `folder_in_use`.
        """
        self.entries: list[dict[str, Any]] = []
        self._path = path
        self._file = None
        if path is None:
            return
        wanted = {**about, _BUILD: made_by()[_BUILD]}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open_alone(path)
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            self._file.truncate(len(whole))
            lines = [json.loads(line) for line in whole.splitlines()]
        except (OSError, ValueError) as error:
            self.close()
            raise lab_error("bad_folder", path=path, why=error) from None
        if not lines:
            self.add(wanted)
            self.entries.clear()
            return
        names = [name for name, value in wanted.items() if lines[0].get(name) != value]
        if names:
            self.close()
            raise lab_error("other_experiment", path=path, names=", ".join(names))
        self.entries += lines[1:]

    def add(self, entry: dict[str, Any]) -> None:
        """Adds an entry.

        Raises:
            LabError: `bad_folder`.
        """
        self.entries.append(entry)
        if self._file is None:
            return
        try:
            self._file.write(f"{json.dumps(entry)}\n".encode())
            self._file.flush()
        except OSError as error:
            raise lab_error("bad_folder", path=self._path, why=error.strerror or error) from None

    def close(self) -> None:
        """Lets other processes go on with it."""
        if self._file is not None:
            self._file.close()
