"""Builds scripts, styles and the WebAssembly of rules and engine into `src/hnefi/server/static`.

Every file of `web/src/entries`, and every file that a page declares, becomes one file there with a digest in
its name; `manifest.json` lists them. Nothing is built if the sources have not changed. A source distribution
has the files and needs no Node.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import engine_data
import node
import toolchain
import wasm_core
from script_groups import imported_by, is_shared, shared_by

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
PACKAGE = ROOT / "src" / "hnefi"
STATIC = PACKAGE / "server" / "static"
DECLARATIONS = "src/hnefi/server/pages/all_pages.py"
MANIFEST = STATIC / "manifest.json"
WORK = ROOT / "target" / "web"
LOCK = ROOT / "target" / "web.lock"
PACKAGES_STAMP = WEB / "node_modules" / ".hnefi-stamp"
BOARD_TEXTS = "board."
BROTLI_PROGRAM = """
const fs = require("node:fs"), zlib = require("node:zlib");
for (const path of process.argv.slice(1)) {
    const content = fs.readFileSync(path);
    const params = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    fs.writeFileSync(`${path}.br`, zlib.brotliCompressSync(content, { params }));
}
"""


def main(arguments: list[str]) -> None:
    """Builds the pages, unless nothing has changed.

    `--install` installs missing tools, `--dev` also those of checks; `--requires` only prints the Python
    packages that would be installed.
    """
    if "--requires" in arguments:
        if not is_current() and not node.is_found(dict(os.environ)):
            print(node.PYTHON_PACKAGE)
        return
    with alone():
        if "--dev" in arguments:
            install_packages(node.node_environment(dict(os.environ), may_install=True), dev=True)
        _build(may_install="--install" in arguments)


@contextmanager
def alone() -> Iterator[None]:
    """Waits until no other build of this tree runs: two would write the same files."""
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    with LOCK.open("w", encoding="utf-8") as file:
        # Windows has no `flock`: there the lock is only a file.
        with suppress(ImportError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(*, may_install: bool) -> None:
    """Builds the pages, unless nothing has changed; only one build of a tree runs at a time."""
    with alone():
        _build(may_install=may_install)


def _build(*, may_install: bool) -> None:
    if is_current():
        return
    rust = toolchain.rust_environment()
    # Node's folder comes first in its PATH and may contain a Rust: the core is compiled with the chosen one.
    environment = node.node_environment(rust, may_install=may_install)
    rules, engine = wasm_core.compile_core(rust, may_install=may_install)
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(rules, WORK / "rules.wasm")
    shutil.copyfile(engine, WORK / "engine.wasm")
    (WORK / "engine.json").write_text(json.dumps(engine_data.levels_and_weights()), encoding="utf-8")
    engine_data.write_networks(WORK)
    engine_data.write_books(WORK)
    (WORK / "words.json").write_text(json.dumps(board_texts(), ensure_ascii=False), encoding="utf-8")
    install_packages(environment)
    outputs = bundle(environment)
    compress(environment)
    write(outputs)


def is_current() -> bool:
    """Checks whether the built files match the sources."""
    try:
        manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    files = [*manifest["files"].values(), *(name for names in manifest["imports"].values() for name in names)]
    return manifest["sources"] == sources_digest() and all((STATIC / name).exists() for name in files)


def sources_digest() -> str:
    """Returns the SHA-256 of all sources of the built files."""
    files = [
        *(ROOT / "crates" / "rules" / "src").rglob("*.rs"),
        *(ROOT / "crates" / "search" / "src").rglob("*.rs"),
        *(ROOT / "crates" / "wasm" / "src").rglob("*.rs"),
        *(ROOT / "src" / "hnefi" / "weights").glob("*.json"),
        *(ROOT / "src" / "hnefi" / "books").glob("*.json"),
        *(ROOT / "src" / "hnefi" / name for name in ("engine/levels.toml", "measure.py")),
    ]
    files += [path for path in (WEB / "src").rglob("*") if path.is_file()]
    files.append(ROOT / DECLARATIONS)
    files += catalogues()
    files += [WEB / "package.json", WEB / "package-lock.json", WEB / "tsconfig.json"]
    files += [
        Path(__file__).with_name(f"{name}.py") for name in ("build_web", "engine_data", "script_groups")
    ]
    # A source distribution changes the list of the workspace's members, but not how they are compiled.
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    total = hashlib.sha256(json.dumps(manifest["profile"], sort_keys=True).encode())
    for file in sorted(files):
        total.update(file.relative_to(ROOT).as_posix().encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def board_texts() -> dict[str, dict[str, str]]:
    """Returns the texts of the board from the catalogues, by language."""
    from babel.messages.pofile import read_po

    by_language: dict[str, dict[str, str]] = {}
    for file in catalogues():
        with file.open("rb") as source:
            catalogue = read_po(source)
        texts = {str(one.id): str(one.string) for one in catalogue if str(one.id).startswith(BOARD_TEXTS)}
        by_language[file.parts[-3]] = dict(sorted(texts.items()))
    return by_language


def catalogues() -> list[Path]:
    """Returns the catalogues, one for each language."""
    return sorted((ROOT / "src" / "hnefi" / "locale").glob("*/LC_MESSAGES/*.po"))


def install_packages(environment: dict[str, str], *, dev: bool = False) -> None:
    """Installs what `web/package-lock.json` pins, unless it is there; for checks also TypeScript."""
    if has_packages(dev=dev):
        return
    scope = [] if dev else ["--omit=dev"]
    run(["node", environment["HNEFI_NPM"], "ci", "--loglevel=error", *scope], environment, "npm")
    PACKAGES_STAMP.write_text(packages_key(dev=dev), encoding="utf-8")


def has_packages(*, dev: bool) -> bool:
    """Checks whether the packages are installed, for checks also TypeScript."""
    installed = PACKAGES_STAMP.read_text(encoding="utf-8") if PACKAGES_STAMP.exists() else ""
    return installed == packages_key(dev=True) or (installed == packages_key(dev=False) and not dev)


def packages_key(*, dev: bool) -> str:
    """Returns the SHA-256 of the pinned packages, and whether those for checks are among them."""
    return hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest() + (" dev" if dev else "")


def bundle(environment: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Bundles the entries into `target/web/static`; returns esbuild's description of each file by its name.

    Code that scripts share is split into files of its own. The board alone is one file with everything in it;
    that of `hnefi.notebook` is one without rules and texts, which Python has.
    """
    shutil.rmtree(WORK / "static", ignore_errors=True)
    files = ["--loader:.book=file", "--loader:.network=file"]
    engine_worker = [WEB / "src" / "engine" / "engine_worker.ts"]
    worker = esbuild(environment, engine_worker, *files)
    entries = sorted([*(WEB / "src" / "entries").iterdir(), *page_entries()])
    script = next(name for name in worker if name.endswith(".js"))
    address = f"new URL({json.dumps(script)}, import.meta.url)"
    beside = f'export default (name) => new Worker({address}, {{ type: "module", name }});'
    scripts = [entry for entry in entries if entry.suffix != ".css"]
    wasm = ["--loader:.book=file", "--loader:.wasm=file", worker_module("worker.ts", beside)]
    styles = esbuild(
        environment, [entry for entry in entries if entry not in scripts], "--loader:.woff2=file"
    )
    shared = split(environment, scripts, *wasm)
    # Classic scripts: pages that are opened from a folder may not load modules or files. All is in them.
    engine_data.write_compressed(WORK)
    kinds = [f"--loader:.{kind}=dataurl" for kind in ("gz", "network")]
    inside = [f"--alias:hnefi-{name}={WORK / f'{name}.gz'}" for name in ("rules.wasm", "engine.wasm")]
    inside.append(f"--alias:hnefi-books.ts={WORK / 'compressed_books.ts'}")
    classic = ["--format=iife", "--define:import.meta.url=undefined", *kinds, *inside]
    alone = esbuild(environment, [WEB / "src" / "board" / "alone.ts"], *classic)
    # Only a board with `src` would load the game of its own.
    apart = ["--external:./standalone_game.ts", f"--alias:hnefi-words.json={WORK / 'no_words.json'}"]
    (WORK / "no_words.json").write_text("{}", encoding="utf-8")
    notebook = esbuild(environment, [WEB / "src" / "board" / "notebook.ts"], *apart)
    esbuild(environment, engine_worker, *classic, "--entry-names=worker", f"--outdir={WORK}")
    starting = """import script from "./worker.txt";
const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
export default (name) => new Worker(address, { name });"""
    (WORK / "worker.js").replace(WORK / "worker.txt")
    page = [WEB / "src" / "opened" / "opened.tsx"]
    opened = esbuild(environment, page, *classic, worker_module("embedded_worker.ts", starting))
    return worker | styles | shared | alone | notebook | opened


