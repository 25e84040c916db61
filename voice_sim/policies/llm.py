"""A caller that a language model plays: the paper's prompt-based simulator (section 4.2).

The model gets the whole persona as its system prompt (``llm_prompt``), the agent's words as user messages and
the caller's own as its answers. What it writes goes out sentence by sentence while it is still writing, so
that synthesis can begin; what no person says on the phone is taken out (``llm_reply``).

What has to be there before the call, noises and interruptions over the agent's speech, is made of fixed
phrases: a language model would come too late for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import Random

from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from voice_sim.person.manners import (
    Manners,
    draw_backchannel_s,
    draw_barge_in_s,
    draw_response_delay_s,
    manners_of,
)
from voice_sim.person.persona import Persona
from voice_sim.policies.base import (
    THINKING,
    Decision,
    Dialogue,
    EndReason,
    Leave,
    Line,
    PolicyError,
    Said,
    _Thinking,
)
from voice_sim.policies.llm_loops import in_a_row, sentence_key, worn_out
from voice_sim.policies.llm_messages import agent_says_goodbye, messages
from voice_sim.policies.llm_prompt import PROMPT_VERSION
from voice_sim.policies.llm_reply import Ending, ReplyReader
from voice_sim.understanding.acts import acts_of

VERSION = 5
"""Of what this file decides by itself, beside the prompt."""
MAX_TOKENS = 300
MAX_WORDS = {"en": 80, "zh": 140}
ATTEMPTS = 2
"""An answer without a word that can be spoken is asked for once more."""
AT_A_LOSS = 2
"""So many turns in a row the caller gets by without words of its model; then it gives up."""

_BARGE_IN = {
    "en": ("Sorry, can I stop you there for a second?", "Hang on, let me just say something."),
    "zh": ("不好意思，我打断一下。", "等一下，我说一句。"),
}
_BACKCHANNEL = {"en": ("Mm-hm.", "Uh-huh."), "zh": ("嗯。", "嗯嗯。")}
_REPEAT_PLEASE = {"en": ("Sorry, what was that?",), "zh": ("不好意思，您刚才说什么？",)}
_ACKNOWLEDGE = {"en": ("Okay.", "I see."), "zh": ("好的。", "嗯，知道了。")}
_ARE_YOU_THERE = {"en": ("Hello? Are you still there?",), "zh": ("喂？还在吗？",)}


@dataclass(frozen=True, kw_only=True)
class LLMPolicy:
    """A person played by a language model; see :class:`voice_sim.policies.base.ThinkingPolicy`.

    Attributes:
        persona: Who it is.
        model: Any pydantic-ai model. Its failures end the call as ours, never as the agent's: give it one
            that tries again by itself and is capped.
        seed: Of everything that is drawn here, and sent along for models that take one.
        wait_for_greeting: Whether the agent speaks first; otherwise the person picks up with a word.
        temperature: None: the provider's own default.
    """

    persona: Persona
    model: Model
    seed: int
    wait_for_greeting: bool = True
    hang_up_after_s: float = 1.5
    temperature: float | None = 0.7
    max_tokens: int = MAX_TOKENS

    @property
    def hears_words(self) -> bool:
        return True

    @property
    def version(self) -> str:
        """What, beside the model, decides what is said: for the record of a call."""
        return f"llm/{VERSION}, prompt {PROMPT_VERSION}"

    def prepared_lines(self) -> Sequence[str]:
        """All that is said over the agent, or while it is silent."""
        lines = [*self._backchannels(), *_BARGE_IN[self.persona.language], *self._repeat_please()]
        return list(dict.fromkeys([*lines, *self._pick_up(), *_ARE_YOU_THERE[self.persona.language]]))

    def interruption(self, dialogue: Dialogue) -> Line | None:
        if not any(isinstance(turn, Said) and turn.kind == "turn" for turn in dialogue):
            return None  # nobody interrupts before having said a word
        if isinstance(dialogue[-1], Said) and dialogue[-1].kind != "turn":
            return None  # once in each of the agent's turns
        random = self._random("interruption", dialogue)
        manners = self._manners()
        barge_in_s, backchannel_s = draw_barge_in_s(manners, random), draw_backchannel_s(manners, random)
        if barge_in_s is not None and not self._has_interrupted_lately(dialogue):
            text = random.choice(_BARGE_IN[self.persona.language])
            return Line(text=text, barge_in_after_s=barge_in_s, why="cuts in")
        if backchannel_s is not None:
            text = random.choice(self._backchannels())
            return Line(text=text, barge_in_after_s=backchannel_s, expects_reply=False, why="listens")
        return None

    def next_line(self, dialogue: Dialogue) -> Line | _Thinking:
        if not dialogue:
            return Line(text=self._pick_up()[0], pause_s=self._delay_s(dialogue), why="picks up")
        return THINKING

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        if not any(isinstance(turn, Said) for turn in dialogue):
            return Line(text=self._pick_up()[0], why="nobody speaks")
        lines = _ARE_YOU_THERE[self.persona.language]
        return Line(text=lines[(times - 1) % len(lines)], why=f"asks after the agent, {times}")

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        """The turn, a line for each sentence; see :meth:`ThinkingPolicy.think`."""
        pause_s = self._delay_s(dialogue)
        too_often = worn_out(dialogue)
        repeats, why = False, ""
        for attempt in range(ATTEMPTS):
            said: list[str] = []
            reader = self._reader()
            stop = _Stop()
            try:
                async for sentence in self._sentences(reader, dialogue, attempt, stop):
                    if sentence_key(sentence) in too_often:
                        repeats = True
                        continue
                    yield Line(text=sentence, pause_s=pause_s, more=True, why=_why(said))
                    said.append(sentence)
            except AgentRunError as error:
                raise PolicyError(f"the caller's language model failed: {error}") from error
            ending = reader.finish(truncated=stop.truncated)
            rest = [sentence for sentence in ending.sentences if sentence_key(sentence) not in too_often]
            repeats = repeats or len(rest) < len(ending.sentences)
            for sentence in rest[:-1]:
                yield Line(text=sentence, pause_s=pause_s, more=True, why=_why(said))
                said.append(sentence)
            hangs_up, notes = self._hangs_up(ending, [*said, *rest[-1:]], dialogue)
            why = _why(said, notes)
            if rest:
                parting = hangs_up == "satisfied" and agent_says_goodbye(self.persona.language, dialogue)
                yield Line(text=rest[-1], pause_s=pause_s, ends_call=hangs_up, parting=parting, why=why)
                return
            if hangs_up is not None:
                yield Leave(reason=hangs_up, why=why)
                return
            if said:
                return
            why = ending.why or "it wrote nothing"
        yield self._at_a_loss(dialogue, pause_s, why, repeats=repeats)

    async def warm_up(self) -> None:
        """Has the model read the persona before the call. A server that keeps what it has read (llama.cpp,
        vLLM) then answers the first turn as quickly as the others; to others this is one request more, asked
        as every turn is asked, and left at its first words.

        Raises:
            PolicyError: The model does not answer.
        """
        try:
            messages, settings = self.messages([]), ModelSettings(max_tokens=self.max_tokens)
            async with model_request_stream(self.model, messages, model_settings=settings) as stream:
                async for _ in stream:
                    break
        except AgentRunError as error:
            raise PolicyError(f"the caller's language model failed: {error}") from error

    def messages(self, dialogue: Dialogue) -> list[ModelMessage]:
        """The dialogue as the model gets it; see :func:`voice_sim.policies.llm_messages.messages`."""
        return messages(self.persona, dialogue)

    async def _sentences(
        self, reader: ReplyReader, dialogue: Dialogue, attempt: int, stop: _Stop
    ) -> AsyncIterator[str]:
        settings = ModelSettings(max_tokens=self.max_tokens)
        settings["seed"] = self._random(f"model {attempt}", dialogue).randrange(2**31)
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        messages = self.messages(dialogue)
        async with model_request_stream(self.model, messages, model_settings=settings) as stream:
            async for event in stream:
                for sentence in reader.feed(_text_of(event)):
                    yield sentence
                if reader.over:
                    return
            stop.truncated = stream.finish_reason == "length"

    def _hangs_up(
        self, ending: Ending, sentences: Sequence[str], dialogue: Dialogue
    ) -> tuple[EndReason | None, str]:
        """By the model's mark; without it once both sides have said goodbye, as people do, unless a question
        of this turn is open. And why."""
        language = self.persona.language
        acts = [acts_of(sentence, language) for sentence in sentences]
        takes_leave = any(each.farewell for each in acts) and not any(each.asks for each in acts)
        if ending.hangs_up is None and takes_leave and agent_says_goodbye(language, dialogue):
            return "satisfied", "; ".join(filter(None, (ending.why, "both have said goodbye")))
        return ending.hangs_up, ending.why

    def _at_a_loss(self, dialogue: Dialogue, pause_s: float, why: str, *, repeats: bool) -> Line | Leave:
        """What is said for a model that found no words, or only those that it had said too often. Not for
        ever, and not where the agent has said goodbye: the call is over then."""
        why = f"language model: no words that can be spoken: {'it repeats itself' if repeats else why}"
        if agent_says_goodbye(self.persona.language, dialogue):
            return Leave(reason="satisfied", why=f"{why}; the agent has said goodbye")
        phrases = self._acknowledge() if repeats else self._repeat_please()
        if in_a_row(dialogue, (*self._acknowledge(), *self._repeat_please())) >= AT_A_LOSS:
            return Leave(reason="gave_up", why=why)
        text = self._random("at a loss", dialogue).choice(phrases)
        return Line(text=text, pause_s=pause_s, why=why)

    def _reader(self) -> ReplyReader:
        name = self.persona.demographics.name
        language = self.persona.language
        names = (name, *name.split())
        return ReplyReader(language=language, own_names=names, max_words=MAX_WORDS[language])

    def _manners(self) -> Manners:
        return manners_of(self.persona.archetype, self.persona.manner)

    def _delay_s(self, dialogue: Dialogue) -> float:
        return draw_response_delay_s(self._manners(), self._random("delay", dialogue))

    def _random(self, purpose: str, dialogue: Dialogue) -> Random:
        """The same draws whenever the same is asked about the same dialogue."""
        lines = "\n".join(turn.text for turn in dialogue if isinstance(turn, Said))
        digest = hashlib.sha256(f"{self.seed}\n{purpose}\n{len(dialogue)}\n{lines}".encode()).digest()
        return Random(int.from_bytes(digest[:8], "big"))

    def _has_interrupted_lately(self, dialogue: Dialogue) -> bool:
        return any(isinstance(turn, Said) and turn.kind == "barge_in" for turn in dialogue[-6:])

    def _backchannels(self) -> tuple[str, ...]:
        return _BACKCHANNEL[self.persona.language]

    def _repeat_please(self) -> tuple[str, ...]:
        return self.persona.phrases.repeat_please or _REPEAT_PLEASE[self.persona.language]

    def _acknowledge(self) -> tuple[str, ...]:
        return self.persona.phrases.acknowledge or _ACKNOWLEDGE[self.persona.language]

    def _pick_up(self) -> tuple[str, ...]:
        fallback = {"en": ("Hello?",), "zh": ("喂，你好。",)}
        return self.persona.phrases.pick_up or fallback[self.persona.language]


@dataclass
class _Stop:
    """How the model's answer ended. ``truncated``: at the limit of tokens, in the middle."""

    truncated: bool = False


def _why(said: Sequence[str], notes: str = "") -> str:
    sentence = f"language model, sentence {len(said) + 1}"
    return f"{sentence}; {notes}" if notes else sentence


def _text_of(event: ModelResponseStreamEvent) -> str:
    """The words in an event of a stream; a model's thinking is none of them."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""
