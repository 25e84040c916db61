"""What the section of a probe suite is made of."""
