"""A language model that plays the agent card.

It gets the card as its system prompt (``outboundeval scenarios prompt ID`` prints it) with :data:`RULES`
behind it, and the dialogue as it was said. It ends the call by writing :data:`END_MARK` after its last words;
the mark is taken out. A model that forgets the mark and goes on saying goodbye is helped: two closing turns
in a row, its own second one or its own after the caller's, end the call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from harness.calls.text.agents.base import AgentFailed, AgentReply
from harness.errors import BudgetSpent
from harness.models.language.cap_exceeded import CapExceeded
from spoken_language.dialogue import DialogueTurn

END_MARK = "[end of call]"

RULES = {
    "en": "How the call goes: you write only the words that you say, nothing else. What the person says "
    "comes to you as their messages. When the call is over for you, say your last words and write "
    f"{END_MARK} after them.",
    "zh": "通话方式：你只写出你要说的话，不写别的内容。对方说的话会作为消息发给你。"
    f"当你认为通话结束时，说完最后一句话，并在后面写上 {END_MARK}。",
}
RULES_VERSION = 1
"""Counts up with every change of what the model is told beside its card."""
CONNECTED = {
    "en": "[The call is connected. You speak first.]",
    "zh": "[电话已接通，由你先说。]",
}
SILENCE = {"en": "[Silence on the line.]", "zh": "[电话里没有声音。]"}

_END = re.compile(
    r"[\[(【（<*]+\s*(?:end\s+(?:of\s+)?(?:the\s+)?call|call\s+ended|hang(?:s|ing)?\s+up|(?:通话|电话)?结束(?:通话)?|挂断(?:电话)?)"
    r"\s*[\])】）>*]+",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\b(?:good\s?bye|bye(?:[\s-]bye)?|have\s+a\s+(?:\w+\s+){1,2}(?:day|evening|night|afternoon|morning|weekend|one)|"
    r"take\s+care)\b|再见|拜拜|再会",
    re.IGNORECASE,
)
_TAIL_CHARS = 120
"""A goodbye stands at the end; one quoted at the beginning of a long turn is none."""
MAX_TOKENS = 600


@dataclass(frozen=True, kw_only=True)
class LlmAgent:
    """A language model in one dialogue; see the module's docstring.

    Attributes:
        model: Any pydantic-ai model.
        name: For reports.
        prompt: The agent card as a prompt.
        temperature: None: the provider's own default.
        seed: For providers that take one.
    """

    model: Model
    name: str
    prompt: str
    language: Literal["en", "zh"] = "en"
    temperature: float | None = 0.0
    seed: int | None = None

    @property
    def version(self) -> str:
        return f"llm/{RULES_VERSION}"

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        settings = ModelSettings(max_tokens=MAX_TOKENS)
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        if self.seed is not None:
            settings["seed"] = self.seed
        try:
            response = await model_request(self.model, self.messages(turns), model_settings=settings)
        except CapExceeded as error:
            raise BudgetSpent(error.message) from error
        except AgentRunError as error:
            raise AgentFailed(str(error)) from error
        return parse_reply(
            "".join(part.content for part in response.parts if isinstance(part, TextPart)), turns
        )

    def messages(self, turns: Sequence[DialogueTurn]) -> list[ModelMessage]:
        """The dialogue as the model gets it: the person's turns as user messages, its own as answers."""
        messages: list[ModelMessage] = []
        heard: list[str] = []

        def person_said() -> ModelRequest:
            parts = [UserPromptPart("\n".join(heard) or (SILENCE if messages else CONNECTED)[self.language])]
            heard.clear()
            return ModelRequest(parts=parts, instructions=f"{self.prompt.rstrip()}\n\n{RULES[self.language]}")

        for turn in turns:
            if turn.speaker == "caller":
                heard.append(turn.text)
            else:
                messages += [person_said(), ModelResponse(parts=[TextPart(turn.text)])]
        return [*messages, person_said()]


def parse_reply(text: str, turns: Sequence[DialogueTurn]) -> AgentReply:
    """What the model said and whether it hangs up, from what it wrote. What follows the mark is dropped."""
    mark = _END.search(text)
    words = (text[: mark.start()] if mark else text).strip()
    said_goodbye = is_closing(words) and any(is_closing(turn.text) for turn in _before(turns))
    return AgentReply(text=words, hangs_up=mark is not None or said_goodbye)


def is_closing(text: str) -> bool:
    """Whether a turn says goodbye and asks nothing more."""
    tail = text.strip()[-_TAIL_CHARS:]
    return bool(_CLOSING.search(tail)) and not tail.endswith(("?", "？"))


def _before(turns: Sequence[DialogueTurn]) -> list[DialogueTurn]:
    """The caller's last turn and our own last one."""
    latest = {turn.speaker: turn for turn in turns}
    return list(latest.values())
