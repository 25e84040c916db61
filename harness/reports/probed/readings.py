"""Sentences that the agent was to read aloud, for a reader: counted by kind, and each with what it said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.records.scores import ProbeReading, ReadingDelivery
from harness.reports.parts.formats import clock
from harness.reports.probed.tables import ProbeTable


def readings_table(readings: Sequence[ProbeReading]) -> ProbeTable | None:
    """How many of each kind it said at all; None where there are none."""
    if not readings:
        return None
    groups: dict[tuple[str, str], list[ProbeReading]] = {}
    for one in readings:
        groups.setdefault((one.language, one.kind), []).append(one)
    if any(one.verdict for one in readings):
        return ProbeTable(
            headings=("", "kind", "asked for", "not said or not known", "right", "wrong", "indeterminate"),
            rows=tuple(
                (language, kind.replace("_", " "), *_verdicts(own))
                for (language, kind), own in groups.items()
            ),
        )
    return ProbeTable(
        headings=("", "kind", "asked for", "said", "not said", "not known"),
        rows=tuple(
            (
                language,
                kind.replace("_", " "),
                str(len(own)),
                *(str(sum(one.said is said for one in own)) for said in (True, False, None)),
            )
            for (language, kind), own in groups.items()
        ),
    )


def reading_is_wrong(one: ProbeReading) -> bool:
    """Whether what became of a sentence speaks against the agent."""
    return one.verdict == "wrong"


def _verdicts(own: Sequence[ProbeReading]) -> tuple[str, ...]:
    found = Counter(one.verdict for one in own)
    return (str(len(own)), *(str(found[one]) for one in ("", "right", "wrong", "indeterminate")))


def reading_told(one: ProbeReading) -> str:
    """A sentence and what became of it."""
    heard = "" if one.heard is None else f" → “{one.heard}”"
    became = {True: "said", False: "not said", None: "not known"}[one.said]
    if one.verdict:
        became = f"{one.verdict}: “{one.spoken_as}” fits best"
    how = "" if one.delivery is None else delivery_told(one.delivery)
    return f"“{one.text}”{heard}: {'; '.join(filter(None, [became, one.reason, how]))}"


def delivery_told(found: ReadingDelivery) -> str:
    """How a sentence was said against its control, as far as that was measured."""
    parts = []
    if found.rate_adaptation is not None:
        parts.append(f"key slowed down to {found.rate_adaptation:.0%} against the rest")
    if found.understood is not None:
        parts.append(f"phrase heard as “{found.phrase_heard}”" + ", not understood" * (not found.understood))
    parts += [
        f"{one.pause_s * 1000:.0f} ms of pause at {clock(one.at_s)}" for one in found.seams if one.pause_s
    ]
    for value, told in (
        (found.level_step_db, "level of the phrase {:+.1f} dB"),
        (found.timbre_db, "timbre {:+.1f} dB"),
        (found.f0_semitones, "pitch {:+.1f} semitones"),
        (found.f0_range_semitones, "its range {:+.1f} semitones"),
        (found.level_db, "level {:+.1f} dB"),
    ):
        if value is not None:
            parts.append(told.format(value))
    if found.rate_ratio is not None:
        parts.append(f"rate {found.rate_ratio - 1:+.0%}")
    return ", ".join([*parts, *filter(None, [found.reason])])
