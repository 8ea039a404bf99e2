"""The results of a class as files."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterable
from typing import Any

from hnefi.i18n import text
from hnefi.server.games.classroom import Classroom
from hnefi.variants.finding import variant

_COLUMNS = ("rank", "name", "played", "won", "drawn", "lost", "points")
_GAME_COLUMNS = ("round", "game", "attackers", "defenders", "result", "moves")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def results_csv(classroom: Classroom, lang: str) -> str:
    """Returns the table of results, the best first, as the spreadsheets of a language read it.

    Where numbers have a decimal comma, the columns are separated by semicolons.
    """
    rows = []
    for one in _ranking(classroom):
        points = f"{one['points']:g}"
        shown = points.replace(".", ",") if lang == "fr" else points
        rows.append({**one, "name": _cell(one["name"]), "points": shown}.values())
    return _csv(_COLUMNS, rows, lang)


def games_csv(classroom: Classroom, lang: str) -> str:
    """Returns all games in order, as the spreadsheets of a language read them."""
    names = {one.number: one.name for one in classroom.members}
    rows = []
    for one in classroom.games:
        players = [names[number] or text("page.class.removed", lang) for number in one.players]
        result = ""
        if one.result in ("attackers", "defenders"):
            result = text("page.class.won", lang, name=players[one.result == "defenders"])
        elif one.result is not None:
            result = text(f"page.class.{one.result}", lang)
        game = variant(one.variant).name(lang)
        rows.append([one.round or "", game, *map(_cell, players), _cell(result), one.moves])
    return _csv(_GAME_COLUMNS, rows, lang)


def _cell(name: str) -> str:
    """Returns a text that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name


def _csv(columns: Iterable[str], rows: Iterable[Iterable[object]], lang: str) -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";" if lang == "fr" else ",", lineterminator="\r\n")
    writer.writerow([text(f"page.class.column.{name}", lang) for name in columns])
    writer.writerows(rows)
    # Without the mark at the beginning, Excel takes it for a text in another encoding.
    return "\ufeff" + file.getvalue()


def results_json(classroom: Classroom) -> str:
    """Returns the table of results and all games, in order."""
    names = {one.number: one.name for one in classroom.members}
    found = {
        "class": classroom.name,
        "code": classroom.code,
        "table": _ranking(classroom),
        "games": [
            {**one.model_dump(), "attackers": names[one.attackers], "defenders": names[one.defenders]}
            for one in classroom.games
        ],
    }
    return json.dumps(found, ensure_ascii=False, indent=1)


def _ranking(classroom: Classroom) -> list[dict[str, Any]]:
    """Returns the table: by points, then by wins, then by name; who has equally many shares a rank."""
    standings = classroom.standings()
    members = [(one.name, standings[one.number]) for one in classroom.present_members]
    members.sort(key=lambda one: (-one[1].half_points, -one[1].won, _alphabetical(one[0])))
    ranks: dict[tuple[int, int], int] = {}
    for place, (_, one) in enumerate(members, start=1):
        ranks.setdefault((one.half_points, one.won), place)
    return [
        {
            "rank": ranks[one.half_points, one.won],
            "name": name,
            **one._asdict(),
            "lost": one.lost,
            "points": one.half_points / 2,
        }
        for name, one in members
    ]


def _alphabetical(name: str) -> tuple[str, str]:
    """Returns the place of a name in the alphabet, where accents matter last, as on the page."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(one for one in letters if not unicodedata.combining(one)), letters
