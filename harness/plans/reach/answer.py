"""``answer:`` and ``trigger:`` of a call: it is the agent who calls (``outboundeval answer``).

::

    answer:
      ring_s: [2, 8]               # it rings so long before it is picked up: drawn between both, or a number
      does: pick_up                # or decline (603), busy (486, at once), never
      number: "4912345"            # this entry is meant by calls to that number …
      header: {X-Entry: "{entry}"} # … or with that header; without either, calls are taken in turn
      within_s: 120                # so long we wait to be rung
    trigger:                       # how the agent learns to call; without it we wait
      url: https://agent.example/dial
      headers: {Authorization: "Bearer {env:DIALLER_TOKEN}"}
      body: {to: "{address}", id: "{entry}", data: "{request_data}"}

or ``trigger: {command: "python dial.py {address} {entry}"}``. ``{address}`` is where we are called,
``{entry}`` the id of the call, ``{number}`` the number of ``answer``, ``{request_data}`` what the call tells
the agent: as it is where it stands alone, else as JSON. A command gets them as ``OUTBOUNDEVAL_ADDRESS``,
``OUTBOUNDEVAL_ENTRY`` and ``OUTBOUNDEVAL_REQUEST_DATA`` as well.

How long it rings is drawn when the plan is expanded, from the call's seed: whoever has the plan lets it ring
as long.
"""

from __future__ import annotations

import json
import shlex
from random import Random
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from harness.plans.secrets import Address, Headers

MOST_RING_S = 120.0
DEFAULT_RING_S = (2.0, 6.0)
"""A person has to find the telephone."""
ENTRY = "{entry}"

Does = Literal["pick_up", "decline", "busy", "never"]
RingS = Annotated[float, Field(ge=0.0, le=MOST_RING_S, allow_inf_nan=False)]
_Number = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.!~*'()&=+$,;?/%#-]{1,256}$")]
_Named = Annotated[dict[str, Annotated[str, Field(max_length=500)]], Field(max_length=1)]


class TriggerPlan(BaseModel):
    """How the agent is told to call.

    Attributes:
        url, method, headers, body: Of an HTTP request; a body is sent as JSON.
        command: As in a shell, but run without one; may be the agent itself, and is ended with the call.
        within_s: So long the request may take.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: Address | None = Field(default=None, max_length=4000)
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: Headers = Field(default_factory=dict)
    body: Any = None
    command: str = Field(default="", max_length=4000)
    within_s: float = Field(default=30.0, gt=0.0, le=300.0)

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.url is None) == (not self.command):
            raise ValueError("give a url, or a command")
        if self.command and (self.headers or self.body is not None):
            raise ValueError("headers and body go with a url")
        if self.url is not None and not self.url.startswith(("http://", "https://", "{env:")):
            raise ValueError("url: it begins with http:// or https://")
        return self

    @field_validator("body")
    @classmethod
    def _is_json(cls, body: Any) -> Any:
        try:
            json.dumps(body, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"cannot be sent as JSON ({error}); put dates in quotes") from error
        return body

    @field_validator("command")
    @classmethod
    def _is_a_command(cls, command: str) -> str:
        try:
            shlex.split(command)
        except ValueError as error:
            raise ValueError(f"cannot be read as a command: {error}") from error
        return command


class AnswerPlan(BaseModel):
    """How one call is answered, fully resolved; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ring_s: RingS
    does: Does = "pick_up"
    number: _Number | None = None
    header: _Named = Field(default_factory=dict)
    within_s: float = Field(default=120.0, gt=0.0, le=86_400.0, allow_inf_nan=False)
    trigger: TriggerPlan | None = None

    @property
    def is_meant_by_name(self) -> bool:
        """Whether a call has to say that it is for this entry."""
        return self.number is not None or bool(self.header)


class AnswerWritten(BaseModel):
    """``answer:`` as it stands in a plan file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ring_s: RingS | tuple[RingS, RingS] = DEFAULT_RING_S
    does: Does = "pick_up"
    number: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    header: _Named = Field(default_factory=dict)
    within_s: float = Field(default=120.0, gt=0.0, le=86_400.0, allow_inf_nan=False)

    @field_validator("ring_s")
    @classmethod
    def _from_less_to_more(cls, ring_s: float | tuple[float, float]) -> float | tuple[float, float]:
        if isinstance(ring_s, tuple) and ring_s[0] > ring_s[1]:
            raise ValueError("from less to more, as in [2, 8]")
        return ring_s

    def drawn(self, *, call_id: str, seed: int, trigger: TriggerPlan | None) -> AnswerPlan:
        """The same for one call, with its own ring time."""
        low, high = self.ring_s if isinstance(self.ring_s, tuple) else (self.ring_s, self.ring_s)
        return AnswerPlan(
            ring_s=round(Random(f"{seed}/ring").uniform(low, high), 2),
            does=self.does,
            number=None if self.number is None else self.number.replace(ENTRY, call_id),
            header={name: value.replace(ENTRY, call_id) for name, value in self.header.items()},
            within_s=self.within_s,
            trigger=trigger,
        )
