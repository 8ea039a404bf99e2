"""Benchmarks of core, search and library, printed as tables; `--json` for programs.

The exit code is 1 if a figure misses its limit. Run it on an idle machine.
"""

import argparse
import json
import os
import platform
import sys

from benchmarks import browser, first_move, kernel, library, searching


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--library-only", action="store_true", help="measure the Python library only")
    parser.add_argument("--search-only", action="store_true", help="measure the search only")
    arguments = parser.parse_args()
    figures = [] if arguments.search_only else library.measure()
    rates = [] if arguments.library_only or arguments.search_only else kernel.measure()
    depths = [] if arguments.library_only else searching.measure()
    browsers = [] if arguments.library_only else browser.measure()
    moves = [] if arguments.search_only else first_move.measure()
    if arguments.json:
        print(
            json.dumps(
                {
                    "machine": f"{platform.machine()}, {os.cpu_count()} processors",
                    "python": platform.python_version(),
                    "library": [figure._asdict() | {"is_met": figure.is_met} for figure in figures],
                    "first_moves": [move._asdict() | {"is_met": move.is_met} for move in moves],
                    "core": [rate._asdict() | {"ratio": rate.ratio, "is_met": rate.is_met} for rate in rates],
                    "search": [depth.as_json() for depth in depths],
                    "browser": [
                        one._asdict() | {"ratio": one.ratio, "is_met": one.is_met} for one in browsers
                    ],
                },
                indent=1,
            )
        )
    else:
        show(figures, rates)
        if moves:
            first_move.show(moves)
        if depths:
            searching.show(depths)
        if browsers:
            browser.show(browsers)
    met = [figure.is_met for figure in figures] + [rate.is_met for rate in rates]
    met += [depth.is_met for depth in depths] + [one.is_met for one in browsers]
    if depths:
        met.append(searching.mean_speedup(depths) >= searching.MIN_MEAN_SPEEDUP)
    return 0 if all(met) and all(move.is_met for move in moves) else 1


def show(figures: list[library.Figure], rates: list[kernel.Rate]) -> None:
    if os.getloadavg()[0] > 1:
        print(f"The machine is busy (load {os.getloadavg()[0]:.1f}): absolute figures will be too slow.\n")
    for figure in figures:
        sign = "≥" if figure.is_rate else "≤"
        mark = "ok" if figure.is_met else "MISSED"
        print(f"{figure.name:<36} {figure.value:>12,.2f} {figure.unit:<9} {sign} {figure.limit:,.0f}  {mark}")
    if rates:
        print("\nMillions of leaves a second, one thread, every leaf made; the best of several rounds")
        print(f"{'build':<10} {'game':<8} {'core':>6} {'by hand':>8} {'ratio':>6}")
    for rate in rates:
        mark = "ok" if rate.is_met else "MISSED"
        core, baseline = rate.core / 1e6, rate.baseline / 1e6
        ratio = f"{rate.ratio:>6.2f}  ≤ {rate.limit}  {mark}"
        print(f"{rate.build:<10} {rate.game:<8} {core:>6.0f} {baseline:>8.0f} {ratio}")


if __name__ == "__main__":
    sys.exit(main())
