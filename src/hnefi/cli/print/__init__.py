"""`hnefi print`: boards, pieces and other sheets, diagrams and games on paper."""

from hnefi.cli.commands import CommandGroup

__all__ = ["print_sheets"]

_EXAMPLES = (
    ("print board brandub-globe -o board.pdf", "board"),
    ("print board tablut-kouvia --square 40 --paper a3 --colour -o board.pdf", "square"),
    ("print summary brandub-globe -o rules.pdf", "summary"),
    ("print game game.tafl -o game.pdf", "game"),
)

print_sheets = CommandGroup(
    "print",
    examples=_EXAMPLES,
    members={
        **dict.fromkeys(("board", "pieces", "score", "summary", "poster"), "hnefi.cli.print.sheets"),
        "diagram": "hnefi.cli.print.diagram",
        "game": "hnefi.cli.print.game",
        "puzzles": "hnefi.cli.print.puzzles",
    },
)
