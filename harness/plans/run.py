"""A run: its conversations in order, what it is held to, and how many of them stand at once."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from harness.plans.call import CallPlan
from harness.plans.checks.checks import Checks
from harness.plans.reach.spawn import SpawnPlan
from harness.plans.secrets import REFERENCE
from harness.plans.unit import Unit


class Notify(BaseModel):
    """Who is told of a run's end.

    Attributes:
        url: Of a webhook, named: ``{env:NAME}``. It is a secret.
        on: On every run, or only where the word is another than the night before (or is not "passed", and
            there was none).
        link: To the page, where it is served; ``{run}`` stands for the name of the run's folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    form: Literal["generic", "slack", "teams"] = "generic"
    on: Literal["change", "always"] = "change"
    link: str = Field(default="", max_length=500)

    @field_validator("url")
    @classmethod
    def _named(cls, url: str) -> str:
        if not REFERENCE.fullmatch(url):
            raise ValueError(
                "the address of a webhook is a secret: put it into an environment variable, and name that: "
                "'{env:TEAM_WEBHOOK}'"
            )
        return url


class Witness(BaseModel):
    """Where the user's own systems tell, while calls are held, what they saw: a webhook that the run opens.

    Attributes:
        host, port: Where it listens.
        key: Named, ``{env:NAME}``: who tells has to send it (``Authorization: Bearer``). Empty: anybody who
            reaches it may tell, which is for loopback alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    port: int = Field(ge=1, le=65_535)
    host: str = Field(default="127.0.0.1", max_length=200)
    key: str = Field(default="", pattern=r"^(\{env:[A-Za-z_][A-Za-z0-9_]{0,99}\})?$")

    @model_validator(mode="after")
    def _a_key_for_others(self) -> Self:
        if not self.key and self.host not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError("beyond this machine it needs a key: key: {env:NAME}")
        return self


MAX_PARALLEL = 1000


class Load(BaseModel):
    """A ramp: how many calls may stand at once, by the time since the first was dialled.

    Attributes:
        begin: So many at first (``from`` in a plan).
        to: So many at its end, and from then on.
        over_s: How long it takes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    begin: int = Field(default=1, ge=1, le=MAX_PARALLEL, alias="from")
    to: int = Field(ge=1, le=MAX_PARALLEL)
    over_s: float = Field(gt=0, le=86_400, allow_inf_nan=False)

    @property
    def most(self) -> int:
        """At any time."""
        return max(self.begin, self.to)

    def wanted(self, after_s: float) -> int:
        """How many may stand so long after the first was dialled."""
        share = min(max(after_s / self.over_s, 0.0), 1.0)
        return round(self.begin + (self.to - self.begin) * share)


class Shard(BaseModel):
    """Which part of a whole run this one is (:mod:`harness.runs.elsewhere.shard`).

    Attributes:
        place: From 1 to ``of``.
        plan_digest, call_ids: Of the whole.
        notify, otel: Who is to be told of the whole's end, as the plan has it: by whoever puts it together.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: int = Field(ge=1)
    of: int = Field(ge=1)
    plan_digest: str
    call_ids: tuple[str, ...]
    notify: Notify | None = None
    otel: bool = False


class RunPlan(BaseModel):
    """A whole run: its units in the order in which they are taken up.

    Attributes:
        seed: What theirs come from.
        checks: What the run is held to; no part of the digest.
        parallel: So many of them stand at once, at most; no part of the digest.
        load: A ramp in place of ``parallel``.
        rerun_within_s: Calls that failed are placed once more before an alarm, in so many seconds in all;
            0: they are not.
        witness: Where others tell what they saw; no part of the digest.
        otel: Send figures and checks to an OpenTelemetry collector.
        spawn: The agent's own program, where the run starts it; no part of the digest.
        shard: Which part of a whole run this is; None: it is the whole.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    units: tuple[Unit, ...] = Field(min_length=1)
    seed: int = 0
    checks: Checks = Checks()
    parallel: int = Field(default=1, ge=1, le=MAX_PARALLEL)
    load: Load | None = None
    rerun_within_s: float = Field(default=0.0, ge=0.0, le=86_400.0)
    notify: Notify | None = None
    spawn: SpawnPlan | None = None
    witness: Witness | None = None
    otel: bool = False
    shard: Shard | None = None

    @model_validator(mode="after")
    def _load_or_parallel(self) -> Self:
        if self.load is not None and self.parallel > 1:
            raise ValueError("load says how many calls stand at once: leave out parallel")
        return self

    def against(self, baseline: str | None) -> Self:
        """With what its relative gates compare with; None: as it is."""
        if not baseline:
            return self
        return self.model_copy(update={"checks": self.checks.model_copy(update={"baseline": baseline})})

    @property
    def most_at_once(self) -> int:
        """How many of its calls stand at once, at most."""
        return self.parallel if self.load is None else self.load.most

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
