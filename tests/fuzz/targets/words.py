"""Words of others: transcripts, and what a language model answers that judges."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from harness._files.shipped import shipped_folder
from harness.analysis.probes.read_back import said_back
from harness.judging.reading.files import read_dialogues
from metrics.dialogue.language_model.judge import LanguageModelJudge
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.verdicts import Dimension
from metrics.recognition.normalize import Language
from metrics.recognition.proper_nouns import find_entity
from spoken_language.asking_again.reply import asks_again
from spoken_language.dialogue import Dialogue, DialogueTurn
from spoken_language.entity_kinds import KINDS
from tests.fuzz.targets.base import Target

_SCENARIOS = shipped_folder("scenarios") / "en" / "customer_service" / "bank_complaint"
TRANSCRIPTS = {"j": ".json", "l": ".jsonl", "y": ".yaml", "t": ".txt"}


def transcript(data: bytes, folder: Path) -> None:
    """Kind: see :data:`TRANSCRIPTS`."""
    path = folder / f"call{TRANSCRIPTS.get(chr(data[0]) if data else 'j', '.json')}"
    path.write_bytes(data[1:])
    read_dialogues(path, folders=[_SCENARIOS])


_FLOW = TaskFlow(nodes=(FlowNode(id="n1", criterion="The agent greets."),))
_DIALOGUE = Dialogue(
    turns=(
        DialogueTurn(speaker="agent", text="Good morning."),
        DialogueTurn(speaker="caller", text="Hello, who is this?"),
    )
)


def judge_reply(data: bytes, folder: Path) -> None:
    """What a language model says that was asked to judge, about a flow and about a reply."""
    text = data.decode("utf-8", "replace")

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(text)])

    judge = LanguageModelJudge(model=FunctionModel(answer), name="fuzzed")

    async def both() -> list[Any]:
        return [
            await judge.judge_flow(_DIALOGUE, _FLOW, agent_prompt="", language="en"),
            await judge.judge_reply(_DIALOGUE, 0, next(iter(Dimension)), agent_prompt="", language="en"),
        ]

    asyncio.run(both())


def reply(data: bytes, folder: Path) -> None:
    """What an agent replies to a line that it was to say back, or could not understand."""
    text = data.decode("utf-8", "replace")
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        asks_again(text, language)
        said_back(text, "Whitcombe", "name", language)
        for kind in KINDS:
            find_entity("14 Mill Lane", text[:1000], kind=kind, language=language)


TARGETS = {
    "transcript": Target(run=transcript, form="json", kinds="".join(TRANSCRIPTS)),
    "judge_reply": Target(run=judge_reply, form="json"),
    "reply": Target(run=reply, form="text"),
}
