"""Tests of how much a caller understands."""
