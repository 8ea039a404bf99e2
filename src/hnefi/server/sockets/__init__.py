"""WebSocket connections: the protocol, and what they do in games."""
