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
TOLD_WITHIN_MS = 100.0
"""A latency that is known to lie in so little counts as its middle: a measured one may have a bar as wide."""
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

    Negative where the agent began inside the turn. Where the agent spoke, and when cannot be told, it is no
    shorter than what is known: an agent whose slow answers begin behind lost or late packets is not fast for
    it. None where nothing is known of it either.
    """
    if turn.outcome is TurnOutcome.NOT_ANSWERED:
        return Waited(time=math.inf if turn.waited_ms is None else turn.waited_ms, came=False)
    if turn.latency_ms is not None:
        return Waited(time=turn.latency_ms)
    if turn.at_least_ms is None or turn.at_most_ms is None:
        return None
    if turn.at_most_ms - turn.at_least_ms <= TOLD_WITHIN_MS:
        return Waited(time=(turn.at_least_ms + turn.at_most_ms) / 2)
    return Waited(time=turn.at_least_ms, came=False)


def bar_of(turn: TurnTiming) -> float | None:
    """Half the width (ms) of the bar around what :func:`waited_for` says; None where it has none."""
    if turn.latency_ms is not None or turn.at_least_ms is None or turn.at_most_ms is None:
        return turn.resolution_ms
    half_ms = (turn.at_most_ms - turn.at_least_ms) / 2
    return None if turn.resolution_ms is None else turn.resolution_ms + half_ms


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
