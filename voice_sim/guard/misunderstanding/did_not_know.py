"""The caller says that it does not know, where the agent asked for something: perhaps it did not understand.

Whether the person could have known is seen in few cases (:mod:`.did_not_answer`); a person may well not know.
So it is a suspicion, and takes nothing out of the figures. Of 109 such turns in 24 calls with agents of other
makers two readers called 85 past the agent's words, and 15 in order; in the other 9 they disagreed.
"""

from __future__ import annotations

from collections.abc import Collection

from voice_sim.guard.misunderstanding.replies import own_answer, says_unsure
from voice_sim.guard.session import Finding, Session
from voice_sim.understanding.acts import acts_of


def did_not_know(session: Session, *, known: Collection[int] = ()) -> list[Finding]:
    """Findings, in the order of the turns.

    Args:
        known: Turns of which it is certain that the question was for something that the person knows.
    """
    return [
        Finding(
            kind="did_not_know",
            turn=position,
            quote=session.turns[position].text,
            detail="says that it does not know: the question may not have been understood",
            certain=False,
            aside="turn",
        )
        for position in session.caller_turns()
        if position not in known
        and says_unsure(own_answer(session.turns[position].text, session.persona), session.persona)
        and acts_of(session.agent_before(position), session.persona.language).asks
    ]
