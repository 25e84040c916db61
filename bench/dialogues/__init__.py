"""The kept calls with agents of other makers, tried on the caller and the guard as they are now."""
