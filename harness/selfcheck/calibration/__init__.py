"""Measures the harness itself: calls to an agent that logs the truth, compared with what we measured."""
