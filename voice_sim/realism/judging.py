"""The three evaluations of section 4.4 by a language model: one question at a time, typed answers.

A pair is asked in both orders, so that a judge who likes what comes first decides nothing. An answer that
does not come, or does not fit, is a failure with its reason and no score.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_ai.models import Model

from voice_sim.asking import Asked, ask
from voice_sim.realism.pairing import Pair
from voice_sim.realism.prompts import VERSIONS, prompt, prompts_version
from voice_sim.realism.verdicts import SCALE, Compared, Detected, Scored, Source, Verdicts
from voice_sim.talk import Talk

MAX_TOKENS = 400
MAX_CHARS = 60_000

A = TypeVar("A", bound=BaseModel)


class Answers(Protocol):
    """Keeps answers, so that going on costs nothing twice. Keys are hexadecimal digests."""

    def get(self, key: str) -> str | None: ...

    def put(self, key: str, answer: str) -> None: ...


class ScoreAnswer(BaseModel):
    """Why in a sentence, then the score."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    score: int = Field(ge=0, le=SCALE)


class DetectAnswer(BaseModel):
    """Why in a sentence, then what the person is."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    person_is: Literal["human", "simulated"]


class CompareAnswer(BaseModel):
    """Why in a sentence, then the call in which the person is human."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    human_is: Literal["A", "B"]


async def judge(
    model: Model,
    human: Sequence[Talk],
    simulated: Sequence[Talk],
    pairs: Sequence[Pair],
    *,
    name: str,
    answers: Answers,
    parallel: int = 4,
    on_done: Callable[[], None] = lambda: None,
) -> Verdicts:
    """All verdicts of one model.

    Args:
        name: Of the model, for the tables and for what answers are kept under.
        on_done: Called after each question.

    Raises:
        UsageLimitExceeded: A cap is reached; answers so far are kept.
    """
    asking = _Asking(model, name=name, answers=answers, slots=asyncio.Semaphore(parallel), on_done=on_done)
    sources: list[tuple[Talk, Source]] = [(talk, "human") for talk in human]
    sources += [(talk, "simulated") for talk in simulated]
    scored = [asking.score(talk, source) for talk, source in sources]
    detected = [asking.detect(talk, source) for talk, source in sources]
    orders: tuple[Source, Source] = ("human", "simulated")
    compared = [asking.compare(pair, first) for pair in pairs for first in orders]
    found = await _all([*scored, *detected, *compared])
    return Verdicts(
        by=name,
        prompts=prompts_version(),
        scored=tuple(one for one in found if isinstance(one, Scored)),
        detected=tuple(one for one in found if isinstance(one, Detected)),
        compared=tuple(one for one in found if isinstance(one, Compared)),
    )


def questions(human: int, simulated: int, pairs: int) -> int:
    """How many questions :func:`judge` asks."""
    return 2 * (human + simulated) + 2 * pairs


class _Asking:
    def __init__(
        self,
        model: Model,
        *,
        name: str,
        answers: Answers,
        slots: asyncio.Semaphore,
        on_done: Callable[[], None],
    ) -> None:
        self._model = model
        self._name = name
        self._answers = answers
        self._slots = slots
        self._on_done = on_done

    async def score(self, talk: Talk, source: Source) -> Scored:
        asked = await self._ask("score", _call(talk, "call"), ScoreAnswer)
        score = asked.answer.score if asked.answer else None
        return Scored(talk=talk.id, source=source, rater=self._name, score=score, failure=asked.failure)

    async def detect(self, talk: Talk, source: Source) -> Detected:
        asked = await self._ask("detect", _call(talk, "call"), DetectAnswer)
        verdict = asked.answer.person_is if asked.answer else None
        return Detected(talk=talk.id, source=source, rater=self._name, verdict=verdict, failure=asked.failure)

    async def compare(self, pair: Pair, first: Source) -> Compared:
        shown = (pair.human, pair.simulated) if first == "human" else (pair.simulated, pair.human)
        question = f"{_call(shown[0], 'call_a')}\n\n{_call(shown[1], 'call_b')}"
        asked = await self._ask("compare", question, CompareAnswer)
        more_human: Source | None = None
        if asked.answer is not None:
            other: Source = "simulated" if first == "human" else "human"
            more_human = first if asked.answer.human_is == "A" else other
        return Compared(
            human=pair.human.id,
            simulated=pair.simulated.id,
            rater=self._name,
            first=first,
            more_human=more_human,
            failure=asked.failure,
        )

    async def _ask(self, what: str, question: str, answer_type: type[A]) -> Asked[A]:
        content = json.dumps([self._name, what, VERSIONS[what], question], ensure_ascii=False)
        key = hashlib.sha256(content.encode()).hexdigest()
        asked = self._kept(key, answer_type)
        if asked is None:
            async with self._slots:
                asked = await ask(
                    self._model, question, answer_type, instructions=prompt(what), max_tokens=MAX_TOKENS
                )
            if asked.answer is not None:
                self._answers.put(key, asked.answer.model_dump_json())
        self._on_done()
        return asked

    def _kept(self, key: str, answer_type: type[A]) -> Asked[A] | None:
        kept = self._answers.get(key)
        if kept is None:
            return None
        try:
            return Asked(answer=answer_type.model_validate_json(kept))
        except ValidationError:
            return None


async def _all(works: Sequence[Coroutine[Any, Any, BaseModel]]) -> list[BaseModel]:
    """All results in order; the first error ends the others."""
    running = [asyncio.ensure_future(work) for work in works]
    try:
        return list(await asyncio.gather(*running))
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _call(talk: Talk, tag: str) -> str:
    # No line of a dialogue may end the material that it is.
    lines = talk.lines().replace("<", "‹").replace(">", "›")
    if len(lines) > MAX_CHARS:
        lines = lines[:MAX_CHARS] + " ... (end left out)"
    return f"<{tag}>\n{lines}\n</{tag}>"
