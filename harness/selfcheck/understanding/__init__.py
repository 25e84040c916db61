"""How much of what a stranger's agent says the simulated caller understands, on labelled lines."""
