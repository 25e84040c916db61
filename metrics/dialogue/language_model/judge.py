"""The ``llm`` judge: a language model that scores by the rubric of Tables 22 and 23, a question at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic_ai.models import Model

from metrics.dialogue.language_model.answers import FlowAnswer, NodeAnswer, ReplyAnswer
from metrics.dialogue.language_model.asking import AnswerStore, NoStore, answer_key, ask
from metrics.dialogue.language_model.prompts import (
    ALWAYS_APPLICABLE,
    dimension_version,
    flow_question,
    flow_version,
    judge_version,
    prompt,
    reply_question,
)
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue

REPLY_TOKENS = 400
TOKENS_PER_NODE = 120
_SAMPLING_TEMPERATURE = 0.7


@dataclass(frozen=True, kw_only=True)
class LanguageModelJudge:
    """One language model as judge; see :class:`metrics.dialogue.verdicts.Judge`.

    Attributes:
        model: Any pydantic-ai model. Give it one that tries again by itself and is capped.
        name: Of the model: for reports, and part of what answers are kept under.
        store: Where answers are kept.
        sample: Which sample of the same model this is. The first is asked at temperature 0, further ones (for
            a panel) at 0.7, each with its own seed.
        for_question: Gives the model for one question, by a label, where each is to have a cap of its own.
    """

    model: Model
    name: str
    store: AnswerStore = field(default_factory=NoStore)
    sample: int = 0
    for_question: Callable[[str], Model] | None = None

    @property
    def version(self) -> str:
        return judge_version()

    @property
    def dimensions(self) -> frozenset[Dimension]:
        return frozenset(Dimension)

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        """One verdict for each node. Where there is no usable answer, every node failed, with the reason."""
        if not dialogue.replies():
            return [_unsaid(node.id, branch=node.branch is not None) for node in flow.nodes]
        question = flow_question(dialogue, flow, agent_prompt=agent_prompt)
        key = self._key(flow_version(), question)
        asked = await ask(
            self._model(key),
            question,
            FlowAnswer,
            instructions=prompt("frame"),
            max_tokens=200 + TOKENS_PER_NODE * len(flow.nodes),
            key=key,
            store=self.store,
            temperature=self._temperature,
            seed=self.sample,
        )
        if asked.answer is None:
            return [NodeVerdict(node=node.id, outcome="failed", reason=asked.failure) for node in flow.nodes]
        return [_node_verdict(answer) for answer in asked.answer.verdicts]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        """One reply on one dimension."""
        question = reply_question(dialogue, turn, dimension, agent_prompt=agent_prompt)
        key = self._key(dimension_version(dimension), question)
        asked = await ask(
            self._model(key),
            question,
            ReplyAnswer,
            instructions=prompt("frame"),
            max_tokens=REPLY_TOKENS,
            key=key,
            store=self.store,
            temperature=self._temperature,
            seed=self.sample,
        )
        return _reply_verdict(asked.answer, asked.failure, turn, dimension)

    @property
    def _temperature(self) -> float:
        return _SAMPLING_TEMPERATURE if self.sample else 0.0

    def _model(self, label: str) -> Model:
        return self.model if self.for_question is None else self.for_question(label)

    def _key(self, version: str, question: str) -> str:
        return answer_key(model=self.name, version=version, question=question, sample=self.sample)


def _node_verdict(answer: NodeAnswer) -> NodeVerdict:
    if answer.outcome == "achieved" and answer.turn is None:
        reason = f"judged achieved, but no turn is cited; the judge said: {answer.reason}"
        return NodeVerdict(node=answer.node, outcome="failed", reason=reason)
    achieved = answer.outcome == "achieved"
    return NodeVerdict(
        node=answer.node,
        outcome=answer.outcome,
        turn=answer.turn if achieved else None,
        quote=answer.quote if achieved else "",
        reason=answer.reason,
    )


def _reply_verdict(answer: ReplyAnswer | None, failure: str, turn: int, dimension: Dimension) -> ReplyVerdict:
    if answer is None:
        return ReplyVerdict(turn=turn, dimension=dimension, outcome="failed", reason=failure)
    if not answer.applicable:
        if dimension in ALWAYS_APPLICABLE:
            said = f"({dimension}); the judge said: {answer.reason}"
            reason = f"judged not applicable, but the dimension always applies {said}"
            return ReplyVerdict(turn=turn, dimension=dimension, outcome="failed", reason=reason)
        return ReplyVerdict(turn=turn, dimension=dimension, outcome="not_applicable", reason=answer.reason)
    return ReplyVerdict(
        turn=turn,
        dimension=dimension,
        outcome="scored",
        score=answer.score,
        reason=answer.reason,
        quote=answer.quote,
    )


def _unsaid(node: str, *, branch: bool) -> NodeVerdict:
    """Of a call in which the agent said nothing, nothing has to be asked."""
    return NodeVerdict(
        node=node,
        outcome="not_applicable" if branch else "not_achieved",
        reason="the agent said nothing",
    )
