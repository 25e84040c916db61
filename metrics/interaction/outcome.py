"""What became of each of the caller's turns: one word for it, decided once, read by every score and page.

The outcomes exclude each other. They are tried in this order, and the first that holds is the turn's:

1. **not due**, whatever followed: the turn called for no answer (a goodbye, a listener's "mm-hm"), or the
   call says nothing about the agent (a fault of ours).
2. **talked over**: the agent began inside the caller's turn and went on beyond its end, or spoke in it for
   a second or more; or it was speaking when the turn began, did not stop for it, and went on beyond its end.
3. **not due**, because no speech followed and it was not the agent's doing: our side ended the call before
   the caller's patience did, the connection was lost, or lost audio was long enough to hide an answer. Or
   nobody can tell, because the caller's own voice comes back where the agent began, or for so long after the
   turn that it may hide an answer.
4. **not answered**: no speech followed until the caller spoke again, gave up, or was hung up on.
5. **answered in part**: the reply broke off without any doing of the caller's, or it is under a second of
   speech and its words say nothing ("mm", "one moment").
6. **answered**: all else, whether or not its latency could be measured.

What the caller cuts is no reply in part, and a reply whose words nobody could make out is never called
empty. Speech that breaks off is told by its level (:attr:`metrics.speech.Talk.soft_end`), by the end of the
call, by the agent's own report, or by its words. Of 96 cuts of speech at random places 57 end at full level,
of 16 whole sentences none; a cut in a pause, where a sentence could have ended, passes for an end.
"""

from __future__ import annotations

from enum import StrEnum


class TurnOutcome(StrEnum):
    """See the module's docstring."""

    ANSWERED = "answered"
    IN_PART = "answered_in_part"
    TALKED_OVER = "talked_over"
    NOT_ANSWERED = "not_answered"
    NOT_DUE = "not_due"

    @property
    def due(self) -> bool:
        """Whether the caller was owed an answer."""
        return self is not TurnOutcome.NOT_DUE

    @property
    def replied(self) -> bool:
        """Whether it got one, in part at least."""
        return self in (TurnOutcome.ANSWERED, TurnOutcome.IN_PART)
