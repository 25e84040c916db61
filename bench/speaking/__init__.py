"""How right the instruments are that judge how something is said."""
