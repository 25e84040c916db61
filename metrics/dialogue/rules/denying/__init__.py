"""What :mod:`metrics.dialogue.rules.denials` knows of clauses, of doubts, and of Chinese."""
