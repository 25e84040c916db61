"""What was planted in a call of a probe suite, found again in what came of the call."""
