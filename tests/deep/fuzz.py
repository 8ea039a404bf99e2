"""Fuzzes the parsers: positions, moves, rule trees, variant files, records, switches.

    python -m tests.deep.fuzz --count 10000

The seed is printed; `--seed S --first N` resumes a run, `--only NAME` fuzzes one target.
"""

import argparse
import random
import subprocess
import sys
import time
from collections import Counter

from tests.deep.report import note
from tests.fuzzing import MEGABYTES, TARGETS, Finding, fuzz, megabytes

CHUNK = 500


def main() -> None:
    """Fuzzes the selected targets; the exit code is 1 if there are findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="inputs for each target")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--only", choices=list(TARGETS))
    options = parser.parse_args()
    if options.only:
        sys.exit(run(options.only, options.seed, options.first, options.count))
    print(f"seed {options.seed}", flush=True)
    # A process for each target, so that its memory can be measured.
    command = [sys.executable, "-m", "tests.deep.fuzz", "--seed", str(options.seed)]
    command += ["--first", str(options.first), "--count", str(options.count), "--only"]
    sys.exit(sum(subprocess.run([*command, name], check=False).returncode for name in TARGETS) > 0)


def run(name: str, seed: int, first: int, count: int) -> bool:
    """Fuzzes one target, prints and records the findings; returns whether there were any."""
    begin = time.monotonic()
    fuzz(name, seed, 20, first)
    memory = megabytes()
    answers: Counter[str] = Counter()
    findings: list[Finding] = []
    for number in range(first, first + count, CHUNK):
        more, found = fuzz(name, seed, min(CHUNK, first + count - number), number)
        answers, findings = answers + more, findings + found
        for one in found:
            print(f"{one.what}\n  {one.text[:400]!r}", flush=True)
        if number // CHUNK % 10 == 9:
            print(
                f"{name}: {sum(answers.values())}; to resume: --seed {seed} --first {number + CHUNK}",
                flush=True,
            )
    grown = megabytes() - memory
    if grown > MEGABYTES:
        findings.append(Finding(name, "", f"{grown:.0f} MB"))
    seconds = time.monotonic() - begin
    done = f"{sum(answers.values()):,} texts: {answers['value']:,} valid, {answers['error']:,} refused"
    result = f"{len(findings)} findings" if findings else "nothing found"
    print(f"{name}: {done}; {result}; {grown:.0f} MB; {seconds:.0f} s", flush=True)
    note(f"fuzzing: {name}", f"{done}; {grown:.0f} MB", result, seed, seconds)
    return bool(findings)


if __name__ == "__main__":
    main()
