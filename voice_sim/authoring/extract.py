"""Step 2, persona extraction: who the person of a transcript is, written by a language model."""

from __future__ import annotations

from pydantic_ai.models import Model

from voice_sim.authoring.prompts import version_of
from voice_sim.authoring.writing import Check, Written, write_persona
from voice_sim.talk import Talk

VERSION = version_of("extract", "persona")


async def extract(model: Model, talk: Talk, *, check: Check) -> Written:
    """The person of a call as a structured persona (section 4.3.1, Table 17).

    Raises:
        NotWritten: The model gave none.
    """
    material = f"<call>\n{talk.lines()}\n</call>"
    return await write_persona(
        model, "extract", material, language=talk.language, fixed={"language": talk.language}, check=check
    )
