"""Forms that the guard reads off words: what is wanted, what kind of thing is given, what comes after."""
