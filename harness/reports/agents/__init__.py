"""Several agents in one table: runs of calls side by side."""
