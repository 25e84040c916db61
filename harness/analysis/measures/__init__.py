"""The measures: one file for each, or for a family of the same make, and one line in :mod:`.table`."""
