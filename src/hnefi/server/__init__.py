"""The web application: games that are kept so that no move is lost, and the pages to play them on."""
