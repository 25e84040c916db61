"""Step 5, detail enrichment: what is missing in a thin persona, written by a language model."""

from __future__ import annotations

from pydantic_ai.models import Model

from voice_sim.authoring.keeping import with_kept_facts
from voice_sim.authoring.prompts import version_of
from voice_sim.authoring.writing import Check, Written, persona_json, write_persona
from voice_sim.person.persona import Persona

VERSION = version_of("enrich", "persona")


async def enrich(model: Model, persona: Persona, *, check: Check) -> Written:
    """The persona with details added and nothing taken away or changed.

    Raises:
        NotWritten: The model gave none.
    """
    material = f"<persona>\n{persona_json(persona)}\n</persona>"
    fixed = {"language": persona.language, "archetype": persona.archetype}
    kept = with_kept_facts(persona, check)
    return await write_persona(model, "enrich", material, language=persona.language, fixed=fixed, check=kept)
