"""Calls that were made and not placed, kept as a run keeps a call."""
