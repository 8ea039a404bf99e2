"""Setup and build tools: missing or outdated programs are found, installed or reported."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import build_web
import node
import packages
import programs
import pytest
import script_groups
import setup
import toolchain
import wasm_core
import web_layers

from tests.deep.mutate import MUTATIONS, RULES

ROOT = Path(__file__).parents[1]
OLD, NEW = "rustc 1.63.0 (4b91a6ea7 2022-08-08)", "rustc 1.99.0 (59807616e 2027-04-14)"


def put_programs(folder: Path, **lines: str) -> None:
    """Puts programs into a folder that each run a line of the shell."""
    for name, line in lines.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)


def rust(folder: Path, answer: str) -> Path:
    """Puts a `rustc` that gives this answer, and a `cargo`, into a folder."""
    folder.mkdir()
    put_programs(folder, cargo=f"echo '{answer}'", rustc=f"echo '{answer}'")
    return folder


def backend(program: str, path: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a piece of the build backend in an environment of its own."""
    environment = {"PATH": path, "PYTHONPATH": str(ROOT / "build_backend"), **variables}
    command = [sys.executable, "-c", f"import os, hnefi_build\n{program}"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("answer", [OLD, ""], ids=["old", "silent"])
def test_an_unsuitable_rust_is_passed_over_for_a_newer_one(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, new = rust(tmp_path / "first", answer), rust(tmp_path / "new", NEW)
    monkeypatch.setenv("PATH", f"{first}{os.pathsep}{new}{os.pathsep}{os.environ['PATH']}")
    environment = toolchain.rust_environment()
    assert environment["PATH"].split(os.pathsep)[0] == str(new)
    assert toolchain.compiler_version(environment) == NEW


@pytest.mark.parametrize(
    ("answer", "message"),
    [(OLD, "needs a newer Rust than 1.63"), ("", "does not answer"), (None, "which was not found")],
    ids=["old", "silent", "missing"],
)
def test_the_build_reports_an_unsuitable_rust_in_one_sentence(
    tmp_path: Path, answer: str | None, message: str
) -> None:
    path = tmp_path if answer is None else rust(tmp_path / "bin", answer)
    run = backend("hnefi_build._check_rust()", str(path))
    assert run.returncode == 1
    assert message in run.stderr
    assert "install Rust 1.85 or newer" in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("variables", "flags"),
    [
        ({}, "-C target-cpu=x86-64-v2" if platform.machine() == "x86_64" else "None"),
        ({"CARGO_BUILD_TARGET": "x86_64-unknown-linux-gnu"}, "-C target-cpu=x86-64-v2"),
        ({"CARGO_BUILD_TARGET": "aarch64-unknown-linux-gnu"}, "None"),
        ({"HNEFI_NATIVE": "1"}, "-C target-cpu=native"),
        ({"HNEFI_NATIVE": "1", "RUSTFLAGS": "-C debuginfo=1"}, "-C debuginfo=1"),
    ],
    ids=["usual", "x86-64", "other family", "native", "flags that are set"],
)
def test_the_processor_that_is_compiled_for(variables: dict[str, str], flags: str) -> None:
    program = "hnefi_build._choose_processor(); print(os.environ.get('RUSTFLAGS'))"
    assert backend(program, "", **variables).stdout.strip() == flags


def test_every_target_of_make_has_its_line_of_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = makefile.partition(".PHONY:")[2].partition("\n")[0].split()
    run = subprocess.run(
        ["make", "-C", str(ROOT), "--no-print-directory"], capture_output=True, text=True, check=True
    )
    assert [line.split()[1] for line in run.stdout.splitlines()] == targets


# --- The pages --------------------------------------------------------------------------------------------


def test_an_old_node_is_no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "_packaged", lambda: None)
    put_programs(tmp_path, node="echo v18.20.4", npm="echo 9.2.0")
    environment = {"PATH": str(tmp_path)}
    assert not node.is_found(environment)
    with pytest.raises(SystemExit, match=r"Node 20 or newer: install it with npm .* or run `pip install"):
        node.node_environment(environment, may_install=False)
    put_programs(tmp_path, node="echo v20.1.0")
    assert node.node_environment(environment, may_install=False)["HNEFI_NPM"] == str(tmp_path / "npm")


def test_missing_webassembly_target_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_has_target", "_add_target", "_is_enough"):
        monkeypatch.setattr(wasm_core, name, lambda _: False)
    with pytest.raises(SystemExit, match=r"rustup target add wasm32-unknown-unknown.*rust-web-src and lld"):
        wasm_core.compile_core({"PATH": ""}, may_install=False)


