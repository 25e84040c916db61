"""An agent that talks over, cuts itself, says "mm" or nothing: each turn gets the outcome of its own log.

The caller asks after an agent that leaves it without an answer, as people do; what it asks then is a turn of
its own.
"""

from __future__ import annotations

import asyncio
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, cast

import httpx
import pytest
import soundfile

from fixtures import SPEECH_FOLDER
from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.call import analyse
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.analysis.measures.base import ScoredCall
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.plans.call import CallPlan, Limits
from harness.records.call import CallStatus
from harness.records.endings import ended_with_leave
from harness.records.scores import CalibrationNote, CallScores
from harness.scoring.summary import pooled
from harness.selfcheck.reference_agents import serving
from harness.transports.by_scheme import transport_for
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import silence
from metrics.score import Score
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Dialogue, Line, Said
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.tts.base import Speech
from voice_sim.voice.utterance import Utterance, prepare_utterance

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2)]

QUESTIONS = ("question", "interrupt", "answer_long")
ASKS_AFTER = "answer_short"
REPLIES = ("callback", "minutes", "refund", "account")
PROMPT_S, PATIENCE_S = 2.0, 5.5
AT_ONCE, STAGGER_S = 10, 1.0
TRIES = 3

Manner = dict[str, Any]
"""A turn of the agent's behaviour, without how long it has to wait for the caller's end."""


def answers(number: int) -> Manner:
    return {"answer_after_ms": 300 + 150 * (number % 4), "say": {"clip": REPLIES[number % len(REPLIES)]}}


def talks_over(number: int) -> Manner:
    return answers(number) | {"begin_after_ms": 900 + 200 * (number % 4)}


def breaks_off(number: int) -> Manner:
    return answers(number) | {"break_off_after_ms": 500 + 350 * (number % 6)}


def says_mm(number: int) -> Manner:
    return answers(number) | {"say": {"clip": "mm"}, "says_nothing": True}


def is_silent(number: int) -> Manner:
    return {}


MANNERS = (answers, talks_over, breaks_off, says_mm, is_silent)


