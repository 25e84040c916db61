"""Reads what a leaderboard is made from: every dialogue of one or more runs, with its scores or why there are
none."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness._files.json_file import read_model
from harness.calls.guard import read_guard
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import DialogueScores
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import LEFT_OUT, without_guilty

NOT_JUDGED_YET = "not judged yet"

_FAILED = {
    CallStatus.AGENT_FAILED: "the agent's model failed",
    CallStatus.SETUP_FAILED: "the agent could not say a first word",
    CallStatus.HARNESS_FAULT: "our own fault",
}


@dataclass(frozen=True, kw_only=True)
class RankedDialogue:
    """A dialogue of a competitor.

    Attributes:
        folder: Of the run.
        scores: None where it is left out; ``left_out`` then says why, in few words that are alike for many.
        as_judged: What its scores.json says, left out or not; None where there is none to be read.
    """

    folder: Path
    record: CallRecord
    scores: DialogueScores | None
    as_judged: DialogueScores | None = None
    left_out: str = ""

    @property
    def competitor(self) -> str:
        return self.record.plan.competitor

    @cached_property
    def met(self) -> tuple[str, int, int, str]:
        """Whom the competitor met: entry, seed, trial, and a digest of what else makes the call what it is.
        Equal for all who met the same caller, and were given and are judged by the same."""
        plan = self.record.plan
        return plan.about.entry, plan.seed, plan.trial, _call_digest(plan)

    @property
    def final(self) -> float | None:
        if self.scores is None or self.scores.text is None:
            return None
        return self.scores.text.score("final").value


def ranked_dialogues(folders: Sequence[Path]) -> list[RankedDialogue]:
    """The dialogues of runs, in order.

    Raises:
        UserError: A folder is no run of dialogues in text, or is named twice; nothing has been judged, or
            all of it is left out; or different judges did, whose scores cannot be compared.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UserError("the same run is named twice: its dialogues would count double")
    found = [one for folder in folders for one in _of_run(folder)]
    judges = {
        (one.scores.text.judge, one.scores.text.judge_version)
        for one in found
        if one.scores is not None and one.scores.text is not None
    }
    runs = " ".join(str(folder) for folder in folders)
    left_out = Counter(one.left_out for one in found)
    if not judges and found and NOT_JUDGED_YET not in left_out:
        told = ", ".join(f"{why} {n}" for why, n in left_out.most_common(5))
        raise UserError(f"{runs}: every dialogue is left out, so that nobody can be ranked: {told}")
    if not judges:
        raise UserError(f"{runs}: no dialogue has been judged: outboundeval score {folders[0]}")
    if len(judges) > 1:
        named = "; ".join(" ".join(judge) for judge in sorted(judges))
        raise UserError(
            f"{runs}: different judges, whose scores cannot be compared: {named}. "
            "Score the runs again by one judge (outboundeval score RUN --judge NAME)"
        )
    return found


def _of_run(folder: Path) -> Iterator[RankedDialogue]:
    store = RunStore(folder)
    if store.medium != "text":
        raise UserError(f"{folder}: holds no dialogues in text but a run of calls")

    def left_out(record: CallRecord, why: str) -> RankedDialogue:
        return RankedDialogue(folder=folder, record=record, scores=None, left_out=why)

    for record in store.records():
        where = store.call_folder(record.plan.call_id)
        if not record.status.took_place:
            yield left_out(record, _FAILED[record.status])
            continue
        path = where / "scores.json"
        if not path.is_file():
            yield left_out(record, NOT_JUDGED_YET)
            continue
        try:
            as_judged = read_model(path, DialogueScores)
            scores = without_guilty(as_judged, read_guard(where))
        except UserError:
            yield left_out(record, "its scores cannot be read")
            continue
        why = "" if scores.text is not None else _in_few_words(scores.not_judged)
        yield RankedDialogue(
            folder=folder,
            record=record,
            scores=None if why else scores,
            as_judged=as_judged,
            left_out=why,
        )


def _call_digest(plan: CallPlan) -> str:
    """Of the agent's prompt, the flow, the person and who plays them: an entry keeps its name when it is
    changed."""
    task = plan.about
    parts = (
        task.agent_prompt,
        task.flow.model_dump_json(),
        task.persona.model_dump_json(),
        str(task.winnable),
        plan.policy,
        plan.language_model or "",
        str(plan.understanding),
    )
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def _in_few_words(not_judged: str) -> str:
    return LEFT_OUT.removeprefix("left out: ") if not_judged.startswith(LEFT_OUT) else not_judged[:200]
