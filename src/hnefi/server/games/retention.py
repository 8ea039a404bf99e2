"""Retention: for how many days games and classes are kept."""

EXPIRY = {"waiting": 7, "playing": 60, "between_legs": 60, "over": 90, "aborted": 1}
"""After how many days without an event a game expires, by its status.

Days on which the server was away do not count.
"""

CLASS_DAYS = 30
"""After how many days without a change a class is deleted, with its names and results."""

MARKED_DAYS = 7
"""How many days a game stays marked before it is deleted. Opening it takes the mark away."""