@pytest.mark.parametrize("has_library", [True, False])
@pytest.mark.parametrize("has_linker", [True, False])
def test_a_compiler_gets_the_linker_and_the_library_that_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_library: bool, has_linker: bool
) -> None:
    log = tmp_path / "log"
    targets = tmp_path / "lib" / "rustlib"
    library = targets / wasm_core.TARGET / "lib" / "libstd-0.rlib"
    linker = targets / "x86_64-unknown-linux-gnu" / "bin" / "rust-lld"
    for path, is_there in ((library, has_library), (linker, has_linker)):
        path.parent.mkdir(parents=True)
        if is_there:
            path.touch()
    programs = {
        "rustc": f'[ "$2" = sysroot ] && echo {tmp_path} || echo {library.parent}',
        "cargo": f'echo "$*" "bootstrap=$RUSTC_BOOTSTRAP" "linker=${wasm_core._LINKER}" > {log}',
        "wasm-ld": "",
    }
    put_programs(tmp_path, **programs)
    monkeypatch.setattr(wasm_core, "_debian", lambda environment, may_install: environment)  # noqa: ARG005
    wasm_core.compile_core({"PATH": str(tmp_path)}, may_install=False)
    arguments = log.read_text()
    assert ("-Z build-std=std,panic_abort" in arguments) is not has_library
    assert f"bootstrap={'' if has_library else '1'} " in arguments
    assert arguments.endswith(f"linker={'' if has_linker else 'wasm-ld'}\n")


def test_pages_are_built_anew_when_a_source_changes_or_a_file_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = json.loads(build_web.MANIFEST.read_text(encoding="utf-8"))["sources"]
    monkeypatch.setattr(build_web, "sources_digest", lambda: "of other sources")
    assert not build_web.is_current()
    monkeypatch.setattr(build_web, "sources_digest", lambda: built)
    shutil.copytree(build_web.STATIC, tmp_path / "static")
    monkeypatch.setattr(build_web, "STATIC", tmp_path / "static")
    monkeypatch.setattr(build_web, "MANIFEST", tmp_path / "static" / "manifest.json")
    assert build_web.is_current()
    next((tmp_path / "static").glob("*.wasm")).unlink()
    assert not build_web.is_current()


def test_one_build_of_the_pages_runs_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_web, "LOCK", tmp_path / "target" / "web.lock")
    program = (
        "import fcntl, sys\n"
        "with open(sys.argv[1], 'w') as file:\n"
        "    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
    )
    command = [sys.executable, "-c", program, str(build_web.LOCK)]
    with build_web.alone():
        second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "BlockingIOError" in second.stderr
    subprocess.run(command, check=True)


def test_packages_for_checks_are_installed_beside_those_for_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(build_web, "PACKAGES_STAMP", tmp_path / "stamp")
    monkeypatch.setattr(build_web, "run", lambda command, *_: commands.append(command))
    for dev in (False, False, True, False, True):
        build_web.install_packages({"HNEFI_NPM": "npm"}, dev=dev)
    assert [command[2:] for command in commands] == [
        ["ci", "--loglevel=error", "--omit=dev"],
        ["ci", "--loglevel=error"],
    ]


