"""Plurals of the English nouns that figures are made of: calls, replies, stretches."""

from __future__ import annotations


def plural(noun: str) -> str:
    """Of a regular noun; only its last word, where there are several."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"
