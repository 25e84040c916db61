"""Throws broken input at everything that reads from outside: ``make fuzz``, ``python -m tests.fuzz --help``.

``targets`` has what is tried: each target reads bytes as a stranger's file or message. ``mutations`` breaks
valid input in ways that reach deep (a value of another type, a key gone, a number of 5000 digits) and not
only at the first byte. ``child`` runs one target without end in a process of its own, led by coverage where
atheris is installed and by chance elsewhere; ``watch`` watches such a process from outside. A finding is a
traceback that is no error for the person at the terminal, an input that takes longer than 2 s, or memory
above 500 MB.

``corpus/TARGET`` holds what to begin with and every finding that was mended; ``test_corpus`` replays it.
"""
