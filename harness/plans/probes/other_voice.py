"""The form ``other_voice``: somebody else speaks under the caller's request, or into the agent's speech.

::

    form: other_voice
    name: attention
    version: "1"
    summary: Whom does the agent attend to?
    callers:
      en: {engine: piper, name: joe}
    snrs_db: [15, 5, 0]           # of the caller's voice over one other voice
    babble_snr_db: 5
    requests:                     # each is asked once with nobody else: the control
      - id: date-en-1
        language: en
        place: under_request      # or over_agent
        kind: date                # what is to be taken up: spoken_language.entity_kinds
        entity: March 14th
        say: The appointment is on March 14th. Could you repeat the date?
    others:
      - {id: other-en-1, language: en, sound: sounds/other-en-1.flac, says: "…", words: [parrot, breakfast]}
      - {id: babble-en-1, language: en, sound: sounds/babble-en-1.flac, babble: true}

A dialogue is one request and one other voice, drawn for it. Words that the request has, too, do not count as
the other's in it. ``full``: every request alone, with one other voice at every ratio, and with babble.
``quick``: a request of each place with everything in the first language, alone and at the lowest ratio in a
second. ``few``: a request under which another voice is heard, alone and at the lowest ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.plans.probes.attended import Beside
from harness.plans.probes.suite import MAX_ITEMS, Language, Size, Suite, inside
from spoken_language.entity_kinds import EntityKind

DIALOGUES_A_CALL = 5
UNDER_AFTER_S = 0.4
"""Into the caller's request: so long after its first sound the other voice begins."""
OVER_AFTER_S = (0.7, 1.1)
"""Into the agent's speech: so long after its onset."""
AFTER_OVER_S = 2.6
"""The caller goes on so long after both are silent: a reply to the other voice is not cut off."""
GOES_ON_AFTER_S = 6.0
CALL_S, DIALOGUE_S = 5.0, 11.0
"""What a call and a dialogue take, with an agent that answers after 1.5 s and speaks for 4 s."""

Ratio = Annotated[float, Field(ge=-10.0, le=40.0)]


class Request(BaseModel):
    """What the caller asks, and what of it has to be taken up."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,49}$")
    language: Language
    place: Beside
    kind: EntityKind
    entity: str = Field(min_length=1, max_length=200)
    say: str = Field(min_length=1, max_length=500)


class Other(BaseModel):
    """Somebody else, or several at once."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    language: Language
    sound: Path
    babble: bool = False
    says: str = Field(default="", max_length=500)
    words: tuple[Annotated[str, Field(min_length=2, max_length=60)], ...] = Field(default=(), max_length=20)

    @model_validator(mode="after")
    def _one_voice_has_words(self) -> Self:
        if not self.babble and not (self.says and self.words):
            raise ValueError("one voice says something: give says, and words of it that tell it apart")
        return self


