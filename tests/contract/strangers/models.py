"""What language models and recognisers say."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from pydantic import BaseModel
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from harness.analysis.words import clip_lines
from harness.models.language.failure import failure_of
from metrics.dialogue.language_model.asking import AnswerStore, ask
from metrics.transcript import Segment, Transcript, Word
from tests.contract.strangers.ways_in import texts, way
from tests.unit.harness.stand_ins.chatting import ScriptedAgent, ScriptedCaller, hold
from voice_sim.asking import ask as ask_about_people


class _Answer(BaseModel):
    reason: str
    quotes: list[str]


def _model(text: str) -> FunctionModel:
    # pydantic refuses half of a surrogate by itself.
    said = text.replace("\ud800", "")
    answer = json.dumps({"reason": said, "quotes": [said]})
    return FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart(answer)]))


class _Nothing(AnswerStore):
    def get(self, key: str) -> str | None:
        return None

    def put(self, key: str, answer: str) -> None:
        self.kept = answer


@way("a judge's answer", lines=True)
def _judge(text: str, folder: Path) -> list[str]:
    store = _Nothing()
    asked = asyncio.run(ask(_model(text), "?", _Answer, instructions="", max_tokens=9, key="k", store=store))
    assert asked.answer is not None
    return [*texts(asked.answer.model_dump()), *texts(json.loads(store.kept))]


@way("an answer about people", lines=True)
def _people(text: str, folder: Path) -> list[str]:
    asked = asyncio.run(ask_about_people(_model(text), "?", _Answer, instructions="", max_tokens=9))
    assert asked.answer is not None
    return list(texts(asked.answer.model_dump()))


@way("a turn of an agent in text", lines=True)
def _chat(text: str, folder: Path) -> list[str]:
    held = hold(ScriptedCaller("Yes?", "Good."), ScriptedAgent("Hello.", text, "Bye."), turns=6)
    said = [turn.text for turn in held.record.turns]
    assert any("begin" in one for one in said)
    return [*said, *(one for event in held.events for one in texts(event.data))]


@way("an error of a model's server")
def _server(text: str, folder: Path) -> list[str]:
    body = {"error": {"message": text}}
    return [failure_of(ModelHTTPError(400, "m", body)).text, failure_of(ValueError(text)).text]


@way("what a recogniser hears")
def _heard(text: str, folder: Path) -> list[str]:
    word = Word(word="x", start_s=0.0, end_s=1.0, probability=0.5)
    doubt = {"no_speech_probability": 0.0, "mean_log_probability": 0.0, "compression_ratio": 1.0}
    segment = Segment(start_s=0.0, end_s=1.0, text=text.replace("\ud800", ""), words=(word,), **doubt)
    lines = clip_lines(Transcript(language="en", segments=(segment,)))
    return [line.text for line in lines]
