"""A conversation by voice: prepared, placed, recorded."""
