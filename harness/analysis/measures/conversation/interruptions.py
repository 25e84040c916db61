"""What became of interruptions, for the measures that count or time them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.notes import count
from harness.records.scores import InterruptionOutcome, InterruptionTiming
from metrics.score import Status

VERSION = "4"
"""Of what becomes of an interruption. 1 believed an agent that had reported none in the whole call; 2 told a
stop from the end of a sentence by how far above the threshold it lay; 3 did not know what OpenAI Realtime
tells of it."""
NO_INTERRUPTION = "no interruption was planned"

OUTCOME_WORDS: dict[InterruptionOutcome, str] = {
    "stopped": "stopped",
    "not_stopped": "not stopped",
    "ended_by_itself": "ended by itself",
    "indeterminate": "indeterminate",
}


def timings_of(calls: Sequence[ScoredCall]) -> list[InterruptionTiming]:
    """Every interruption of the calls."""
    return [timing for call in calls for timing in call.scores.interruptions]


def outcomes_of(timings: Sequence[InterruptionTiming]) -> dict[InterruptionOutcome, int]:
    """How often each outcome came about."""
    return dict(Counter(timing.outcome for timing in timings))


def none_successful(timings: Sequence[InterruptionTiming]) -> tuple[str, Status]:
    """What is said where no interruption is known to have been successful: that none was, or that of some
    nobody can tell."""
    unclear = outcomes_of(timings).get("indeterminate", 0)
    if not unclear:
        return "no interruption was successful", Status.NOT_APPLICABLE
    return (
        f"of {count(unclear, 'interruption')} nobody can tell whether it was successful",
        Status.INDETERMINATE,
    )


def outcome_note(timings: Sequence[InterruptionTiming]) -> str:
    """The outcomes in words."""
    outcomes = outcomes_of(timings)
    parts = [f"{outcomes[key]} {words}" for key, words in OUTCOME_WORDS.items() if key in outcomes]
    return f"{count(len(timings), 'interruption')}: {', '.join(parts)}"
