"""Places calls, keeps what happened, and turns it into reports."""
