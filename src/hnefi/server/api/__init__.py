"""The HTTP API: games, records, openings, pictures, rules."""
