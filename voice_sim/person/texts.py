"""What a persona is made of: lines that are heard, prose that is read, examples by author; each bounded."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def _printable(text: str) -> str:
    if found := _CONTROL.search(text):
        raise ValueError(f"contains the control character {found.group()!r}")
    return text


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=1200),
    AfterValidator(_printable),
]
"""One utterance, or one cue."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000), AfterValidator(_printable)]
"""Prose of a few sentences; may be empty where the field says so."""
Paragraph = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000),
    AfterValidator(_printable),
]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
Lines = Annotated[tuple[Line, ...], Field(max_length=60)]
Paragraphs = Annotated[tuple[Paragraph, ...], Field(max_length=200)]
Author = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,23}$")]


class ByAuthor(dict[str, tuple[str, ...]]):
    """Lines by who wrote them; not to be changed, so that the person they belong to can be a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items())))


Examples = Annotated[dict[Author, Lines], Field(max_length=12), AfterValidator(ByAuthor)]
"""What an agent may say in its own words, by who wrote it: author -> lines. Who understands by examples takes
what is nearest to one of them in meaning; authors are told apart so that one's lines can be tried on the
others' (``scenarios check``)."""


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
