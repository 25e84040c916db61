"""What the caller hears during a call: turns, and words."""
