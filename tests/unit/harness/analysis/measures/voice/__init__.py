"""Unit tests of the measures of how the agent sounds."""
