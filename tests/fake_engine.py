"""A UGI engine that fails in a given way: `python fake_engine.py MODE [FILE]`; see `main`."""

import subprocess
import sys
import time
from pathlib import Path

COMMAND = f"{sys.executable} {__file__}"
"""The command line without the mode."""

_LONG_S = 60


def main(mode: str, note: str = "") -> None:
    """Speaks a minimum of UGI, and fails in the way of the mode; `well` does not fail.

    With a file, it fails only once: while there is no such file. `stalls N` plays as ours does, but when it
    is asked for the next after N answers it makes the file and thinks until it is stopped.
    """
    if mode.startswith("stalls "):
        _stall(int(mode.split()[1]), Path(note))
        return
    if note and Path(note).exists():
        mode = "well"
    if mode == "dies":
        sys.exit(3)
    for line in sys.stdin:
        word = line.split()[0]
        if word == "ugi":
            _introduce(mode)
        elif word == "isready":
            _write("readyok")
        elif word == "go":
            if note:
                Path(note).touch()
            _go(mode)
        elif word == "quit":
            break


def _introduce(mode: str) -> None:
    if mode == "silent":
        time.sleep(_LONG_S)
    if mode != "nameless":
        _write("id name Fake\x1b[31m" if mode == "coloured" else "id name Fake")
    if mode != "poor":
        _write("option name Variant type combo default x")
    _write("option name Style type string default x")
    _write("ugiok")


def _go(mode: str) -> None:
    if mode == "illegal":
        _write("bestmove a1-a9")
    elif mode == "nonsense":
        _write("bestmove")
    elif mode == "babbles":
        _write("info depth x score cp y pv z9\ninfo\ngarbage\nbestmove d2-c2")
    elif mode == "crashes":
        print("no more of this", file=sys.stderr)
        sys.exit(7)
    elif mode == "hangs":
        time.sleep(_LONG_S)
    elif mode == "never ends":
        while True:
            _write("info string thinking")
            time.sleep(0.001)
    else:
        _write("info depth 1 score cp 12 pv d2-c2\nbestmove d2-c2")


def _stall(answers: int, note: Path) -> None:
    ours = Path(sys.executable).with_name("hnefi")
    with subprocess.Popen([ours, "engine"], stdin=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        for line in sys.stdin:
            word = line.split()[0]
            answers -= word == "go"
            if answers < 0 and word == "go":
                note.touch()
            elif answers < 0 and word == "stop":
                _write("bestmove none")
            else:
                engine.stdin.write(line)
                engine.stdin.flush()
        engine.stdin.close()


def _write(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
