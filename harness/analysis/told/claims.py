"""What an agent claims of its own processing times, out of the timeline: a stranger's word, each checked.

RTVI (``metrics``, ``user-stopped-speaking``) tells by the moment: a message that says "my model took 0.3 s"
comes when it had taken them, so that its arrival on our clock is the end of the claimed time. ``ttfat``
(first token of the answer that is heard) and ``ttfa`` (first sound that is not silence) begin with the
request of the ``ttfb`` before them and take its place (pipecat, ``metrics/metrics.py``). LiveKit
(``lk.agent.session``) tells by the item of its chat history: of the caller's how long the end of the turn
took it, of its own how long model and voice took; when those items come says only to which turn they belong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from harness.records.call import Event
from harness.records.scores.told import LONGEST_CLAIM_MS

LONGEST_CLAIM_S = LONGEST_CLAIM_MS / 1000
Kind = Literal["model", "voice"]
_KINDS: tuple[Kind, ...] = ("model", "voice")

_MODEL = re.compile(r"llm", re.IGNORECASE)
_VOICE = re.compile(r"tts", re.IGNORECASE)
_RECOGNISER = re.compile(r"stt|asr", re.IGNORECASE)
"""By what pipecat's services are called ("OpenAILLMService#0").
A recogniser works within the end of the turn."""

MAX_ROWS = 20
"""Of a message that are looked at; no message that we keep has more."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """ "I took so long", told at ``at_s``.

    Attributes:
        at_s: When the message came, on the call's clock.
        took_s: More than 0 and at most :data:`LONGEST_CLAIM_S`; None: what it says is no such time.
        said: The figure as it was claimed, for people.
        whole: It is the longer figure, and no other is to come.
    """

    kind: Kind
    at_s: float
    took_s: float | None
    processor: str = ""
    said: str = ""
    whole: bool = False

    @property
    def began_s(self) -> float:
        """When the work began, by its own word."""
        return self.at_s - (self.took_s or 0.0)


@dataclass(frozen=True, kw_only=True)
class ItemFigures:
    """An item of LiveKit's chat history that came at ``at_s``, with the agent's figures in seconds."""

    at_s: float
    role: str
    figures: dict[str, float | None]
    """By name; None: what it says is no time. Empty for an item of which it measured nothing."""


@dataclass(frozen=True, kw_only=True)
class Claims:
    """All that a call's timeline has, each in the order in which it came.

    Attributes:
        turn_ends_s: When RTVI's ``user-stopped-speaking`` came.
        unknown: Processors whose names tell nothing of what they do.
    """

    turn_ends_s: tuple[float, ...] = ()
    of_processors: tuple[Claim, ...] = ()
    items: tuple[ItemFigures, ...] = ()
    unknown: tuple[str, ...] = ()


def claims_of(events: Sequence[Event]) -> Claims:
    """The claims in a timeline, whatever order its lines have."""
    in_order = sorted(events, key=lambda event: event.t)
    told: list[Claim] = []
    unknown: dict[str, None] = {}
    for event in in_order:
        if event.source == "rtvi" and event.kind == "metrics":
            _take(event, told, unknown)
    return Claims(
        turn_ends_s=tuple(
            one.t for one in in_order if one.source == "rtvi" and one.kind == "user-stopped-speaking"
        ),
        of_processors=tuple(sorted(told, key=lambda one: one.at_s)),
        items=tuple(
            item
            for one in in_order
            if one.source == "livekit" and one.kind == "session-item" and (item := _item(one)) is not None
        ),
        unknown=tuple(unknown),
    )


def seconds(value: Any) -> float | None:
    """A claimed time; None where it is none: no number, not finite, below 0, longer than a minute."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= LONGEST_CLAIM_S else None


def _take(event: Event, told: list[Claim], unknown: dict[str, None]) -> None:
    if event.data.get("unusable"):
        # Which of them could not be read is not known, so that neither part may be taken for complete.
        told.extend(Claim(kind=kind, at_s=event.t, took_s=None, said="unreadable") for kind in _KINDS)
    for name in ("ttfb", "ttfa", "ttfat"):
        rows = event.data.get(name)
        for row in rows[:MAX_ROWS] if isinstance(rows, list) else ():
            claim = _claim(event.t, name, row, unknown)
            if claim is None:
                continue
            at = _begun_with(told, claim) if claim.whole else None
            if at is None:
                told.append(claim)
            else:
                told[at] = _extended(told[at], claim)


def _claim(t: float, name: str, row: Any, unknown: dict[str, None]) -> Claim | None:
    if not isinstance(row, dict) or not isinstance(row.get("processor"), str):
        return None
    processor, said = row["processor"], row.get("s")
    kind = _kind(name, processor)
    if kind is None:
        if not _RECOGNISER.search(processor) and len(unknown) < MAX_ROWS:
            unknown.setdefault(processor)
        return None
    # pipecat sends a 0 for every processor before the first turn: it stands for nothing measured yet.
    if said == 0 and not isinstance(said, bool):
        return None
    return Claim(
        kind=kind,
        at_s=t,
        took_s=seconds(said),
        processor=processor,
        said=f"{said!r:.20} s",
        whole=name != "ttfb",
    )


def _kind(name: str, processor: str) -> Kind | None:
    if name != "ttfb":
        return "voice" if name == "ttfa" else "model"
    model, voice = bool(_MODEL.search(processor)), bool(_VOICE.search(processor))
    if model == voice:
        return None
    return "model" if model else "voice"


def _begun_with(told: Sequence[Claim], whole: Claim) -> int | None:
    """Which ``ttfb`` the longer figure goes on from: the last of that processor, a moment ago."""
    for at in range(len(told) - 1, max(-1, len(told) - 1 - MAX_ROWS), -1):
        one = told[at]
        if (one.kind, one.processor) == (whole.kind, whole.processor):
            return at if not one.whole and whole.at_s - one.at_s <= LONGEST_CLAIM_S else None
    return None


def _extended(short: Claim, whole: Claim) -> Claim:
    """The longer figure from the same beginning. It ends later by the difference, whenever it was told."""
    if short.took_s is None or whole.took_s is None or whole.took_s < short.took_s:
        said = f"{short.said}, then {whole.said}"
        return replace(whole, at_s=short.at_s, took_s=None, said=said)
    return replace(whole, at_s=short.began_s + whole.took_s)


def _item(event: Event) -> ItemFigures | None:
    role, own = event.data.get("role"), event.data.get("own_figures")
    if not isinstance(role, str):
        return None
    figures: dict[str, float | None] = {}
    for name, value in list(own.items())[:MAX_ROWS] if isinstance(own, dict) else ():
        if name.endswith("_ms"):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            figures[name.removesuffix("_ms")] = seconds(value / 1000) if number else None
    return ItemFigures(at_s=event.t, role=role, figures=figures)
