"""Whom a run asks and tells: backends and webhooks of the user."""
