"""``RUN/summary.json``: the run's figures, each with its interval or the reason why there is none."""

from __future__ import annotations

from pydantic import Field

from harness.records.base import FileModel
from harness.records.call import CallStatus
from harness.records.scores.call import CalibrationNote, InterruptionOutcome
from harness.records.scores.figures import Figures
from harness.records.scores.judging import JudgingUse


class CompetitorScores(FileModel):
    """The text scores of one competitor, over all its dialogues and by what they were about."""

    name: str
    dialogues: int
    metrics: Figures = Field(default_factory=dict)
    by_domain: dict[str, Figures] = Field(default_factory=dict)
    by_archetype: dict[str, Figures] = Field(default_factory=dict)


class TextSummary(FileModel):
    """The text scores of a run: ``summary.json`` of dialogues in text, and the part ``text`` of one of calls.

    Attributes:
        judge, judge_version: Who judged. Several where dialogues were judged by different ones.
        comparable: Why the scores do not compare with published ones; empty where nothing speaks against it.
        dialogues: That were judged.
        not_judged: Reason -> how many were not.
        judgements, failed: Asked for, and failed among them.
        judging: What the judgements took, those that were left out later included.
        metrics: Over all dialogues.
        competitors: In the order in which they first come up.
    """

    judge: str
    judge_version: str
    comparable: str = ""
    dialogues: int
    not_judged: dict[str, int] = Field(default_factory=dict)
    judgements: int = 0
    failed: int = 0
    judging: JudgingUse | None = None
    metrics: Figures = Field(default_factory=dict)
    with_guilty: Figures = Field(default_factory=dict)
    """The figures with the dialogues and replies that were left out because our own caller was at fault;
    empty where none was."""
    guilty_turns: dict[str, int] = Field(default_factory=dict)
    """Kind of fault -> turns of our own caller; the agent's replies to them are in no figure of replies."""
    competitors: list[CompetitorScores] = Field(default_factory=list)


class GuardSummary(FileModel):
    """What the guard says of the simulated callers of a run (``docs/guard.md``).

    Attributes:
        checked: Calls that the guard could judge.
        guilty: Calls left out of every figure: our own caller was at fault, in the last attempt too.
        kinds: Kind of fault -> calls with a certain finding of it.
        guilty_turns: Kind of fault -> single turns at fault, in calls that stay in; the agent's replies to
            them are in no figure of replies.
        suspected: Calls with uncertain findings only; they stay in.
        repeated: Calls that were placed again because an attempt was guilty.
        first_attempts: The figures as they would be with the first attempt of every call, guilty or not.
    """

    checked: int
    guilty: tuple[str, ...] = ()
    kinds: dict[str, int] = Field(default_factory=dict)
    guilty_turns: dict[str, int] = Field(default_factory=dict)
    suspected: int = 0
    repeated: int = 0
    first_attempts: Figures = Field(default_factory=dict)


class NotMeasured(FileModel):
    """A metric without a value, and why."""

    metric: str
    reason: str


class Summary(FileModel):
    """``summary.json``. Every metric is in ``metrics``; without a value it is also in ``not_measured``."""

    run: str
    calls: dict[CallStatus, int] = Field(default_factory=dict)
    interruptions: dict[InterruptionOutcome, int] = Field(default_factory=dict)
    calibrations: list[CalibrationNote] = Field(default_factory=list)
    """One for each transport of the run."""
    metrics: Figures = Field(default_factory=dict)
    not_measured: list[NotMeasured] = Field(default_factory=list)
    text: TextSummary | None = None
    """None where no call was about a scenario."""
    guard: GuardSummary | None = None
    """None where no caller played a person."""
