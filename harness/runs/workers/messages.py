"""What a run and a process that holds calls for it tell each other: one JSON object a line.

To the process: ``hold`` (a unit, its earlier attempts, what has to come about after the call), ``dial`` (a
call that is prepared), ``stop`` (hang up, keep what there is, end). From it: ``ready``, then of each call
``prepared``, ``dialled``, ``doing``, ``over`` (it stands no more) and ``held``; ``pacing`` as long as it
lives; ``failed`` where a unit asks for what is not to be had, or the folder cannot be written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from harness.plans.checks.expectations import Expected
from harness.plans.unit import Unit, for_own_process
from harness.records.call import EarlierAttempt

READY = b'{"kind": "ready"}\n'
Kind = Literal["prepared", "dialled", "doing", "over", "held", "dropped", "pacing", "failed"]


class Hold(BaseModel):
    """A unit that is to be held."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["hold"] = "hold"
    unit: Unit
    earlier: tuple[EarlierAttempt, ...] = ()
    expect: tuple[Expected, ...] = ()

    def line(self) -> bytes:
        """With what its plan withholds: for the pipe to a process of ours alone."""
        rest = self.model_dump(mode="json", exclude={"unit"}, by_alias=True)
        return json.dumps(rest)[:-1].encode() + b', "unit": ' + for_own_process(self.unit) + b"}\n"

    def open_line(self) -> bytes:
        """Without what its plan withholds: for a process on another machine."""
        return self.model_dump_json(by_alias=True).encode() + b"\n"


class Order(BaseModel):
    """``dial`` a call that is prepared, or ``stop`` all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["dial", "stop"]
    call: str = ""

    def line(self) -> bytes:
        return self.model_dump_json().encode() + b"\n"


_ORDERS: TypeAdapter[Hold | Order] = TypeAdapter(Hold | Order)


def read_order(line: bytes) -> Hold | Order:
    """Raises pydantic.ValidationError for what is none."""
    return _ORDERS.validate_json(line)


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a process tells.

    Attributes:
        call: Which one it is about; empty for ``pacing`` and ``failed``.
        data: ``doing``: ``what``, for people. ``held``: ``status``, ``detail``, ``duration_s``. ``pacing``:
            ``standing``, ``frames``, ``late_p95_ms``, ``understood_p95_s``. ``failed``: ``message``,
            ``hint``, ``written``; or ``message`` and ``fault``, where it is our own.
    """

    kind: Kind
    call: str = ""
    data: dict[str, Any]

    def line(self) -> bytes:
        return json.dumps({"kind": self.kind, "call": self.call, **self.data}).encode() + b"\n"

    @classmethod
    def of(cls, line: bytes) -> Told:
        content = json.loads(line)
        return cls(kind=content.pop("kind"), call=content.pop("call", ""), data=content)
