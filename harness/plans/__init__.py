"""What shall be done: frozen, seeded, digested."""
