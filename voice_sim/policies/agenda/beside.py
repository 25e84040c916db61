"""The agenda policy of a live call: what the agent's words mean is worked out elsewhere, and awaited.

A sentence encoder needs tens of milliseconds for a turn, and several times that on a busy machine: as long as
that, no packet would leave. Whoever keeps the media time only waits, and then lets the policy decide.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Literal

from voice_sim.policies.agenda.course.fold import heard_texts
from voice_sim.policies.base import THINKING, Answer, Decision, Dialogue, Leave, Line, Policy, PolicyError
from voice_sim.understanding.examples.answered import Answered
from voice_sim.understanding.examples.turn import texts_of
from voice_sim.understanding.examples.understander import Odds

Asks = Callable[[str], Awaitable[Odds]]
"""Tells what an utterance means; it may take its time, and may fail as our own fault."""


class UnderstandsBeside:
    """The policy as a :class:`voice_sim.policies.base.ThinkingPolicy`: it says the same, a moment later.

    Over the agent, and into its silence, the policy decides at once: by what is known, and for what is not
    known yet by cues.

    Args:
        policy: Understands by ``answered``.
        answered: Is told what the words mean.
        language: Of the words.
    """

    def __init__(self, policy: Policy, answered: Answered, *, language: Literal["en", "zh"]) -> None:
        self._policy = policy
        self._language = language
        self._answered = answered
        self._asks: Asks | None = None

    def understand_by(self, asks: Asks) -> None:
        """Who is asked in the call that comes."""
        self._asks = asks

    @property
    def wait_for_greeting(self) -> bool:
        return self._policy.wait_for_greeting

    @property
    def hang_up_after_s(self) -> float:
        return self._policy.hang_up_after_s

    @property
    def hears_words(self) -> bool:
        return self._policy.hears_words

    def prepared_lines(self) -> Sequence[str]:
        return self._policy.prepared_lines()

    def interruption(self, dialogue: Dialogue) -> Line | None:
        return self._policy.interruption(dialogue)

    def next_line(self, dialogue: Dialogue) -> Answer:
        return THINKING

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self._policy.when_silent(dialogue, times=times)

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        """The policy's own line, once it is known what everything that was heard means.

        Raises:
            PolicyError: There is nobody to ask; the policy has no line, or wants to think itself.
        """
        if self._asks is None:
            raise PolicyError("nobody tells the caller what the agent's words mean")
        turns = [turn for turn in heard_texts(dialogue) if turn]
        for text in dict.fromkeys(text for turn in turns for text in texts_of(turn, self._language)):
            if self._answered.odds(text) is None:
                self._answered.take_in(text, await self._asks(text))
        decision = self._policy.next_line(dialogue)
        if not isinstance(decision, Line | Leave):
            raise PolicyError(f"{type(self._policy).__name__} did not decide")
        yield decision
