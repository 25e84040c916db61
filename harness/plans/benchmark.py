"""The benchmark for language models: every entry with every model, in text, all meeting the same callers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.plans.call import CallPlan, Limits
from harness.plans.run import derive_seed
from harness.plans.task import settled, task_of
from harness.plans.understanding import Understanding
from harness.plans.understanding_here import resolved_understanding, words_because
from harness.plans.unit import Unit
from harness.scenarios.scenario import Entry
from voice_sim.person.manners import manners_of

TEXT_CALL_S = 900.0
"""Limit of the estimated time of speaking: in text nobody waits for it."""
FIRST_SPEECH_S = 15.0
"""An agent's first words are awaited as long as by voice."""


def text_units(
    entries: Sequence[Entry],
    *,
    policy: str,
    agent: str,
    caller_model: str = "",
    understanding: Understanding | None = None,
    models: Sequence[str] = (),
    temperature: float | None = 0.0,
    trials: int = 1,
    seed: int = 0,
    limits: Limits | None = None,
) -> list[Unit]:
    """Every entry with every model, ``trials`` times each.

    Entry by entry, with the models side by side: a run that was cut off has compared them on the same calls.

    Args:
        policy: Who plays the caller: ``agenda``, ``llm`` or ``human``.
        understanding: How an ``agenda`` caller understands; None: by examples where that is possible.
        caller_model: The language model of an ``llm`` caller.
        agent: What plays the agent card: a name of ``harness.calls.text.agents``.
        models: Of an ``llm`` agent; each is a competitor.
        seed: Of the caller. The same for every competitor, so that all meet the same person in the same mood.
        limits: What is set in them goes before the person's own patience.
    """
    slugs = _slugs([model or agent for model in models or [""]])
    tasks = {entry.id: task_of(entry) for entry in entries}
    return [
        Unit(
            plan=CallPlan(
                medium="text",
                call_id=f"{slug}.{entry.id.replace('/', '.')}" + (f".{trial + 1}" if trials > 1 else ""),
                agent=agent,
                agent_model=model,
                temperature=temperature,
                policy=policy,
                language_model=caller_model or None,
                understanding=(
                    how := resolved_understanding(understanding, policy=policy, persona=task.persona)
                ),
                words_because=words_because(
                    how, asked=understanding is not None, policy=policy, persona=task.persona
                ),
                language=entry.scenario.language,
                seed=derive_seed(seed, entry.id, trial),
                trial=trial,
                limits=_limits(entry, limits),
                task=settled(task, seed=derive_seed(seed, entry.id, trial)),
            ),
            entry=entry,
        )
        for trial in range(trials)
        for entry in entries
        for task in [tasks[entry.id]]
        for model, slug in zip(models or [""], slugs, strict=True)
    ]


def _limits(entry: Entry, chosen: Limits | None) -> Limits:
    """The patience of the entry's person, under what was chosen."""
    manners = manners_of(entry.persona.archetype, entry.persona.manner)
    own = {
        "call_s": TEXT_CALL_S,
        "first_speech_s": FIRST_SPEECH_S,
        "silence_s": manners.give_up_after_s,
        "prompt_s": manners.prompt_after_s,
    }
    return Limits.model_validate(own | (chosen.model_dump(exclude_unset=True) if chosen else {}))


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
