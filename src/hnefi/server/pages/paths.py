"""The paths of the pages, and the choices in their queries; the contents are imported by the page worker."""

from hnefi.variants.lengths import DIFFICULTIES

PATHS = {
    "home": "/",
    "all_rules": "/rules",
    "editor": "/rules/new",
    "rules": "/rules/{variant}",
    "all_lessons": "/lessons",
    "lessons": "/lessons/{variant}",
    "puzzles": "/puzzles",
    "puzzle": "/puzzles/{puzzle}",
    "new": "/new",
    "table": "/table",
    "computer": "/computer",
    "analysis": "/analysis",
    "game": "/game/{game}",
    "games": "/games",
    "people": "/people",
    "classes": "/class",
    "class_room": "/class/{code}",
    "seat": "/seat",
    "key": "/key",
    "embed": "/embed/{game}",
    "facts": "/facts",
    "offline": "/offline",
    "kept": "/kept/{bundle}",
    "about": "/about",
    "help": "/help",
    "glossary": "/glossary",
    "licence": "/licence",
    "imprint": "/imprint",
}
"""The part of its path after the language, by the name of a page."""

# The values of the filters; the first shows all games. Boards of 13 squares and more are one size.
FILTERS: dict[str, tuple[str, ...]] = {
    "size": ("any", "7", "9", "11", "13"),
    "goal": ("any", "corner", "edge"),
    "difficulty": ("any", *map(str, DIFFICULTIES)),
}
# The choices besides the variant and its rules, each with its default first.
CHOICES: dict[str, tuple[str, ...]] = {
    "opponent": ("computer", "friend", "here"),
    "side": ("defenders", "attackers", "lot"),
    "clock": ("none", "5_3", "10_5", "15_10", "days_1", "days_3", "days_7"),
    "legs": ("1", "2"),
    "calls": ("auto", "manual", "off"),
    "engine": ("device", "server"),
}
