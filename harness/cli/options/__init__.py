"""What can be typed: one file per command, loaded to show its help. Nothing here takes time to load."""
