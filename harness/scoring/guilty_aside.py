"""The figures of a run without the calls in which our own caller was at fault, and beside them those with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness._files.json_file import read_model
from harness.calls.guard import GUARD_FILE, GuardFile, read_guard
from harness.errors import UserError
from harness.records.call import CallRecord
from harness.records.scores import (
    CallScores,
    DialogueScores,
    GuardSummary,
    Summary,
    TextSummary,
)
from harness.runs.attempts import ATTEMPT
from harness.runs.store import RunStore
from harness.scoring.figures_over_texts import judging_of, summarize_texts
from harness.scoring.summary import summarize
from metrics.score import Score, Status

LEFT_OUT = "left out: the simulator's fault"


def summarize_guarded(
    store: RunStore, records: Sequence[CallRecord], scored: Sequence[CallScores], *, run: str
) -> Summary:
    """As :func:`summarize`, without guilty calls; reads the verdicts beside the calls."""
    guards = {id_: guard for id_ in _ids(records) if (guard := read_guard(store.call_folder(id_)))}
    judged = {id_: guard for id_, guard in guards.items() if guard.verdict != "not_applicable"}
    if not judged:
        return summarize(records, scored, run=run)
    guilty = {id_ for id_, guard in judged.items() if guard.verdict == "guilty"}
    kept = [record for record in records if record.plan.call_id not in guilty]
    summary = summarize(kept, [one for one in scored if one.call_id not in guilty], run=run)
    if not kept:
        summary = _all_left_out(summary)
    attempts = {id_: earlier for id_ in _ids(records) if (earlier := _first_attempt(store, id_))}
    first_records = [attempts[r.plan.call_id][0] if r.plan.call_id in attempts else r for r in records]
    by_id = {one.call_id: one for one in scored}
    by_id |= {id_: scores for id_, (_, scores) in attempts.items() if scores is not None}
    first = summarize(first_records, list(by_id.values()), run=run) if guilty or attempts else None
    return summary.model_copy(
        update={
            "calls": dict(Counter(record.status for record in records)),
            "guard": GuardSummary(
                checked=len(judged),
                guilty=tuple(id_ for id_ in _ids(records) if id_ in guilty),
                kinds=_kinds([judged[id_] for id_ in guilty]),
                suspected=sum(guard.verdict == "suspected" for guard in judged.values()),
                repeated=len(attempts),
                first_attempts=_measured(first.metrics) if first else {},
            ),
        }
    )


def summarize_guarded_texts(scored: Sequence[DialogueScores], folders: dict[str, Path]) -> TextSummary | None:
    """As :func:`summarize_texts`, with guilty dialogues counted as not judged.

    What judging them took is part of what the run's judging took, known or not.

    Args:
        folders: Where each dialogue lies, by id.
    """
    shown = [without_guilty(one, read_guard(folders[one.id])) for one in scored]
    summary = summarize_texts(shown)
    if summary is None or all(one.text is other.text for one, other in zip(scored, shown, strict=True)):
        return summary
    everything = summarize_texts(scored)
    with_guilty = _measured(everything.metrics) if everything else {}
    # Of the dialogues as they were judged: one whose scores are set aside was judged all the same.
    return summary.model_copy(update={"with_guilty": with_guilty, "judging": judging_of(scored)})


def without_guilty(scores: DialogueScores, guard: GuardFile | None) -> DialogueScores:
    """The scores as they are; with the guard's verdict in their place where our own caller was at fault."""
    if guard is None or guard.verdict != "guilty" or scores.text is None:
        return scores
    kinds = ", ".join(sorted({finding.kind for finding in guard.findings if finding.certain}))
    return scores.model_copy(update={"text": None, "not_judged": f"{LEFT_OUT} ({kinds})"})


def set_guilty_aside(store: RunStore, call_ids: Sequence[str], *, attempts: int) -> list[str]:
    """Moves guilty calls out of the way, so that the run places them again.

    Args:
        attempts: A call with so many earlier attempts stays as it is.

    Returns:
        Ids of the calls that are to be placed again.
    """
    moved = []
    for call_id in call_ids:
        folder = store.call_folder(call_id)
        guard = read_guard(folder)
        earlier = len(list(folder.glob(ATTEMPT + "*")))
        if guard is None or guard.verdict != "guilty" or earlier >= attempts:
            continue
        aside = folder / f"{ATTEMPT}{earlier + 1}"
        aside.mkdir()
        # The record goes first: a call without one is placed again, whatever else is still there.
        for name in ("call.json", *sorted(path.name for path in folder.iterdir() if path.is_file())):
            if (folder / name).exists():
                (folder / name).rename(aside / name)
        moved.append(call_id)
    return moved


def _ids(records: Sequence[CallRecord]) -> list[str]:
    return [record.plan.call_id for record in records]


def _kinds(guards: Sequence[GuardFile]) -> dict[str, int]:
    return dict(Counter(kind for g in guards for kind in {f.kind for f in g.findings if f.certain}))


def _first_attempt(store: RunStore, call_id: str) -> tuple[CallRecord, CallScores | None] | None:
    folder = store.call_folder(call_id) / f"{ATTEMPT}1"
    if not (folder / "call.json").is_file():
        return None
    try:
        scores = folder / "scores.json"
        return (
            read_model(folder / "call.json", CallRecord),
            read_model(scores, CallScores) if scores.is_file() else None,
        )
    except UserError:
        return None


def _measured(metrics: dict[str, Score]) -> dict[str, Score]:
    return {name: metric for name, metric in metrics.items() if metric.status is Status.MEASURED}


def _all_left_out(summary: Summary) -> Summary:
    why = f"not measured: every call was {LEFT_OUT} ({GUARD_FILE} beside each)"
    metrics = {name: one.model_copy(update={"reason": why}) for name, one in summary.metrics.items()}
    missing = [one.model_copy(update={"reason": why}) for one in summary.not_measured]
    return summary.model_copy(update={"metrics": metrics, "not_measured": missing})
