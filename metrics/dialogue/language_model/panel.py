"""Several judges as one: a verdict by majority, with what each of them said."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, Judge, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue


@dataclass(frozen=True)
class PanelJudge:
    """Two or more judges (other models, or other samples of one).

    Each member's verdict is checked first (quotes, turns), so that an invented quote has no vote. A node goes
    by majority (more than half of those who gave a verdict), with the turn that most of them cite, of several
    the earliest; a reply is not applicable by majority, else gets the lower median of the scores. There is no
    verdict (``failed``) where fewer than half of the members gave one, or where no outcome of a node has a
    majority. ``votes`` of each verdict says what every member answered.
    """

    members: Sequence[Judge]

    def __post_init__(self) -> None:
        if len(self.members) < 2:
            raise ValueError("a panel has at least two judges")

    @property
    def name(self) -> str:
        counted = Counter(member.name for member in self.members)
        return "panel of " + ", ".join(
            name if count == 1 else f"{count} x {name}" for name, count in counted.items()
        )

    @property
    def version(self) -> str:
        return "+".join(dict.fromkeys(member.version for member in self.members))

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """Those that every member can judge."""
        return frozenset.intersection(*(member.dimensions for member in self.members))

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        answers = await asyncio.gather(
            *(
                member.judge_flow(dialogue, flow, agent_prompt=agent_prompt, language=language)
                for member in self.members
            )
        )
        checked = [checked_nodes(dialogue, flow, answer) for answer in answers]
        return [_node(node.id, [one[place] for one in checked]) for place, node in enumerate(flow.nodes)]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        answers = await asyncio.gather(
            *(
                member.judge_reply(dialogue, turn, dimension, agent_prompt=agent_prompt, language=language)
                for member in self.members
            )
        )
        return _reply(turn, dimension, [checked_reply(dialogue, answer) for answer in answers])


def _node(node: str, verdicts: Sequence[NodeVerdict]) -> NodeVerdict:
    votes = tuple(verdict.outcome for verdict in verdicts)
    given = [verdict for verdict in verdicts if verdict.outcome != "failed"]
    if 2 * len(given) < len(verdicts):
        return NodeVerdict(node=node, outcome="failed", reason=_first_reason(verdicts), votes=votes)
    outcome, count = Counter(verdict.outcome for verdict in given).most_common(1)[0]
    if 2 * count <= len(given):
        told = f"at most {count} of {len(given)} judges gave the same"
        return NodeVerdict(node=node, outcome="failed", reason=f"no majority: {told}", votes=votes)
    agreeing = [verdict for verdict in given if verdict.outcome == outcome]
    cited = Counter(verdict.turn for verdict in agreeing)
    # Of turns that as many cite, the earliest; the order among members does not matter.
    chosen = min(
        agreeing,
        key=lambda verdict: (-cited[verdict.turn], verdict.turn if verdict.turn is not None else -1),
    )
    return chosen.model_copy(update={"votes": votes})


def _reply(turn: int, dimension: Dimension, verdicts: Sequence[ReplyVerdict]) -> ReplyVerdict:
    votes = tuple(
        str(verdict.score) if verdict.score is not None else verdict.outcome for verdict in verdicts
    )
    given = [verdict for verdict in verdicts if verdict.outcome != "failed"]
    if 2 * len(given) < len(verdicts):
        reason = _first_reason(verdicts)
        return ReplyVerdict(turn=turn, dimension=dimension, outcome="failed", reason=reason, votes=votes)
    scored = [verdict for verdict in given if verdict.score is not None]
    if 2 * len(scored) < len(given):
        without = next(verdict for verdict in given if verdict.score is None)
        return without.model_copy(update={"votes": votes})
    score = median_low([verdict.score for verdict in scored if verdict.score is not None])
    chosen = next(verdict for verdict in scored if verdict.score == score)
    return chosen.model_copy(update={"votes": votes})


def _first_reason(verdicts: Sequence[NodeVerdict] | Sequence[ReplyVerdict]) -> str:
    return next((verdict.reason for verdict in verdicts if verdict.outcome == "failed"), "no verdict")
