"""How the agent sounds."""