def split(environment: dict[str, str], entries: list[Path], *options: str) -> dict[str, dict[str, Any]]:
    """Bundles scripts, and what they share into few files; returns esbuild's description of each by its name.

    By itself esbuild writes a file for each set of scripts that share something, most below a kilobyte. Here
    it bundles these files once more: those that the same scripts import become one.
    """
    folder = WORK / "split"
    shutil.rmtree(folder, ignore_errors=True)
    parts = esbuild(
        environment, entries, "--splitting", *options, "--entry-names=[name]", f"--outdir={folder}"
    )
    shared = [folder / name for name, part in parts.items() if is_shared(name, part)]
    # A page without the engine must not wait for its file before browsers keep it.
    active = active_files(environment, shared) | {
        path.name for path in shared if re.search(r'\.(wasm|book|network)"', path.read_text(encoding="utf-8"))
    }
    pages = sorted(f"{entry.stem}.js" for entry in entries)
    for name, imported in shared_by(parts, pages, active).items():
        path = folder / name
        imports = "".join(f'import "./{one}";' for one in sorted(imported))
        path.write_text(imports + path.read_text(encoding="utf-8"), encoding="utf-8")
    files = {name: part for name, part in parts.items() if not name.endswith(".js")}
    for name in files:
        (folder / name).rename(WORK / "static" / name)
    outputs = esbuild(environment, [folder / f"{entry.stem}.js" for entry in entries], "--splitting")
    for output in outputs.values():
        if entry := output.get("entryPoint"):
            output["entryPoint"] = parts[Path(entry).name]["entryPoint"]
    return files | outputs


