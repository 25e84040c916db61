"""From a plan file to call plans that are fully resolved and seeded.

A plan file (YAML)::

    name: nightly
    agent: http://127.0.0.1:7860        # may be overridden on the command line
    spawn: {command: "python bot.py --port {port}", port: 7860}     # started for the run (plans.reach.spawn)
    headers: {Authorization: "Bearer {env:AGENT_TOKEN}"}     # with which that agent is dialled
    seed: 7
    trials: 1                           # each call this often
    defaults:                           # any field of a call, for all calls
      voice: {engine: piper, name: joe}
    gates: [response_latency_ms.p95 <= 1500]     # what decides pass and fail (checks.gates)
    baseline: last green on main        # what relative gates compare with: that, last green, or a folder
    parallel: 20                        # so many calls at once, at most; default: one after the other
    load: {from: 1, to: 40, over_s: 300}         # or a ramp: more and more at once
    witness: {port: 8765}               # your systems tell there what they saw (docs/nightly.md)
    otel: true                          # figures and checks to an OpenTelemetry collector
    rerun_within_s: 600                 # place what failed once more before an alarm, in that time
    calls:
      - id: plain
        script: {lines: [{say: "Hello, who is this?"}]}
      - id: noisy
        conditions: {noise: {kind: speech_shaped, snr_db: 10}}
        script: {lines: [{say: "Could you repeat that?"}]}
      - scenario: cs-bank-complaint/hesitant     # an entry of the benchmark; its id names the call
        policy: agenda                           # default; llm needs 'language_model:' with it
        understanding: examples                  # default, where the encoder is installed; or words
        expect: [{not_said: goodbye}]            # what has to come about (checks.expectations)
      - scenarios: ["fin-*/*", "*/resistant"]    # one call for each entry that matches

``probes: [restraint]``, or ``probes: [{suite: restraint, size: full}]``, adds the calls of a probe suite
(:mod:`harness.plans.probes`).

In place of ``calls``, or beside it, a plan may have ``scenarios: [...]`` of its own. ``scenario_folders``
says where the scenarios are, as paths from the plan file; default: those that come with the product. A call
about a scenario takes its title and its language from it, the rate of its voice and its patience from the
person, and what it tells the agent (``request_data``) from the agent card; what the plan says comes first.

Secrets are named, ``{env:NAME}``, in the address, in ``headers`` and in ``request_data``
(:mod:`harness.plans.secrets`). A call with an ``agent`` of its own gets the ``headers`` of its own and of the
defaults alone: what opens one agent's door is not shown to another.

Where the agent calls us (``outboundeval answer``), ``answer`` and ``trigger`` say how it learns to, and how
it is answered (:mod:`harness.plans.reach.answer`); they, too, may stand in ``defaults``.

How the agent is reached beside its address (ICE servers, authorities, codecs) is ``reach``, a field of a
call and so of ``defaults`` (:mod:`harness.plans.reach.plan`).

What comes of it is a :class:`~harness.plans.call.CallPlan` for each call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.models.voices import installed_voices
from harness.plans.call import (
    CallPlan,
    ConditionsPlan,
    Limits,
    PolicyName,
    RequestData,
    VoicePlan,
)
from harness.plans.checks.checks import Checks, parted
from harness.plans.checks.expectations import Expected
from harness.plans.checks.gates import MAX_GATES, Gate
from harness.plans.entries import MAX_PATTERNS, call_id_of, fields_of, find_entries
from harness.plans.probes.expanding import MAX_SUITES, ProbesWanted, probe_calls
from harness.plans.probes.planted import ProbePlan
from harness.plans.reach.answer import AnswerWritten, TriggerPlan
from harness.plans.reach.plan import DIRECT, ReachPlan, with_path_from
from harness.plans.reach.spawn import PORT, SpawnPlan
from harness.plans.run import MAX_PARALLEL, Load, Notify, RunPlan, Witness, derive_seed
from harness.plans.secrets import Headers, merged_headers
from harness.plans.sounds.of_lines import with_sounds_from
from harness.plans.task import settled
from harness.plans.understanding import Understanding
from harness.plans.understanding_here import resolved_understanding, words_because
from harness.plans.unit import Unit
from harness.scenarios.scenario import Entry
from voice_sim.person.casting import cast
from voice_sim.person.manners import manners_of
from voice_sim.policies.script import Script

MAX_PLAN_BYTES = 2_000_000
MAX_CALLS = 10_000
MAX_VALUES = 1_000_000
"""Of all calls together: a few lines of a plan can stand for more than any memory holds."""
PERSON_CALL_S = 600.0
"""Limit of a call with a simulated person: a slow one needs five minutes for a procedure of twelve steps."""


class _PlannedCall(BaseModel):
    """A call as written in a plan file, before trials are expanded."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")
    title: str = ""
    agent: str | None = None
    headers: Headers = Field(default_factory=dict)
    script: Script | None = None
    scenario: str | None = Field(default=None, max_length=200)
    scenarios: tuple[Annotated[str, Field(max_length=200)], ...] = Field(default=(), max_length=MAX_PATTERNS)
    policy: PolicyName | None = None
    language_model: str | None = Field(default=None, min_length=1, max_length=200)
    understanding: Understanding | None = None
    voice: VoicePlan = VoicePlan()
    conditions: ConditionsPlan = ConditionsPlan()
    limits: Limits = Limits()
    request_data: RequestData = Field(default_factory=dict)
    reach: ReachPlan = DIRECT
    answer: AnswerWritten | None = None
    trigger: TriggerPlan | None = None
    probe: ProbePlan | None = None
    language: Literal["en", "zh"] = "en"

    @property
    def patterns(self) -> tuple[str, ...]:
        return ((self.scenario,) if self.scenario else ()) + self.scenarios

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.script is None and not self.patterns:
            raise ValueError("script: give the call a script, or a scenario")
        if self.id is None and not self.patterns:
            raise ValueError("id: give the call a name")
        return self


