"""HTTP request and response models, WebSocket messages, and their creation from games."""