def active_files(environment: dict[str, str], paths: list[Path]) -> set[str]:
    """Returns the names of the scripts that do something when they are loaded, beside what they import."""
    folder = WORK / "active"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copies = [folder / path.name for path in paths]
    for path, copy in zip(paths, copies, strict=True):
        copy.write_text(re.sub(r"export\{[^}]*\};", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    # What nothing uses is left out.
    left = f"--outdir={folder / 'left'}"
    esbuild(environment, copies, "--external:./shared-*", "--entry-names=[name]", left)
    texts = {path.name: path.read_text(encoding="utf-8") for path in (folder / "left").iterdir()}
    return {name for name, text in texts.items() if re.sub(r'import[^"]*"[^"]*";', "", text).strip()}


def worker_module(name: str, module: str) -> str:
    """Writes the module that starts the worker of the engine; returns the option for esbuild."""
    (WORK / name).write_text(f"{module}\n", encoding="utf-8")
    return f"--alias:hnefi-engine-worker.ts={WORK / name}"


def page_entries() -> list[Path]:
    """Returns the scripts and style sheets that pages declare as their `files`."""
    found: set[Path] = set()
    for listed in re.findall(r"files=\(([^)]*)\)", (ROOT / DECLARATIONS).read_text(encoding="utf-8")):
        if re.sub(r'"\w+\.(?:js|css)"|[,\s]', "", listed):
            sys.exit(f"{DECLARATIONS}: files=({listed}), expected names in quotes alone")
        for name in re.findall(r'"(\w+\.(?:js|css))"', listed):
            for one in (name, f"{name[:-2]}ts", f"{name[:-2]}tsx"):
                found |= {*(WEB / "src" / "pages").glob(f"*/{one}")}
    return sorted(found)


def esbuild(environment: dict[str, str], entries: list[Path], *options: str) -> dict[str, dict[str, Any]]:
    """Bundles entries; returns esbuild's description of each file by its name."""
    command = [
        "node",
        "node_modules/esbuild/bin/esbuild",
        *(Path(os.path.relpath(entry, WEB)).as_posix() for entry in entries),
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022",
        "--charset=utf8",
        f"--alias:hnefi-words.json={WORK / 'words.json'}",
        f"--alias:hnefi-rules.wasm={WORK / 'rules.wasm'}",
        f"--alias:hnefi-engine.wasm={WORK / 'engine.wasm'}",
        f"--alias:hnefi-engine.json={WORK / 'engine.json'}",
        f"--alias:hnefi-networks.ts={WORK / 'networks.ts'}",
        f"--alias:hnefi-books.ts={WORK / 'books.ts'}",
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


def compress(environment: dict[str, str]) -> None:
    """Writes each module, script and style sheet in Brotli beside it (suffix `.br`), for servers to send.

    Node has Brotli, Python has not. The engine becomes a quarter smaller than with gzip.
    """
    paths = [
        str(path)
        for path in (WORK / "static").iterdir()
        if path.suffix in (".wasm", ".js", ".css", ".book", ".network")
    ]
    run(["node", "--eval", BROTLI_PROGRAM, *paths], environment, "Brotli")


def write(outputs: dict[str, dict[str, Any]]) -> None:
    """Moves the files to their place, and writes the manifest last: it makes them current."""
    manifest: dict[str, object] = {"sources": sources_digest(), "files": {}, "imports": {}}
    files: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    for name, output in sorted(outputs.items()):
        if entry := output.get("entryPoint"):
            logical = Path(entry).stem + Path(name).suffix
            files[logical] = name
            imports[logical] = sorted(imported_by(output)["import-statement"])
        elif (suffix := Path(name).suffix) in (".wasm", ".woff2", ".book", ".network"):
            files[f"{name.rpartition('-')[0]}{suffix}"] = name
    manifest |= {"files": files, "imports": imports}
    STATIC.mkdir(parents=True, exist_ok=True)
    built = [path.name for path in (WORK / "static").iterdir()]
    for old in STATIC.iterdir():
        if old.name not in built:
            old.unlink()
    for name in built:
        # Atomically: a running server must not send half a file.
        shutil.copyfile(WORK / "static" / name, STATIC / f".{name}")
        (STATIC / f".{name}").replace(STATIC / name)
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def run(command: list[str], environment: dict[str, str], name: str) -> None:
    """Runs a program in `web`; exits with its output if it fails."""
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\n{name} failed; its output is above.")


if __name__ == "__main__":
    os.chdir(ROOT)
    main(sys.argv[1:])
