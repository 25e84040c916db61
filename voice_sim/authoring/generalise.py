"""Step 3, scenario generalisation: the same person in another field of business, written by a language
model."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai.models import Model

from voice_sim.authoring.prompts import version_of
from voice_sim.authoring.writing import Check, Written, persona_json, write_persona
from voice_sim.person.persona import Persona

VERSION = version_of("generalise", "persona")


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where a persona is carried to: a domain and sub-scenario (Tables 8-13), and what the call is for."""

    domain: str
    sub_scenario: str
    objective: str


async def generalise(model: Model, persona: Persona, target: Target, *, check: Check) -> Written:
    """The persona in another domain, with its structure and grain kept.

    Raises:
        NotWritten: The model gave none.
    """
    place = f"Domain: {target.domain}\nSub-scenario: {target.sub_scenario}\nPurpose: {target.objective}"
    material = f"<persona>\n{persona_json(persona)}\n</persona>\n\n<target>\n{place}\n</target>"
    fixed = {"language": persona.language, "archetype": persona.archetype}
    return await write_persona(
        model, "generalise", material, language=persona.language, fixed=fixed, check=check
    )
