"""The rows in which a judgement is shown: nodes, scores, dimensions, replies, failures. Plain data."""

from __future__ import annotations

from dataclasses import dataclass

from harness.reports.parts.judgement_places import Place


@dataclass(frozen=True, kw_only=True)
class NodeRow:
    """A node of the task and what was made of it.

    Attributes:
        outcome: As in the verdict, or ``out_of_order`` for an achieved node whose prerequisites were not.
        label, tone: The outcome in words, and its colour.
        branch: When it applies; empty on the main line.
        order: The prerequisites that did not come before it.
        votes: Of a panel.
    """

    id: str
    criterion: str
    key: bool
    branch: str
    outcome: str
    label: str
    tone: str
    place: Place | None
    quote: str
    reason: str
    order: str
    votes: str


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """A score with what it comes from; ``shown`` is ``open`` or the like where there is no value."""

    name: str
    label: str
    shown: str
    value: float | None
    made_of: str
    note: str


@dataclass(frozen=True, kw_only=True)
class DimensionRow:
    """A dimension over all replies; the counts are of replies with that score."""

    name: str
    shown: str
    weight: str
    zeros: int
    ones: int
    twos: int
    failed: int
    note: str


@dataclass(frozen=True, kw_only=True)
class LostPoints:
    """A verdict below full marks."""

    score: int
    dimension: str
    reason: str
    quote: str
    votes: str


@dataclass(frozen=True, kw_only=True)
class ReplyRow:
    """A reply of the agent and what took its points."""

    place: Place
    said: str
    lost: tuple[LostPoints, ...]


@dataclass(frozen=True, kw_only=True)
class FailureRow:
    """Judgements that failed for one reason."""

    n: int
    reason: str
    of: str
