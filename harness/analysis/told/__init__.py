"""Where the time of an answer went, by what the agent tells of itself."""
