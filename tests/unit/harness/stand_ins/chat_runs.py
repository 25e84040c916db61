"""Runs of dialogues in text as they lie on disk, with words, usage and endings as given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness._files.atomic_file import write_model
from harness.calls.conversation import Held as HeldCall
from harness.judging.material import of_chat
from harness.plans.benchmark import text_units
from harness.records.call import CallRecord, CallStatus, TextTurn
from harness.records.run import RunInfo
from harness.records.usage import SideUsage
from harness.runs.store import RunStore
from harness.scoring.score_dialogues import score_dialogues
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, Judge, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue, Speaker
from tests.unit.harness.stand_ins.chatting import ENTRY, entry

WORDS: tuple[tuple[Speaker, str], ...] = (
    ("agent", "Hello, is that Mrs. Sun? This is Li Ming from Changjiang Bank."),
    ("caller", "Yes, speaking."),
    ("agent", "I'm sorry. This is my case now. How did you notice it?"),
)


@dataclass(frozen=True, kw_only=True)
class Held:
    """A dialogue of a run."""

    model: str
    entry: str = ENTRY
    status: CallStatus = CallStatus.COMPLETED
    detail: str = "so it was"
    trial: int = 0
    words: Sequence[tuple[Speaker, str]] = WORDS
    usage: SideUsage = field(default_factory=SideUsage)
    caller_usage: SideUsage = field(default_factory=SideUsage)


def record_of(held: Held, *, seed: int = 0) -> CallRecord:
    jobs = text_units(
        [entry(held.entry)],
        policy="agenda",
        agent="llm",
        models=[held.model],
        trials=held.trial + 1,
        seed=seed,
    )
    return CallRecord(
        plan=jobs[-1].plan,
        status=held.status,
        status_detail=held.detail,
        started_at="",
        duration_s=9.0,
        turns=tuple(TextTurn(speaker=who, text=text, start_s=0, end_s=1) for who, text in held.words),
        agent_usage=held.usage,
        caller_usage=held.caller_usage,
    )


def write_chat_run(folder: Path, dialogues: Sequence[Held], *, seed: int = 0) -> RunStore:
    """The folder as ``chat`` leaves it."""
    store = RunStore(folder)
    records = [record_of(held, seed=seed) for held in dialogues]
    store.write_info(
        RunInfo(
            name="bench",
            started_at="",
            outboundeval="0",
            plan_digest="",
            kind="chat",
            agents=["llm"],
            competitors=tuple(dict.fromkeys(held.model for held in dialogues)),
            policy="agenda",
            trials=1,
            seed=seed,
            call_ids=[record.plan.call_id for record in records],
        )
    )
    for record in records:
        store.write(HeldCall(record=record, events=[]))
    return store


@dataclass(frozen=True, kw_only=True)
class SaysSo:
    """A judge whose verdicts stand in the agent's words: ``[score 1] [nodes 3]``.

    Every dimension of a reply gets its score (2 where none stands there; ``[score x]`` fails). So many main
    nodes are achieved, in the flow's order, all in the first turn of the agent.
    """

    name: str = "says-so"
    version: str = "1"
    dimensions: frozenset[Dimension] = field(default_factory=lambda: frozenset(Dimension))

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        first = dialogue.replies()[0]
        text = dialogue.turns[first].text
        left = int(_tag(text, "nodes") or 0)
        found = []
        for node in flow.nodes:
            if node.branch:
                found.append(NodeVerdict(node=node.id, outcome="not_applicable"))
            elif left > 0:
                left -= 1
                quote = text.split()[0]
                found.append(NodeVerdict(node=node.id, outcome="achieved", turn=first, quote=quote))
            else:
                found.append(NodeVerdict(node=node.id, outcome="not_achieved", reason="never said"))
        return found

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        score = _tag(dialogue.turns[turn].text, "score") or "2"
        if score not in ("0", "1", "2"):
            return ReplyVerdict(turn=turn, dimension=dimension, outcome="failed", reason="no JSON")
        return ReplyVerdict.model_validate(
            {"turn": turn, "dimension": dimension, "outcome": "scored", "score": int(score), "reason": "so"}
        )


def score_run(folder: Path, judge: Judge | None = None) -> Path:
    """Writes scores beside the dialogues of a run, as ``score`` does; without guard and summary."""
    store = RunStore(folder)
    materials = [of_chat(record) for record in store.records()]
    for one in asyncio.run(score_dialogues(materials, judge or SaysSo())):
        write_model(store.call_folder(one.id) / "scores.json", one)
    return folder


def _tag(text: str, name: str) -> str:
    return text.partition(f"[{name} ")[2].partition("]")[0]
