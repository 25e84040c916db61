"""Asks a judge everything that the text scores of one session need, several questions at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.text_scores import TextScores, text_scores
from metrics.dialogue.verdicts import Dimension, Judge, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue


async def judge_session(
    judge: Judge,
    dialogue: Dialogue,
    flow: TaskFlow,
    *,
    agent_prompt: str,
    language: str,
    call_id: str | None = None,
    limit: asyncio.Semaphore | None = None,
    on_judgement: Callable[[], None] | None = None,
) -> TextScores:
    """The text scores of a session: one question for the flow, one for each reply and dimension.

    Args:
        limit: How many questions are open at a time; may be shared by several sessions.
        on_judgement: Called after each answer, for progress.

    Raises:
        Exception: Only what the judge raises, which it must not for anything that a model replies.
    """
    gate = limit or asyncio.Semaphore(8)

    async def ask_flow() -> list[NodeVerdict]:
        async with gate:
            nodes = await judge.judge_flow(dialogue, flow, agent_prompt=agent_prompt, language=language)
        if on_judgement:
            on_judgement()
        return nodes

    async def ask_reply(turn: int, dimension: Dimension) -> ReplyVerdict:
        async with gate:
            verdict = await judge.judge_reply(
                dialogue, turn, dimension, agent_prompt=agent_prompt, language=language
            )
        if on_judgement:
            on_judgement()
        return verdict

    async with asyncio.TaskGroup() as group:
        nodes = group.create_task(ask_flow())
        replies = [
            group.create_task(ask_reply(turn, dimension))
            for turn in dialogue.replies()
            for dimension in Dimension
            if dimension in judge.dimensions
        ]
    answers = [task.result() for task in replies]
    return text_scores(dialogue, flow, nodes.result(), answers, judge=judge, call_id=call_id)


def judgements(judge: Judge, dialogue: Dialogue) -> int:
    """How many questions :func:`judge_session` asks."""
    return 1 + len(dialogue.replies()) * len(judge.dimensions)
