"""How looks at the instrument are shown in a terminal."""
