"""The server: games that people play with each other and with the computer, kept so that no move is lost."""
