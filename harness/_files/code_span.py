"""Text from outside in Markdown: in a code span it can be no markup, no link and no mention of a person."""

from __future__ import annotations

import re

MAX_CHARS = 200


def code_span(text: str, *, limit: int = MAX_CHARS) -> str:
    """A code span on one line, safe in a table too."""
    plain = re.sub(r"\s+", " ", text).strip().replace("`", "'").replace("|", "¦")
    plain = "".join(char for char in plain if char.isprintable())
    return f"`{plain[:limit] + '…' if len(plain) > limit else plain or '-'}`"
