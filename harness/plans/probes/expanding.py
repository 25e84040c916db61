"""From suites in a plan to calls: a size of each, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.planted import SECONDS_ASSUME, ProbePlan
from harness.plans.probes.suite import Size

MAX_SUITES = 20


class ProbesWanted(BaseModel):
    """A suite in a plan: its name alone, or a mapping.

    Attributes:
        sounds: By kind of sound: a folder of the user's own recordings, which replace those of the suite.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: str = Field(min_length=1, max_length=200)
    size: Size = "quick"
    seed: int | None = None
    sounds: dict[str, Path] = Field(default_factory=dict, max_length=20)

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, content: Any) -> Any:
        return {"suite": content} if isinstance(content, str) else content

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if not self.suite.strip():
            raise ValueError("suite: the name of a probe suite is wanted")
        return self


def probe_calls(
    wanted: Sequence[ProbesWanted], *, seed: int = 0, folder: Path = Path()
) -> list[dict[str, Any]]:
    """The calls of suites, as they could be written in a plan.

    Args:
        seed: Of the plan; the same seed gives the same calls.
        folder: What paths to own sounds start at.

    Raises:
        UserError: There is no such suite, or a sound of it cannot be used.
    """
    names = [one.suite for one in wanted]
    if len(set(names)) != len(names):
        raise UserError("probes: each suite once")
    calls: list[dict[str, Any]] = []
    for one in wanted:
        name = str(folder / one.suite) if "/" in one.suite else one.suite
        suite = load_suite(name).with_own_sounds(one.sounds, folder)
        random = Random(f"{seed if one.seed is None else one.seed}/{suite.name}/{one.size}")
        calls += suite.calls(size=one.size, random=random)
    return calls


def items_of(calls: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The items of a suite that are in calls of :func:`probe_calls`, each once."""
    plans = [ProbePlan.model_validate(call["probe"]) for call in calls]
    return tuple(dict.fromkeys(item for plan in plans for item in plan.items))


def seconds_of(call: dict[str, Any]) -> float:
    """How long a call of :func:`probe_calls` takes, about."""
    return ProbePlan.model_validate(call["probe"]).seconds


def probes_named(text: str) -> list[dict[str, str]]:
    """What ``--probes`` says, as a plan has it: ``restraint,attention:full``.

    Raises:
        UserError: A size is none.
    """
    wanted = []
    for one in filter(None, (part.strip() for part in text.split(","))):
        name, _, size = (
            one.rpartition(":") if one.endswith((":few", ":quick", ":full")) else (one, "", "quick")
        )
        if ":" in name:
            raise UserError(f"--probes {one}: sizes are few, quick and full")
        wanted.append({"suite": name, "size": size})
    if not wanted:
        raise UserError("--probes: the name of a suite is wanted, see 'outboundeval probes list'")
    return wanted


def minutes_of(calls: Sequence[CallPlan]) -> str:
    """What the probes among some calls take, told before they are placed; empty where there is none."""
    probes = [call.probe for call in calls if call.probe is not None]
    if not probes:
        return ""
    places = sum(len(probe.planted) for probe in probes)
    asked = sum(len(probe.asked) for probe in probes)
    seconds = sum(probe.seconds for probe in probes)
    controls = sum(one.control for probe in probes for one in probe.planted)
    dialogues = [one for probe in probes for one in probe.attended]
    to_read = sum(len(probe.to_read) for probe in probes)
    places -= sum(one.place == "over_agent" for one in dialogues)
    controls -= sum(one.place == "over_agent" and one.control for one in dialogues)
    what = [f"{places} places, of which {controls} are without a sound"] if places else []
    what += [f"{asked} lines said to the agent"] if asked else []
    what += [f"{len(dialogues)} dialogues, some with another voice"] if dialogues else []
    what += [f"{to_read} sentences for the agent to read aloud"] if to_read else []
    return (
        f"probes: {len(probes)} calls with {' and '.join(what)}; "
        f"about {seconds / 60:.1f} minutes one after the other, {SECONDS_ASSUME}"
    )
