"""What is told in a LiveKit room: who is there, and what an agent says of itself."""
