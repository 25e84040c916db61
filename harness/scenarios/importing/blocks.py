"""Text of a section in pieces: list items and paragraphs, without their markup."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from harness.scenarios.importing.markdown import is_rule

_MARKER = re.compile(r"^(\s*)(?:[-*+•·]\s+|[-•·](?=\S)|(?:\d{1,3}|[①-⑳])\s*[.、．)）]\s*|[①-⑳]\s*)")
_HASHES = re.compile(r"^\s*#{1,6}\s*")
_LABEL = re.compile(r"^[【\[]?([^：:“”「」\n。，,？?]{1,24}?)[】\]]?\s*[:：]\s*")
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ('"', '"'), ("‘", "’"), ("'", "'"))
_QUOTED = re.compile(r"“([^“”]+)”|「([^「」]+)」|\"([^\"]+)\"")


def blocks(text: str) -> list[str]:
    """The top-level list items and paragraphs of a text, each with what is nested below it.

    The marker of the item and bold markup are dropped, deeper lines keep their markers. Rules (``---``),
    empty lines and markers with nothing behind them are no text.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [_HASHES.sub("", line) for line in lines if line.strip() and not is_rule(line)]
    top = min((_indent(line) for line in lines if _MARKER.match(line)), default=0)
    found: list[list[str]] = []
    for line in lines:
        marked = bool(_MARKER.match(line))
        inside = found and (
            _indent(line) > top if marked else _indent(line) > top and _MARKER.match(found[-1][0])
        )
        if inside:
            found[-1].append(line)
        else:
            found.append([line])
    return [joined for block in found if items(joined := _joined(block))]


def items(block: str) -> list[str]:
    """The lines of a block as pieces of their own, without list markers."""
    return [piece for line in block.split("\n") if (piece := strip_marker(line))]


def strip_marker(line: str) -> str:
    """A line without its list marker and bold markup."""
    return without_bold(_MARKER.sub("", _HASHES.sub("", line), count=1)).strip()


def is_marked(line: str) -> bool:
    """Whether a line is a list item."""
    return bool(_MARKER.match(line))


def split_label(line: str) -> tuple[str, str]:
    """``首要：包裹状态`` as ("首要", "包裹状态"); ("", line) where no label stands before a colon."""
    found = _LABEL.match(line)
    return (found[1].strip(), line[found.end() :].strip()) if found else ("", line)


def unquote(text: str) -> str:
    """A text without the pair of quotation marks that is around all of it."""
    stripped = text.strip()
    for left, right in _QUOTES:
        inner = stripped[1:-1]
        if (
            len(stripped) > 2
            and stripped[0] == left
            and stripped[-1] == right
            and left not in inner
            and right not in inner
        ):
            return inner.strip()
    return stripped


def quotations(text: str) -> list[str]:
    """What stands in quotation marks and is long enough to be a spoken line."""
    found = (next(filter(None, match)).strip() for match in _QUOTED.findall(text))
    return [quotation for quotation in found if len(quotation) >= 6]


def without_bold(text: str) -> str:
    """A text without ``**`` and ``__`` markup."""
    return re.sub(r"\*\*|__(?=\S)|(?<=\S)__", "", text)


def _joined(block: Iterable[str]) -> str:
    first, *rest = block
    below = textwrap.dedent("\n".join(rest))
    return "\n".join(filter(None, [strip_marker(first), without_bold(below)]))


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
