"""How the agent talks: how fast it answers, and whether it stops when it is interrupted."""
