"""The figures of a run without the calls in which our own caller was at fault, and beside them those with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
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
from harness.records.verdict import VERDICT_FILE
from harness.runs.attempts import ATTEMPT
from harness.runs.store import RunStore
from harness.scoring.figures_over_texts import judging_of, summarize_texts
from harness.scoring.summary import summarize
from metrics.dialogue.text_scores import without_replies
from metrics.score import Score, Status
from spoken_language.dialogue import Dialogue, DialogueTurn
from voice_sim.guard.session import Finding

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
    kept_scores = [
        one.model_copy(update={"text": without_guilty(one.text, judged.get(one.call_id))})
        if one.text
        else one
        for one in scored
        if one.call_id not in guilty
    ]
    summary = summarize(kept, kept_scores, run=run)
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
                guilty_turns=turns_at_fault(judged.values()),
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
    guards = {one.id: read_guard(folders[one.id]) for one in scored}
    shown = [without_guilty(one, guards[one.id]) for one in scored]
    summary = summarize_texts(shown)
    at_fault = turns_at_fault(guard for guard in guards.values() if guard is not None)
    if summary is not None:
        summary = summary.model_copy(update={"guilty_turns": at_fault})
    if summary is None or all(one.text is other.text for one, other in zip(scored, shown, strict=True)):
        return summary
    everything = summarize_texts(scored)
    with_guilty = _measured(everything.metrics) if everything else {}
    # Of the dialogues as they were judged: one whose scores are set aside was judged all the same.
    return summary.model_copy(update={"with_guilty": with_guilty, "judging": judging_of(scored)})


def without_guilty(scores: DialogueScores, guard: GuardFile | None) -> DialogueScores:
    """The scores without what our own caller was at fault for.

    With a guilty call the guard's verdict stands in their place; with guilty turns the agent's replies to
    those are left out of the scores of replies, and the task's scores stay.
    """
    if guard is None or scores.text is None:
        return scores
    if guard.verdict == "guilty":
        kinds = ", ".join(sorted({finding.kind for finding in guard.findings if finding.certain}))
        return scores.model_copy(update={"text": None, "not_judged": f"{LEFT_OUT} ({kinds})"})
    replies = replies_to(scores.turns, guard.guilty_turns())
    if not replies:
        return scores
    return scores.model_copy(
        update={"text": without_replies(scores.text, Dialogue(turns=scores.turns), replies)}
    )


def replies_to(turns: Sequence[DialogueTurn], findings: Iterable[Finding]) -> set[int]:
    """Positions of the agent's replies to what the caller said in findings.

    A finding names its turn as the guard counted them. Where the turns that were judged are others (a
    recognised call, in which words of ours may be missing), it is the next of
    the caller's that has the words.
    """
    found: set[int] = set()
    after = 0
    for finding in findings:
        quote = finding.quote.strip()
        named = [finding.turn] if finding.turn is not None else []
        for position in (*named, *range(after, len(turns))):
            if position < len(turns) and _said_by_caller(turns[position], quote):
                reply = (n for n in range(position + 1, len(turns)) if turns[n].speaker == "agent")
                found.update(islice(reply, 1))
                after = position + 1
                break
    return found


def _said_by_caller(turn: DialogueTurn, quote: str) -> bool:
    return turn.speaker == "caller" and quote in turn.text


def set_guilty_aside(store: RunStore, call_ids: Sequence[str], *, attempts: int) -> list[str]:
    """Moves guilty calls out of the way, so that the run places them again; its verdict goes with them, as
    it is of calls that are then missing.

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
        (store.folder / VERDICT_FILE).unlink(missing_ok=True)
        # The record goes first: a call without one is placed again, whatever else is still there.
        for name in ("call.json", *sorted(path.name for path in folder.iterdir() if path.is_file())):
            if (folder / name).exists():
                (folder / name).rename(aside / name)
        moved.append(call_id)
    return moved


def _ids(records: Sequence[CallRecord]) -> list[str]:
    return [record.plan.call_id for record in records]


def turns_at_fault(guards: Iterable[GuardFile]) -> dict[str, int]:
    """Kind of fault -> single turns that are at fault in calls that stay in the figures."""
    return dict(Counter(finding.kind for guard in guards for finding in guard.guilty_turns()))


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
