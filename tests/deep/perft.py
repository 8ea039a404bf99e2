"""Verifies the perft counts of the booklet variants (tests/perft) with an independent C program (perft.c).

    python -m tests.deep.perft

Needs a C compiler, as building Hnefi does.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hnefi.variants import booklet_ids
from tests.deep.report import note
from tests.test_perft import COUNTS
from tests.worked import variant_tree

SOURCE = Path(__file__).parent / "perft.c"
KINDS = ("attackers", "defenders", "king")
ZONES = ("on_throne", "beside_throne", "elsewhere")
HOSTILITIES = ("never", "empty", "always")
MANNERS = ("custodial", "four_sides", "never")


def header(tree: dict[str, Any]) -> str:
    """Writes the parameters of a variant for the C program."""
    board, movement, hostility = tree["board"], tree["movement"], tree["hostility"]
    capture, ends = tree["capture"], tree["ends"]
    unknown = (board["camps"], capture["shieldwall"], ends["enclosure"], ends["exit_fort"])
    assert unknown == ([], "none", "none", "none"), "perft.c does not know these rules"
    assert (board["throne"], board["corners"]) == ("centre", "1x1"), "perft.c does not know such a board"
    arrays = {name: [int(kind in movement[name]) for kind in KINDS] for name in MOVEMENTS}
    arrays |= {name: [HOSTILITIES.index(hostility[name][kind]) for kind in KINDS] for name in SPECIAL}
    arrays["range"] = [movement["range"][kind] for kind in KINDS]
    arrays["king_capture"] = [MANNERS.index(capture["king_capture"][zone]) for zone in ZONES]
    numbers = {
        "size": board["size"],
        "edge_hostile_king": int(hostility["edge_hostile_king"]),
        "king_is_hammer": int(capture["king_armed"] in ("both", "hammer")),
        "king_is_anvil": int(capture["king_armed"] in ("both", "anvil")),
        "linnaean": ("none", "guard", "guard_and_king").index(capture["linnaean"]),
        "blocked_groups": ("none", "king_and_one", "groups").index(capture["blocked_groups"]),
        "goal_is_edge": int(ends["goal"] == "edge"),
        "guards_captured": int(ends["guards_captured"] != "none"),
        "attackers_captured": int(ends["attackers_captured"] != "none"),
        "tuichi": int(ends["tuichi"] != "none"),
        "passes": int(ends["no_move"] == "pass"),
        "quiet_limit": ends["quiet_limit"],
    }
    lines = [f"enum {{ {name.upper()} = {value} }};" for name, value in numbers.items()]
    lines += [
        f"static const int {name.upper()}[3] = {{{', '.join(map(str, values))}}};"
        for name, values in arrays.items()
    ]
    return "\n".join(lines) + "\n"


MOVEMENTS = ("throne_stop", "throne_pass", "corner_stop")
SPECIAL = ("throne_hostile", "corner_hostile")


def main() -> None:
    """Counts everything; the exit code is 1 if a number differs."""
    begin, wrong = time.monotonic(), 0
    counts = [count for count in COUNTS if count.variant in booklet_ids()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for identity in booklet_ids():
            (folder / "rules.h").write_text(header(variant_tree(identity)), encoding="utf-8")
            compiler = ["cc", "-O2", "-Wall", "-I", str(folder), "-o", str(folder / identity), str(SOURCE)]
            subprocess.run(compiler, check=True)
        for count in counts:
            command = [str(folder / count.variant), *count.position.split(), str(count.depth)]
            nodes = int(subprocess.check_output(command))
            if nodes != count.nodes:
                wrong += 1
                print(f"{count}: {nodes} instead of {count.nodes} from {count.position}", flush=True)
    deepest = max(counts, key=lambda count: count.nodes)
    done = f"{len(counts)} counts of tests/perft by a second program, up to {deepest.nodes:,}"
    result = f"{wrong} differ" if wrong else "all equal"
    print(f"{done}: {result}, {time.monotonic() - begin:.0f} s")
    note("perft", done, result, None, time.monotonic() - begin)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
