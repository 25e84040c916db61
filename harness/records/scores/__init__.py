"""What analysis leaves of a call and of a run: the models of four files.

``RUN/calls/ID/scores.json``
    :class:`CallScores`: turns, interruptions, spans, clips and per-call scores. What the instruments heard,
    from which all this is computed, is in ``analysis.json`` (:mod:`harness.analysis.cache`).
``RUN/calls/ID/transcript.json``
    :class:`Transcript`: what each side said and was heard to say.
``RUN/run.json``
    :class:`RunInfo`: who was called, when, by which version, on which machine.
``RUN/summary.json``
    :class:`Summary`: the run's figures, each with its interval or the reason why there is none.

All times are seconds since the call began, on the clock of :mod:`harness.records.call`. A value that was not
measured is null and its reason is written beside it; no field ever holds a stand-in number (and none may
hold NaN or an infinity).
"""

from __future__ import annotations

from harness.records.run import Machine, RunInfo
from harness.records.scores.attention import ProbeAttention
from harness.records.scores.call import (
    MARKER_TONES_ONLY,
    CalibrationNote,
    CallScores,
    ClipQuality,
    InterruptionOutcome,
    InterruptionTiming,
    LineEchoNote,
    SpanSet,
    TurnTiming,
    WordCounts,
)
from harness.records.scores.conduct import TurnConduct
from harness.records.scores.deliveries import ReadingDelivery, Seam
from harness.records.scores.dialogue import DialogueScores
from harness.records.scores.figures import Figures
from harness.records.scores.hearings import ProbeHearing
from harness.records.scores.judging import JudgingUse
from harness.records.scores.probes import ProbeReaction
from harness.records.scores.readings import ProbeReading
from harness.records.scores.summary import (
    CompetitorScores,
    GuardSummary,
    NotMeasured,
    Summary,
    TextSummary,
)
from harness.records.scores.told import TurnTold
from harness.records.transcript import Transcript, TranscriptLine, TranscriptSource, TranscriptWord

__all__ = [
    "MARKER_TONES_ONLY",
    "CalibrationNote",
    "CallScores",
    "ClipQuality",
    "CompetitorScores",
    "DialogueScores",
    "Figures",
    "GuardSummary",
    "InterruptionOutcome",
    "InterruptionTiming",
    "JudgingUse",
    "LineEchoNote",
    "Machine",
    "NotMeasured",
    "ProbeAttention",
    "ProbeHearing",
    "ProbeReaction",
    "ProbeReading",
    "ReadingDelivery",
    "RunInfo",
    "Seam",
    "SpanSet",
    "Summary",
    "TextSummary",
    "Transcript",
    "TranscriptLine",
    "TranscriptSource",
    "TranscriptWord",
    "TurnConduct",
    "TurnTiming",
    "TurnTold",
    "WordCounts",
]
