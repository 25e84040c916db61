"""Simulated nights: how often comparisons and histories are right where the truth is planted."""
