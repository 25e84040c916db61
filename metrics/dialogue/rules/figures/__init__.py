"""Figures in words: numbers, dates, times of day, and what follows from them."""
