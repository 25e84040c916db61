"""The caller's voice: an engine, what it says, and what is kept of it."""
