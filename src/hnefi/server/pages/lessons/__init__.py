"""The lessons: their list, and those of a variant on a board."""
