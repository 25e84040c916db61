"""A run: its conversations, each a unit that any worker can take up."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from harness.plans.call import CallPlan
from harness.plans.checks.checks import Checks
from harness.scenarios.scenario import Entry


class Unit(BaseModel):
    """One conversation that is to be held, complete: it can be written as JSON, sent elsewhere, held there.

    Attributes:
        plan: Everything that decides the caller.
        entry: The whole entry of the benchmark, where the agent is played from its card (in text); the plan
            keeps of it only what the caller and the judges need.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    plan: CallPlan
    entry: Entry | None = None

    @property
    def id(self) -> str:
        """Of the call."""
        return self.plan.call_id


class Notify(BaseModel):
    """Who is told of a run's end.

    Attributes:
        url: Of a webhook, named: ``{env:NAME}``. It is a secret.
        on: On every run, or only where the word is another than the night before (or is not "passed", and
            there was none).
        link: To the page, where it is served; ``{run}`` stands for the name of the run's folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(pattern=r"^\{env:[A-Za-z_][A-Za-z0-9_]{0,99}\}$")
    form: Literal["generic", "slack", "teams"] = "generic"
    on: Literal["change", "always"] = "change"
    link: str = Field(default="", max_length=500)


class RunPlan(BaseModel):
    """A whole run: its units in the order in which they are taken up.

    Attributes:
        seed: What theirs come from.
        checks: What the run is held to; no part of the digest.
        rerun_within_s: Calls that failed are placed once more before an alarm, in so many seconds in all;
            0: they are not.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    units: tuple[Unit, ...] = Field(min_length=1)
    seed: int = 0
    checks: Checks = Checks()
    rerun_within_s: float = Field(default=0.0, ge=0.0, le=86_400.0)
    notify: Notify | None = None

    @classmethod
    def of(cls, name: str, calls: Iterable[CallPlan]) -> Self:
        """A run of calls that need no more than their plans."""
        return cls(name=name, units=tuple(Unit(plan=call) for call in calls))

    @property
    def calls(self) -> tuple[CallPlan, ...]:
        return tuple(unit.plan for unit in self.units)

    @property
    def digest(self) -> str:
        """Sixteen hex digits over all calls."""
        return hashlib.sha256("\n".join(call.digest for call in self.calls).encode()).hexdigest()[:16]


def derive_seed(seed: int, call_id: str, trial: int) -> int:
    """A call's own seed: stable when other calls are added to or removed from the plan."""
    return zlib.crc32(f"{seed}/{call_id}/{trial}".encode())
