"""The catalogue of all variants, which can be searched."""
