"""The instrument proven by planted truth: agents, voices and files that are bad at exactly one thing."""
