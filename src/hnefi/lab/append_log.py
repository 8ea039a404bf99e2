"""Append-only files of JSON lines, whose first line identifies their content."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hnefi.lab.errors import LabError
from hnefi.lab.folder import check_same, complete_lines, made_by, open_exclusively

_BUILD = "core"


class AppendLog:
    """Entries as JSON lines. After a crash at most the last line is incomplete, and it is dropped.

    Without a path nothing is stored.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, object]) -> None:
        """Opens a file, and creates it if there is none.

        Args:
            settings: What all entries depend on, besides the build of Hnefi.

        Raises:
            LabError: `other_experiment` if the file has other settings, `bad_folder` if it cannot be used,
                `folder_in_use`.
        """
        self.entries: list[dict[str, Any]] = []
        self._path = path
        self._file = None
        if path is None:
            return
        identity = {**settings, _BUILD: made_by()[_BUILD]}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open_exclusively(path)
            lines = [json.loads(line) for line in complete_lines(self._file).splitlines()]
            if not all(isinstance(line, dict) for line in lines):
                raise ValueError("no object")
        except (OSError, ValueError) as error:
            self.close()
            at_fault = getattr(error, "filename", None) or path
            raise LabError.of_facts("bad_folder", path=at_fault, why=error) from None
        if not lines:
            self.add(identity)
            self.entries.clear()
            return
        try:
            check_same(path, lines[0], identity)
        except LabError:
            self.close()
            raise
        self.entries += lines[1:]

    def add(self, entry: dict[str, Any]) -> None:
        """Appends an entry.

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
            raise LabError.of_facts("bad_folder", path=self._path, why=error) from None

    def close(self) -> None:
        """Closes the file, so that other processes can continue it."""
        if self._file is not None:
            self._file.close()
