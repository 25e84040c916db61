"""People as judges: blind sheets out, answers back."""
