"""From a plan file to call plans that are fully resolved and seeded.

A plan file (YAML)::

    name: nightly
    agent: http://127.0.0.1:7860        # may be overridden on the command line
    seed: 7
    trials: 1                           # each call this often
    defaults:                           # any field of a call, for all calls
      voice: {engine: piper, name: joe}
    calls:
      - id: plain
        script: {lines: [{say: "Hello, who is this?"}]}
      - id: noisy
        conditions: {noise: {kind: speech_shaped, snr_db: 10}}
        script: {lines: [{say: "Could you repeat that?"}]}

A :class:`CallPlan` holds everything that decides what the caller does: whoever gets the same plan makes the
same decisions and, with the same models, the same audio.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from harness.errors import UserError
from voice_sim.policies.script import Script

MAX_PLAN_BYTES = 2_000_000


class VoicePlan(BaseModel):
    """Which voice speaks the caller's lines, and how."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: str = "piper"
    name: str = "joe"
    rate: float = Field(default=1.0, ge=0.5, le=2.0)
    level_dbfs: float = Field(default=-23.0, ge=-60.0, le=-10.0)
    """Active speech level (RMS over the voiced part)."""


class NoisePlan(BaseModel):
    """Background noise at the caller's side."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = "speech_shaped"
    snr_db: float = Field(ge=-10.0, le=60.0)


class ConditionsPlan(BaseModel):
    """What the line and the room do to the caller's voice, and the network to its packets."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    noise: NoisePlan | None = None
    loss: float = Field(default=0.0, ge=0.0, le=0.5)
    """Share of packets dropped at our socket, each direction."""
    delay_ms: float = Field(default=0.0, ge=0.0, le=2000.0)
    jitter_ms: float = Field(default=0.0, ge=0.0, le=500.0)
    """Uniform in delay_ms - jitter_ms .. delay_ms + jitter_ms, per packet."""


class Limits(BaseModel):
    """Deadlines of one call, in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    connect_s: float = Field(default=20.0, gt=0, le=300)
    first_speech_s: float = Field(default=15.0, gt=0, le=300)
    """Patience for the agent's first words after the media session stands."""
    silence_s: float = Field(default=15.0, gt=0, le=300)
    """Patience for a reply."""
    call_s: float = Field(default=300.0, gt=0, le=7200)


def _sendable(content: dict[str, Any]) -> dict[str, Any]:
    """YAML reads a bare date as a date, and ``.nan`` as a number: neither can be sent as JSON."""
    try:
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"cannot be sent to the agent as JSON ({error}); put dates in quotes") from error
    return content


RequestData = Annotated[dict[str, Any], AfterValidator(_sendable)]


class CallPlan(BaseModel):
    """One call, fully resolved."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    call_id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    title: str = ""
    agent: str
    script: Script
    voice: VoicePlan = VoicePlan()
    conditions: ConditionsPlan = ConditionsPlan()
    limits: Limits = Limits()
    request_data: RequestData = Field(default_factory=dict)
    """Told to the agent when dialling (pipecat: ``runner_args.body``), for instance its scenario."""
    language: Literal["en", "zh"] = "en"
    trial: int = 0
    seed: int = 0

    @property
    def digest(self) -> str:
        """Sixteen hex digits over everything that decides the call."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]


class RunPlan(BaseModel):
    """A whole run: its calls in the order in which they are placed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    calls: tuple[CallPlan, ...] = Field(min_length=1)


class _PlannedCall(BaseModel):
    """A call as written in a plan file, before trials are expanded."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")
    title: str = ""
    agent: str | None = None
    script: Script
    voice: VoicePlan = VoicePlan()
    conditions: ConditionsPlan = ConditionsPlan()
    limits: Limits = Limits()
    request_data: RequestData = Field(default_factory=dict)
    language: Literal["en", "zh"] = "en"


class _PlanFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(default="run", max_length=200)
    agent: str | None = None
    seed: int = 0
    trials: int = Field(default=1, ge=1, le=1000)
    defaults: dict[str, Any] = Field(default_factory=dict)
    calls: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)


def load_plan(path: Path, *, agent: str | None = None) -> RunPlan:
    """Reads a plan file and expands its trials.

    Args:
        path: The YAML file.
        agent: Endpoint that overrides the file's.

    Raises:
        UserError: The file cannot be read, is no plan, or names no agent; the message says where.
    """
    try:
        if path.stat().st_size > MAX_PLAN_BYTES:
            raise UserError(f"{path}: larger than {MAX_PLAN_BYTES} bytes, so not a plan")
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not valid YAML: {error}") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}: a plan is a mapping with 'calls', not {type(content).__name__}")
    return expand_plan(content, agent=agent, where=str(path))


def expand_plan(content: dict[str, Any], *, agent: str | None = None, where: str = "plan") -> RunPlan:
    """The run that a plan's content describes; see :func:`load_plan`."""
    try:
        plan = _PlanFile.model_validate(content)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=where)) from error
    calls: list[CallPlan] = []
    seen: set[str] = set()
    for position, written in enumerate(plan.calls):
        try:
            call = _PlannedCall.model_validate(_merged(plan.defaults, written))
        except ValidationError as error:
            raise UserError(describe_validation_error(error, where=f"{where}: calls[{position}]")) from error
        if call.id in seen:
            raise UserError(f"{where}: calls[{position}].id: '{call.id}' is there already; ids must differ")
        seen.add(call.id)
        endpoint = agent or call.agent or plan.agent
        if endpoint is None:
            raise UserError(f"{where}: no agent to call: give 'agent:' in the plan or --agent URL")
        for trial in range(plan.trials):
            calls.append(
                CallPlan(
                    call_id=call.id if plan.trials == 1 else f"{call.id}.{trial + 1}",
                    agent=endpoint,
                    trial=trial,
                    seed=derive_seed(plan.seed, call.id, trial),
                    **call.model_dump(exclude={"id", "agent"}),
                )
            )
    return RunPlan(name=plan.name, calls=tuple(calls))


def derive_seed(seed: int, call_id: str, trial: int) -> int:
    """A call's own seed: stable when other calls are added to or removed from the plan."""
    return zlib.crc32(f"{seed}/{call_id}/{trial}".encode())


def describe_validation_error(error: ValidationError, *, where: str) -> str:
    """Every problem of a file, one a line, with the field's path."""
    lines = []
    for problem in error.errors():
        field = ".".join(str(part) for part in problem["loc"]) or "(file)"
        lines.append(f"{where}: {field}: {problem['msg']}")
    return "\n".join(lines)


def _merged(defaults: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The call's own fields over the defaults; mappings are merged, everything else replaced."""
    merged = dict(defaults)
    for key, value in own.items():
        known = merged.get(key)
        merged[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
