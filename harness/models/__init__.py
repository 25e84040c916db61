"""Weights and language models: found, checked, opened, metered."""
