"""Calls whose words were judged, with verdicts made by hand: every kind of outcome, and text that attacks.

The flow has seven nodes, of which four are key. Of the call ``judged``::

    greet    key     achieved in turn 0
    ask      key     achieved in turn 4
    explain  key     achieved in turn 2, before ask: out of order
    offer    key     not achieved
    soothe   branch  not applicable
    promise          failed
    close            achieved in turn 4; needs offer, which never was: out of order

Key nodes 3 of 4; all nodes 4 of 6 that apply, one of them failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.judging.material import of_call
from harness.plans.task import TaskPlan, task_of
from harness.records.call import CallStatus
from harness.records.scores import DialogueScores
from harness.scoring.score_dialogues import score_dialogues
from metrics.dialogue.task_flow import Branch, FlowNode, TaskFlow
from metrics.dialogue.verdicts import Dimension, Judge, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue
from tests.report.make_run import ATTACK, MadeCall, Said, record_of, transcript_of
from tests.unit.harness.stand_ins.chatting import entry

FLOW = TaskFlow(
    nodes=(
        FlowNode(id="greet", criterion="The agent says who it is.", key=True),
        FlowNode(id="ask", criterion="The agent asks what happened.", key=True, requires=("greet",)),
        FlowNode(id="explain", criterion="The agent explains the charge.", key=True, requires=("ask",)),
        FlowNode(id="offer", criterion="The agent offers to pay it back.", key=True, requires=("explain",)),
        FlowNode(id="soothe", criterion="The agent calms down.", branch=Branch(when="The caller is upset.")),
        FlowNode(id="promise", criterion="The agent promises a date."),
        FlowNode(id="close", criterion="The agent says goodbye.", requires=("offer",)),
    )
)

NODES = (
    NodeVerdict(node="greet", outcome="achieved", turn=0, quote="this is Anna", reason="It does."),
    NodeVerdict(node="ask", outcome="achieved", turn=4, quote="What happened"),
    NodeVerdict(node="explain", outcome="achieved", turn=2, quote=ATTACK, reason=f"Said {ATTACK}"),
    NodeVerdict(node="offer", outcome="not_achieved", reason="No money was offered."),
    NodeVerdict(node="soothe", outcome="not_applicable", reason="The caller was calm."),
    NodeVerdict(node="promise", outcome="failed", reason=f"the answer does not fit: {ATTACK}"),
    NodeVerdict(node="close", outcome="achieved", turn=4, quote="Goodbye"),
)


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """A judge with verdicts made by hand; every reply has a 2 where nothing else is said of it."""

    nodes: Sequence[NodeVerdict] = ()
    replies: Mapping[tuple[int, Dimension], ReplyVerdict] = field(default_factory=dict)
    name: str = "by-hand"
    version: str = "7"
    dimensions: frozenset[Dimension] = frozenset(set(Dimension) - {Dimension.SAFETY})

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        return list(self.nodes) or [NodeVerdict(node=one.id, outcome="not_achieved") for one in flow.nodes]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        given = self.replies.get((turn, dimension))
        return given or ReplyVerdict(turn=turn, dimension=dimension, outcome="scored", score=2)


def _points(turn: int, dimension: Dimension, score: int, reason: str, quote: str = "") -> ReplyVerdict:
    return ReplyVerdict.model_validate(
        {
            "turn": turn,
            "dimension": dimension,
            "outcome": "scored",
            "score": score,
            "reason": reason,
            "quote": quote,
        }
    )


def _failed(turn: int, dimension: Dimension, reason: str) -> ReplyVerdict:
    return ReplyVerdict(turn=turn, dimension=dimension, outcome="failed", reason=reason)


REPLIES = (
    _points(0, Dimension.NATURALNESS, 1, "A little stiff."),
    _points(2, Dimension.HALLUCINATION, 0, f"Invented {ATTACK}", quote=ATTACK),
    _points(2, Dimension.COHERENCE, 1, "Drifts."),
    _points(4, Dimension.REDUNDANCY, 0, "Says it twice.", quote="Goodbye"),
    _failed(0, Dimension.SAFETY, "not judged at all"),
    _failed(4, Dimension.NATURALNESS, "no answer: status 500"),
    _failed(4, Dimension.COHERENCE, "no answer: status 500"),
)

JUDGE = ByHand(nodes=NODES, replies={(one.turn, one.dimension): one for one in REPLIES})


def task() -> TaskPlan:
    return task_of(entry()).model_copy(update={"flow": FLOW})


def judged(call: MadeCall, judge: Judge = JUDGE) -> MadeCall:
    """The call with its text scores, as ``score`` would leave them."""
    material = of_call(record_of(call), transcript_of(call))
    assert material is not None
    [call.text] = asyncio.run(score_dialogues([material], judge))
    return call


def judged_call() -> MadeCall:
    """Turns: agent 0.5 s, caller 3.5 s, agent 5.5 s, caller 8.4 s, agent 10.0 s (in two pieces)."""
    call = MadeCall(
        id="judged",
        title="Unknown charge",
        duration_s=14.0,
        task=task(),
        agent_asr=False,
        said=[
            Said(side="agent", start_s=0.5, end_s=3.0, text="Hello, this is Anna."),
            Said(side="caller", start_s=3.5, end_s=5.0, text="Yes, hello."),
            Said(side="agent", start_s=5.5, end_s=8.0, text=f"It is a premium. {ATTACK}"),
            Said(side="caller", start_s=8.4, end_s=9.4, text="I see."),
            Said(side="agent", start_s=10.0, end_s=11.0, text="What happened?"),
            Said(side="agent", start_s=11.5, end_s=13.0, text="Goodbye. Goodbye."),
        ],
    )
    return judged(call)


def silent_judged_call() -> MadeCall:
    """The agent says nothing: there is no reply to judge."""
    said = [Said(side="caller", start_s=1.0, end_s=2.0, text="Hello?")]
    call = MadeCall(
        id="silent", duration_s=8.0, status=CallStatus.CALLER_HANGUP, said=said, task=task(), agent_asr=False
    )
    return judged(call, ByHand())


def unjudged_call() -> MadeCall:
    """A call about a scenario whose words nobody knows."""
    said = [Said(side="caller", start_s=1.0, end_s=2.0, text="Hello?")]
    call = MadeCall(id="unheard", duration_s=4.0, said=said, task=task())
    call.text = DialogueScores(id="unheard", not_judged="the agent's words are not known")
    return call
