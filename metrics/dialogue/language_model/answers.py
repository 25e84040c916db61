"""The form in which a language model must answer. What does not fit is asked for again, and then failed."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

FORM = 3
"""Version of what is asked for here; part of every version under which answers are kept."""

MAX_WORDS_CHARS = 300


_LAST_WORD = re.compile(r"(?<=[\s㐀-䶿一-鿿])[^\s㐀-䶿一-鿿]+$")
"""From the last space or Chinese character on: what a cut may have left of a word or a number."""


def _cut(words: Any) -> Any:
    """At most so many characters, ending with a whole word: half a word is one that nobody said, and a quote
    is compared word by word."""
    if not isinstance(words, str) or len(words) < MAX_WORDS_CHARS:
        return words
    return _LAST_WORD.sub("", words[:MAX_WORDS_CHARS]).rstrip()


# A server that writes by the schema stops here, maybe inside a word, so that a small model's endless sentence
# still ends in an answer. From a server that does not, a long sentence is cut, not held against the answer.
_Words = Annotated[str, BeforeValidator(_cut), Field(max_length=MAX_WORDS_CHARS)]


class _Answer(BaseModel):
    # Models add fields of their own; they are dropped, not held against the answer.
    model_config = ConfigDict(frozen=True, extra="ignore")


class NodeAnswer(_Answer):
    """One node."""

    node: str = Field(max_length=100)
    outcome: Literal["achieved", "not_achieved", "not_applicable"]
    turn: int | None = Field(default=None, ge=0, description="the AGENT turn that achieved it, or null")
    quote: _Words = ""
    reason: _Words = ""


class FlowAnswer(_Answer):
    """All nodes of a flow."""

    verdicts: list[NodeAnswer] = Field(max_length=100)


class ReplyAnswer(_Answer):
    """One reply on one dimension."""

    applicable: bool = True
    score: Literal[0, 1, 2] | None = None
    reason: _Words = ""
    quote: _Words = ""

    @model_validator(mode="after")
    def _score_if_applicable(self) -> ReplyAnswer:
        if self.applicable and self.score is None:
            raise ValueError("applicable, so it needs a score of 0, 1 or 2")
        return self
