"""Getting into a LiveKit room: its address, the right to join it, and the messages with its server."""
