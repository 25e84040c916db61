"""Nights and runs shown to a team over HTTP, to be read and nothing else."""
