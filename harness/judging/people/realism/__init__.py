"""Realism by people: the blind sheet, the key that is kept apart, and what comes back."""
