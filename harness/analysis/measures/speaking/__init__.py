"""How the agent says what it was asked to read: slower where it matters, across languages, with feeling."""
