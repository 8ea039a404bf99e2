"""Atomic writes: after an interruption a file is complete, old or new."""

import os
import stat
from pathlib import Path

import pytest

from hnefi.files import atomic_writer, write_atomically


def test_a_file_is_written_with_unix_line_endings(tmp_path: Path) -> None:
    write_atomically(tmp_path / "é.txt", "one\ntwo — 龍\n")
    assert (tmp_path / "é.txt").read_bytes() == "one\ntwo — 龍\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["é.txt"]


def test_an_error_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.txt"
    write_atomically(path, "old")

    def interrupted() -> None:
        with atomic_writer(path) as file:
            file.write("new")
            raise KeyboardInterrupt

    def fail(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="permissions and links are those of Unix")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file.txt", tmp_path / "link.txt"
    write_atomically(path, "old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="there is no /dev/null")
def test_a_device_is_written_and_stays_a_device() -> None:
    write_atomically("/dev/null", "nothing")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(os.name == "nt", reason="there is no /dev/fd")
def test_a_pipe_is_written_by_the_name_of_its_stream() -> None:
    reader, writer = os.pipe()
    write_atomically(f"/dev/fd/{writer}", "one line")
    assert os.read(reader, 100) == b"one line"
    os.close(reader)
    os.close(writer)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "file.txt"
    with pytest.raises(FileNotFoundError, check=lambda error: error.filename == str(path)):
        write_atomically(path, "text")
