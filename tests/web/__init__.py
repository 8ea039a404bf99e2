"""The pages in a browser, with a server."""
