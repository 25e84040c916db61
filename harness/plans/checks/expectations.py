"""Expectations: what has to come about in a call, or after one of its lines.

In a plan, of a call (or in ``defaults``, of every call), and of a line of a script::

    expect:
      - said: your order is on its way            # the agent's words, in any spelling of numbers
      - not_said: {regex: "language model"}
      - said: {meaning: confirms a refund of 40 euros, judge: "openai:gpt-5"}
      - within_ms: 1500                           # the answer to this line; of a call: to every line
      - stops_within_ms: 700                      # after this interruption; of a call: after each
      - answered                                  # this line, in full or in part; of a call: every line
      - ends: completed                           # of a call: its status
      - event: {kind: bot-interrupted, source: rtvi, data: {}}
      - presses: "42#"                            # keys that the agent presses, in this order
      - tool_call: lookup_order                   # or {name: lookup_order, data: {order: 7}}
      - http: {url: "http://127.0.0.1:9000/orders/7", json: {state: refunded}}    # of a call, once it is over

What cannot be told (no recogniser, no event of that kind from this agent) is met by nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.plans.secrets import Address, Headers
from spoken_language.outside_text import one_line

MAX_OF_A_CALL = 100
MAX_TOLD = 300
"""Characters of what an expectation asks for in its name."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Phrase(_Part):
    """Words of the agent: exact ones, a pattern, or a meaning that a judge decides."""

    words: str = Field(default="", max_length=500)
    regex: str = Field(default="", max_length=500)
    meaning: str = Field(default="", max_length=500)
    judge: str = Field(default="", max_length=200)
    """The language model that is asked for the meaning."""

    @model_validator(mode="before")
    @classmethod
    def _words_alone(cls, content: Any) -> Any:
        if not isinstance(content, str | Mapping | cls):
            raise ValueError("give words (a number in quotes), {regex: …} or {meaning: …, judge: …}")
        return {"words": content} if isinstance(content, str) else content

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(map(bool, (self.words, self.regex, self.meaning))) != 1:
            raise ValueError("give words, a regex or a meaning, one of them")
        if bool(self.meaning) != bool(self.judge):
            raise ValueError("a meaning needs a judge: the name of a language model, and only it does")
        try:
            re.compile(self.regex)
        except re.error as error:
            raise ValueError(f"regex: {error}") from error
        return self

    @property
    def told(self) -> str:
        return self.words or (f"/{self.regex}/" if self.regex else f"meaning: {self.meaning}")


class EventSeen(_Part):
    """An event of the timeline; every entry of ``data`` must be in the event's."""

    kind: str = Field(min_length=1, max_length=100)
    source: str = Field(default="", max_length=40)
    data: dict[str, str | int | float | bool] = Field(default_factory=dict, max_length=20)


class ToolCall(_Part):
    """A tool that the agent called, where it tells of its calls (RTVI, LiveKit, OpenAI Realtime)."""

    name: str = Field(min_length=1, max_length=100)
    data: dict[str, str | int | float | bool] = Field(default_factory=dict, max_length=20)

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, content: Any) -> Any:
        return {"name": content} if isinstance(content, str) else content


class HttpCheck(_Part):
    """A question to somebody's backend when the call is over.

    Attributes:
        url, headers: Secrets in them are named, ``{env:NAME}``.
        answer: In a plan ``json``: path in the answer (``order.items.0.state``) -> value.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    url: Address = Field(min_length=1, max_length=2000)
    method: Literal["GET", "POST"] = "GET"
    headers: Headers = Field(default_factory=dict)
    status: int = Field(default=200, ge=100, le=599)
    contains: str = Field(default="", max_length=500)
    answer: dict[str, str | int | float | bool | None] = Field(
        default_factory=dict, max_length=20, alias="json"
    )
    within_s: float = Field(default=10.0, gt=0, le=120)

    @property
    def told(self) -> str:
        status = "" if self.status == 200 else f" is {self.status}"
        contains = f" contains '{self.contains}'" if self.contains else ""
        return one_line(f"http {self.method} {self.url}{status}{contains}{_with(self.answer)}", most=MAX_TOLD)


class Expectation(_Part):
    """One thing that has to come about; see the module's docstring. Exactly one field is set."""

    said: Phrase | None = None
    not_said: Phrase | None = None
    within_ms: float | None = Field(default=None, gt=0, le=600_000)
    stops_within_ms: float | None = Field(default=None, gt=0, le=600_000)
    answered: bool | None = None
    ends: str | None = Field(default=None, max_length=40)
    event: EventSeen | None = None
    presses: str | None = Field(default=None, min_length=1, max_length=32, pattern=r"^[0-9A-D*#]+$")
    tool_call: ToolCall | None = None
    http: HttpCheck | None = None

    @model_validator(mode="before")
    @classmethod
    def _word_alone(cls, content: Any) -> Any:
        return {content: True} if content == "answered" else content

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1 or self.answered is False:
            raise ValueError(f"give one of: {', '.join(type(self).model_fields)}")
        return self

    @property
    def told(self) -> str:
        """As it is named in reports."""
        if self.said is not None:
            return f"said: {self.said.told}"
        if self.not_said is not None:
            return f"not said: {self.not_said.told}"
        if self.within_ms is not None:
            return f"answered within {self.within_ms:g} ms"
        if self.stops_within_ms is not None:
            return f"stops within {self.stops_within_ms:g} ms"
        if self.ends is not None:
            return f"ends: {self.ends}"
        if self.event is not None:
            source = f" from {self.event.source}" if self.event.source else ""
            return f"event {self.event.kind}{source}{_with(self.event.data)}"
        if self.presses is not None:
            return f"presses {self.presses}"
        if self.tool_call is not None:
            return f"tool call {self.tool_call.name}{_with(self.tool_call.data)}"
        return self.http.told if self.http is not None else "answered"


def _with(data: Mapping[str, str | int | float | bool | None]) -> str:
    """Two expectations that differ in their data alone are told apart by it."""
    if not data:
        return ""
    return " with " + one_line(json.dumps(dict(data), ensure_ascii=False), most=MAX_TOLD)


class Expected(_Part):
    """An expectation with what it is of: a line of the script, or (None) the whole call."""

    line: int | None = Field(default=None, ge=0)
    what: Expectation

    @model_validator(mode="after")
    def _of_what_it_can_be(self) -> Self:
        whole = self.what.http is not None or self.what.ends is not None
        if self.line is not None and whole:
            raise ValueError(f"'{self.what.told}' is of a whole call, not of a line")
        return self
