"""Runs a judge over dialogues, several at a time, and keeps each one's scores as soon as they are there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.errors import UserError
from harness.judging.judges import JudgeChoice
from harness.judging.material import DialogueMaterial, of_call, of_chat
from harness.judging.usage_count import counted
from harness.records.scores import CallScores, DialogueScores, TextSummary, Transcript
from harness.records.scores.judging import JudgingUse
from harness.runs.guard import guard_run
from harness.runs.store import RunStore
from harness.scoring.guilty_aside import summarize_guarded_texts
from metrics.dialogue.judging import judge_session
from metrics.dialogue.verdicts import Judge

PARALLEL = 8
"""Questions that are open at a time, over all dialogues."""

Earlier = Callable[[str], DialogueScores | None]
"""What an earlier scoring left of a dialogue, by its id: what that took is not forgotten."""

Progress = Callable[[str, int, int], None]
"""Called with the dialogue that has just been judged, how many have, and how many there are."""


async def score_dialogues(
    materials: Sequence[DialogueMaterial],
    judge: Judge,
    *,
    parallel: int = PARALLEL,
    earlier: Earlier = lambda dialogue: None,
    on_scored: Callable[[DialogueScores], None] = lambda scores: None,
    on_progress: Progress = lambda dialogue, done, total: None,
) -> list[DialogueScores]:
    """The text scores of each dialogue, in order.

    Args:
        parallel: How many questions are open at a time.
        on_scored: Called with each dialogue's scores as soon as they are there, in any order. What it has
            kept is kept when the rest is cut off.
    """
    limit = asyncio.Semaphore(parallel)
    # So many dialogues in work that the limit is always used, and so few that the first ones finish early.
    sessions = asyncio.Semaphore(max(2, parallel))
    done = 0

    async def one(material: DialogueMaterial) -> DialogueScores:
        nonlocal done
        async with sessions:
            scores = await _score(material, judge, limit, earlier(material.id))
        done += 1
        on_scored(scores)
        on_progress(material.id, done, len(materials))
        return scores

    # Those with the same briefing in a row: a server that keeps what it read last reads it once.
    in_reading_order = sorted(range(len(materials)), key=lambda place: materials[place].entry)
    async with asyncio.TaskGroup() as group:
        tasks = {place: group.create_task(one(materials[place])) for place in in_reading_order}
    return [tasks[place].result() for place in range(len(materials))]


def judge_dialogues(
    materials: Sequence[DialogueMaterial],
    choice: JudgeChoice,
    *,
    parallel: int = PARALLEL,
    earlier: Earlier = lambda dialogue: None,
    on_scored: Callable[[DialogueScores], None] = lambda scores: None,
    on_progress: Progress = lambda dialogue, done, total: None,
) -> list[DialogueScores]:
    """:func:`score_dialogues` by the chosen judge, which is opened for it.

    Raises:
        UserError: The judge cannot be opened.
    """

    async def run() -> list[DialogueScores]:
        async with choice.opened() as judge:
            return await score_dialogues(
                materials,
                judge,
                parallel=parallel,
                earlier=earlier,
                on_scored=on_scored,
                on_progress=on_progress,
            )

    return asyncio.run(run())


def score_chat_run(
    store: RunStore, choice: JudgeChoice, *, parallel: int = PARALLEL, on_progress: Progress
) -> TextSummary:
    """Judges every dialogue of a run of dialogues in text; writes their scores and the run's summary.

    Raises:
        UserError: The folder is no such run, or no dialogue has ended.
    """
    materials = [of_chat(record) for record in store.records()]
    if not materials:
        raise UserError(f"{store.folder}: no dialogue of this run has ended; nothing to score")

    def earlier(dialogue: str) -> DialogueScores | None:
        try:
            return read_model(store.call_folder(dialogue) / "scores.json", DialogueScores)
        except UserError:
            return None

    def keep(scores: DialogueScores) -> None:
        write_model(store.call_folder(scores.id) / "scores.json", scores)

    scored = judge_dialogues(
        materials, choice, parallel=parallel, earlier=earlier, on_scored=keep, on_progress=on_progress
    )
    for _ in guard_run(store.folder):
        pass
    summary = summarize_guarded_texts(scored, {one.id: store.call_folder(one.id) for one in scored})
    assert summary is not None
    write_model(store.folder / "summary.json", summary)
    return summary


def score_call_texts(
    store: RunStore, scored: Sequence[CallScores], choice: JudgeChoice, *, on_progress: Progress
) -> list[CallScores]:
    """The scores of a run's calls with their text scores, where it is known what a call was about.

    Written at once, call by call.
    """
    by_id = {one.call_id: one for one in scored}
    materials = []
    for call_id in by_id:
        record = store.read_record(call_id)
        path = store.call_folder(call_id) / "transcript.json"
        transcript = read_model(path, Transcript) if path.is_file() else Transcript()
        material = of_call(record, transcript) if record is not None else None
        if material is not None:
            materials.append(material)

    def keep(scores: DialogueScores) -> None:
        by_id[scores.id] = by_id[scores.id].model_copy(update={"text": scores})
        write_model(store.call_folder(scores.id) / "scores.json", by_id[scores.id])

    if materials:
        texts = {call_id: one.text for call_id, one in by_id.items()}
        judge_dialogues(materials, choice, earlier=texts.get, on_scored=keep, on_progress=on_progress)
    return list(by_id.values())


async def _score(
    material: DialogueMaterial, judge: Judge, limit: asyncio.Semaphore, earlier: DialogueScores | None
) -> DialogueScores:
    text = judging = None
    if not material.not_judged:
        with counted() as count:
            text = await judge_session(
                judge,
                material.dialogue,
                material.flow,
                agent_prompt=material.agent_prompt,
                language=material.language,
                call_id=material.id,
                limit=limit,
            )
        judging = count.use()
        if (before := _same_judging(earlier, material, judge)) is not None:
            judging = judging.after(before)
    return DialogueScores(
        id=material.id,
        entry=material.entry,
        domain=material.domain,
        archetype=material.archetype,
        competitor=material.competitor,
        language=material.language,
        status=material.status,
        not_judged=material.not_judged,
        notes=material.notes,
        digest=material.digest,
        turns=material.dialogue.turns,
        text=text,
        judging=judging,
    )


def _same_judging(
    earlier: DialogueScores | None, material: DialogueMaterial, judge: Judge
) -> JudgingUse | None:
    """What the same judge took for the same words; None where it was another, or nobody counted."""
    if earlier is None or earlier.text is None or earlier.digest != material.digest:
        return None
    same = (earlier.text.judge, earlier.text.judge_version) == (judge.name, judge.version)
    return earlier.judging if same else None
