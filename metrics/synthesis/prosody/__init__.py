"""How something is said: rate, pitch, loudness, and what happens where one language meets another."""