class OtherVoiceSuite(Suite):
    """A suite of this form; see the module's docstring."""

    form: Literal["other_voice"] = "other_voice"
    snrs_db: tuple[Ratio, ...] = Field(min_length=1, max_length=20)
    babble_snr_db: Ratio
    requests: tuple[Request, ...] = Field(min_length=1, max_length=MAX_ITEMS)
    others: tuple[Other, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for what, names in (
            ("requests", [one.id for one in self.requests]),
            ("others", [one.id for one in self.others]),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"{what}: ids must differ")
        for language in self.callers:
            babble = {one.babble for one in self.others if one.language == language}
            if babble != {True, False}:
                raise ValueError(f"others: one voice and a babble in {language}, at least")
        languages = {one.language for one in self.requests} | {one.language for one in self.others}
        if not languages <= set(self.callers):
            raise ValueError("requests, others: each in a language of 'callers'")
        return self

    def placed_in(self, folder: Path) -> Self:
        others = [one.model_copy(update={"sound": inside(folder, one.sound, one.id)}) for one in self.others]
        return self.model_copy(update={"others": tuple(others)})

    def described(self) -> list[str]:
        asked = [
            f"{one.id:<20} {one.language:<4} {one.place:<14} {one.say} [{one.entity}]"
            for one in self.requests
        ]
        return asked + [
            f"{one.id:<20} {one.language:<4} {'babble' if one.babble else one.says}" for one in self.others
        ]

    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = []
        for language in list(self.callers)[: 1 if size == "few" else None]:
            dialogues = self._dialogues(language, size, random)
            for start in range(0, len(dialogues), DIALOGUES_A_CALL):
                part = dialogues[start : start + DIALOGUES_A_CALL]
                calls.append(self._call(language, part, start // DIALOGUES_A_CALL + 1, size, random))
        return calls

    def _dialogues(
        self, language: Language, size: Size, random: Random
    ) -> list[tuple[Request, Other | None, float | None]]:
        """Request, who is heard besides and at which ratio; every request alone first."""
        own = [one for one in self.requests if one.language == language]
        voices = [one for one in self.others if one.language == language and not one.babble]
        babbles = [one for one in self.others if one.language == language and one.babble]
        first = language == next(iter(self.callers))
        places: tuple[Beside, ...] = ("under_request", "over_agent")
        if size != "full":
            wanted = places if size == "quick" else places[:1]
            own = [
                random.choice([one for one in own if one.place == place])
                for place in wanted
                if any(one.place == place for one in own)
            ]
        ratios = self.snrs_db if size == "full" or (size == "quick" and first) else (min(self.snrs_db),)
        found: list[tuple[Request, Other | None, float | None]] = []
        for request in own:
            # One voice twice in a row would be a pattern that an agent can learn within the call.
            drawn = random.sample(voices, min(len(ratios), len(voices)))
            found.append((request, None, None))
            found += [(request, drawn[at % len(drawn)], ratio) for at, ratio in enumerate(ratios)]
            if len(ratios) > 1:
                found.append((request, random.choice(babbles), self.babble_snr_db))
        return found if size == "few" else random.sample(found, len(found))

    def _call(
        self,
        language: Language,
        dialogues: Sequence[tuple[Request, Other | None, float | None]],
        number: int,
        size: Size,
        random: Random,
    ) -> dict[str, Any]:
        lines: list[dict[str, Any]] = []
        planted: list[dict[str, Any]] = []
        attended: list[dict[str, Any]] = []
        pause_s = 0.4
        for request, other, snr_db in dialogues:
            over = request.place == "over_agent"
            item = f"{request.id} {'alone' if other is None else f'{other.id} {snr_db:g} dB'}"
            kind = "" if other is None else "babble" if other.babble else "voice"
            attended.append(
                {
                    "item": item,
                    "request": request.id,
                    "line": len(lines),
                    "kind": request.kind,
                    "entity": request.entity,
                    "place": request.place,
                    "heard": kind,
                    "snr_db": snr_db,
                    "words": [] if other is None else _told_apart(other.words, request.say),
                }
            )
            line: dict[str, Any] = {"say": request.say, "kind": "aside", "pause_s": pause_s}
            sound = None if other is None else _sound(other, snr_db or 0.0)
            if sound is not None and not over:
                line |= {"under": sound, "under_after_s": UNDER_AFTER_S}
            lines.append(line)
            pause_s = 0.4
            if not over:
                continue
            pause_s = AFTER_OVER_S
            after_s = round(random.uniform(*OVER_AFTER_S), 2)
            place = {"item": item, "kind": kind or "nobody", "place": "over_agent"}
            if sound is None:
                planted.append(
                    place | {"line": len(lines) - 1, "control": True, "after_s": after_s, "length_s": 2.0}
                )
                continue
            planted.append(place | {"line": len(lines)})
            said = other.says if other is not None and other.says else "(babble)"
            lines.append({"say": said, "sound": sound, "kind": "backchannel", "barge_in_after_s": after_s})
        return {
            "id": f"{self.name}.{language}.{number}",
            "title": f"Probes of {self.name} ({language}), {number}",
            "language": language,
            "voice": self.callers[language].model_dump(),
            "limits": {"prompt_s": GOES_ON_AFTER_S, "silence_s": 120.0, "call_s": 300.0},
            "script": {"lines": lines, "hang_up_after_s": AFTER_OVER_S},
            "probe": {
                "suite": self.name,
                "version": self.version,
                "size": size,
                "seconds": CALL_S + DIALOGUE_S * len(dialogues),
                "planted": planted,
                "attended": attended,
            },
        }


def _told_apart(words: Sequence[str], say: str) -> list[str]:
    """Those words of another voice that the caller does not say itself: who hears these has them of it."""
    return [word for word in words if word.casefold() not in say.casefold()]


def _sound(other: Other, snr_db: float) -> dict[str, Any]:
    return {"path": str(other.sound), "words": "heard", "trimmed": True, "level_db": -snr_db}
