"""The results of a class as files."""

import csv
import io
import json

from hnefi.i18n import text
from hnefi.server.games.classroom import Classroom, Standing

__all__ = ["results_csv", "results_json"]

_COLUMNS = ("rank", "name", "played", "won", "drawn", "lost", "points")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def results_csv(classroom: Classroom, lang: str) -> str:
    """Returns the table of results, the best first, as the spreadsheets of a language read it.

    Where numbers have a decimal comma, the columns are separated by semicolons.
    """
    is_comma = lang == "fr"
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";" if is_comma else ",", lineterminator="\r\n")
    writer.writerow([text(f"page.class.column.{name}", lang) for name in _COLUMNS])
    for rank, name, one in _ranking(classroom):
        points = f"{one.half_points / 2:g}"
        shown = f"'{name}" if name.startswith(_FORMULA) else name
        lost = one.played - one.won - one.drawn
        row = [
            rank,
            shown,
            one.played,
            one.won,
            one.drawn,
            lost,
            points.replace(".", ",") if is_comma else points,
        ]
        writer.writerow(row)
    # Without the mark at the beginning, Excel takes it for a text in another encoding.
    return "\ufeff" + file.getvalue()


def results_json(classroom: Classroom) -> str:
    """Returns the table of results and all games, in order."""
    names = {one.number: one.name for one in classroom.members}
    found = {
        "class": classroom.name,
        "code": classroom.code,
        "table": [
            {
                "rank": rank,
                "name": name,
                "played": one.played,
                "won": one.won,
                "drawn": one.drawn,
                "points": one.half_points / 2,
            }
            for rank, name, one in _ranking(classroom)
        ],
        "games": [
            {
                "game": one.game,
                "round": one.round,
                "variant": one.variant,
                "attackers": names[one.attackers],
                "defenders": names[one.defenders],
                "result": one.result,
                "reason": one.reason,
                "moves": one.moves,
            }
            for one in classroom.games
        ],
    }
    return json.dumps(found, ensure_ascii=False, indent=1)


def _ranking(classroom: Classroom) -> list[tuple[int, str, Standing]]:
    """Returns the members with their ranks: by points, then by wins; equal ones share a rank."""
    standings = classroom.standings()
    members = [(one.name, standings[one.number]) for one in classroom.present_members]
    members.sort(key=lambda one: (-one[1].half_points, -one[1].won, one[0].casefold()))
    ranks: dict[tuple[int, int], int] = {}
    for place, (_, one) in enumerate(members, start=1):
        ranks.setdefault((one.half_points, one.won), place)
    return [(ranks[one.half_points, one.won], name, one) for name, one in members]
