"""The rules of tafl in plain Python: slow, readable, and independent of the compiled core.

It was written from the specification alone. It imports nothing of `hnefi`, ships to nobody, and is the
measure the compiled core is compared with. Every board is a dictionary from (file, rank) to a letter.

`board` holds squares, positions and the parameters; `moves` where a piece may go; `captures` and `special`
what a move takes and which figures end a game; `turns` turns of several captures;
`tafl` a move, a game and perft; `calls` the announcements.
"""
