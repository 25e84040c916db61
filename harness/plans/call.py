"""One call, fully resolved: :class:`CallPlan`, by voice or in text.

It holds everything that decides what the caller does: whoever gets the same plan makes the same decisions
and, with the same models, the same audio.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.plans.probes.planted import ProbePlan
from harness.plans.reach.answer import AnswerPlan
from harness.plans.reach.plan import DIRECT, ReachPlan
from harness.plans.secrets import Address, Headers, merged_headers
from harness.plans.task import TaskPlan
from harness.plans.understanding import (
    BY_WORDS,
    ResolvedUnderstanding,
    WordsBecause,
    understanding_told,
)
from harness.plans.written_before import plan_as_written_now, plan_of_first_format
from voice_sim.policies.script import Script

ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,179}$"
"""Of a call: also the name of its folder."""

Medium = Literal["voice", "text"]
"""By voice: an agent at an address, in real time. In text: an agent by name, on a virtual clock."""


JitterShape = Literal["uniform", "normal"]
"""How delays are spread: evenly, or by a normal distribution that is cut off at two standard deviations."""


class VoicePlan(BaseModel):
    """Which voice speaks the caller's lines, and how."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: str = "piper"
    name: str = "joe"
    rate: float = Field(default=1.0, ge=0.5, le=2.0)
    pitch: float = Field(default=1.0, ge=0.8, le=1.3)
    """Factor on pitch and formants together; the rate of speech stays."""
    level_dbfs: float = Field(default=-23.0, ge=-60.0, le=-10.0)
    """Active speech level (RMS over the voiced part)."""
    pause_s: float = Field(default=0.5, ge=0.1, le=3.0)
    """How long an ellipsis inside a line is."""


class NoisePlan(BaseModel):
    """Background noise at the caller's microphone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = "speech_shaped"
    snr_db: float = Field(ge=-10.0, le=60.0)
    path: Path | None = None
    """For the kind ``folder``: a folder of recordings. In a plan file, relative to the file."""

    @model_validator(mode="after")
    def _path_goes_with_folder(self) -> Self:
        if (self.kind == "folder") != (self.path is not None):
            raise ValueError("a path (a folder of recordings) goes with the kind 'folder', and only with it")
        return self


class EchoPlan(BaseModel):
    """How the agent's own voice comes back to it, as from a telephone with a loudspeaker."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level_db: float = Field(ge=-60.0, le=0.0)
    """Against what came from the agent."""
    delay_ms: float = Field(ge=60.0, le=1000.0)
    """From hearing it to sending it; the way there and back comes on top."""


