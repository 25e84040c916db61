"""What is lost where an agent's words are known by our own transcript alone; see ``__main__``."""
