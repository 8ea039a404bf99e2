"""How do I count the openings of many games, with their results?"""

from hnefi import variant
from hnefi.formats import read_games
from hnefi.library import Adder, Library, Opening, Query, opening_tree


def show(opening: Opening, indent: int = 0) -> None:
    """Prints the moves of a tree with the number of games and the attackers' share of the points."""
    for choice in opening.choices:
        share = choice.results.share
        known = "unknown" if share is None else f"{share:.0%} for the attackers"
        print(f"{'  ' * indent}{choice.move}  games: {choice.results.games}, {known}")
        show(choice, indent + 1)


with Library("openings.db", create=True) as library:
    with Adder(library) as adder:
        for raw in read_games("games.tafl"):
            adder.add("games.tafl", raw)
    start = variant("brandub-globe").new_game()
    show(opening_tree(library, start, Query(variant="brandub-globe"), depth=2, least_games=1))
