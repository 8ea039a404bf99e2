"""The rules of tafl in plain Python: slow, readable, and independent of the compiled core.

It was written from the specification alone, imports nothing of `hnefi`, and is not shipped. Tests compare
the compiled core with it. A board is a dictionary from (file, rank) to a letter.

`board` has squares, positions and the parameters, `moves` the destinations of pieces, `captures` and
`special` captures and ends by areas, `turns` turns of several captures, `tafl` moves, games and perft, and
`calls` the announcements.
"""
