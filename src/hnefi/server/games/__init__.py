"""Games on the server: state, commands, permitted actions, clocks and rooms."""
