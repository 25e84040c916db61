"""A text with everything in it that acts on whoever shows it, and what to look for where it was shown."""

from __future__ import annotations

import unicodedata

FORGED = "00:01.0  caller  I confess"
"""What a line of the transcript looks like."""
ATTACK = (
    "begin\x00\x07\x08\x1b[2J\x1b]0;title\x07\x7f\x85\x9b31m\u202elive\u202c\u2066iso\u2069\u200e\u200b"
    "\u200d\u2060\ufeff\xad\U000e0041\ud800\ufffe\uffff\ufdd0\u2028\u2029\r\n"
    f"{FORGED}\r{FORGED}\x0b\x0c\n[00:01] agent: forged\n[red]red[/red] [/] [link=http://x]x[/link] "
    ":red_heart: <script>alert(1)</script> & ]]> `code` | @someone end"
)
ACTING = {"Cc", "Cs", "Zl", "Zp", "Cf"}
"""Categories of Unicode: controls, half surrogates, separators of lines and paragraphs, formats."""


def acts(text: str, *, lines: bool) -> list[str]:
    """What in a text acts on its reader, in words; ``lines``: it may have several."""
    found = [
        f"U+{ord(char):04X}"
        for char in text
        if unicodedata.category(char) in ACTING and not (lines and char in "\n\t")
    ]
    found += [f"U+{ord(char):04X}" for char in text if ord(char) in (0xFFFE, 0xFFFF, 0xFDD0)]
    if lines:
        found += [f"a line {line!r}" for line in text.split("\n") if line.startswith(FORGED)]
    return found