def test_every_source_of_the_pages_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_web.sources_digest()
    web = tmp_path / "web"
    shutil.copytree(build_web.WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    for name in ("Cargo.toml", "crates", "src", "tools"):
        (tmp_path / name).symlink_to(build_web.ROOT / name)
    monkeypatch.setattr(build_web, "ROOT", tmp_path)
    monkeypatch.setattr(build_web, "WEB", web)
    monkeypatch.setattr(build_web, "__file__", str(tmp_path / "tools" / "build_web.py"))
    assert build_web.sources_digest() == before
    (web / "src" / "rules.ts").write_text("// changed\n")
    assert build_web.sources_digest() != before


@pytest.mark.parametrize(
    ("size", "active", "loaded"),
    [
        (100, set(), {"first.js", "second.js"}),
        (9_000, set(), {"second.js"}),
        (100, {"first.js"}, {"second.js"}),
    ],
)
def test_shared_files_are_joined_if_few_bytes_are_loaded_in_vain(
    size: int, active: set[str], loaded: set[str]
) -> None:
    def part(size: int, *names: str) -> dict[str, Any]:
        return {"bytes": size, "imports": [{"kind": "import-statement", "path": name} for name in names]}

    parts = {
        "first.js": part(size),
        "second.js": part(100),
        "a.js": part(10, "first.js", "second.js") | {"entryPoint": "a.ts"},
        "b.js": part(10, "first.js", "second.js") | {"entryPoint": "b.ts"},
        "c.js": part(10, "second.js") | {"entryPoint": "c.ts"},
    }
    shared = script_groups.shared_by(parts, ["a.js", "b.js", "c.js"], active)
    assert shared == {"a.js": {"first.js", "second.js"}, "b.js": {"first.js", "second.js"}, "c.js": loaded}


def test_forbidden_imports_of_pages_are_found(tmp_path: Path) -> None:
    modules = {
        "rules.ts": "",
        "board/element.ts": 'import { Rules } from "../rules.ts";\n',
        "game/page.tsx": 'import {\n  type A,\n} from "../entries/home.tsx";\nimport "../rules.ts";\n',
        "entries/home.tsx": 'const page = await import("../game/page.tsx");\n',
        "pages/new/new.ts": 'import type { A } from "../home/home.ts";\n',
        "pages/home/home.ts": 'import "./parts.ts";\nimport "../../game/page.tsx";\n',
        "pages/home/parts.ts": "",
    }
    for name, text in modules.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    upwards, sideways, cycle = web_layers.forbidden_imports(web_layers.imports_of(tmp_path))
    assert upwards == "game/page.tsx -> entries/home.tsx"
    assert sideways == "pages/new/new.ts -> pages/home/home.ts"
    assert set(cycle.split(" -> ")) == {"game/page.tsx", "entries/home.tsx"}


def test_every_mutation_matches_the_rules_once() -> None:
    sources = {name: (ROOT / RULES / name).read_text("utf-8") for name in {one.file for one in MUTATIONS}}
    found = {fault.meaning: sources[fault.file].count(fault.old) for fault in MUTATIONS}
    assert set(found.values()) == {1}, [meaning for meaning, times in found.items() if times != 1]


# --- What is set up ----------------------------------------------------------------------------------------


def pins(name: str) -> set[str]:
    """The packages that a file of requirements pins, with their versions."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return {line.split(" ")[0] for line in text.splitlines() if re.match(r"[a-z]", line)}


def test_playing_needs_a_part_of_the_packages_and_no_tool_of_the_tests() -> None:
    assert pins("play") < pins("dev")
    tools = {name.partition("==")[0] for name in pins("dev") - pins("play")}
    assert {"pytest", "playwright", "mypy", "ruff", "zensical"} <= tools


@pytest.mark.parametrize("name", ["play", "dev"])
def test_requirements_hold_no_address(name: str) -> None:
    assert "://" not in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "installed"),
    [
        (["play"], {"play", "pages", "core: release"}),
        ([], {"dev", "TypeScript", "core: ci", "programs"}),
        (["release"], {"dev", "TypeScript", "core: release", "programs"}),
    ],
)
def test_programs_are_installed_for_tests_only(
    arguments: list[str], installed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = set[str]()
    for step in ("make_venv", "compile_catalogues"):
        monkeypatch.setattr(setup, step, lambda *_: None)
    monkeypatch.setattr(toolchain, "rust_environment", lambda: {"PATH": ""})
    monkeypatch.setattr(setup, "install_packages", lambda _, purpose: done.add(purpose))
    monkeypatch.setattr(setup, "install_hnefi", lambda _, profile: done.add(f"core: {profile}"))
    monkeypatch.setattr(setup, "build_pages", lambda _, dev: done.add("TypeScript" if dev else "pages"))
    monkeypatch.setattr(programs, "install_programs", lambda: done.add("programs"))
    setup.main(arguments)
    assert done == installed


def test_missing_programs_are_installed_or_named_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    monkeypatch.setattr(programs, "_PATH", str(tmp_path))
    monkeypatch.setattr(programs, "find_postgres", lambda: tmp_path)
    monkeypatch.setattr(packages, "refresh", lambda: True)
    monkeypatch.setattr(packages, "install", lambda *names: asked.extend(names))
    for name in ("nginx", "openssl"):
        (tmp_path / name).touch(0o755)
    with pytest.raises(SystemExit, match=r"^The tests need .*: chromium-headless-shell procps$"):
        programs.install_programs()
    assert asked == ["chromium-headless-shell", "procps"]


def test_packages_that_are_there_are_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "perform", lambda _, command, __: done.append(command.split("/")[-1]))
    for purpose in ("play", "play", "dev", "play", "dev"):
        setup.install_packages({}, purpose)
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / "uv").touch()
    assert done == ["uv.txt", "play.txt", "dev.txt"]
