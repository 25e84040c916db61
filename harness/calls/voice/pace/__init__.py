"""How punctual this process is while calls stand in it."""
