"""Whatever comes from outside: every way in, with everything that text can do to its reader."""
