"""How good the guard is on a set with known faults: precision, recall, and each miss and false alarm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from harness.selfcheck.guard_set import Planted
from metrics.stats import wilson
from voice_sim.guard.check import Guarded
from voice_sim.guard.session import KINDS, Finding

_ANYWHERE = ("hung_up_early", "hung_up_late", "garbled_speech")
"""Faults of a course of events: the turn at which they are noticed is a matter of taste."""


class Proportion(BaseModel):
    """So many of so many, with the 95 % interval of Wilson; the value is None where there is nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: int
    of: int
    value: float | None
    ci_low: float | None
    ci_high: float | None


class KindFigures(BaseModel):
    """``recall``: dialogues with this fault in which it was found, by kind and turn. ``precision``: dialogues
    with this fault, of all in which it was found. ``false_alarms``: turns of the caller in which it was
    found, of all without this fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recall: Proportion
    precision: Proportion
    false_alarms: Proportion


class PartFigures(BaseModel):
    """The figures of one part of a set.

    Attributes:
        recall: Faulty dialogues found guilty, of those that rules can see.
        recall_exact: Of the same, those in which the very fault was found: its kind, at its turn.
        recall_reading: Found guilty (or, with a model, suspected) of those that only reading can see.
        precision: Faulty ones of all that were found guilty.
        false_alarms: Clean dialogues found guilty.
        kinds: By kind, over faults that rules can see.
        confusion: Planted kind -> kinds of certain findings ("nothing" where there is none) -> dialogues.
        missed, alarms: The dialogues, with what was found in them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    faulty: int
    clean: int
    recall: Proportion
    recall_exact: Proportion
    recall_reading: Proportion
    precision: Proportion
    false_alarms: Proportion
    kinds: dict[str, KindFigures]
    confusion: dict[str, dict[str, int]]
    missed: tuple[str, ...]
    alarms: tuple[str, ...]


def measure_guard(planted: Sequence[Planted], answers: Mapping[str, Guarded]) -> dict[str, PartFigures]:
    """Figures of each part of the set, and of all together under ``all``.

    Args:
        answers: What the guard says of each dialogue, by id.
    """
    parts = {
        part: [one for one in planted if one.part == part] for part in dict.fromkeys(p.part for p in planted)
    }
    if len(parts) > 1:
        parts["all"] = list(planted)
    return {name: _figures(part, answers) for name, part in parts.items()}


def _figures(planted: Sequence[Planted], answers: Mapping[str, Guarded]) -> PartFigures:
    faulty = [one for one in planted if one.fault]
    clean = [one for one in planted if not one.fault]
    by_rules = [one for one in faulty if one.fault and one.fault.by == "rules"]
    reading = [one for one in faulty if one.fault and one.fault.by == "reading"]
    guilty = [one for one in planted if answers[one.id].verdict in ("guilty", "guilty_turns")]
    alarms = [one for one in clean if one in guilty]
    confusion: dict[str, dict[str, int]] = {}
    for one in faulty:
        found: set[str] = {finding.kind for finding in _certain(answers[one.id])} or {"nothing"}
        row = confusion.setdefault(one.fault.kind if one.fault else "", {})
        for kind in sorted(found):
            row[kind] = row.get(kind, 0) + 1
    return PartFigures(
        faulty=len(faulty),
        clean=len(clean),
        recall=_proportion(sum(one in guilty for one in by_rules), len(by_rules)),
        recall_exact=_proportion(sum(_exact(one, answers[one.id]) for one in by_rules), len(by_rules)),
        recall_reading=_proportion(sum(answers[one.id].verdict != "clean" for one in reading), len(reading)),
        precision=_proportion(len(guilty) - len(alarms), len(guilty)),
        false_alarms=_proportion(len(alarms), len(clean)),
        kinds={kind: _kind(kind, planted, by_rules, answers) for kind in KINDS},
        confusion=confusion,
        missed=tuple(
            f"{one.id} ({one.fault.kind}, by {one.fault.by}): {_told(answers[one.id])}"
            for one in faulty
            if one.fault and not _exact(one, answers[one.id])
        ),
        alarms=tuple(f"{one.id}: {_told(answers[one.id])}" for one in alarms),
    )


def _kind(
    kind: str, planted: Sequence[Planted], by_rules: Sequence[Planted], answers: Mapping[str, Guarded]
) -> KindFigures:
    of_kind = [one for one in by_rules if one.fault and one.fault.kind == kind]
    claimed = [one for one in planted if any(f.kind == kind for f in _certain(answers[one.id]))]
    right = [one for one in claimed if one.fault and one.fault.kind == kind]
    return KindFigures(
        recall=_proportion(sum(_exact(one, answers[one.id]) for one in of_kind), len(of_kind)),
        precision=_proportion(len(right), len(claimed)),
        false_alarms=_false_turns(kind, planted, answers),
    )


def _false_turns(kind: str, planted: Sequence[Planted], answers: Mapping[str, Guarded]) -> Proportion:
    wrong = of = 0
    for one in planted:
        faulty = one.fault_turn if one.fault and one.fault.kind == kind else None
        if faulty is not None and kind in _ANYWHERE:
            continue
        of += len(one.session.caller_turns()) - (faulty is not None)
        found = {f.turn for f in _certain(answers[one.id]) if f.kind == kind}
        wrong += len(found - {faulty})
    return _proportion(wrong, of)


def _exact(one: Planted, answer: Guarded) -> bool:
    """Whether the planted fault itself was found: its kind, at its turn."""
    return one.fault is not None and any(
        finding.kind == one.fault.kind and (finding.turn == one.fault_turn or finding.kind in _ANYWHERE)
        for finding in answer.findings
        if finding.certain or one.fault.by == "reading"
    )


def _certain(answer: Guarded) -> Iterable[Finding]:
    return (finding for finding in answer.findings if finding.certain)


def _told(answer: Guarded) -> str:
    return "; ".join(f"{f.kind} at {f.turn}: {f.detail}" for f in answer.findings) or "nothing found"


def _proportion(hits: int, of: int) -> Proportion:
    if not of:
        return Proportion(hits=0, of=0, value=None, ci_low=None, ci_high=None)
    interval = wilson(hits, of)
    return Proportion(hits=hits, of=of, value=hits / of, ci_low=interval.low, ci_high=interval.high)


def as_json(figures: Mapping[str, PartFigures]) -> dict[str, Any]:
    """One JSON document."""
    return {name: part.model_dump(mode="json") for name, part in figures.items()}
