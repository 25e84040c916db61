"""One conversation, by voice or in text."""
