"""How do I measure how fair a game is?

Twenty quick games say little: the interval is wide. Take a hundred or more, and a stronger player.
"""

from hnefi import Side, variant
from hnefi.lab import Openings, balance_experiment, balance_table, parse_player, play_games
from hnefi.measure import score_interval


def main() -> None:
    """Plays the games in another process, and prints what each side scored."""
    brandub = variant("brandub-globe")
    experiment = balance_experiment(brandub, parse_player("nodes:100"), Openings(seed=1), max_plies=200)
    results = play_games(experiment, games=20)

    defenders = results.side(Side.DEFENDERS)
    bounds = score_interval(defenders.classes)
    print(f"{defenders.games} games of {results.mean_plies:.0f} plies")
    print(f"The defenders scored {defenders.score:.0%} ({bounds.low:.0%} to {bounds.high:.0%}).")
    print(balance_table([(brandub.name(), results)], "en").markdown())


# Processes that play import this file again.
if __name__ == "__main__":
    main()
