"""Who the person is: said once in their own words, then by name or with a plain yes."""

from __future__ import annotations

from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.telling import tell


def confirm_identity(now: Moment, seen: Perception) -> None:
    """Says who it is; the second time by name, or with a plain yes."""
    if not now.state.lines[Role(kind="phrase", ref="confirm_identity")]:
        now.draft.phrase("confirm_identity", "who it is")
        return
    name = next((fact for fact in now.persona.facts if fact.key == "name" and "name" in seen.facts), None)
    if name is None or now.state.facts["name"] or not tell(now, name):
        now.draft.stock("yes")
