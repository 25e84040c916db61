"""Dialogues of a suite with another voice, counted, and each with what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records.scores import ProbeAttention
from harness.reports.probed.tables import ProbeTable

_PLACES = {"under_request": "under the caller's request", "over_agent": "into the agent's speech"}


def dialogues_table(dialogues: Sequence[ProbeAttention]) -> ProbeTable | None:
    """A row for each way of hearing somebody else; None where there are no dialogues."""
    if not dialogues:
        return None
    groups: dict[tuple[str, str], list[ProbeAttention]] = {}
    for one in sorted(dialogues, key=_order):
        groups.setdefault((one.language, _where(one)), []).append(one)
    rows = tuple(
        (
            language,
            where,
            str(len(own)),
            str(sum(one.success is True for one in own)),
            str(sum(one.success is False for one in own)),
            str(sum(one.success is None for one in own)),
        )
        for (language, where), own in groups.items()
    )
    headings = ("", "who is heard besides", "dialogues", "kept to the caller", "did not", "not known")
    return ProbeTable(headings=headings, rows=rows)


def dialogue_told(one: ProbeAttention) -> str:
    """A dialogue and what became of it, for a reader."""
    heard = "" if one.text is None else f" → “{one.text}”"
    became = "it kept to the caller" if one.success else one.reason
    return f"{_where(one)}: {one.entity}{heard}: {became}"


def _order(one: ProbeAttention) -> tuple[str, str, str, float]:
    return one.language, one.place, one.heard, 0.0 if one.snr_db is None else -one.snr_db


def _where(one: ProbeAttention) -> str:
    if not one.heard:
        return "nobody"
    who = "one voice" if one.heard == "voice" else "several voices"
    return f"{who} at {one.snr_db or 0.0:g} dB, {_PLACES[one.place]}"
