"""Writes docs/measurements/perft.md: the counts of move sequences from the start of every variant."""

from pathlib import Path

from hnefi import variant

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "tests" / "perft"
TARGET = ROOT / "docs" / "measurements" / "perft.md"

_HEAD = """\
# Counts of move sequences

*Perft*: how many sequences of legal moves there are from the start position, by their length in plies. A
program that plays the rules of a variant exactly counts the same; the first number that differs shows where
it does not.

- A move counts once, whatever it captures. A sequence that ends the game before its last move does not count.
- A side without a move passes where the rules say so, and a pass is no ply; where it loses or draws, nothing
  follows.
- Repetitions and the limit of moves without a capture are not looked at: no sequence is long enough.
- Where a turn has several captures (Berserk), each hop is a ply, and so is the stop that ends the turn.

All of them are counted by two programs that share no code: the compiled core, and a small one in C
(`tests/deep/perft.c`). Those up to 400,000 are also counted by a slow reference, written in plain Python from
the texts. `hnefi lab perft VARIANT DEPTH` counts them again, with `--divide` by first move; the files in
`tests/perft` have {positions} positions in all. Twelve digits of the hash of the rules stand beside each
variant.

| variant | rules | {plies} |
|---|---|{rule}|
"""


def text() -> str:
    """Returns the page."""
    files = sorted(SOURCE.glob("*.perft"), key=lambda file: (variant(file.stem).rules.size, file.stem))
    counted = {file.stem: _from_start(file) for file in files}
    deepest = max(map(len, counted.values()))
    positions = sum(file.read_text(encoding="utf-8").count("\nposition: ") for file in files)
    head = _HEAD.format(
        positions=positions,
        plies=" | ".join(map(str, range(1, deepest + 1))),
        rule="|".join(["---:"] * deepest),
    )
    rows = (_row(name, counts, deepest) for name, counts in counted.items())
    return head + "".join(f"{row}\n" for row in rows)


def _from_start(file: Path) -> list[int]:
    """Returns the counts of a file from the start position, by depth from 1."""
    part = file.read_text(encoding="utf-8").split(f"id: {file.stem} start\n", 1)[1].split("\n\n")[0]
    lines = part.splitlines()[1:]
    return [int(line.split()[1]) for line in lines]


def _row(name: str, counts: list[int], deepest: int) -> str:
    cells = [f"{count:,}" for count in counts] + [""] * (deepest - len(counts))
    return f"| `{name}` | `{variant(name).rules.hash[:12]}` | {' | '.join(cells)} |"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
