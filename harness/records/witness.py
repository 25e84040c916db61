"""``RUN/witness.jsonl``: what the user's own systems told during calls, one :class:`Witnessed` a line.

A tool that was really called, an order that was really made: the agent may tell of it or not, and may tell
wrongly. Times are of this machine's monotonic clock, which every call of the run shares
(``CallRecord.began_monotonic_s``), so that what was told can be placed in a call.

``RUN/calls/ID/witnessed.jsonl``
    In a run that was put together from shards, whose machines had clocks of their own: what was told of this
    call, as events on its own clock, a line each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from harness._files.json_file import BadJson, parse_json
from harness._files.outside_file import read_bytes
from harness.records.base import FileModel
from harness.records.call import CallRecord, Event

WITNESS_FILE = "witness.jsonl"
OF_A_CALL_FILE = "witnessed.jsonl"
MAX_WITNESSED = 20_000
MAX_FILE_BYTES = 64_000_000
MOST_MONOTONIC_S = 1e9
"""No machine has been up for longer: 31 years."""
AFTER_S = 30.0
"""What is told of a call by its name counts for so long after its end: a backend may be slow."""
SOURCE = "webhook"

Text = Annotated[str, Field(max_length=500)]


class Witnessed(FileModel):
    """One thing that was told.

    Attributes:
        call: The call's id; empty: whichever stood at that moment.
        event: What happened, or
        tool_call: the tool that was called; one of the two.
        at_s: When it was told, by :func:`time.monotonic`.
    """

    call: str = Field(default="", max_length=200)
    event: str = Field(default="", max_length=100)
    tool_call: str = Field(default="", max_length=100)
    data: dict[Annotated[str, Field(max_length=100)], Text | int | float | bool | None] = Field(
        default_factory=dict, max_length=50
    )
    at_s: float = Field(default=0.0, ge=0.0, le=MOST_MONOTONIC_S, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if bool(self.event) == bool(self.tool_call):
            raise ValueError("give an event or a tool_call, one of them")
        return self

    def in_call(self, began_s: float) -> Event:
        """As an event of a call's timeline."""
        kind, data = (
            (self.event, self.data) if self.event else ("tool_call", {"name": self.tool_call, **self.data})
        )
        return Event(t=self.at_s - began_s, side="agent", kind=kind, source=SOURCE, data=data)


def read_witnessed(run: Path) -> list[Witnessed]:
    """What was told in a run, in order; lines that are none are left out, and nothing was told where there is
    no such file."""
    try:
        content = read_bytes(run / WITNESS_FILE, max_bytes=MAX_FILE_BYTES, within=run)
    except OSError:
        return []
    found = []
    for line in content.splitlines()[:MAX_WITNESSED]:
        try:
            found.append(Witnessed.model_validate(parse_json(line)))
        except (BadJson, ValidationError):
            continue
    return found


def told_of(record: CallRecord, told: list[Witnessed], others: list[CallRecord]) -> list[Event]:
    """What was told of a call: by its name, or, without one, while it stood and no other did.

    Args:
        others: All calls of the run.
    """
    began_s = record.began_monotonic_s
    if began_s is None:
        return []
    named = [
        one
        for one in told
        if one.call == record.plan.call_id and began_s <= one.at_s <= began_s + record.duration_s + AFTER_S
    ]
    unnamed = [
        one
        for one in told
        if not one.call and _stood(record, one.at_s) and sum(_stood(other, one.at_s) for other in others) == 1
    ]
    return [one.in_call(began_s) for one in sorted([*named, *unnamed], key=lambda one: one.at_s)]


def _stood(record: CallRecord, at_s: float) -> bool:
    began_s = record.began_monotonic_s
    return began_s is not None and began_s <= at_s <= began_s + record.duration_s
