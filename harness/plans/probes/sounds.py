"""The form ``sounds``: sounds planted into the agent's speech or into the silence after it.

::

    form: sounds                  # what a suite without a form is
    name: restraint
    version: "1"
    summary: What an agent must not react to.
    callers:                      # who plays the requests, by language
      en: {engine: piper, name: joe}
    requests:                     # what makes an agent speak for a while
      en: ["Could you tell me in detail what you can do for me?"]
    over_after_s: [0.9, 1.5]      # into the agent's speech: so long after its onset, drawn evenly
    items:
      - id: cough-1
        kind: cough
        sound: sounds/cough-1.flac
        synthetic: true           # made by a generator, not recorded: its label says so
      - id: side_talk-en-1
        kind: side_talk
        language: en              # none: for every language
        says: Can you take the laundry out before it rains?
        sound: sounds/side_talk-en-1.flac
        level_db: -6              # against the caller's own level

Each kind of sound is met in each language. ``quick`` takes every kind once into the agent's speech and every
third kind into its silence; in a second language a third of the kinds and one of them. ``full`` takes every
sound at both places in every language that may hear it. ``few`` is one call: three sounds in the first
language, and a place without one. To three places with a sound there is one without
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
from harness.plans.probes.planted import Place
from harness.plans.probes.suite import MAX_ITEMS, Language, Size, Suite, inside, sound_length_s
from voice_sim.conditions.recordings import SUFFIXES

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


class Item(BaseModel):
    """Something that is planted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    kind: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    language: Language | None = None
    says: str = Field(default="", max_length=500)
    sound: Path
    level_db: float = Field(default=0.0, ge=-40.0, le=10.0)
    synthetic: bool = False

    @property
    def label(self) -> str:
        """What is heard, for a reader: words, or the kind of sound."""
        plain = self.kind.replace("_", " ")
        told = f"{plain}, synthetic" if self.synthetic else plain
        return f"({told}) {self.says}".strip()


class SoundSuite(Suite):
    """A suite of this form; see the module's docstring."""

    form: Literal["sounds"] = "sounds"
    requests: dict[Language, tuple[str, ...]]
    over_after_s: tuple[float, float] = (0.9, 1.5)
    items: tuple[Item, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if set(self.requests) != set(self.callers) or not all(self.requests.values()):
            raise ValueError("requests: one list, not empty, for each language of 'callers'")
        ids = [item.id for item in self.items]
        if len(set(ids)) != len(ids):
            raise ValueError("items: ids must differ")
        if not 0.2 <= self.over_after_s[0] <= self.over_after_s[1] <= 30.0:
            raise ValueError("over_after_s: two numbers of seconds, 0.2 to 30, the smaller first")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.kind for item in self.items))

    def items_in(self, language: Language, kind: str) -> list[Item]:
        """Those of a kind that may be heard in a call in this language."""
        return [item for item in self.items if item.kind == kind and item.language in (None, language)]

    def placed_in(self, folder: Path) -> Self:
        items = [
            item.model_copy(update={"sound": inside(folder, item.sound, item.id)}) for item in self.items
        ]
        return self.model_copy(update={"items": tuple(items)})

    def described(self) -> list[str]:
        return [
            f"{item.id:<20} {item.language or 'any':<4} {item.level_db:+.0f} dB  {item.label}"
            for item in self.items
        ]

    def with_own_sounds(self, sounds: dict[str, Path], folder: Path) -> Self:
        items = list(self.items)
        for kind, path in sounds.items():
            if kind not in self.kinds:
                raise UserError(f"probes.sounds: {self.name} has no '{kind}'; known: {', '.join(self.kinds)}")
            own = folder / path
            found = (
                sorted(one for one in own.iterdir() if one.suffix.lower() in SUFFIXES) if own.is_dir() else []
            )
            if not found:
                raise UserError(f"probes.sounds.{kind}: {own} is no folder with recordings in it")
            level_db = next(item.level_db for item in items if item.kind == kind)
            items = [item for item in items if item.kind != kind]
            items += [
                Item(id=f"{kind}-own-{number}", kind=kind, sound=one.resolve(), level_db=level_db)
                for number, one in enumerate(found[:100], start=1)
            ]
        return self.model_copy(update={"items": tuple(items)})

    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        calls = []
        for language in list(self.callers)[: 1 if size == "few" else None]:
            spots = _spots(self, language, size, random)
            calls += _calls_of(self, language, spots, size, random)
        return calls


@dataclass(frozen=True, kw_only=True)
class _Spot:
    """An item at a place; a control has the place without the sound."""

    item: Item
    place: Place
    control: bool = False


def _spots(suite: SoundSuite, language: Language, size: Size, random: Random) -> list[_Spot]:
    first = language == next(iter(suite.callers))
    kinds = [kind for kind in suite.kinds if suite.items_in(language, kind)]
    if size == "full":
        found = [
            _Spot(item=item, place=place)
            for kind in kinds
            for item in suite.items_in(language, kind)
            for place in ("over_agent", "in_silence")
        ]
    elif size == "few":
        drawn = random.sample(kinds, min(CONTROLS, len(kinds)))
        found = [
            _Spot(item=random.choice(suite.items_in(language, kind)), place="over_agent") for kind in drawn
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
    suite: SoundSuite, language: Language, spots: Sequence[_Spot], size: Size, random: Random
) -> list[dict[str, Any]]:
    calls = []
    for kind in ("probe", "control") if size != "few" else ("probe",):
        own = [spot for spot in spots if size == "few" or spot.control == (kind == "control")]
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
                        "seconds": _seconds(planted),
                        "planted": planted,
                    },
                }
            )
    return calls


def _script(
    suite: SoundSuite, language: Language, spots: Sequence[_Spot], random: Random
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


def _seconds(planted: Sequence[dict[str, Any]]) -> float:
    return CALL_S + sum(OVER_S if one["place"] == "over_agent" else SILENCE_S for one in planted)
