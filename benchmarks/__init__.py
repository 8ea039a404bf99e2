"""Benchmarks of the core, the search, the library and the server: `make bench`, `make bench-server`."""
