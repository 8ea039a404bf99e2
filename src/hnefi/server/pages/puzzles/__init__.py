"""The puzzles: their list with that of the day, and each on its board."""
