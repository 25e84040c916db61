"""Two runs of the same calls compared: what changed, how sure that is, and what could have been seen."""
