"""Text that comes from an agent: made fit to be written to a file and shown on a terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""C0 and C1 but for tab and line feed."""


def harmless(text: str) -> str:
    """The text with U+FFFD for every control character and a question mark for half a surrogate pair.

    JSON may escape both. No encoding takes the latter; the former clear a terminal, move its cursor or set
    its title.
    """
    return _CONTROL.sub("\ufffd", text.encode("utf-8", "replace").decode("utf-8"))
