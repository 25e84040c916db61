"""What can be typed behind ``outboundeval persona``."""
