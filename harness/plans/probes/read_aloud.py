"""The form ``read_aloud``: sentences that the agent is told when it is dialled, and asked for by number.

A black box says what it likes. So the sentences go to it with the call (``request_data``: pipecat's body,
LiveKit's metadata, an ``X-Read-Aloud`` header over SIP), and the caller asks for one after the other::

    {"read_aloud": [{"number": 1, "text": "That comes to $4.99."}, ...]}
    "Please read number one aloud."

What an agent did not say is not counted; an agent that is never told such things is not measured by this::

    form: read_aloud
    name: symbols
    version: "1"
    summary: Numbers, letters and symbols, each with what may be said for it.
    callers:
      en: {engine: piper, name: joe}
    items:
      - {id: currency-en-1, kind: currency, language: en, text: "That comes to $4.99.", key: "$4.99",
         readings: [four dollars ninety nine, four ninety nine], wrong: [dollar four point nine nine]}
      - {id: plain-en-1, kind: plain, language: en, text: "That comes to a little."}
      - {id: rush-en-1, kind: rush, language: en, text: "It is due on the ninth of May.", control: plain-en-1}

An item and its ``control`` are always in one call. ``full``: every item. ``quick``: an item of each kind, up
to ten, and half as many in a second language. ``few``: four, in the first language.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.plans.probes.suite import MAX_ITEMS, Language, Size, Suite
from harness.plans.probes.to_read import Spoken
from spoken_language.english_number_words import spelled

READINGS_A_CALL = 10
QUICK_ITEMS, FEW_ITEMS = 10, 4
GOES_ON_AFTER_S = 6.0
PATIENCE_S = 240.0
MOST_S = 600.0
PAUSE_S = 1.5
"""The caller asks for the next sentence so long after the end of one: some voices pause for more than a
second between two sentences, and what comes after such a pause is the half that is judged."""
CALL_S, LINE_S = 5.0, 10.5
"""What a call and a sentence take, about: with call and all, 8.6 to 11.7 s a sentence were measured, the most
where the sentences are long and the voice pauses between them. Fifteen sentences of the slowest are quick."""
TOLD_AS = "read_aloud"
"""The name under which an agent finds its sentences in ``request_data``."""
_CHINESE_NUMBERS = "一二三四五六七八九十"


class ReadAloudItem(BaseModel):
    """A sentence for the agent to say; what its fields mean is in :class:`.to_read.ToRead`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    kind: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    language: Language
    text: str = Field(min_length=1, max_length=500)
    key: str = Field(default="", max_length=200)
    readings: tuple[Spoken, ...] = Field(default=(), max_length=30)
    wrong: tuple[Spoken, ...] = Field(default=(), max_length=30)
    control: str = Field(default="", max_length=60)
    key_language: str = Field(default="", pattern=r"^[a-z]{0,3}$")

    @model_validator(mode="after")
    def _says_what_is_judged(self) -> Self:
        if self.key and self.text.count(self.key) != 1:
            raise ValueError(f"key: '{self.key}' stands {self.text.count(self.key)} times in the text")
        if (self.readings or self.wrong) and not self.key:
            raise ValueError("readings, wrong: of what? give its key")
        if self.wrong and not self.readings:
            raise ValueError("readings: what is right, where something is wrong?")
        for said in set(self.readings) & set(self.wrong):
            raise ValueError(f"wrong: '{said}' is one of the readings, too")
        return self


