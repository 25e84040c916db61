"""A conversation in text."""
