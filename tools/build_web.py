"""Builds what the browser gets into `src/hnefi/server/static`: the rules as WebAssembly, scripts and styles.

Every file of `web/src/entries` becomes a file there, named by its content; `manifest.json` says which. What
is up to date is left alone, so an unpacked source distribution, which carries the files, needs no Node.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import node
import toolchain
import wasm_core

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "hnefi" / "server" / "static"
MANIFEST = STATIC / "manifest.json"
WORK = ROOT / "target" / "web"
WORDS = "board."


def main(arguments: list[str]) -> None:
    """Builds, unless nothing has changed.

    `--install` allows to install what is missing; `--requires` only names the Python packages it would take.
    """
    if "--requires" in arguments:
        if not is_current() and not node.is_found(dict(os.environ)):
            print(node.PYTHON_PACKAGE)
        return
    build(may_install="--install" in arguments)


def build(*, may_install: bool) -> None:
    """Builds, unless nothing has changed."""
    if is_current():
        return
    rust = toolchain.rust_environment()
    # Node's folder comes first in its environment, and may have a Rust, too: the chosen one compiles.
    environment = node.node_environment(rust, may_install=may_install)
    core = wasm_core.compile_core(rust, may_install=may_install)
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(core, WORK / "rules.wasm")
    (WORK / "words.json").write_text(json.dumps(words(), ensure_ascii=False), encoding="utf-8")
    install_packages(environment)
    write(bundle(environment))


def is_current() -> bool:
    """Tests whether what lies there was made from the sources as they are."""
    try:
        manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    files = [*manifest["files"].values(), *(name for names in manifest["imports"].values() for name in names)]
    return manifest["sources"] == sources_digest() and all((STATIC / name).exists() for name in files)


def sources_digest() -> str:
    """Gives the SHA-256 of everything that what the browser gets is made from."""
    files = [
        *(ROOT / "crates" / "rules" / "src").rglob("*.rs"),
        *(ROOT / "crates" / "wasm" / "src").rglob("*.rs"),
    ]
    files += [path for path in (WEB / "src").rglob("*") if path.is_file()]
    files += catalogues()
    files += [WEB / "package.json", WEB / "package-lock.json", WEB / "tsconfig.json", Path(__file__)]
    # A source distribution rewrites the list of the workspace's members, but not how they are compiled.
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    total = hashlib.sha256(json.dumps(manifest["profile"], sort_keys=True).encode())
    for file in sorted(files):
        total.update(file.relative_to(ROOT).as_posix().encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def words() -> dict[str, dict[str, str]]:
    """Gives the texts that the board shows by itself, by language, out of the catalogues."""
    from babel.messages.pofile import read_po

    found: dict[str, dict[str, str]] = {}
    for file in catalogues():
        with file.open("rb") as source:
            catalogue = read_po(source)
        texts = {str(one.id): str(one.string) for one in catalogue if str(one.id).startswith(WORDS)}
        found[file.parts[-3]] = dict(sorted(texts.items()))
    return found


def catalogues() -> list[Path]:
    """Lists the catalogues, one a language."""
    return sorted((ROOT / "src" / "hnefi" / "locale").glob("*/LC_MESSAGES/*.po"))


def install_packages(environment: dict[str, str]) -> None:
    """Installs what `web/package-lock.json` pins, unless it is there."""
    key = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp = WEB / "node_modules" / ".hnefi-stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    run(["node", environment["HNEFI_NPM"], "ci", "--loglevel=error"], environment, "npm")
    stamp.write_text(key, encoding="utf-8")


def bundle(environment: dict[str, str]) -> dict[str, dict[str, object]]:
    """Bundles the entries into `target/web/static`, and gives what was written, by name.

    What the entries share goes into files of its own; the board alone is one file that has everything in it.
    """
    shutil.rmtree(WORK / "static", ignore_errors=True)
    entries = sorted((WEB / "src" / "entries").iterdir())
    shared = esbuild(environment, entries, "--splitting", "--loader:.wasm=file")
    return shared | esbuild(environment, [WEB / "src" / "board" / "alone.ts"], "--loader:.wasm=dataurl")


def esbuild(environment: dict[str, str], entries: list[Path], *options: str) -> dict[str, dict[str, object]]:
    """Bundles some entries, and gives what was written, by name."""
    command = [
        "node",
        "node_modules/esbuild/bin/esbuild",
        *(entry.relative_to(WEB).as_posix() for entry in entries),
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022",
        "--charset=utf8",
        f"--alias:hnefi-words.json={WORK / 'words.json'}",
        f"--alias:hnefi-rules.wasm={WORK / 'rules.wasm'}",
        "--entry-names=[name]-[hash]",
        "--chunk-names=shared-[hash]",
        "--asset-names=[name]-[hash]",
        f"--outdir={WORK / 'static'}",
        f"--metafile={WORK / 'built.json'}",
        "--log-level=warning",
        *options,
    ]
    run(command, environment, "esbuild")
    outputs = json.loads((WORK / "built.json").read_text(encoding="utf-8"))["outputs"]
    return {Path(path).name: output for path, output in outputs.items()}


def write(outputs: dict[str, dict[str, object]]) -> None:
    """Puts the files in their place, and the manifest last: without it nothing counts as built."""
    manifest: dict[str, object] = {"sources": sources_digest(), "files": {}, "imports": {}}
    files: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    for name, output in sorted(outputs.items()):
        entry = output.get("entryPoint")
        if isinstance(entry, str):
            logical = Path(entry).stem + Path(name).suffix
            files[logical] = name
            found = output.get("imports")
            assert isinstance(found, list)
            imports[logical] = sorted(
                Path(one["path"]).name for one in found if one["kind"] == "import-statement"
            )
        elif name.endswith(".wasm"):
            files["rules.wasm"] = name
    manifest |= {"files": files, "imports": imports}
    STATIC.mkdir(parents=True, exist_ok=True)
    for old in STATIC.iterdir():
        if old.name not in outputs:
            old.unlink()
    for name in outputs:
        # In one step, so that a server that runs meanwhile never sends half a file.
        shutil.copyfile(WORK / "static" / name, STATIC / f".{name}")
        (STATIC / f".{name}").replace(STATIC / name)
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def run(command: list[str], environment: dict[str, str], what: str) -> None:
    """Runs a program in `web`; ends this one with what it says if it fails."""
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\n{what} failed; what it found stands above.")


if __name__ == "__main__":
    os.chdir(ROOT)
    main(sys.argv[1:])
