"""Text of strangers made harmless: for a terminal, a page, a file, a prompt.

What an agent says over a data channel, what a server answers, what stands in a file of somebody else, what a
library quotes of it in an exception: whoever takes such text in passes it through here, once, where it comes
in. Everybody behind that boundary may print it.
"""

from __future__ import annotations

import re
from typing import Any

REPLACEMENT = "\ufffd"

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff"
_INVISIBLE = r"\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
_LINE_BREAK = re.compile(r"\r\n?|[\u2028\u2029\x85]")
_SEEN_AS_ONE = re.compile(f"[{_CONTROL}]")
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
_HARMFUL = re.compile(f"[\ud800-\udfff\u2028\u2029{_CONTROL}{_INVISIBLE}]")
_BREAKS = re.compile(r"\s*[\n\t]\s*")


def is_harmless(text: str) -> bool:
    """Whether :func:`harmless` would leave a text as it is."""
    return _HARMFUL.search(text) is None


def harmless(text: str) -> str:
    r"""The text without what acts on whoever shows it; its paragraphs and tabs stay.

    - Every line break (CR, CR LF, U+0085, U+2028, U+2029) is a ``\n``.
    - Other control characters (C0 with ESC, DEL, C1) and noncharacters, which XML forbids, become U+FFFD:
      they clear a terminal, move its cursor or set its title.
    - Characters that are not seen go: zero-width ones, marks and overrides of the writing direction, tags.
      They make a text read otherwise than it is.
    - Half a surrogate pair, which JSON may escape and no encoding takes, becomes a question mark.

    Applied again it changes nothing.
    """
    if is_harmless(text):
        return text
    whole = _LINE_BREAK.sub("\n", text.encode("utf-8", "replace").decode("utf-8"))
    return _UNSEEN.sub("", _SEEN_AS_ONE.sub(REPLACEMENT, whole))


def harmless_content(content: Any) -> Any:
    """The same for every text, and every key, in lists and mappings; what is neither stays as it is."""
    if isinstance(content, str):
        return harmless(content)
    if isinstance(content, dict):
        return {harmless_content(key): harmless_content(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [harmless_content(value) for value in content]
    return content


def one_line(text: str, *, most: int | None = None) -> str:
    """The same on one line: no text that is quoted in a line can begin another one.

    Args:
        most: Of characters; a longer text is cut, and ends in an ellipsis.
    """
    if most is not None and len(text) > 4 * most:
        text = text[: 4 * most]
    line = _BREAKS.sub(" ", harmless(text))
    return line if most is None or len(line) <= most else line[: most - 1] + "…"
