"""Models of sentence meaning, each behind the port of :mod:`.base`."""
