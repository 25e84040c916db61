"""Where the time went, as the report shows it: what the agent tells beside what we measured."""
