"""Figures of probe suites."""
