"""Checks that take too long for every day; `make check-deep` runs them and notes what came out."""
