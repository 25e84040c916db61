"""What was measured held to what was planted and to what was stated beforehand."""
