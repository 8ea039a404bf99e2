"""All pages. Of two paths that fit an address, the first is taken; the navigation has the same order."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS, GAME_TEXTS
from hnefi.server.pages.page import Page
from hnefi.variants.lengths import DIFFICULTIES
from hnefi.variants.page_addresses import RULES_PATH

FILTERS: dict[str, tuple[str, ...]] = {
    "size": ("any", "7", "9", "11", "13"),
    "goal": ("any", "corner", "edge"),
    "difficulty": ("any", *map(str, DIFFICULTIES)),
}
"""The values of the filters of the catalogue; the first shows all games. Boards of 13 squares and more are
one size."""

CHOICES: dict[str, tuple[str, ...]] = {
    "opponent": ("computer", "friend", "here"),
    "side": ("defenders", "attackers", "lot"),
    "clock": ("none", "5_3", "10_5", "15_10", "days_1", "days_3", "days_7"),
    "legs": ("1", "2"),
    "calls": ("auto", "manual", "off"),
    "engine": ("device", "server"),
}
"""The choices of a new game besides the variant and its rules, each with its default first."""

_RULES_QUERY = ("variant", "name", "rule.")
"""The parameters of a variant with switches, and with the name that these were given."""

PAGES = (
    Page(
        "home",
        "/",
        "home",
        files=("home.css", "home.js"),
        texts=(
            *("page.home.resume", "web.games.moves", "web.now.theirs", "web.analysis.to_move."),
            *("web.computer", "level.", "page.table.title", "web.nobody", "web.your_opponent"),
            *("web.changed_game", *FAILURE_TEXTS),
        ),
        is_static=True,
        nav="play",
    ),
    Page(
        "people",
        "/people",
        "people",
        files=("people.css", "people.js"),
        texts=(
            *("page.people.", "page.home.resume.yours", "page.nav.games", "page.table.title", "level."),
            *("web.computer", "web.games.", "web.guest", "web.nobody", "web.your_opponent"),
            *("web.changed_game", *FAILURE_TEXTS),
        ),
        nav="people",
    ),
    Page(
        "all_rules",
        "/rules",
        "catalogue",
        files=("catalogue.css", "all_rules.js"),
        texts=("page.wall",),
        query=("q", *FILTERS),
        is_static=True,
        nav="rules",
    ),
    Page(
        "editor",
        "/rules/new",
        "editor",
        files=("editor.css", "editor.js"),
        texts=(*GAME_TEXTS, "page.editor.", "web.editor.", "web.games.forget", "fault."),
        query=_RULES_QUERY,
        is_static=True,
        nav="rules",
    ),
    Page("compare", "/compare", "compare", files=("compare.css",), query=("first", "second"), nav="rules"),
    Page(
        "rules",
        RULES_PATH,
        "rules",
        files=("rules.css", "rules_page.js"),
        texts=("board.", "outcome.", "page.rules.again", "page.rules.try_now"),
        query=("name", "rule."),
        nav="rules",
    ),
    Page(
        "puzzles",
        "/puzzles",
        "puzzles",
        files=("puzzles.css", "puzzles.js"),
        texts=("web.puzzle.streak", "web.puzzle.done", "web.puzzle.tally", "web.puzzle.today."),
        is_daily=True,
        is_static=True,
        nav="puzzles",
    ),
    Page(
        "puzzle",
        "/puzzles/{puzzle}",
        "puzzles",
        files=("puzzles.css", "puzzles.js"),
        texts=(
            *(*GAME_TEXTS, "web.puzzle.", "puzzle.why.", "page.puzzle.weekday.", "page.puzzle.day."),
            "page.puzzles.all",
        ),
        is_daily=True,
        nav="puzzles",
    ),
    Page(
        "all_lessons",
        "/lessons",
        "lessons",
        files=("lessons.css", "lessons.js"),
        texts=("web.lesson.tally", "web.lesson.done"),
        is_static=True,
        nav="lessons",
    ),
    Page(
        "lessons",
        "/lessons/{variant}",
        "lessons",
        files=("game.css", "one_lesson.css", "lessons.js"),
        texts=(*GAME_TEXTS, "lesson.wrong.", "page.lessons.path.number"),
        nav="lessons",
    ),
    Page(
        "new",
        "/new",
        "new",
        files=("new.css", "new.js"),
        texts=(
            *("web.computer", "page.new.chosen.", "page.new.value", "page.new.position", "level."),
            *("web.goal.", "web.no_such_game", "web.all_games", "web.to_start", *FAILURE_TEXTS),
        ),
        query=("position", "level", *CHOICES, *_RULES_QUERY),
        is_static=True,
        nav="play",
    ),
    Page(
        "table",
        "/table",
        "local",
        template="local_game",
        files=("game.css", "hotseat.js"),
        texts=GAME_TEXTS,
        query=_RULES_QUERY,
        is_static=True,
        nav="play",
    ),
    Page(
        "computer",
        "/computer",
        "local",
        template="local_game",
        files=("game.css", "computer.js"),
        texts=GAME_TEXTS,
        query=_RULES_QUERY,
        is_static=True,
        nav="play",
    ),
    Page(
        "analysis",
        "/analysis",
        "analysis",
        files=("game.css", "analysis.css", "analysis.js"),
        texts=(
            *(*GAME_TEXTS, "page.analysis.", "page.board.size", "page.missing", "score."),
            "error.bad_position.",
        ),
        query=_RULES_QUERY,
        is_static=True,
    ),
    Page(
        "game",
        "/game/{game}",
        "game",
        files=("game.css", "game.js"),
        texts=GAME_TEXTS,
        kept_with=(("game", "any"),),
        nav="play",
    ),
    Page("embed", "/embed/{game}", "game", files=("embed.css", "embed.js"), texts=GAME_TEXTS),
    Page("seat", "/seat", "game", files=("seat.js",), texts=FAILURE_TEXTS, nav="play"),
    Page(
        "games",
        "/games",
        "game",
        files=("games.css", "games.js"),
        texts=(*GAME_TEXTS, "page.table.title", "page.home.resume.yours"),
        is_static=True,
    ),
    Page(
        "classrooms",
        "/class",
        "classrooms",
        files=("classrooms.css", "classrooms.js"),
        texts=("page.class.who", *FAILURE_TEXTS),
        nav="people",
    ),
    Page(
        "classroom",
        "/class/{code}",
        "classrooms",
        files=("classroom.css", "classroom.js"),
        texts=(
            *("page.class.", "error.class_closed", "error.device_playing", "error.unknown_class", "web.copy"),
            *("web.invite.copied", "web.qr", "web.action.retry", "web.to_start", *FAILURE_TEXTS),
        ),
        nav="people",
    ),
    Page("key", "/key", "key", nav="play"),
    Page("about", "/about", "about", "sections", is_static=True),
    Page("help", "/help", "about", "sections", files=("help.js",), texts=("web.kept.",), is_static=True),
    Page("glossary", "/glossary", "about", is_static=True),
    Page("licence", "/licence", "about", "sections", is_static=True),
    Page("imprint", "/imprint", "about"),
    Page("offline", "/offline", "offline", files=("failure.css",)),
    # The files of scripts: the facts of variants, and the bundles that browsers keep. They have no template.
    Page("facts", "/facts", "", query=_RULES_QUERY),
    Page("kept", "/kept/{bundle}", ""),
)
PAGE_BY_NAME = {page.name: page for page in PAGES}

NAVIGATION: dict[str, Page] = {}
"""The page that each section of the navigation leads to: its first."""
for _page in PAGES:
    if _page.nav:
        NAVIGATION.setdefault(_page.nav, _page)
