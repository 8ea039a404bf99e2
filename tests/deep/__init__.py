"""Long-running checks; `make check-deep` runs them and records their results."""
