"""Options of commands that look at the harness as an instrument."""