class _PlanFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(default="run", max_length=200)
    agent: str | None = None
    headers: Headers = Field(default_factory=dict)
    seed: int = 0
    trials: int = Field(default=1, ge=1, le=1000)
    defaults: dict[str, Any] = Field(default_factory=dict)
    scenarios: list[str] = Field(default_factory=list, max_length=MAX_PATTERNS)
    scenario_folders: list[Path] = Field(default_factory=list, max_length=100)
    gates: tuple[Gate, ...] = Field(default=(), max_length=MAX_GATES)
    baseline: str = Field(default="", max_length=1000)
    rerun_within_s: float = Field(default=0.0, ge=0.0, le=86_400.0)
    parallel: int = Field(default=1, ge=1, le=MAX_PARALLEL)
    load: Load | None = None
    notify: Notify | None = None
    spawn: SpawnPlan | None = None
    witness: Witness | None = None
    otel: bool = False
    calls: list[dict[str, Any]] = Field(default_factory=list, max_length=10_000)
    probes: tuple[ProbesWanted, ...] = Field(default=(), max_length=MAX_SUITES)

    @model_validator(mode="after")
    def _calls_somebody(self) -> Self:
        if not self.calls and not self.scenarios and not self.probes:
            raise ValueError("a plan needs 'calls', 'scenarios' or 'probes'")
        if self.load is not None and self.parallel > 1:
            raise ValueError("load says how many calls stand at once: leave out parallel")
        return self


def load_plan(
    path: Path,
    *,
    agent: str | None = None,
    headers: Mapping[str, str] | None = None,
    reach: Mapping[str, Any] | None = None,
    spawn: SpawnPlan | None = None,
    answering: bool = False,
    agent_otherwise: str | None = None,
) -> RunPlan:
    """Reads a plan file and expands its trials.

    Args:
        path: The YAML file.
        agent: Endpoint that overrides the file's.
        headers: For every call, over those of the file.
        reach: Fields of a call's ``reach``, for every call, over those of the file.
        spawn: The agent's program, in place of the file's.
        answering: The agent calls, and we answer.
        agent_otherwise: Endpoint where neither the file nor ``agent`` has one.

    Raises:
        UserError: The file cannot be read, is no plan, or names no agent; the message says where.
    """
    content = read_yaml(path, max_bytes=MAX_PLAN_BYTES, typed=True).content
    if not isinstance(content, dict):
        raise UserError(f"{path}: a plan is a mapping with 'calls', not {type(content).__name__}")
    return expand_plan(
        content,
        agent=agent,
        headers=headers,
        reach=reach,
        spawn=spawn,
        answering=answering,
        agent_otherwise=agent_otherwise,
        where=str(path),
        folder=path.parent,
    )


