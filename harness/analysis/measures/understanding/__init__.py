"""What the agent understood, and how well both sides could be understood."""
