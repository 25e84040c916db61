"""``RUN/run.json``: who was called, when, by which version, on which machine."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from harness.plans.run import Shard
from harness.records.base import FileModel
from harness.records.written_before import run_as_written_now


class Machine(FileModel):
    """Where the calls were placed from."""

    cpu_count: int | None
    platform: str


class RunInfo(FileModel):
    """``run.json``.

    Attributes:
        kind: ``calls`` by voice, or ``chat``: dialogues in text.
        run_id: 32 hex digits by which a store knows the run wherever it lies; empty in one from before.
        finished_at: None until the last call has ended.
        outboundeval: Version of the harness.
        agents: Addresses, or in text names of what plays the agent card.
        call_ids: All that were planned, in order; a call that was not placed has no folder.
        competitors, policy, caller_model, trials, seed: Of dialogues in text: what is ranked, in the order
            given (models, or an agent's own name), and who the caller was, for all of them.
        versions: Libraries and models, by name.
        revision: Of the user's own code, where the CI tells it (``GITHUB_SHA`` and the like).
        branch: Of that code, where the CI tells it: the whole name, without ``refs/heads/``.
        shard: Of a part of a run that ``merge`` puts together with the others.
    """

    kind: Literal["calls", "chat"] = "calls"
    name: str
    run_id: str = Field(default="", pattern=r"^([0-9a-f]{32})?$")
    started_at: str
    finished_at: str | None = None
    outboundeval: str
    machine: Machine | None = None
    plan_digest: str
    agents: list[str]
    call_ids: list[str]
    competitors: tuple[str, ...] = ()
    policy: str = ""
    caller_model: str = ""
    trials: int = 1
    seed: int = 0
    versions: dict[str, str] = Field(default_factory=dict)
    revision: str = Field(default="", max_length=100)
    branch: str = Field(default="", max_length=200)
    shard: Shard | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_written_now(cls, content: Any) -> Any:
        return run_as_written_now(content)
