"""The page that compares the rules of two games."""
