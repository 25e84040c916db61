"""What every part of a decision looks at: the call as it stands, and the turn in the making."""

from __future__ import annotations

from dataclasses import dataclass

from voice_sim.person.persona import Persona
from voice_sim.policies.agenda.course.state import State
from voice_sim.policies.agenda.draft import Draft
from voice_sim.policies.agenda.temper import Temper


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One turn of the persona, while it is decided.

    Attributes:
        draft: What it is going to say; the parts of a decision add to it, one after the other.
    """

    state: State
    persona: Persona
    temper: Temper
    draft: Draft

    def happens(self, rate: float) -> bool:
        """Whether something that a person of this temper does now and then is done now."""
        return self.draft.random.random() < rate
