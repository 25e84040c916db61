"""From a suite to calls of a plan: places drawn from a seed, a few in each call, controls beside them.

Each kind of sound is met in each language. ``quick`` takes every kind once into the agent's speech and every
third kind into its silence; in a second language a third of the kinds and one of them. ``full`` takes every
sound at both places in every language that may hear it. To three places with a sound there is one without
(the controls), because an agent that pauses or ends early by itself looks like one that was stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.probes.planted import Place, ProbePlan
from harness.plans.probes.suite import Item, Language, Suite, load_suite, sound_length_s
from voice_sim.conditions.recordings import SUFFIXES

MAX_SUITES = 20
PLACES_A_CALL = 4
PAUSE_S = 0.6
"""Into silence: so long after the agent's end."""
GOES_ON_AFTER_S = 4.0
"""Silence after which the caller says its next request, where nobody answered a sound."""
AFTER_OVER_S = 2.6
"""Into speech: the caller goes on so long after both are silent: a reply to the sound is not cut off."""
CALL_S, OVER_S, SILENCE_S = 5.0, 10.0, 14.0
"""What a call and a place of each kind take, with an agent that answers after 1.5 s and speaks for 4 s."""
CONTROLS = 3


class ProbesWanted(BaseModel):
    """A suite in a plan: its name alone, or a mapping.

    Attributes:
        sounds: By kind of sound: a folder of the user's own recordings, which replace those of the suite.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    suite: str = Field(min_length=1, max_length=200)
    size: Literal["quick", "full"] = "quick"
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


@dataclass(frozen=True, kw_only=True)
class _Spot:
    """An item at a place; a control has the place without the sound."""

    item: Item
    place: Place
    control: bool = False


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
        suite = with_own_sounds(load_suite(name), one.sounds, folder)
        random = Random(f"{seed if one.seed is None else one.seed}/{suite.name}/{one.size}")
        for language in suite.callers:
            spots = _spots(suite, language, one.size, random)
            calls += _calls_of(suite, language, spots, one.size, random)
    return calls


def seconds_of(call: dict[str, Any]) -> float:
    """How long a call of :func:`probe_calls` takes, about."""
    return _seconds(ProbePlan.model_validate(call["probe"]))


def probes_named(text: str) -> list[dict[str, str]]:
    """What ``--probes`` says, as a plan has it: ``restraint,attention:full``.

    Raises:
        UserError: A size is none.
    """
    wanted = []
    for one in filter(None, (part.strip() for part in text.split(","))):
        name, _, size = one.rpartition(":") if one.endswith((":quick", ":full")) else (one, "", "quick")
        if ":" in name:
            raise UserError(f"--probes {one}: sizes are quick and full")
        wanted.append({"suite": name, "size": size})
    if not wanted:
        raise UserError("--probes: the name of a suite is wanted, see 'outboundeval probes list'")
    return wanted


def minutes_of(calls: Sequence[CallPlan]) -> str:
    """What the probes among some calls take, told before they are placed; empty where there is none."""
    probes = [call.probe for call in calls if call.probe is not None]
    if not probes:
        return ""
    planted = [one for probe in probes for one in probe.planted]
    seconds = sum(map(_seconds, probes))
    controls = sum(one.control for one in planted)
    return (
        f"probes: {len(probes)} calls with {len(planted)} places, of which {controls} are without a sound; "
        f"about {seconds / 60:.1f} minutes one after the other"
    )


def _seconds(probe: ProbePlan) -> float:
    return CALL_S + sum(OVER_S if one.place == "over_agent" else SILENCE_S for one in probe.planted)


def with_own_sounds(suite: Suite, sounds: dict[str, Path], folder: Path) -> Suite:
    """The suite with recordings of the user's own in place of all its sounds of some kinds."""
    items = list(suite.items)
    for kind, path in sounds.items():
        if kind not in suite.kinds:
            raise UserError(f"probes.sounds: {suite.name} has no '{kind}'; known: {', '.join(suite.kinds)}")
        own = folder / path
        found = sorted(one for one in own.iterdir() if one.suffix.lower() in SUFFIXES) if own.is_dir() else []
        if not found:
            raise UserError(f"probes.sounds.{kind}: {own} is no folder with recordings in it")
        level_db = next(item.level_db for item in items if item.kind == kind)
        items = [item for item in items if item.kind != kind]
        items += [
            Item(id=f"{kind}-own-{number}", kind=kind, sound=one.resolve(), level_db=level_db)
            for number, one in enumerate(found[:100], start=1)
        ]
    return suite.model_copy(update={"items": tuple(items)})


