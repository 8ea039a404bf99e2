"""Request and response models of HTTP, and the messages of the WebSocket."""
