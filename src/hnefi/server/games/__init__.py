"""Games as they are played on the server: what happened, what follows from it, and who may do what."""
