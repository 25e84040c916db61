"""The ``rules`` judge: every verdict by a rule that can be read, none by understanding.

For demonstrations, plumbing and quick regressions. How often it agrees with people is measured on labelled
sets (``outboundeval judge check``); what each dimension is blind to stands in its file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from metrics.dialogue.quotes import is_quoted_from
from metrics.dialogue.rules import hallucination, redundancy
from metrics.dialogue.rules.nodes import judge_nodes
from metrics.dialogue.rules.reply import Finding, Reply, reply_at
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue

VERSION = "10"
"""Another one whenever a rule changes."""

_RULES: Mapping[Dimension, Callable[[Reply], Finding]] = {
    Dimension.HALLUCINATION: hallucination.judge,
    Dimension.REDUNDANCY: redundancy.judge,
}

BEYOND_RULES: Mapping[Dimension, str] = {
    Dimension.NATURALNESS: "what sounds bookish has no end of words, and no measure of form tells it",
    Dimension.COHERENCE: "whether an answer is one, or contradicts itself, is beyond rules",
    Dimension.EMOTIONAL_RICHNESS: "most feelings are told without the words for them",
    Dimension.SAFETY: "abuse and prying mostly come without the usual words",
    Dimension.INTENT_UNDERSTANDING: "what a caller means but does not say is beyond rules",
    Dimension.NOISE_RESISTANCE: "what could be made of broken speech is beyond rules",
}
"""Dimensions that this judge does not claim, and why.

Rules by words were tried for coherence, emotional richness and safety: they agreed with less than half of the
labels of a set; for naturalness, with 12 of 20 that had not been looked at, and measures of form (length of
words and sentences, passives, nouns of verbs, contractions, particles) with about as many.
"""

_QUOTE_MAX = 400


class RulesJudge:
    """Deterministic and offline. Its scores do not compare with a language model's or with published ones."""

    @property
    def name(self) -> str:
        return "rules"

    @property
    def version(self) -> str:
        return VERSION

    @property
    def dimensions(self) -> frozenset[Dimension]:
        return frozenset(_RULES)

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        """One verdict for each node; see :mod:`metrics.dialogue.rules.nodes`."""
        return judge_nodes(dialogue, flow, agent_prompt)

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        """One reply on one dimension; not applicable where rules cannot judge it."""
        if dimension not in self.dimensions:
            reason = f"rules cannot judge it: {BEYOND_RULES[dimension]}"
            return ReplyVerdict(turn=turn, dimension=dimension, outcome="not_applicable", reason=reason)
        reply = reply_at(dialogue, turn, prompt=agent_prompt, language=language)
        found = _RULES[dimension](reply)
        if found.score is None:
            return ReplyVerdict(turn=turn, dimension=dimension, outcome="not_applicable", reason=found.reason)
        return ReplyVerdict(
            turn=turn,
            dimension=dimension,
            outcome="scored",
            score=found.score,
            reason=found.reason,
            quote=_quote(found.quote, reply.text),
        )


def _quote(found: str, text: str) -> str:
    """What a rule found, where it is words: markup alone is nothing that could be quoted."""
    shown = found if len(found) <= _QUOTE_MAX else found[:_QUOTE_MAX].rpartition(" ")[0]
    return shown if is_quoted_from(shown, text) else ""
