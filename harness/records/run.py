"""``RUN/run.json``: who was called, when, by which version, on which machine."""

from __future__ import annotations

from pydantic import Field

from harness.records.base import FileModel


class Machine(FileModel):
    """Where the calls were placed from."""

    cpu_count: int | None
    platform: str


class RunInfo(FileModel):
    """``run.json``. ``finished_at`` stays None until the last call has ended."""

    name: str
    started_at: str
    finished_at: str | None = None
    outboundeval: str
    """Version of the harness."""
    machine: Machine
    plan_digest: str
    agents: list[str]
    call_ids: list[str]
    """In the order of the plan; a call that was not placed has no folder."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Libraries and models, by name."""
