"""How do I search many games for a position?

Puts the games of `games.tafl` into a library and finds those that reached a position, or an image of it.
"""

from hnefi import variant
from hnefi.formats import read_games
from hnefi.library import Adder, Library, Query, find_games

with Library("games.db", create=True) as library:
    with Adder(library) as adder:
        for raw in read_games("games.tafl"):
            adder.add("games.tafl", raw)
    print(adder.report.added, "added,", adder.report.known, "known,", adder.report.faulty, "faulty")

    after = variant("brandub-globe").new_game().play("d2-c2")
    for found in find_games(library, Query(position=after.position, result="defenders")):
        print(f"{found.attackers} against {found.defenders}: {found.plies} plies, {found.reason}")
