"""What the caller says, made ready to be sent: encoded, and its edges known."""
