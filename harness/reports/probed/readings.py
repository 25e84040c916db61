"""Sentences that the agent was to read aloud, for a reader: counted by kind, and each with what it said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.records.scores import ProbeReading
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
    return f"“{one.text}”{heard}: {'; '.join(filter(None, [became, one.reason]))}"
