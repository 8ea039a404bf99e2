"""HTML pages: rendered on the server in every language, usable without scripts."""
