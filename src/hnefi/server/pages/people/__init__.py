"""The page of open challenges."""
