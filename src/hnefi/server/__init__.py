"""The web application: games with others and with the computer, stored so that no move is lost, and pages."""