class ConditionsPlan(BaseModel):
    """What the line and the room do to the caller's voice, and the network to the packets of both sides.

    The network is impaired at our own socket, each direction by itself. A call's seed decides which packets
    meet what.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    distance_m: float | None = Field(default=None, ge=0.1, le=10.0)
    """From mouth to microphone, in a room; None: close, and no room to be heard."""
    noise: NoisePlan | None = None
    telephone: Literal["ulaw", "alaw"] | None = None
    """A landline: 300-3400 Hz and G.711, on voice and noise alike."""
    echo: EchoPlan | None = None
    line_gain_db: float = Field(default=0.0, ge=-40.0, le=0.0)
    """On everything that is sent, after the codec."""
    loss: float = Field(default=0.0, ge=0.0, le=0.5)
    """Share of packets dropped at our socket, each direction."""
    loss_burst: float | None = Field(default=None, ge=1.0, le=50.0)
    """Mean number of packets lost in a row, where they are lost in bursts (Gilbert-Elliott: all is lost in
    the bad state, nothing in the good one); None: each packet by itself."""
    delay_ms: float = Field(default=0.0, ge=0.0, le=2000.0)
    jitter_ms: float = Field(default=0.0, ge=0.0, le=500.0)
    """Delays lie within delay_ms - jitter_ms .. delay_ms + jitter_ms, drawn for each packet; none is below
    0. Where they differ by more than the time between two packets, those come out of order."""
    jitter_shape: JitterShape = "uniform"
    """``normal``: with half of jitter_ms as the standard deviation, cut off at jitter_ms."""
    reorder: float = Field(default=0.0, ge=0.0, le=0.5)
    """Share of packets held back by ``reorder_ms`` more, so that those behind overtake them."""
    reorder_ms: float = Field(default=50.0, gt=0.0, le=1000.0)
    """With packets of 20 ms, two overtake one that is held back by 50 ms."""
    duplicates: float = Field(default=0.0, ge=0.0, le=0.5)
    """Share of packets that come twice, the copy with a delay of its own."""
    outage_ms: float = Field(default=300.0, gt=0.0, le=10_000.0)
    """How long the line is dead in an outage, both ways."""
    outage_at_s: tuple[Annotated[float, Field(ge=0.0, le=7200.0)], ...] = Field(default=(), max_length=1000)
    """When outages begin, in seconds of the call."""
    outages_per_minute: float = Field(default=0.0, ge=0.0, le=30.0)
    """So many besides, one in each share of a minute at a random moment."""

    @model_validator(mode="after")
    def _bursts_are_of_something(self) -> Self:
        if self.loss_burst is not None and self.loss == 0:
            raise ValueError("loss_burst says how loss is bundled: give a loss, too")
        return self

    @property
    def loses_packets(self) -> bool:
        """Whether some packets never arrive."""
        return self.loss > 0 or bool(self.outage_at_s) or self.outages_per_minute > 0

    @property
    def impairs_the_network(self) -> bool:
        """Whether packets meet anything but the real network."""
        return self.loses_packets or max(self.delay_ms, self.jitter_ms, self.reorder, self.duplicates) > 0

    @property
    def least_delay_ms(self) -> float:
        """What the fastest packets of each direction are delayed by."""
        return max(0.0, self.delay_ms - self.jitter_ms)


class Limits(BaseModel):
    """Deadlines of one call, in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    connect_s: float = Field(default=20.0, gt=0, le=300)
    first_speech_s: float = Field(default=15.0, gt=0, le=300)
    """Patience for the agent's first words after the media session stands."""
    silence_s: float = Field(default=15.0, gt=0, le=300)
    """Patience for a reply."""
    prompt_s: float | None = Field(default=None, gt=0, le=300)
    """Silence after which the caller asks whether the agent is still there; None: it waits without a word."""
    call_s: float = Field(default=300.0, gt=0, le=7200)
    turns: int = Field(default=100, ge=1, le=1000)
    """In text: of both sides together."""
    turn_chars: int = Field(default=4000, ge=100, le=20_000)
    """In text: a longer turn of the agent is cut here, and the timeline says so."""
    answer_s: float = Field(default=600.0, gt=0, le=3600)
    """In text: real seconds that a side may take for one answer. Not for people."""


def _sendable(content: dict[str, Any]) -> dict[str, Any]:
    """YAML reads a bare date as a date, and ``.nan`` as a number: neither can be sent as JSON."""
    try:
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"cannot be sent to the agent as JSON ({error}); put dates in quotes") from error
    return content


RequestData = Annotated[dict[str, Any], AfterValidator(_sendable)]
PolicyName = Literal["script", "agenda", "llm"]
"""Who decides what the caller says: fixed lines, the persona's agenda, or a language model."""


