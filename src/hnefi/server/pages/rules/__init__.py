"""The rules of a variant."""
