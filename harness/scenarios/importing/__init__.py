"""Imports the paper's official task files; ``official_format`` is the way in."""
