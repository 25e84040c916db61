"""Measurements of the harness itself: each module prints figures against truth, or ratios."""
