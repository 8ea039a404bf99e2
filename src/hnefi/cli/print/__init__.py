"""`hnefi print`: boards, pieces and other sheets, diagrams and games on paper."""

from hnefi.cli.commands import CommandGroup

__all__ = ["print_sheets"]

_EXAMPLES = (
    ("print board brandub-globe -o board.pdf", "cli.print.example.board"),
    ("print board tablut-kouvia --square 40 --paper a3 --colour -o board.pdf", "cli.print.example.square"),
    ("print summary brandub-globe -o rules.pdf", "cli.print.example.summary"),
    ("print game game.tafl -o game.pdf", "cli.print.example.game"),
)

print_sheets = CommandGroup(
    "print",
    examples=_EXAMPLES,
    members={
        **dict.fromkeys(("board", "pieces", "score", "summary", "poster"), "hnefi.cli.print.sheets"),
        "diagram": "hnefi.cli.print.diagram",
        "game": "hnefi.cli.print.game",
    },
)
