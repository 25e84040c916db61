"""LiveKit: rooms joined by an own client (protobuf over a WebSocket, two WebRTC connections), agents
dispatched into them."""
