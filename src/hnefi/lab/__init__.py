"""Experiments: players against each other in many games, what the results mean, and tables of them."""