class ReadAloudSuite(Suite):
    """A suite of this form; see the module's docstring."""

    form: Literal["read_aloud"] = "read_aloud"
    items: tuple[ReadAloudItem, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        by_id = {item.id: item for item in self.items}
        if len(by_id) != len(self.items):
            raise ValueError("items: ids must differ")
        for item in self.items:
            if item.language not in self.callers:
                raise ValueError(f"items.{item.id}.language: each in a language of 'callers'")
            if not item.control:
                continue
            control = by_id.get(item.control)
            if control is None or control.control or control.language != item.language:
                raise ValueError(
                    f"items.{item.id}.control: an item of the same language that has no control itself"
                )
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.kind for item in self.items))

    def placed_in(self, folder: Path) -> Self:
        return self

    def described(self) -> list[str]:
        return [
            f"{item.id:<20} {item.language:<4} {item.kind:<14} {item.text}"
            + (f" [{' | '.join(item.readings)}]" if item.readings else "")
            + (f" (against {item.control})" if item.control else "")
            for item in self.items
        ]

    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = []
        for language in self.callers:
            first = language == next(iter(self.callers))
            if size == "few" and not first:
                break
            most = {"few": FEW_ITEMS, "quick": QUICK_ITEMS if first else QUICK_ITEMS // 2, "full": MAX_ITEMS}
            groups = self._groups(language)
            if size != "full":
                groups = _of_many_kinds(groups, random, most=most[size])
            calls += [
                self._call(language, number, own, size)
                for number, own in enumerate(_divided(random.sample(groups, len(groups))), start=1)
            ]
        return calls

    def _groups(self, language: Language) -> list[tuple[ReadAloudItem, ...]]:
        """What stands in one call: an item that is compared with nothing, and those compared with it."""
        own = [item for item in self.items if item.language == language]
        return [
            (item, *(other for other in own if other.control == item.id)) for item in own if not item.control
        ]

    def _call(
        self, language: Language, number: int, items: Sequence[ReadAloudItem], size: Size
    ) -> dict[str, Any]:
        return {
            "id": f"{self.name}.{language}.{number}",
            "title": f"Probes of {self.name} ({language}), {number}",
            "language": language,
            "voice": self.callers[language].model_dump(),
            "limits": {"prompt_s": GOES_ON_AFTER_S, "silence_s": PATIENCE_S, "call_s": MOST_S},
            "request_data": {
                TOLD_AS: [{"number": place, "text": item.text} for place, item in enumerate(items, start=1)]
            },
            "script": {
                "lines": [
                    # An aside, so that an agent which says nothing loses the sentence and not the call.
                    {"say": request(language, place), "kind": "aside", "pause_s": PAUSE_S}
                    for place in range(1, len(items) + 1)
                ],
                "hang_up_after_s": 2.0,
            },
            "probe": {
                "suite": self.name,
                "version": self.version,
                "size": size,
                "seconds": CALL_S + LINE_S * len(items),
                "to_read": [
                    {"item": item.id, "line": line}
                    | item.model_dump(mode="json", exclude={"id", "language"}, exclude_defaults=True)
                    for line, item in enumerate(items)
                ],
            },
        }


def request(language: Language, number: int) -> str:
    """How the caller asks for a sentence: by its number in the call, from 1."""
    if language == "zh":
        return f"请朗读第{_CHINESE_NUMBERS[number - 1]}句。"
    return f"Please read number {spelled(number)} aloud."


def _of_many_kinds(
    groups: Sequence[tuple[ReadAloudItem, ...]], random: Random, *, most: int
) -> list[tuple[ReadAloudItem, ...]]:
    """One group of each kind, by its last item, then a second one, until there are ``most`` sentences."""
    shuffled = random.sample(list(groups), len(groups))
    by_kind: dict[str, list[tuple[ReadAloudItem, ...]]] = {}
    for group in shuffled:
        by_kind.setdefault(group[-1].kind, []).append(group)
    drawn: list[tuple[ReadAloudItem, ...]] = []
    kinds = random.sample(list(by_kind), len(by_kind))
    for position in range(max((len(own) for own in by_kind.values()), default=0)):
        for kind in kinds:
            # Of items that share a control, the control and one of them are enough to see what a suite does.
            if position >= len(by_kind[kind]):
                continue
            control, *others = by_kind[kind][position]
            short = (control, *random.sample(others, min(1, len(others))))
            if sum(map(len, drawn)) + len(short) <= most:
                drawn.append(short)
    return drawn


def _divided(groups: Sequence[tuple[ReadAloudItem, ...]]) -> list[list[ReadAloudItem]]:
    """Into calls of up to :data:`READINGS_A_CALL`; of a larger group the control is in each of its calls."""
    calls: list[list[ReadAloudItem]] = []
    for control, *others in groups:
        step = READINGS_A_CALL - 1
        for start in range(0, max(1, len(others)), step):
            part = [control, *others[start : start + step]]
            if calls and len(calls[-1]) + len(part) <= READINGS_A_CALL:
                calls[-1] += part
            else:
                calls.append(part)
    return calls
