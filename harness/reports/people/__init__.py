"""What people said of a run, for its page."""
