"""Fills the index from run folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.records.verdict import VERDICT_FILE, Verdict
from harness.runs.database.identity import key_of
from harness.runs.database.instrument import instrument_digest
from harness.runs.database.opening import opened, shown_store
from harness.runs.database.schema import CALLS, FIGURES, PLACES, RUNS
from harness.runs.reader import CallFiles, RunFiles, read_run
from harness.runs.store import is_chat_run
from metrics.score import Score

MOST_PLACES = 200
"""Of a figure of a call; there is more in its file."""


def put_run(store: str, folder: Path) -> str:
    """Writes a run into the index, in place of what an earlier look at this very run left; its key there.

    Raises:
        UserError: It is no run of calls, or a part of one, or the index cannot be written.
    """
    if is_chat_run(folder):
        raise UserError(f"{folder}: is a run of dialogues in text; the store is of calls")
    files = read_run(folder)
    if files.info is None:
        raise UserError(f"{folder}: its run.json cannot be read")
    if (part := files.info.shard) is not None:
        raise UserError(
            f"{folder}: is shard {part.place}/{part.of} of a run; the store is of whole ones, which "
            "'outboundeval merge' puts together"
        )
    row = _run_row(files)
    with opened(store) as connection:
        _put(connection, files, row)
    return str(row["run_key"])


def rebuild(store: str, folders: list[Path]) -> Iterator[tuple[Path, str]]:
    """Fills the index anew from run folders; yields each with why it could not be used (empty: it could).

    What the index has of other runs goes last, so that whoever breaks it off loses nothing.

    Raises:
        UserError: The index cannot be used, or none of the folders can: then it stays as it is.
    """
    with opened(store) as connection:
        before = set(connection.execute(select(RUNS.c.run_key)).scalars())
    found: set[str] = set()
    for folder in folders:
        try:
            found.add(put_run(store, folder))
        except UserError as error:
            yield folder, str(error)
        else:
            yield folder, ""
    if not found:
        raise UserError(f"{shown_store(store)}: stays as it is: none of these folders can be put into it")
    with opened(store) as connection:
        for key in before - found:
            _drop(connection, key)


def _put(connection: Connection, files: RunFiles, row: dict[str, Any]) -> None:
    _drop(connection, row["run_key"])
    run_id = connection.execute(insert(RUNS).values(**row).returning(RUNS.c.id)).scalar_one()
    for table, rows in (
        (CALLS, [_call_row(call) for call in files.calls if call.record is not None]),
        (FIGURES, list(_figure_rows(files))),
        (PLACES, list(_place_rows(files))),
    ):
        if rows:
            connection.execute(insert(table), [{"run_id": run_id, **one} for one in rows])


def _drop(connection: Connection, key: str) -> None:
    """What the index has of a run."""
    for known in connection.execute(select(RUNS.c.id).where(RUNS.c.run_key == key)).scalars().all():
        for table in (PLACES, FIGURES, CALLS):
            connection.execute(delete(table).where(table.c.run_id == known))
        connection.execute(delete(RUNS).where(RUNS.c.id == known))


def _run_row(files: RunFiles) -> dict[str, Any]:
    info = files.info
    assert info is not None
    names = sorted({call.record.agent_name for call in files.calls if call.record and call.record.agent_name})
    return {
        "run_key": key_of(info, files.folder),
        "folder": str(files.folder.resolve()),
        "name": info.name,
        "started_at": info.started_at,
        "finished_at": info.finished_at,
        "address": ", ".join(info.agents)[:1000],
        "agent": ", ".join(names)[:300],
        "revision": info.revision,
        "branch": info.branch,
        "outboundeval": info.outboundeval[:100],
        "benchmark": info.versions.get("benchmark", "")[:64],
        "machine": f"{info.machine.platform}, {info.machine.cpu_count} cores" if info.machine else "",
        "plan_digest": info.plan_digest,
        "instrument": instrument_digest(info.versions, info.outboundeval),
        "calls": len(info.call_ids),
        "word": _word(files),
        "versions": dict(info.versions),
        "calibrations": [one.model_dump(mode="json") for one in files.summary.calibrations]
        if files.summary
        else [],
    }


def _word(files: RunFiles) -> str:
    """Of the verdict; an older version may have passed a run of which planned calls left no record."""
    try:
        word = read_model(files.folder / VERDICT_FILE, Verdict, within=files.folder).word
    except UserError:
        return ""
    return "inconclusive" if word == "passed" and files.unplaced else word


def _call_row(call: CallFiles) -> dict[str, Any]:
    record = call.record
    assert record is not None
    plan: CallPlan = record.plan
    return {
        "call_id": call.call_id,
        "scenario": plan.task.entry if plan.task else "",
        "sub_scenario": plan.task.sub_scenario if plan.task else "",
        "seed": str(plan.seed),
        "trial": plan.trial,
        "status": record.status.value,
        "detail": record.status_detail,
        "duration_s": record.duration_s,
        "voice": f"{plan.voice.engine}/{plan.voice.name}",
        "codec": record.media.codec if record.media else "",
    }


def _figure_rows(files: RunFiles) -> Iterator[dict[str, Any]]:
    if files.summary is not None:
        yield from (_figure_row("", score) for score in files.summary.metrics.values())
    for call in files.calls:
        if call.scores is not None:
            yield from (_figure_row(call.call_id, score) for score in call.scores.scores)


def _figure_row(call_id: str, score: Score) -> dict[str, Any]:
    return {
        "call_id": call_id,
        "metric": score.metric,
        "unit": score.unit,
        "status": score.status.value,
        "value": score.value,
        "low": score.ci_low,
        "high": score.ci_high,
        "p90": score.p90,
        "p95": score.p95,
        "n": score.n,
        "version": score.version[:300],
    }


def _place_rows(files: RunFiles) -> Iterator[dict[str, Any]]:
    for call in files.calls:
        if call.scores is None:
            continue
        for turn in call.scores.turns:
            if not turn.outcome.due:
                continue
            place = {"call_id": call.call_id, "start_s": turn.user_end_s, "end_s": turn.agent_start_s}
            yield {**place, "metric": "response_latency_ms", "value": turn.latency_ms}
            if not turn.outcome.replied:
                yield {**place, "metric": "response_rate", "value": 0.0}
        for score in call.scores.scores:
            for one in score.evidence[:MOST_PLACES] if score.metric != "response_latency_ms" else ():
                yield {
                    "call_id": call.call_id,
                    "metric": score.metric,
                    "start_s": one.start_s,
                    "end_s": one.end_s,
                    "value": one.value,
                }
