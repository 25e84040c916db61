"""How the agent conducts its turns: what it does while the caller speaks, and in its own reply."""
