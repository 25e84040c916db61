"""The form ``echo``: the agent's own voice comes back to it, as from a telephone with a loudspeaker.

::

    form: echo
    name: echo
    version: "1"
    summary: What an agent must not take for its caller is itself.
    callers:
      en: {engine: piper, name: joe}
    requests:                     # what makes an agent speak for a while
      en: ["Could you tell me in detail what you can do for me?"]
    levels_db: [-20, -30, -40]    # of what comes back, against what came
    delays_ms: [80, 150, 300]     # from hearing it to sending it; the network comes on top

A call has one level and one delay, or nothing comes back in it (the controls). Each answer to a request is a
place. ``full``: every level with every delay, and as many calls without for every third. ``quick``: every
level with a delay of its own, and one call without, in the first language; the loudest one, shorter, in a
second. ``few``: the loudest one, and one without.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from harness.plans.probes.suite import Language, Size, Suite

REQUESTS_A_CALL = {"few": 2, "quick": 3, "full": 4}
GOES_ON_AFTER_S = 4.0
PAUSE_S = 2.6
"""The caller goes on so long after both are silent: a reply of the agent to itself is not cut off."""
CALL_S, REQUEST_S = 5.0, 10.0
"""What a call and a request take, with an agent that answers after 1.5 s and speaks for 4 s."""

Way = tuple[float, float] | None
"""Level and delay of what comes back; None: nothing does."""


class EchoSuite(Suite):
    """A suite of this form; see the module's docstring."""

    form: Literal["echo"] = "echo"
    requests: dict[Language, tuple[str, ...]]
    levels_db: tuple[Annotated[float, Field(ge=-60.0, le=0.0)], ...] = Field(min_length=1, max_length=20)
    delays_ms: tuple[Annotated[float, Field(ge=60.0, le=1000.0)], ...] = Field(min_length=1, max_length=20)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if set(self.requests) != set(self.callers) or not all(self.requests.values()):
            raise ValueError("requests: one list, not empty, for each language of 'callers'")
        return self

    def placed_in(self, folder: Path) -> Self:
        return self

    def described(self) -> list[str]:
        return [
            f"{_item((level_db, delay_ms)):<20} {level_db:+.0f} dB, {delay_ms:.0f} ms"
            for level_db in self.levels_db
            for delay_ms in self.delays_ms
        ]

    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        calls = []
        for language in list(self.callers)[: 1 if size == "few" else None]:
            first = language == next(iter(self.callers))
            for number, way in enumerate(self._ways(size, random, first=first), start=1):
                requests = self.requests[language]
                wanted = REQUESTS_A_CALL[size if first or size == "full" else "few"]
                drawn = random.sample(requests, min(wanted, len(requests)))
                calls.append(self._call(language, way, drawn, number=number, size=size))
        return calls

    def _ways(self, size: Size, random: Random, *, first: bool) -> list[Way]:
        loudest = max(self.levels_db)
        if size == "full":
            each: list[Way] = [(level, delay) for level in self.levels_db for delay in self.delays_ms]
            return each + [None] * -(-len(each) // 3)
        delays = random.sample(self.delays_ms, len(self.delays_ms))
        if size == "few":
            return [(loudest, delays[0]), None]
        if not first:
            return [(loudest, delays[0])]
        return [(level, delays[at % len(delays)]) for at, level in enumerate(self.levels_db)] + [None]

    def _call(
        self, language: Language, way: Way, requests: Sequence[str], *, number: int, size: Size
    ) -> dict[str, Any]:
        told = "nothing comes back" if way is None else f"{way[0]:g} dB after {way[1]:g} ms"
        place = {
            "item": _item(way),
            "kind": "nothing" if way is None else f"{way[0]:g} dB",
            "place": "over_agent",
            "heard_back": True,
            "control": way is None,
            "after_s": 0.1 if way is None else way[1] / 1000,
        }
        call: dict[str, Any] = {
            "id": f"{self.name}.{language}.{number}",
            "title": f"Probes of {self.name} ({language}), {told}",
            "language": language,
            "voice": self.callers[language].model_dump(),
            "limits": {"prompt_s": GOES_ON_AFTER_S, "silence_s": 15.0, "call_s": 180.0},
            "script": {
                "lines": [
                    {"say": text, "pause_s": PAUSE_S if line else 0.4} for line, text in enumerate(requests)
                ],
                "hang_up_after_s": PAUSE_S,
            },
            "probe": {
                "suite": self.name,
                "version": self.version,
                "size": size,
                "seconds": CALL_S + REQUEST_S * len(requests),
                "planted": [place | {"line": line} for line in range(len(requests))],
            },
        }
        if way is not None:
            call["conditions"] = {"echo": {"level_db": way[0], "delay_ms": way[1]}}
        return call


def _item(way: Way) -> str:
    return "nothing" if way is None else f"echo {way[0]:g} dB {way[1]:g} ms"