def _spots(suite: Suite, language: Language, size: str, random: Random) -> list[_Spot]:
    first = language == next(iter(suite.callers))
    kinds = [kind for kind in suite.kinds if suite.items_in(language, kind)]
    if size == "full":
        found = [
            _Spot(item=item, place=place)
            for kind in kinds
            for item in suite.items_in(language, kind)
            for place in ("over_agent", "in_silence")
        ]
    else:
        drawn = random.sample(kinds, len(kinds))
        over = drawn if first else drawn[: max(1, len(drawn) // 3)]
        silent = drawn[::3] if first else drawn[: max(1, len(drawn) // 3)][:1]
        found = [
            _Spot(item=random.choice(suite.items_in(language, kind)), place="over_agent") for kind in over
        ]
        found += [
            _Spot(item=random.choice(suite.items_in(language, kind)), place="in_silence") for kind in silent
        ]
    random.shuffle(found)
    for place in ("over_agent", "in_silence"):
        of_place = [spot for spot in found if spot.place == place]
        if size == "quick" and not first:
            continue
        found += [_Spot(item=one.item, place=one.place, control=True) for one in of_place[::CONTROLS]]
    return found


def _calls_of(
    suite: Suite, language: Language, spots: Sequence[_Spot], size: str, random: Random
) -> list[dict[str, Any]]:
    calls = []
    for kind in ("probe", "control"):
        own = [spot for spot in spots if spot.control == (kind == "control")]
        for start in range(0, len(own), PLACES_A_CALL):
            lines, planted = _script(suite, language, own[start : start + PLACES_A_CALL], random)
            number = start // PLACES_A_CALL + 1
            told = "" if kind == "probe" else ", without the sounds"
            calls.append(
                {
                    "id": f"{suite.name}.{language}.{kind}.{number}",
                    "title": f"Probes of {suite.name} ({language}), {number}{told}",
                    "language": language,
                    "voice": suite.callers[language].model_dump(),
                    "limits": {"prompt_s": GOES_ON_AFTER_S, "silence_s": 12.0, "call_s": 180.0},
                    "script": {"lines": lines, "hang_up_after_s": 3.0},
                    "probe": {
                        "suite": suite.name,
                        "version": suite.version,
                        "size": size,
                        "planted": planted,
                    },
                }
            )
    return calls


def _script(
    suite: Suite, language: Language, spots: Sequence[_Spot], random: Random
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    lines: list[dict[str, Any]] = []
    planted: list[dict[str, Any]] = []
    requests = random.sample(suite.requests[language], len(suite.requests[language]))
    pause_s = 0.4
    for number, spot in enumerate(spots):
        lines.append({"say": requests[number % len(requests)], "pause_s": round(pause_s, 2)})
        pause_s = AFTER_OVER_S if spot.place == "over_agent" else 0.4
        length_s = sound_length_s(spot.item.sound)
        over = spot.place == "over_agent"
        after_s = round(random.uniform(*suite.over_after_s), 2) if over else PAUSE_S
        told: dict[str, Any] = {"item": spot.item.id, "kind": spot.item.kind, "place": spot.place}
        if spot.control:
            planted.append(
                told
                | {
                    "line": len(lines) - 1,
                    "control": True,
                    "after_s": after_s,
                    "length_s": round(length_s, 2),
                }
            )
            # As long as where the sound is played and nobody answers it.
            pause_s = AFTER_OVER_S if over else PAUSE_S + length_s + GOES_ON_AFTER_S
            continue
        planted.append(told | {"line": len(lines)})
        sound = {
            "path": str(spot.item.sound),
            "words": "heard",
            "trimmed": True,
            "level_db": spot.item.level_db,
        }
        how = (
            {"kind": "backchannel", "barge_in_after_s": after_s}
            if over
            else {"kind": "aside", "pause_s": after_s}
        )
        lines.append({"say": spot.item.label, "sound": sound} | how)
    if spots[-1].control and spots[-1].place == "in_silence":
        # So that somebody waits behind the last one, too.
        lines.append({"say": requests[len(spots) % len(requests)], "pause_s": round(pause_s, 2)})
    return lines, planted
