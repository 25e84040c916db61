"""Ranges of amounts, times and money as they are said: "10-12" is "10 to 12"."""