class CallPlan(BaseModel):
    """One call, fully resolved."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    medium: Medium = "voice"
    call_id: str = Field(pattern=ID_PATTERN)
    title: str = ""
    agent: Address = Field(min_length=1)
    """By voice: its address, as it may be kept and shown (:mod:`harness.plans.secrets`). In text: what plays
    the agent card, a name of ``harness.calls.text.agents``."""
    agent_model: str = ""
    """In text: the language model of an ``llm`` agent."""
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    """In text: of the agent's model; None: its provider's default."""
    policy: str = Field(default="script", min_length=1, max_length=100)
    """Who decides what the caller says: :data:`PolicyName`, in text also ``human``."""
    script: Script | None = None
    """The lines of a caller with the policy ``script``; None with every other."""
    task: TaskPlan | None = None
    """What the call is about: always there for whoever plays a person, and where a script is said to an agent
    whose task is known."""
    language_model: str | None = None
    """Name of the caller's language model, for ``llm``."""
    understanding: ResolvedUnderstanding = BY_WORDS
    """Of an ``agenda`` caller: a language model understands by itself."""
    words_because: WordsBecause = ""
    """Why that is by words. For the reader: it decides nothing, and is not in the digest."""
    voice: VoicePlan = VoicePlan()
    conditions: ConditionsPlan = ConditionsPlan()
    limits: Limits = Limits()
    request_data: RequestData = Field(default_factory=dict)
    """Told to the agent when dialling (pipecat: ``runner_args.body``), for instance its scenario. What is
    secret in it is named: ``{env:NAME}``."""
    headers: Headers = Field(default_factory=dict)
    """HTTP headers with which the agent is dialled; their values as they may be kept."""
    reach: ReachPlan = DIRECT
    """How the agent is reached, beside its address."""
    answer: AnswerPlan | None = None
    """Of a call that the agent places (``outboundeval answer``): how it is taken. None: we call."""
    probe: ProbePlan | None = None
    """What is planted in it, where it is a call of a probe suite."""
    language: Literal["en", "zh"] = "en"
    trial: int = Field(default=0, ge=0)
    seed: int = 0

    @model_validator(mode="before")
    @classmethod
    def _as_written_now(cls, content: Any) -> Any:
        return plan_as_written_now(content)

    @model_validator(mode="after")
    def _policy_has_what_it_needs(self) -> Self:
        if (self.policy == "script") != (self.script is not None):
            raise ValueError("a script goes with the policy 'script', and only with it")
        if self.policy != "script" and self.task is None:
            raise ValueError(f"the policy '{self.policy}' plays a person: give a scenario")
        if (self.policy == "llm") != (self.language_model is not None):
            raise ValueError("a language_model goes with the policy 'llm', and only with it")
        if self.understanding != BY_WORDS and self.policy != "agenda":
            raise ValueError("understanding by examples goes with the policy 'agenda', and only with it")
        if self.medium == "text" and self.task is None:
            raise ValueError("a call in text is about a scenario")
        if self.medium == "voice" and self.policy == "human":
            raise ValueError("a person plays the caller in text only")
        return self

    @property
    def about(self) -> TaskPlan:
        """What the call is about, where it is known to be about something: in text always."""
        assert self.task is not None, f"{self.call_id} is about no scenario"
        return self.task

    @property
    def competitor(self) -> str:
        """Who is ranked: the model that plays the agent, or the agent by its own name or address."""
        return self.agent_model or self.agent

    def dialled_with(self, headers: Mapping[str, str], reach: Mapping[str, Any] | None = None) -> Self:
        """The same call with headers and ways of reaching the agent besides its own.

        Raises:
            UserError: One is no header, or no way; the message has no secret.
        """
        if not headers and not reach:
            return self
        met = {
            "headers": merged_headers(self.headers, headers),
            "reach": dict(self.reach) | dict(reach or {}),
        }
        try:
            return type(self).model_validate(dict(self) | met)
        except ValidationError as error:
            raise UserError(describe_validation_error(error, where=self.call_id)) from None

    @property
    def caller_told(self) -> str:
        """Who plays the caller and how it understands, for people."""
        who = " ".join(filter(None, (self.policy, self.language_model)))
        if self.policy != "agenda":
            return who
        return f"{who}, {understanding_told(self.understanding, self.words_because)}"

    @property
    def digest(self) -> str:
        """Sixteen hex digits over everything that decides the call.

        In the form in which plans were first written, so that a run that was begun then can go on.
        """
        content = plan_of_first_format(self.model_dump(mode="json"))
        canonical = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]
