"""Commands that look at the harness as an instrument."""
