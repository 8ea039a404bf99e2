"""Games at the server: the page of a game, that of a frame, a seat for another device, one's own games."""
