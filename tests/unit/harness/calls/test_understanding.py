"""How a caller understands: chosen in the plan, the same by voice and in text, refused where it cannot be."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from harness.calls import callers
from harness.calls.callers import person_of, policy_of
from harness.calls.text.medium import TextMedium
from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.errors import UserError
from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from tests.unit.harness.stand_ins.chatting import entry
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.base import THINKING, Heard, Line, Policy, Said, ThinkingPolicy
from voice_sim.understanding import e5
from voice_sim.understanding.meaning import NearestMeaning, Vectors

ENTRY = "cs-bank-complaint/hesitant"
UNHEARD_OF = "Which way do the fish swim under the bridge?"


def _plan(**fields: Any) -> CallPlan:
    call = {"scenario": ENTRY, "voice": {"engine": "piper", "name": "joe"}, **fields}
    return expand_plan({"agent": "http://127.0.0.1:9", "calls": [call]}).calls[0]


class AlwaysThePhone:
    """Takes every question for one about the telephone number. Notes the threads that asked it."""

    near, margin = 0.9, 0.05

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.read = 0

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        self.threads.add(threading.current_thread().name)
        return np.tile(np.asarray([1.0, 0.0], np.float32), (len(texts), 1))

    def encode_answers(self, texts: Sequence[str]) -> Vectors:
        self.read += len(texts)
        return np.asarray([[1.0, 0.0] if "phone" in text else [0.0, 1.0] for text in texts], np.float32)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> AlwaysThePhone:
    made = AlwaysThePhone()
    monkeypatch.setattr(callers, "check_understanding", lambda understanding: None)
    monkeypatch.setattr(callers, "_meaning", lambda: NearestMeaning(made))
    return made


def test_by_words_unless_the_plan_says_otherwise_and_the_plan_keeps_it() -> None:
    assert _plan().understanding == "words"
    chosen = _plan(understanding="meaning")
    assert chosen.understanding == "meaning"
    assert chosen.digest != _plan().digest
    text = text_units([entry()], policy="agenda", agent="sop", understanding="meaning")[0].plan
    assert text.understanding == "meaning"
    assert text.digest != text_units([entry()], policy="agenda", agent="sop")[0].plan.digest


def test_only_an_agenda_caller_has_a_choice() -> None:
    with pytest.raises(UserError, match="goes with the policy 'agenda'"):
        _plan(understanding="meaning", policy="llm", language_model="a:b")
    with pytest.raises(UserError, match="understanding"):
        _plan(understanding="telepathy")


def test_without_the_package_the_extra_is_named_before_the_first_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(e5, "PACKAGE", "no_such_package_here")
    monkeypatch.setattr(ClipMaker, "load", lambda self, voice: None)  # whatever voices are installed
    plan = _plan(understanding="meaning")
    with pytest.raises(UserError, match=r"outboundeval\[understanding\]"):
        CallBuilder().check(plan)

    units = text_units([entry()], policy="agenda", agent="sop", understanding="meaning")
    with pytest.raises(UserError, match=r"outboundeval\[understanding\]"):
        TextMedium(units).check(units[0])


def _asked(policy: Policy) -> list[Said | Heard]:
    opening = Heard(onset_s=1.0, end_s=2.0, text="Hello, is that Mr. Zhou? It's about your complaint.")
    said = Said(text="Yes.", kind="turn", end_s=3.0)
    return [opening, said, Heard(onset_s=4.0, end_s=5.0, text=UNHEARD_OF)]


async def test_a_question_without_a_cue_is_understood_by_its_meaning_and_away_from_the_media(
    encoder: AlwaysThePhone,
) -> None:
    plan = _plan(understanding="meaning")
    assert plan.task is not None
    policy = policy_of(plan)
    assert isinstance(policy, ThinkingPolicy)
    assert encoder.read == len(plan.task.persona.facts), "the persona was read before the call"
    dialogue = _asked(policy)
    assert policy.next_line(dialogue) is THINKING
    [line] = [part async for part in policy.think(dialogue)]
    assert isinstance(line, Line)
    assert encoder.threads == {"decides_0"}
    by_words = policy_of(_plan())
    assert isinstance(by_words, AgendaPolicy)
    plain = by_words.next_line(dialogue)
    assert isinstance(plain, Line)
    assert plain.why != line.why
    assert policy.prepared_lines() == by_words.prepared_lines()


def test_in_text_it_understands_the_same(encoder: AlwaysThePhone) -> None:
    plan = _plan()
    assert plan.task is not None
    made = person_of("agenda", persona=plan.task.persona, seed=1, understanding="meaning")
    assert isinstance(made, AgendaPolicy), "nobody waits for media there"
    line = made.next_line(_asked(made))
    assert isinstance(line, Line)
    assert "fact" in line.why
    assert encoder.threads == {"MainThread"}
