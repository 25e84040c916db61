"""What became of turns, for the measures that count or time them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.notes import count
from harness.records.scores import TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.stats import percentile
from metrics.survival import Waited, kaplan_meier

VERSION = "4"
"""Of what becomes of a turn: that of :mod:`metrics.interaction.turns`, which measures do not import, since it
loads the detectors; a test holds the two together."""
NO_TURN_DUE = "no turn of the caller was due an answer"

OUTCOME_WORDS: dict[TurnOutcome, str] = {
    TurnOutcome.ANSWERED: "answered",
    TurnOutcome.IN_PART: "answered in part",
    TurnOutcome.TALKED_OVER: "talked over",
    TurnOutcome.NOT_ANSWERED: "not answered",
    TurnOutcome.NOT_DUE: "not due",
}


def turns_of(calls: Sequence[ScoredCall]) -> list[TurnTiming]:
    """Every turn of the calls."""
    return [turn for call in calls for turn in call.scores.turns]


def due_of(calls: Sequence[ScoredCall]) -> list[TurnTiming]:
    """Those that were due an answer."""
    return [turn for turn in turns_of(calls) if turn.outcome.due]


def outcome_note(turns: Sequence[TurnTiming]) -> str:
    """The outcomes in words: ``10 turns: 7 answered, 3 not answered``."""
    outcomes = Counter(turn.outcome for turn in turns)
    parts = [f"{outcomes[key]} {words}" for key, words in OUTCOME_WORDS.items() if outcomes[key]]
    return f"{count(len(turns), 'turn')}: {', '.join(parts)}"


def waited_for(turn: TurnTiming) -> Waited | None:
    """How long the caller of a turn that was due waited for the answer to begin, or is known to have waited.

    Negative where the agent began inside the turn. None where the agent spoke, and when cannot be told.
    """
    if turn.outcome is TurnOutcome.NOT_ANSWERED:
        return Waited(time=math.inf if turn.waited_ms is None else turn.waited_ms, came=False)
    return None if turn.latency_ms is None else Waited(time=turn.latency_ms)


def median_wait(due: Sequence[TurnTiming]) -> tuple[float | None, float | None]:
    """The median latency (ms) of turns that were due, and where it is not reached what it lies beyond."""
    waited = [one for turn in due if (one := waited_for(turn)) is not None]
    if not waited:
        return None, None
    if all(one.came for one in waited):
        return percentile([one.time for one in waited], 50), None
    curve = kaplan_meier(waited)
    p50 = curve.percentile(50)
    return p50, None if p50 is not None else curve.known_to
