"""What a dialogue in text is made from: one entry, one caller, one agent; fully resolved and seeded."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from harness.plans.plan import derive_seed
from harness.plans.task import TaskPlan, task_of
from harness.plans.understanding import Understanding
from harness.scenarios.scenario import Entry

ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,179}$"


class ChatLimits(BaseModel):
    """Where a dialogue ends at the latest.

    Attributes:
        turns: Of both sides together.
        call_s: Estimated time of speaking, as in a call (the clock of :mod:`harness.calls.text.converse`).
        turn_chars: A longer turn of the agent is cut here, and the timeline says so.
        answer_s: Real seconds that a side may take for one answer. Not for people.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int = Field(default=100, ge=1, le=1000)
    call_s: float = Field(default=900.0, gt=0, le=7200)
    turn_chars: int = Field(default=4000, ge=100, le=20_000)
    answer_s: float = Field(default=600.0, gt=0, le=3600)


class ChatPlan(BaseModel):
    """One dialogue, fully resolved.

    Attributes:
        dialogue_id: Name of its folder in the run.
        competitor: What is ranked: the model that plays the agent, or the agent's own name.
        policy: What plays the caller: ``agenda``, ``llm`` or ``human``.
        caller_model: The language model of an ``llm`` caller.
        understanding: Of an ``agenda`` caller, see :data:`harness.plans.understanding.Understanding`.
        agent: What plays the agent card: a name of ``harness.calls.text.agents``.
        model: The language model of an ``llm`` agent.
        temperature: Of the agent's model; None: its provider's default.
        seed: Of the caller. The same for every competitor, so that all meet the same person in the same mood.
        trial: From 0.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    dialogue_id: str = Field(pattern=ID_PATTERN)
    competitor: str = Field(min_length=1, max_length=200)
    policy: str
    caller_model: str = ""
    understanding: Understanding = "words"
    agent: str
    model: str = ""
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    seed: int = 0
    trial: int = Field(default=0, ge=0)
    limits: ChatLimits = ChatLimits()
    task: TaskPlan

    @property
    def digest(self) -> str:
        """Sixteen hex digits over everything that decides the dialogue."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class ChatJob:
    """A plan with its entry, of which the plan keeps only what judges need."""

    plan: ChatPlan
    entry: Entry


def chat_jobs(
    entries: Sequence[Entry],
    *,
    policy: str,
    agent: str,
    caller_model: str = "",
    understanding: Understanding = "words",
    models: Sequence[str] = (),
    temperature: float | None = 0.0,
    trials: int = 1,
    seed: int = 0,
    limits: ChatLimits | None = None,
) -> list[ChatJob]:
    """Every entry with every model, ``trials`` times each.

    Entry by entry, with the models side by side: a run that was cut off has compared them on the same calls.
    """
    competitors = list(models) or [""]
    slugs = _slugs([model or agent for model in competitors])
    jobs = []
    for trial in range(trials):
        for entry in entries:
            task = task_of(entry)
            for model, slug in zip(competitors, slugs, strict=True):
                suffix = f".{trial + 1}" if trials > 1 else ""
                plan = ChatPlan(
                    dialogue_id=f"{slug}.{entry.id.replace('/', '.')}{suffix}",
                    competitor=model or agent,
                    policy=policy,
                    caller_model=caller_model,
                    understanding=understanding,
                    agent=agent,
                    model=model,
                    temperature=temperature,
                    seed=derive_seed(seed, entry.id, trial),
                    trial=trial,
                    limits=limits or ChatLimits(),
                    task=task,
                )
                jobs.append(ChatJob(plan=plan, entry=entry))
    return jobs


def plan_digest(jobs: Sequence[ChatJob]) -> str:
    """Sixteen hex digits over all dialogues of a run."""
    return hashlib.sha256("\n".join(job.plan.digest for job in jobs).encode()).hexdigest()[:16]


def _slugs(names: Sequence[str]) -> list[str]:
    """A part of a folder's name for each; different names stay different, also where case does not count."""
    slugs: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:60] or "model"
        slug, number = plain, 2
        while slug.lower() in (taken.lower() for taken in slugs):
            slug, number = f"{plain}-{number}", number + 1
        slugs.append(slug)
    return slugs
