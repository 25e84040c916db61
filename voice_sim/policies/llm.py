"""A caller that a language model plays: the paper's prompt-based simulator (section 4.2).

The model gets the whole persona as its system prompt (``llm_prompt``), the agent's words as user messages and
the caller's own as its answers. What it writes goes out sentence by sentence while it is still writing, so
that synthesis can begin; what no person says on the phone is taken out (``llm_reply``).

What has to be there before the call, noises and interruptions over the agent's speech, is made of fixed
phrases: a language model would come too late for them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import Random

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from voice_sim.manners import Manners, draw_backchannel_s, draw_barge_in_s, draw_response_delay_s, manners_of
from voice_sim.persona import Persona
from voice_sim.policies.base import (
    THINKING,
    Decision,
    Dialogue,
    Heard,
    Leave,
    Line,
    PolicyError,
    Said,
    _Thinking,
)
from voice_sim.policies.llm_prompt import PROMPT_VERSION, system_prompt
from voice_sim.policies.llm_reply import ReplyReader

MAX_TOKENS = 300
MAX_WORDS = {"en": 80, "zh": 140}
MAX_HEARD_CHARS = 2000
"""Of one stretch of the agent's speech: what it says is a stranger's text."""
ATTEMPTS = 2
"""An answer without a word that can be spoken is asked for once more."""
SAME_LINE = 2
"""A sentence is said so often and no more."""

_STAGE = {
    "en": {
        "pick_up": "(The phone rings. You pick it up.)",
        "not_understood": "(They said something, and you did not understand it.)",
        "silence": "(They say nothing.)",
    },
    "zh": {
        "pick_up": "（电话响了，你接起来。）",
        "not_understood": "（对方说了什么，你没听清。）",
        "silence": "（对方没有说话。）",
    },
}
_BARGE_IN = {
    "en": ("Sorry, can I stop you there for a second?", "Hang on, let me just say something."),
    "zh": ("不好意思，我打断一下。", "等一下，我说一句。"),
}
_BACKCHANNEL = {"en": ("Mm-hm.", "Uh-huh."), "zh": ("嗯。", "嗯嗯。")}
_REPEAT_PLEASE = {"en": ("Sorry, what was that?",), "zh": ("不好意思，您刚才说什么？",)}
_ARE_YOU_THERE = {"en": ("Hello? Are you still there?",), "zh": ("喂？还在吗？",)}
_WORDS = re.compile(r"\w+")


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
        return f"llm/{PROMPT_VERSION}"

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
        worn_out = _worn_out(dialogue)
        repeats, why = False, ""
        for attempt in range(ATTEMPTS):
            spoken = 0
            reader = self._reader()
            stop = _Stop()
            try:
                async for sentence in self._sentences(reader, dialogue, attempt, stop):
                    if _key(sentence) in worn_out:
                        repeats = True
                        continue
                    yield Line(text=sentence, pause_s=pause_s, more=True, why=_why(spoken))
                    spoken += 1
            except AgentRunError as error:
                raise PolicyError(f"the caller's language model failed: {error}") from error
            ending = reader.finish(truncated=stop.truncated)
            rest = [sentence for sentence in ending.sentences if _key(sentence) not in worn_out]
            repeats = repeats or len(rest) < len(ending.sentences)
            for sentence in rest[:-1]:
                yield Line(text=sentence, pause_s=pause_s, more=True, why=_why(spoken))
                spoken += 1
            if rest:
                why = _why(spoken, ending.why)
                yield Line(text=rest[-1], pause_s=pause_s, ends_call=ending.hangs_up, why=why)
                return
            if ending.hangs_up is not None:
                yield Leave(reason=ending.hangs_up, why=_why(spoken, ending.why))
                return
            if spoken:
                return
            why = ending.why or "it wrote nothing"
        yield self._at_a_loss(dialogue, pause_s, "it repeats itself" if repeats else why, worn_out)

    async def warm_up(self) -> None:
        """Has the model read the persona before the call. A server that keeps what it has read (llama.cpp,
        vLLM) then answers the first turn as quickly as the others; to others this is one short request more.

        Raises:
            PolicyError: The model does not answer.
        """
        try:
            await model_request(self.model, self.messages([]), model_settings=ModelSettings(max_tokens=1))
        except AgentRunError as error:
            raise PolicyError(f"the caller's language model failed: {error}") from error

    def messages(self, dialogue: Dialogue) -> list[ModelMessage]:
        """The dialogue as the model gets it. Its first message and its last are the agent's, or the
        situation's; noises that only show that one listens are left out."""
        stage = _STAGE[self.persona.language]
        heard: list[str] = [stage["pick_up"]]
        said: list[str] = []
        messages: list[ModelMessage] = []

        def other_side() -> None:
            parts: list[SystemPromptPart | UserPromptPart] = [UserPromptPart("\n".join(heard))]
            if not messages:
                parts.insert(0, SystemPromptPart(system_prompt(self.persona)))
            messages.append(ModelRequest(parts=parts))
            heard.clear()

        for turn in dialogue:
            if isinstance(turn, Heard):
                if said:
                    messages.append(ModelResponse(parts=[TextPart(" ".join(said))]))
                    said.clear()
                text = (turn.text or "").strip()[:MAX_HEARD_CHARS]
                heard.append(text or stage["not_understood"])
            elif turn.kind != "backchannel":
                if heard:
                    other_side()
                said.append(turn.text)
        if said:
            messages.append(ModelResponse(parts=[TextPart(" ".join(said))]))
            heard.append(stage["silence"])
        other_side()
        return messages

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

    def _at_a_loss(
        self, dialogue: Dialogue, pause_s: float, why: str, worn_out: frozenset[str]
    ) -> Line | Leave:
        """What is said for a model that found no words: that one did not understand, but not for ever."""
        why = f"language model: no words that can be spoken: {why}"
        phrases = [each for each in self._repeat_please() if _key(each) not in worn_out]
        if not phrases:
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

    def _pick_up(self) -> tuple[str, ...]:
        fallback = {"en": ("Hello?",), "zh": ("喂，你好。",)}
        return self.persona.phrases.pick_up or fallback[self.persona.language]


@dataclass
class _Stop:
    """How the model's answer ended. ``truncated``: at the limit of tokens, in the middle."""

    truncated: bool = False


def _why(spoken: int, notes: str = "") -> str:
    sentence = f"language model, sentence {spoken + 1}"
    return f"{sentence}; {notes}" if notes else sentence


def _text_of(event: ModelResponseStreamEvent) -> str:
    """The words in an event of a stream; a model's thinking is none of them."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _key(sentence: str) -> str:
    """What two wordings of a sentence have in common. Short ones ("Yes.") may come as often as they like."""
    words = _WORDS.findall(sentence.casefold())
    return " ".join(words) if sum(map(len, words)) >= 12 or (len(words) == 1 and len(words[0]) > 5) else ""


def _worn_out(dialogue: Dialogue) -> frozenset[str]:
    """The sentences that were said as often as one may."""
    counts: dict[str, int] = {}
    for turn in dialogue:
        if isinstance(turn, Said):
            for sentence in re.split(r"(?<=[.!?。！？])\s*", turn.text):
                if key := _key(sentence):
                    counts[key] = counts.get(key, 0) + 1
    return frozenset(key for key, count in counts.items() if count >= SAME_LINE)
