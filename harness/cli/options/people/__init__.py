"""Options of the commands in which people rate."""