class _AskingAfter(ScriptPolicy):
    """Says its lines, and where nothing comes asks once, without taking that for a line of its own."""

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Line | None:  # type: ignore[override]
        return Line(text=ASKS_AFTER) if times == 1 else None

    def next_line(self, dialogue: Dialogue) -> Line | None:
        return super().next_line(
            [turn for turn in dialogue if not (isinstance(turn, Said) and turn.text == ASKS_AFTER)]
        )


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A call's turns by our analysis, and what the agent says of each."""

    scores: CallScores
    meant: list[str]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A call that was held, listened to when somebody asks."""

    held: Held
    truth: dict[str, Any]
    instruments: Instruments

    @cached_property
    def compared(self) -> Compared:
        return _compared(self.held, self.truth, self.instruments)


@dataclass
class _Words:
    """Our recogniser, and nobody who rates voices."""

    heard: Instruments

    @property
    def nisqa_digest(self) -> None:
        return None

    @property
    def predictors_digest(self) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        return "not wanted" if name in ("why_no_nisqa", "why_no_predictors") else getattr(self.heard, name)


ONE_OF_EACH = (answers, breaks_off, says_mm, talks_over, is_silent, answers)
SEVEN_OF_TEN = (answers, answers, is_silent, *[answers] * 5, is_silent, is_silent)


def drawn(number: int, random: Random) -> list[Any]:
    """What the agent does in a call; every second one ends with a silence."""
    manners = [manner for manner in MANNERS for _ in range(2 if manner is answers else 1)]
    random.shuffle(manners)
    # What follows on a silence answers "are you still there?": two silences would end the call.
    while any(a is b is is_silent for a, b in pairwise(manners)):
        random.shuffle(manners)
    return [*manners, *([answers, is_silent, is_silent] if number % 2 else [answers])]


@pytest.fixture(scope="module")
def placed(whisper_folder: Path) -> dict[str, list[Scored]]:
    """All calls of this file, those that last longest first: four of ten turns, eight that are drawn, one by
    hand."""
    random = Random(11)
    ways = {
        "thirty-percent": [SEVEN_OF_TEN] * 4,
        "drawn": sorted((drawn(number, random) for number in range(8)), key=len, reverse=True),
        "by-hand": [ONE_OF_EACH],
    }
    every = [(way, manners) for way, calls in ways.items() for manners in calls]
    found: dict[str, list[Scored]] = {way: [] for way in ways}
    for (way, _), one in zip(every, called([manners for _, manners in every]), strict=True):
        found[way].append(one)
    return found


# The calls take most places, and to listen to them as few as any command does.
@pytest.mark.long
@pytest.mark.calls(places=8)
def test_each_kind_of_turn_once(placed: dict[str, list[Scored]]) -> None:
    (one,) = (call.compared for call in placed["by-hand"])
    assert one.meant == [
        "answered",
        "answered_in_part",
        "answered_in_part",
        "talked_over",
        "not_answered",
        "answered",
    ]
    assert [str(turn.outcome) for turn in one.scores.turns] == one.meant


@pytest.mark.long
def test_sixty_turns_have_the_outcomes_of_the_agent_s_own_log(placed: dict[str, list[Scored]]) -> None:
    compared = [call.compared for call in (*placed["drawn"], *placed["by-hand"])]
    counted = Counter(word for one in compared for word in one.meant)
    assert counted.total() >= 60
    assert all(counted[word] >= 8 for word in ("answered", "answered_in_part", "talked_over", "not_answered"))
    for one in compared:
        assert [str(turn.outcome) for turn in one.scores.turns] == one.meant, one.scores.call_id
    figures = pooled([ScoredCall(scores=one.scores) for one in compared])
    rate = figures["response_rate"]
    assert rate.n == counted.total()
    assert rate.value == (counted["answered"] + counted["answered_in_part"]) / counted.total()


@pytest.mark.long
def test_an_agent_that_leaves_thirty_percent_unanswered(placed: dict[str, list[Scored]]) -> None:
    """Four calls of ten turns, three of them without an answer: one in the middle, asked after, and two that
    the caller gives the agent up for. The rate is 0.70, and of the latencies 90 % are never reached."""
    compared = [call.compared for call in placed["thirty-percent"]]
    outcomes = Counter(turn.outcome for one in compared for turn in one.scores.turns)
    assert outcomes == {"answered": 28, "not_answered": 12}
    figures = pooled([ScoredCall(scores=one.scores) for one in compared])
    assert figures["response_rate"].value == 0.7
    assert figures["response_rate"].n == 40
    _is_not_reached(figures["response_latency_ms"])
    # Half of 40 is the 20th of the 28 that were answered, and of those alone the middle. One whose time is
    # not known is in neither.
    came = sorted(
        turn.latency_ms for one in compared for turn in one.scores.turns if turn.latency_ms is not None
    )
    assert len(came) >= 26
    untold = 28 - len(came)
    assert figures["response_latency_ms"].p50 == came[-(-(40 - untold) // 2) - 1]
    assert figures["response_latency_answered_ms"].p50 == pytest.approx(statistics.median(came))


def _is_not_reached(latency: Score) -> None:
    assert (latency.p90, latency.p95) == (None, None)
    assert set(latency.not_reached) == {"p90", "p95"}
    assert 1000 * PROMPT_S - 500 < latency.not_reached["p90"] < 1000 * PATIENCE_S + 500
    assert "p90 and p95 not reached" in latency.reason


def called(calls: Sequence[Sequence[Any]]) -> list[Scored]:
    """Places the calls; one once more that the machine was too busy to hold at all.

    A sender that is some 20 ms late voids the figures of a call, and changes nothing of who spoke when.
    """
    found: dict[int, Scored] = {}
    instruments = cast(Instruments, _Words(Instruments()))
    for attempt in range(TRIES):
        waiting = {number: manners for number, manners in enumerate(calls) if number not in found}
        with serving("calibration") as agent:
            names = {f"{attempt}-{number}": manners for number, manners in waiting.items()}
            held, truths = asyncio.run(_place(agent, names))
        for number, one, truth in zip(waiting, held, truths, strict=True):
            if _status(one) is not CallStatus.HARNESS_FAULT:
                found[number] = Scored(held=one, truth=truth, instruments=instruments)
        if len(found) == len(calls):
            return [found[number] for number in range(len(calls))]
    faults = [one.record.status_detail for one in held if _status(one) is CallStatus.HARNESS_FAULT]
    pytest.fail("the machine is too busy to measure anything: " + "; ".join(faults))


async def _place(agent: str, calls: Mapping[str, Sequence[Any]]) -> tuple[list[Held], list[dict[str, Any]]]:
    prepared = [_prepared(agent, manners, name=name) for name, manners in calls.items()]
    places = asyncio.Semaphore(AT_ONCE)

    async def place(number: int, ears: Ears) -> Held:
        async with places:
            await asyncio.sleep(STAGGER_S * (number % AT_ONCE))
            return await place_call(prepared[number], beside=Beside(ears=ears))

    async with Ears() as ears:
        held = await asyncio.gather(*(place(number, ears) for number in range(len(prepared))))
    async with httpx.AsyncClient(base_url=agent, timeout=10) as client:
        truths = [
            (await client.get(f"/truth/{one.plan.call_id}")).raise_for_status().json() for one in prepared
        ]
    return list(held), truths


def _prepared(agent: str, manners: Sequence[Any], *, name: str) -> PreparedCall:
    """A call in which the caller says a line for each manner, but for those that answer its asking after."""
    lines: list[ScriptLine] = []
    turns: list[dict[str, Any]] = []
    asked_before = False
    for number, manner in enumerate(manners):
        asks = number > 0 and manners[number - 1] is is_silent and not asked_before
        said = ASKS_AFTER if asks else QUESTIONS[number % len(QUESTIONS)]
        if not asks:
            lines.append(ScriptLine(say=said, pause_s=0.3))
        asked_before = asks
        expect_ms = max(0, round(_utterance(said).duration_s * 1000) - 30)
        turns.append(manner(number) | {"expect_ms": expect_ms})
    script = Script(wait_for_greeting=False, lines=tuple(lines), hang_up_after_s=1.0)
    patience = Patience(call_s=180, silence_s=PATIENCE_S, prompt_s=PROMPT_S)
    return PreparedCall(
        plan=CallPlan(
            call_id=name,
            agent=agent,
            script=script,
            limits=Limits(call_s=180, silence_s=PATIENCE_S, prompt_s=PROMPT_S),
            request_data={"session": name, "behaviour": {"turns": turns, "quiet_ms": 60}},
        ),
        transport=transport_for(agent),
        caller=Caller(policy=_AskingAfter(script), patience=patience),
        clips={say: _clip(say) for say in (*QUESTIONS, ASKS_AFTER)},
        background=silence(OPUS),
        versions={},
    )


@cache
def _clip(say: str) -> Clip:
    return prepare_clip(OPUS, _utterance(say).samples)


@cache
def _utterance(name: str) -> Utterance:
    samples, rate = soundfile.read(SPEECH_FOLDER / f"{name}.flac", dtype="float32")
    return prepare_utterance(Speech(samples=samples, sample_rate_hz=rate), level_dbfs=-23.0)


def _status(held: Held) -> CallStatus:
    """How the call itself ended."""
    return held.record.voided or held.record.status


def _compared(held: Held, truth: dict[str, Any], instruments: Instruments) -> Compared:
    record, recording = held.record, held.recording
    assert recording is not None
    sides = recording.audio[:, 0].copy(), recording.audio[:, 1].copy()
    material = CallMaterial(
        call_id=record.plan.call_id,
        utterances=record.utterances,
        gaps=recording.gaps,
        events=held.events,
        sent=recording.sent,
        received=recording.received,
        end_s=record.duration_s,
        ending=Ending(
            status=_status(held),
            reason=record.end_reason,
            with_leave=ended_with_leave(record),
            patience_s=PATIENCE_S,
        ),
    )
    note = CalibrationNote(transport="smallwebrtc", not_calibrated="a test")
    scores, _ = analyse(material, listener=Listener(lambda: sides, instruments=instruments), calibration=note)
    meant = [one["outcome"] for one in truth["turns"]]
    assert len(meant) == len(scores.turns), record.status_detail
    return Compared(scores=scores, meant=meant)
