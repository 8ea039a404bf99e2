"""The folder of an experiment: its settings (`manifest.json`) and every finished game (`games.jsonl`).

A game is one line, appended when it ends. After a crash at most the last line is incomplete; it is dropped.
"""

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from hnefi import __version__
from hnefi._core import Rules
from hnefi.engine import book_for, weights_for
from hnefi.errors import shorten
from hnefi.files import write_atomically
from hnefi.lab.errors import LabError
from hnefi.lab.games import Experiment, PlayedGame, format_game, parse_game
from hnefi.lab.players import PlayerSpec
from hnefi.variants.model import Variant
from hnefi.workers.build import core_digest

FORMAT = "hnefi experiment 1"
_MADE_BY, _BUILD = "made_by", "core"


def describe(variant: Variant, experiment: Experiment) -> dict[str, object]:
    """Returns everything the games of an experiment depend on, as JSON values."""
    openings, weights = experiment.openings, weights_for(experiment.rules)
    players = (experiment.first, experiment.second)
    has_level = any(player.kind == "level" for player in players)
    odds = {"mistake_odds": weights.mistake_odds} if has_level and weights.mistake_odds != 1.0 else {}
    has_book = openings.from_book or any(map(_has_book, players))
    book = book_for(experiment.rules) if has_book else None
    return {
        "format": FORMAT,
        "variant": variant.id,
        "revision": variant.revision,
        "rules": experiment.rules.hash,
        "switches": dict(variant.switches),
        "players": [player.settings for player in players],
        "weights": used_weights_digest(experiment.rules),
        **odds,
        **({} if book is None else {"book": book.digest}),
        "both_sides": experiment.both_sides,
        "openings": {
            name: value
            for name, value in asdict(openings).items()
            if name != "weights" and value is not None and value is not False
        },
        "max_plies": experiment.max_plies,
    }


def _has_book(player: PlayerSpec) -> bool:
    return player.kind == "book" or (player.kind == "level" and player.level.book > 0)


def made_by() -> dict[str, str]:
    """Returns the provenance of results: version, commit and build of Hnefi, Python, system, processor."""
    facts = {
        "hnefi": __version__,
        "commit": _commit(),
        _BUILD: core_digest(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": str(os.cpu_count() or ""),
    }
    return {name: value for name, value in facts.items() if value}


def used_weights_digest(rules: Rules) -> str:
    """Returns a digest of the weights that the engine uses for rules."""
    return hashlib.sha256((weights_for(rules).text or "derived").encode()).hexdigest()[:16]


def _commit() -> str:
    """Returns the commit of the checkout that Hnefi runs from, with `+` for changed sources; else empty."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(here), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")) / "src" / "hnefi" / "lab" != here:
            return ""
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "../..", "../../../crates")
        return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def parse_games(path: Path, content: bytes) -> list[PlayedGame]:
    """Parses the games of a file `games.jsonl`, each number once; an incomplete last line is ignored.

    Raises:
        LabError: `bad_game`.
    """
    complete, _, _ = content.rpartition(b"\n")
    lines = complete.decode("utf-8", "replace").splitlines()
    games = [parse_game(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    return list({game.number: game for game in games}.values())


def check_same(path: Path, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Checks that the settings that a file or a folder holds are those of this experiment.

    Raises:
        LabError: `other_experiment`, with the settings that differ.
    """
    names = [name for name, value in expected.items() if found.get(name) != value]
    if names:
        there, here = (
            _leaves({name: side[name] for name in names if name in side}) for side in (found, expected)
        )
        keys = [key for key in {**there, **here} if there.get(key) != here.get(key)]
        texts = [
            ", ".join(f"{key} = {shorten(side.get(key, '-'))}" for key in keys) for side in (there, here)
        ]
        raise LabError.of_facts("other_experiment", path=path, found=texts[0], expected=texts[1])


def _leaves(value: object, name: str = "") -> dict[str, str]:
    """Returns the values of a tree as JSON, by their dotted names."""
    if not isinstance(value, dict | list):
        return {name: json.dumps(value, ensure_ascii=False)}
    pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
    parts = [_leaves(part, f"{name}.{key}".lstrip(".")) for key, part in pairs]
    return {inner: leaf for part in parts for inner, leaf in part.items()}


def check_empty(folder: Path) -> None:
    """Checks that a folder of a new experiment has no files; hidden ones may be left of a killed process.

    Raises:
        LabError: `foreign_folder`.
    """
    found = next((path.name for path in folder.iterdir() if not path.name.startswith(".")), None)
    if found is not None:
        raise LabError.of_facts("foreign_folder", path=folder, found=found)


def open_exclusively(path: Path) -> IO[bytes]:
    """Opens a file to append to, and locks it against other processes where the system supports that.

    Raises:
        LabError: `folder_in_use`.
    """
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise LabError.of_facts("folder_in_use", path=path.parent) from None
    return file


def complete_lines(file: IO[bytes]) -> bytes:
    """Returns the complete lines of a file that is open to append to; truncates an incomplete last one."""
    content = Path(file.name).read_bytes()
    complete = content[: content.rfind(b"\n") + 1]
    file.truncate(len(complete))
    return complete


class Folder:
    """An experiment on disk, new or continued; raises `LabError` `bad_folder` if it cannot be used."""

    def __init__(self, path: Path, variant: Variant, experiment: Experiment, command: str = "") -> None:
        """Opens a folder, and creates it if there is none; `command` is the command line for its manifest.

        Raises:
            LabError: `other_experiment` if it holds another one, `foreign_folder`, `folder_in_use`.
        """
        self.path = path
        self._experiment = experiment
        description = describe(variant, experiment)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if self._manifest.exists():
                self._compare(description)
            else:
                check_empty(path)
                facts = {**description, _MADE_BY: made_by(), "command": command}
                write_atomically(self._manifest, json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
            self._file = open_exclusively(self._games)
            try:
                self.games = parse_games(self._games, complete_lines(self._file))
            except BaseException:
                self.close()
                raise
        except OSError as error:
            raise LabError.of_facts("bad_folder", path=path, why=error) from None

    @property
    def _manifest(self) -> Path:
        return self.path / "manifest.json"

    @property
    def _games(self) -> Path:
        return self.path / "games.jsonl"

    def manifest(self) -> dict[str, Any]:
        """Reads the manifest."""
        try:
            manifest = json.loads(self._manifest.read_text(encoding="utf-8"))
        except ValueError as error:
            raise LabError.of_facts("bad_folder", path=self._manifest, why=error) from None
        if not isinstance(manifest, dict):
            raise LabError.of_facts("bad_folder", path=self._manifest, why="no object")
        return manifest

    def add(self, game: PlayedGame) -> None:
        """Appends a finished game."""
        try:
            self._file.write(f"{format_game(self._experiment, game)}\n".encode())
            self._file.flush()
        except OSError as error:
            raise LabError.of_facts("bad_folder", path=self._games, why=error) from None
        self.games.append(game)

    def _compare(self, description: Mapping[str, object]) -> None:
        """Raises an error for results of another experiment or another build of the engine."""
        manifest = self.manifest()
        maker = manifest.get(_MADE_BY)
        build = maker.get(_BUILD) if isinstance(maker, dict) else None
        check_same(self.path, {**manifest, _BUILD: build}, {**description, _BUILD: core_digest()})

    def close(self) -> None:
        """Closes the folder, so that other processes can continue it."""
        self._file.close()
