"""Fits and tries what the simulated caller understands by."""
