"""Speed, measured on demand: `make bench`."""
