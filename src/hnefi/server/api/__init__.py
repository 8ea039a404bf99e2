"""The HTTP interface: games, records, openings, pictures, rules."""