def expand_plan(
    content: dict[str, Any],
    *,
    agent: str | None = None,
    headers: Mapping[str, str] | None = None,
    reach: Mapping[str, Any] | None = None,
    spawn: SpawnPlan | None = None,
    answering: bool = False,
    agent_otherwise: str | None = None,
    where: str = "plan",
    folder: Path = Path(),
) -> RunPlan:
    """The run that a plan's content describes; see :func:`load_plan`. ``folder``: what its paths start at."""
    try:
        plan = _PlanFile.model_validate(content)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=where)) from error
    spawn = spawn or plan.spawn
    folders = [folder / one for one in plan.scenario_folders]
    calls: list[CallPlan] = []
    expect: dict[str, tuple[Expected, ...]] = {}
    values = 0
    seen: dict[str, str] = {}
    # What every call takes over from the defaults is the same object in each, and counted once.
    taken_over = {id(value): _count(value, {}) for value in plan.defaults.values()}
    of_scenarios = [{"scenarios": plan.scenarios}] if plan.scenarios else []
    written = [*plan.calls, *of_scenarios, *probe_calls(plan.probes, seed=plan.seed, folder=folder)]
    for position, one in enumerate(written):
        place = f"{where}: calls[{position}]"
        if position >= len(plan.calls):
            place = f"{where}: scenarios" if "scenarios" in one else f"{where}: probes"
        merged = _with_paths_from(folder, _merged(plan.defaults, one), place)
        if reach:
            merged = _merged(merged, {"reach": dict(reach)})
        values += _count(merged, taken_over) * plan.trials
        if values > MAX_VALUES:
            raise UserError(f"{place}: all calls and trials until here have more than {MAX_VALUES} values")
        merged, expected = parted(merged, where=place)
        try:
            call = _PlannedCall.model_validate(merged)
        except ValidationError as error:
            raise UserError(describe_validation_error(error, where=place)) from error
        if not answering and (call.answer is not None or call.trigger is not None):
            named = "answer" if call.answer is not None else "trigger"
            raise UserError(
                f"{place}.{named}: here it is the agent who calls: use 'outboundeval answer', or leave it out"
            )
        endpoint = agent or call.agent or plan.agent or agent_otherwise
        if endpoint is None and spawn is not None and not answering:
            endpoint = spawn.address
        if endpoint is None and answering:
            raise UserError(
                f"{where}: who calls? give 'agent: sip:HOST' in the plan or --agent sip:HOST, from where the "
                "agent's calls come (or --from-anywhere)"
            )
        if endpoint is None:
            raise UserError(f"{where}: no agent to call: give 'agent:' in the plan or --agent URL")
        if spawn is not None:
            endpoint = spawn.at_port(endpoint)
        elif PORT in endpoint:
            raise UserError(
                f"{where}: {PORT} in an address is the port of a program that is started: 'spawn:'"
            )
        of_agent = plan.headers if agent is not None or call.agent is None else {}
        sent = merged_headers(of_agent, call.headers, headers or {})
        for call_id, fields in _resolved(call, folders, place=place):
            if (known := seen.get(call_id.lower())) is not None:
                raise UserError(_not_apart(call_id, known, place=place))
            seen[call_id.lower()] = call_id
            if len(calls) + plan.trials > MAX_CALLS:
                raise UserError(
                    f"{place}: more than {MAX_CALLS} calls, trials counted; make several plans of it"
                )
            for trial in range(plan.trials):
                seed = derive_seed(plan.seed, call_id, trial)
                task = fields.get("task")
                met: dict[str, Any] = {} if task is None else {"task": settled(task, seed=seed)}
                own_id = call_id if plan.trials == 1 else f"{call_id}.{trial + 1}"
                try:
                    if answering:
                        written_answer = call.answer or AnswerWritten()
                        met |= {
                            "answer": written_answer.drawn(call_id=own_id, seed=seed, trigger=call.trigger)
                        }
                    calls.append(
                        CallPlan(
                            call_id=own_id,
                            agent=endpoint,
                            trial=trial,
                            seed=seed,
                            **fields | met | {"headers": sent, "reach": call.reach},
                        )
                    )
                except ValidationError as error:
                    raise UserError(describe_validation_error(error, where=place)) from error
                if expected:
                    expect[calls[-1].call_id] = expected
    return RunPlan(
        name=plan.name,
        units=tuple(Unit(plan=call) for call in calls),
        seed=plan.seed,
        checks=Checks(gates=plan.gates, expect=expect, baseline=plan.baseline),
        parallel=plan.parallel,
        load=plan.load,
        rerun_within_s=plan.rerun_within_s,
        notify=plan.notify,
        spawn=spawn,
        witness=plan.witness,
        otel=plan.otel,
    )


