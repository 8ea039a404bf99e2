"""WebSocket connections: the protocol, and the hub that connects them to games."""
