"""The dialogue as the caller's language model gets it: the persona, then both sides in turn.

The agent's words are the user's messages, the caller's own are the assistant's. What happens without words,
and what the model tends to forget, stands in brackets as a stage direction.
"""

from __future__ import annotations

from typing import Literal

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)

from voice_sim.person.persona import Persona
from voice_sim.policies.base import Dialogue, Heard, Said
from voice_sim.policies.llm_prompt import system_prompt
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.refusals import says_no

MAX_HEARD_CHARS = 2000
"""Of one stretch of the agent's speech: what it says is a stranger's text."""
NO_WISH_IS_A_GOODBYE = 2
"""In so many turns of the agent thanks and wishes are no goodbye, unless the caller has just said no; one by
name is one always."""

_STAGE = {
    "en": {
        "pick_up": "(The phone rings. You pick it up.)",
        "not_understood": "(They said something, and you did not understand it.)",
        "silence": "(They say nothing.)",
        "goodbye": "(They said goodbye. If nothing of yours is still open, say goodbye and hang up.)",
    },
    "zh": {
        "pick_up": "（电话响了，你接起来。）",
        "not_understood": "（对方说了什么，你没听清。）",
        "silence": "（对方没有说话。）",
        "goodbye": "（对方已经道别。如果你没有别的事，就说再见并挂断。）",
    },
}


def messages(persona: Persona, dialogue: Dialogue) -> list[ModelMessage]:
    """The messages of one request. The first and the last are the agent's, or the situation's; noises that
    only show that one listens are left out."""
    stage = _STAGE[persona.language]
    heard: list[str] = [stage["pick_up"]]
    said: list[str] = []
    out: list[ModelMessage] = []

    def other_side() -> None:
        parts: list[SystemPromptPart | UserPromptPart] = [UserPromptPart("\n".join(heard))]
        if not out:
            parts.insert(0, SystemPromptPart(system_prompt(persona)))
        out.append(ModelRequest(parts=parts))
        heard.clear()

    for turn in dialogue:
        if isinstance(turn, Heard):
            if said:
                out.append(ModelResponse(parts=[TextPart(" ".join(said))]))
                said.clear()
            heard.append(_words(turn) or stage["not_understood"])
        elif turn.kind != "backchannel":
            if heard:
                other_side()
            said.append(turn.text)
    if said:
        out.append(ModelResponse(parts=[TextPart(" ".join(said))]))
        heard.append(stage["silence"])
    elif agent_says_goodbye(persona.language, dialogue):
        heard.append(stage["goodbye"])
    other_side()
    return out


def agent_says_goodbye(language: Literal["en", "zh"], dialogue: Dialogue) -> bool:
    """Whether the agent's words since the caller's last turn take leave, and the last of them ask nothing.

    Thanks and wishes in its first turns are the courtesy of an opening, unless the caller has just said no.
    """
    texts, turns, answered_to, asked = _unanswered(dialogue)
    acts = acts_of(("" if language == "zh" else " ").join(texts), language)
    if not acts.farewell or acts.sentences[-1].awaits_answer:
        return False
    return acts.says_bye or turns > NO_WISH_IS_A_GOODBYE or says_no(answered_to, language, asked=asked)


def _unanswered(dialogue: Dialogue) -> tuple[list[str], int, str, str]:
    """What the agent said since the caller's last turn, how many turns it has had, that one included, the
    caller's last turn, and what the agent had said before that."""
    texts: list[str] = []
    said: list[str] = []
    asked = ""
    turns, fresh = 0, True
    for turn in dialogue:
        if isinstance(turn, Heard):
            if fresh:
                texts, turns, fresh = [], turns + 1, False
            texts.append(_words(turn))
        elif isinstance(turn, Said) and turn.kind != "backchannel":
            if not fresh:
                said, asked = [], " ".join(texts)
            said.append(turn.text)
            texts, fresh = [], True
    return [text for text in texts if text], turns, " ".join(said), asked


def _words(turn: Heard) -> str:
    return (turn.text or "").strip()[:MAX_HEARD_CHARS]
