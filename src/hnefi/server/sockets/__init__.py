"""Connections that follow games: WebSockets, and streams over HTTP."""
