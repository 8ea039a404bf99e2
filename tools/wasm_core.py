"""Compiles the rules, alone and with the engine, to WebAssembly, with any compiler that can do it.

Rust's own target is one way; `rustup` adds it. Debian's packages are the other: those of Debian 13 hold the
standard library for WebAssembly; those of Debian 12 only its sources, from which it is compiled on the way.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import packages
import toolchain

ROOT = Path(__file__).parents[1]
TARGET = "wasm32-unknown-unknown"
# What holds the library or its sources, the compiler and its cargo, and LLVM's linker.
DEBIAN_PACKAGES = (
    ("libstd-rust-dev-wasm32", "rustc", "cargo", "lld"),
    ("rust-web-src", "rustc-web", "cargo-web", "lld"),
    ("rust-src", "rustc", "cargo", "lld"),
)

_ADVICE = (
    f"Hnefi's rules for the browser need a Rust that compiles to WebAssembly: run `rustup target add "
    f"{TARGET}`, or install Debian's packages rustc, cargo, libstd-rust-dev-wasm32 and lld; "
    "on Debian 12 rustc-web, cargo-web, rust-web-src and lld."
)
_ENGINE_STACK = 4 << 20
_LINKER = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER"


def compile_core(environment: dict[str, str], *, may_install: bool) -> tuple[Path, Path]:
    """Compiles `crates/wasm`; returns the paths of the two modules, the rules and the engine.

    Ends the program with one sentence if no compiler of this machine can.

    Args:
        environment: Where `cargo` and `rustc` are found.
        may_install: Whether packages of the system may be installed for it.
    """
    # Flags and targets are meant for the core of this machine.
    unwanted = ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET")
    clean = {name: value for name, value in environment.items() if name not in unwanted}
    command = ["cargo", "build", "--quiet", "--locked", "--package", "hnefi-wasm", "--target", TARGET]
    if not (_has_target(clean) or _add_target(clean)):
        clean = _debian(clean, may_install=may_install)
        if not _has_target(clean):
            command += ["-Z", "build-std=std,panic_abort"]
            # The one way to ask a released compiler for `-Z`.
            clean["RUSTC_BOOTSTRAP"] = "1"
    clean = _with_linker(clean)
    _run([*command, "--profile", "wasm", "--no-default-features"], clean)
    # The search calls itself up to two hundred plies deep.
    clean["CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS"] = f"-C link-arg=-zstack-size={_ENGINE_STACK}"
    _run([*command, "--profile", "engine"], clean)
    folder = Path(clean.get("CARGO_TARGET_DIR", ROOT / "target")) / TARGET
    return folder / "wasm" / "hnefi_wasm.wasm", folder / "engine" / "hnefi_wasm.wasm"


def _has_target(environment: dict[str, str]) -> bool:
    asked = ["rustc", "--print", "target-libdir", "--target", TARGET]
    folder = toolchain.answer(asked, environment).strip()
    return folder != "" and any(Path(folder).glob("libstd-*.rlib"))


def _add_target(environment: dict[str, str]) -> bool:
    if shutil.which("rustup", path=environment.get("PATH")) is None:
        return False
    command = ["rustup", "target", "add", TARGET]
    added = subprocess.run(command, capture_output=True, check=False, env=environment)
    return added.returncode == 0 and _has_target(environment)


def _debian(environment: dict[str, str], *, may_install: bool) -> dict[str, str]:
    """Returns the environment in which Debian's compiler finds or builds the standard library."""
    environment = {
        **environment,
        "PATH": f"/usr/bin:{environment.get('PATH', '')}",
        "RUSTC": "/usr/bin/rustc",
    }
    if not _is_enough(environment) and may_install and packages.refresh():
        names = next((names for names in DEBIAN_PACKAGES if packages.candidate(names[0]) > (1, 84)), None)
        if names is not None:
            packages.install(*names)
    if not _is_enough(environment):
        sys.exit(_ADVICE)
    return environment


def _is_enough(environment: dict[str, str]) -> bool:
    if not Path("/usr/bin/cargo").exists() or not Path("/usr/bin/rustc").exists():
        return False
    has_library = _has_target(environment) or (_library_of(environment) / "src/rust/library/std").exists()
    return has_library and shutil.which("wasm-ld", path=environment["PATH"]) is not None


def _with_linker(environment: dict[str, str]) -> dict[str, str]:
    """Names LLVM's linker where Rust's own copy of it was left out, as Debian does."""
    own = any(_library_of(environment).glob("*/bin/rust-lld*"))
    if own or _LINKER in environment or shutil.which("wasm-ld", path=environment.get("PATH")) is None:
        return environment
    return {**environment, _LINKER: "wasm-ld"}


def _library_of(environment: dict[str, str]) -> Path:
    """Returns the folder of the compiler's targets."""
    return Path(toolchain.answer(["rustc", "--print", "sysroot"], environment).strip()) / "lib" / "rustlib"


def _run(command: list[str], environment: dict[str, str]) -> None:
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{run.stdout}{run.stderr}\nCompiling to WebAssembly failed; what Rust says is above.")
