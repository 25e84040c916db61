"""How much of what a module works out its own tests hold: the module is changed, and a test must fail."""
