"""Compiles the rules core to WebAssembly, with whatever compiler of this machine can.

Rust's own target is one way; `rustup` adds it. Debian's packages are the other: they hold no standard library
for WebAssembly, but its sources, and compile it on the way.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import packages

ROOT = Path(__file__).parents[1]
TARGET = "wasm32-unknown-unknown"
DEBIAN_PACKAGES = (("rust-web-src", "lld"), ("rust-src", "lld"))

_ADVICE = (
    f"Hnefi's rules for the browser need a Rust that compiles to WebAssembly: run `rustup target add "
    f"{TARGET}`, or install Debian's packages rustc-web, cargo-web, rust-web-src and lld."
)


def compile_core(environment: dict[str, str], *, may_install: bool) -> Path:
    """Compiles `crates/wasm`, and gives the module's file.

    Ends the program with one sentence if no compiler of this machine can.

    Args:
        environment: Where `cargo` and `rustc` are found.
        may_install: Whether packages of the system may be installed for it.
    """
    # Flags and targets are meant for the core of this machine.
    unwanted = ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET")
    clean = {name: value for name, value in environment.items() if name not in unwanted}
    command = ["cargo", "build", "--quiet", "--locked", "--package", "hnefi-wasm", "--profile", "wasm"]
    if _has_target(clean) or _add_target(clean):
        _run([*command, "--target", TARGET], clean)
    else:
        _run([*command, *_STANDARD_LIBRARY, "--target", TARGET], _debian(clean, may_install=may_install))
    folder = Path(clean.get("CARGO_TARGET_DIR", ROOT / "target"))
    return folder / TARGET / "wasm" / "hnefi_wasm.wasm"


_STANDARD_LIBRARY = ("-Z", "build-std=std,panic_abort")


def _has_target(environment: dict[str, str]) -> bool:
    asked = ["rustc", "--print", "target-libdir", "--target", TARGET]
    answer = subprocess.run(asked, capture_output=True, text=True, check=False, env=environment)
    return answer.returncode == 0 and any(Path(answer.stdout.strip()).glob("libstd-*.rlib"))


def _add_target(environment: dict[str, str]) -> bool:
    if shutil.which("rustup", path=environment.get("PATH")) is None:
        return False
    command = ["rustup", "target", "add", TARGET]
    added = subprocess.run(command, capture_output=True, check=False, env=environment)
    return added.returncode == 0 and _has_target(environment)


def _debian(environment: dict[str, str], *, may_install: bool) -> dict[str, str]:
    """Gives the environment in which Debian's compiler makes the standard library too."""
    if not _has_sources() and may_install and packages.refresh():
        names = next((names for names in DEBIAN_PACKAGES if packages.candidate(names[0]) > (1, 84)), None)
        if names is not None:
            compiler = ("rustc-web", "cargo-web") if names[0] == "rust-web-src" else ("rustc", "cargo")
            packages.install(*compiler, *names)
    if not _has_sources():
        sys.exit(_ADVICE)
    return {
        **environment,
        "PATH": f"/usr/bin:{environment.get('PATH', '')}",
        "RUSTC": "/usr/bin/rustc",
        # The one way to ask a released compiler for `-Z build-std`.
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": "wasm-ld",
    }


def _has_sources() -> bool:
    if not Path("/usr/bin/cargo").exists() or shutil.which("wasm-ld") is None:
        return False
    asked = ["/usr/bin/rustc", "--print", "sysroot"]
    sysroot = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return (Path(sysroot) / "lib" / "rustlib" / "src" / "rust" / "library" / "std").exists()


def _run(command: list[str], environment: dict[str, str]) -> None:
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{run.stdout}{run.stderr}\nCompiling to WebAssembly failed; what Rust says is above.")