def _not_apart(call_id: str, known: str, *, place: str) -> str:
    """Ids are names of folders, and some disks take two that differ in capitals alone for one."""
    if call_id == known:
        return f"{place}.id: '{call_id}' is there already; ids must differ"
    return f"{place}.id: '{call_id}' is there already as '{known}'; ids must differ by more than capitals"


def _resolved(call: _PlannedCall, folders: Sequence[Path], *, place: str) -> list[tuple[str, dict[str, Any]]]:
    """A planned call as the calls that it stands for: their ids, and their fields but those of a trial."""
    own = call.model_dump(
        exclude={*("id", "agent", "headers", "reach", "answer", "trigger", "scenario", "scenarios", "policy")}
    )
    if not call.patterns:
        understood = resolved_understanding(call.understanding, policy=call.policy or "script", persona=None)
        return [(call.id or "", own | {"policy": call.policy or "script", "understanding": understood})]
    try:
        entries = find_entries(call.patterns, folders)
    except UserError as error:
        raise UserError(f"{place}: {error}") from error
    policy = call.policy or ("agenda" if call.script is None else "script")
    said = {name: own[name] for name in call.model_fields_set & own.keys()}
    resolved = []
    for entry in entries:
        call_id = call_id_of(entry.id)
        if call.id is not None:
            call_id = call.id if len(entries) == 1 else f"{call.id}.{call_id}"
        fields = own | fields_of(entry) | said | _manner(call, entry, policy) | {"policy": policy}
        try:
            understood = resolved_understanding(
                call.understanding, policy=policy, persona=fields["task"].persona
            )
        except UserError as error:
            raise UserError(f"{place}: {error}") from error
        because = words_because(
            understood,
            asked=call.understanding is not None,
            policy=policy,
            persona=fields["task"].persona,
        )
        resolved.append((call_id, fields | {"understanding": understood, "words_because": because}))
    return resolved


def _manner(call: _PlannedCall, entry: Entry, policy: PolicyName) -> dict[str, Any]:
    """How fast the person of an entry speaks and how long they wait, where the plan does not say it."""
    if policy == "script":
        return {}
    manners = manners_of(entry.persona.archetype, entry.persona.manner)
    limits = {
        "silence_s": manners.give_up_after_s,
        "prompt_s": manners.prompt_after_s,
        "call_s": PERSON_CALL_S,
    }
    voice: dict[str, Any] = {"rate": manners.speaking_rate}
    # A voice that was named is taken as it is; somebody's own is chosen where none was.
    casting = cast(entry.persona, identity=entry.id, available=installed_voices())
    if casting is not None and not call.voice.model_fields_set & {"engine", "name"}:
        voice = {
            "engine": casting.voice.engine,
            "name": casting.voice.name,
            "rate": round(manners.speaking_rate * casting.rate, 3),
            "pitch": casting.pitch,
            "pause_s": casting.pause_s,
        }
    return {
        "voice": voice | call.voice.model_dump(exclude_unset=True),
        "limits": limits | call.limits.model_dump(exclude_unset=True),
    }


def _with_paths_from(folder: Path, call: dict[str, Any], place: str) -> dict[str, Any]:
    """The call with its paths as seen from here, not from the plan file's folder."""
    if "script" in call:
        call = call | {"script": with_sounds_from(folder, call["script"], where=place)}
    if "reach" in call:
        call = call | {"reach": with_path_from(folder, call["reach"])}
    conditions = call.get("conditions")
    if not isinstance(conditions, dict):
        return call
    noise = conditions.get("noise")
    if not isinstance(noise, dict) or not isinstance(noise.get("path"), str):
        return call
    return call | {"conditions": conditions | {"noise": noise | {"path": str(folder / noise["path"])}}}


def _count(content: Any, known: Mapping[int, int]) -> int:
    """How many values a part of a plan has, those inside it counted; ``known``: of objects, by their id."""
    if not isinstance(content, dict | list):
        return 1
    if (count := known.get(id(content))) is not None:
        return count
    return 1 + sum(_count(one, known) for one in (content.values() if isinstance(content, dict) else content))


def _merged(defaults: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The call's own fields over the defaults; mappings are merged, everything else replaced."""
    merged = dict(defaults)
    for key, value in own.items():
        known = merged.get(key)
        merged[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
