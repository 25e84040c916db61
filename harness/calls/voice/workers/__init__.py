"""Processes that hear and speak beside a call, away from its media time."""
