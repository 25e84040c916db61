"""Every utterance of the caller has its row and its outcome: what of a call decides them, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.outcomes import with_outcomes
from harness.analysis.timing import CallTiming
from harness.calls.voice.packet_times import PacketTimes
from harness.plans.probes.asked import Asked
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import CallStatus, Gap, SpokenUtterance
from harness.records.scores import TranscriptLine, TranscriptWord, TurnTiming
from metrics.interaction.interruption import Interruption
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk

COMPLETED = Ending(status=CallStatus.COMPLETED, reason="completed")
LIMIT = Ending(status=CallStatus.TIMEOUT, reason="limit")
GAVE_UP = Ending(status=CallStatus.CALLER_HANGUP, reason="agent_silent")
TRANSFERRED = Ending(status=CallStatus.TRANSFERRED, reason="agent_hangup")
HUNG_UP = Ending(status=CallStatus.AGENT_HANGUP, reason="agent_hangup")


def said(index: int, start_s: float, end_s: float, text: str = "Tell me.", **more: Any) -> SpokenUtterance:
    fields: dict[str, Any] = {"kind": "turn", "audio_sha256": ""} | more
    return SpokenUtterance(index=index, text=text, start_s=start_s, end_s=end_s, **fields)


def judged(
    utterances: Sequence[SpokenUtterance],
    talks: Sequence[tuple[float, float]] = (),
    *,
    ending: Ending = COMPLETED,
    end_s: float = 30.0,
    lines: Sequence[TranscriptLine] = (),
    stopped: Sequence[int] = (),
    soft: bool = True,
    tones: bool = False,
    sounds: Sequence[tuple[float, float]] = (),
    measured: Mapping[int, float] = MappingProxyType({}),
    resolution_ms: float | None = 20.0,
    **more: Any,
) -> list[TurnTiming]:
    spans = [Span(start_s=start, end_s=end) for start, end in talks]
    heard = [*spans, *(Span(start_s=start, end_s=end) for start, end in sounds)]
    activity = SpeechActivity(
        talks=tuple(Talk(span=one, clusters=(one,), soft_end=soft) for one in spans),
        energy=tuple(heard),
        silero=(),
        webrtcvad=(),
        noise_floor_dbfs=None,
        threshold_dbfs=-48.0,
        marker_tones=tones,
    )
    timing = CallTiming(
        agent=activity,
        latencies=[],
        on_wire=[],
        interruptions=[Interruption(index=index, outcome="stopped", delay_s=0.3) for index in stopped],
    )
    known = [
        TurnTiming(
            index=one.index,
            user_start_s=one.start_s,
            user_end_s=one.end_s,
            latency_ms=measured[one.index],
            status=Status.MEASURED,
            outcome=TurnOutcome.ANSWERED,
            resolution_ms=resolution_ms,
        )
        for one in utterances
        if one.index in measured
    ]
    material = CallMaterial(call_id="c", utterances=utterances, end_s=end_s, ending=ending, **more)
    return with_outcomes(known, timing=timing, material=material, lines=lines, recognised=True)


def outcomes(*arguments: Any, **more: Any) -> list[str]:
    return [str(turn.outcome) for turn in judged(*arguments, **more)]


def test_nobody_vanishes() -> None:
    utterances = [
        said(0, 1, 2),
        said(1, 5, 5.3, "mm-hm", kind="backchannel"),
        said(2, 10, 12),
        said(3, 20, 21, "Thanks, bye."),
    ]
    found = judged(utterances, [(3, 7)], ending=LIMIT, measured={0: 1.0})
    assert [turn.index for turn in found] == [0, 1, 2, 3]
    assert [str(turn.outcome) for turn in found] == [
        "answered",
        "not_due",
        "not_answered",
        "not_due",
    ]
    assert found[0].latency_ms == 1.0
    assert [turn.reason for turn in found[1:]] == [turn.outcome_reason for turn in found[1:]]
    assert found[1].reason == "a backchannel asks for no answer"
    assert found[2].waited_ms == 8000
    assert found[3].reason == "a goodbye asks for no answer"
    [cut] = judged([said(0, 29, 29.9, cut_short=True)], ending=LIMIT)
    assert cut.reason == "the call was ended from our side before all of it was said"


def test_what_asks_for_no_answer_is_named_by_what_it_was() -> None:
    """In a call of a suite what was planted counts among listeners' noises, which it is not."""
    probe = ProbePlan(
        suite="s",
        version="1",
        planted=(
            Planted(item="cough-1", line=0, kind="cough", place="over_agent"),
            # A control, which is no line, at the request before it.
            Planted(item="cough-2", line=3, kind="cough", place="over_agent", control=True),
        ),
        asked=(
            Asked(item="keys", line=1, kind="keys", usable="sound"),
            Asked(item="mumbled", line=2, kind="reversed", usable="speech"),
        ),
    )
    noises = [said(index, 5.0 * index, 5.0 * index + 1, kind="backchannel") for index in range(4)]
    assert [turn.outcome_reason for turn in judged(noises, probe=probe)] == [
        "a planted sound asks for no answer",
        "a planted sound asks for no answer",
        "speech that nobody can understand asks for no answer",
        "a backchannel asks for no answer",
    ]
    reasons = [turn.outcome_reason for turn in judged(noises[:2], asides=frozenset({1}))]
    assert reasons == ["a backchannel asks for no answer", "an aside asks for no answer"]


def test_a_caller_that_asks_again_has_two_turns() -> None:
    """Its patience ended, so the first was not answered; the answer to the second is the second's."""
    utterances = [said(0, 10, 12), said(1, 16, 17, "Are you still there?")]
    first, second = judged(utterances, [(17.8, 20)])
    assert (first.outcome, first.waited_ms) == ("not_answered", 4000)
    assert (second.outcome, second.waited_ms) == ("answered", None)


def test_a_backchannel_does_not_end_the_wait() -> None:
    utterances = [said(0, 10, 12), said(1, 13, 13.3, "mm", kind="backchannel")]
    assert outcomes(utterances, [(14, 16)]) == ["answered", "not_due"]


@pytest.mark.parametrize(
    ("ending", "talks", "outcome"),
    [
        (GAVE_UP, [], "not_answered"),
        (Ending(status=CallStatus.CALLER_HANGUP, reason="gave_up"), [], "not_answered"),
        (HUNG_UP, [], "not_answered"),
        (LIMIT, [], "not_due"),
        (Ending(status=CallStatus.TIMEOUT, reason="limit", patience_s=8.0), [], "not_answered"),
        (Ending(), [], "not_due"),
        (COMPLETED, [], "not_due"),
        (Ending(status=CallStatus.HARNESS_FAULT), [], "not_due"),
        (Ending(status=CallStatus.HARNESS_FAULT), [(21.0, 23.0)], "not_due"),
        (Ending(status=CallStatus.INTERRUPTED), [(21.0, 23.0)], "not_due"),
        (LIMIT, [(21.0, 23.0)], "answered"),
        (Ending(status=CallStatus.COMPLETED, reason="satisfied", with_leave=True), [(21.0, 23.0)], "not_due"),
        (Ending(status=CallStatus.COMPLETED, reason="satisfied"), [(21.0, 23.0)], "answered"),
    ],
)
def test_the_last_turn_by_how_the_call_ended(
    ending: Ending, talks: list[tuple[float, float]], outcome: str
) -> None:
    """The caller has spoken to 20 s, and the call ends at 30 s: less than the usual patience of 15 s."""
    assert outcomes([said(0, 18, 20)], talks, ending=ending) == [outcome]


def test_only_the_last_turn_is_the_leave_taking() -> None:
    ending = Ending(status=CallStatus.COMPLETED, reason="satisfied", with_leave=True)
    utterances = [said(0, 10, 12), said(1, 18, 20)]
    assert outcomes(utterances, [(13, 15)], ending=ending) == ["answered", "not_due"]


def test_what_a_lost_connection_cut_is_not_held_against_the_agent() -> None:
    lost = Ending(status=CallStatus.CONNECTION_LOST, reason="connection_lost", patience_s=5.0)
    # Not even where the caller's patience was up: since when nobody was there, nobody knows.
    for end_s in (20.1, 29.0):
        first, last = judged([said(0, 10, 12), said(1, 18, 20)], [(12.5, 14)], ending=lost, end_s=end_s)
        assert first.outcome == "answered"
        assert (last.outcome, last.waited_ms) == ("not_due", None)
        assert last.outcome_reason.startswith("the connection was lost within ")
    (cut,) = judged([said(0, 18, 20, cut_short=True)], ending=lost, end_s=20.0)
    assert (cut.outcome, cut.outcome_reason) == (
        "not_due",
        "the connection was lost before all of it was said",
    )
    # A reply that ends at full level, long before the loss was told of: it may have been cut by that.
    (broken,) = judged([said(0, 10, 12)], [(12.5, 15)], ending=lost, end_s=29.0, soft=False)
    assert broken.outcome == "answered"
    # Turns before it are the agent's.
    first, _ = judged([said(0, 10, 12), said(1, 18, 20)], ending=lost)
    assert first.outcome == "not_answered"


def test_an_agent_that_hangs_up_is_waited_for_no_time() -> None:
    (turn,) = judged([said(0, 18, 20)], ending=HUNG_UP, end_s=20.1)
    assert (turn.outcome, turn.waited_ms) == ("not_answered", None)
    # In the middle of what the caller says, too: that is no way out of a hard question.
    (turn,) = judged([said(0, 18, 20, cut_short=True)], ending=HUNG_UP, end_s=20.0)
    assert (turn.outcome, turn.waited_ms) == ("not_answered", None)
    first, _ = judged([said(0, 10, 12), said(1, 18, 20)], ending=HUNG_UP)
    assert (first.outcome, first.waited_ms) == ("not_answered", 6000)


def test_an_agent_that_transfers_the_call_has_not_hung_up() -> None:
    """We end the call, since the plan does not let us follow: no answer is due, and nothing broke off."""
    (turn,) = judged([said(0, 18, 20)], ending=TRANSFERRED, end_s=22)
    assert (turn.outcome, turn.waited_ms) == ("not_due", None)
    assert "transferred" in turn.outcome_reason
    (turn,) = judged([said(0, 18, 20, cut_short=True)], ending=TRANSFERRED, end_s=20)
    assert (turn.outcome, "transferred" in turn.outcome_reason) == ("not_due", True)
    # What it says until then is its answer, also where the call ends in it.
    assert outcomes([said(0, 18, 20)], [(20.5, 22)], ending=TRANSFERRED, end_s=22, soft=False) == ["answered"]
    # Turns before the last are judged as ever.
    assert outcomes([said(0, 10, 12), said(1, 18, 20)], ending=TRANSFERRED) == ["not_answered", "not_due"]


def test_what_the_caller_took_for_an_answer_and_was_no_speech_is_none() -> None:
    (turn,) = judged([said(0, 18, 20)], sounds=[(21, 22)])
    assert turn.outcome == "not_answered"
    assert "what is no speech" in turn.outcome_reason
    assert outcomes([said(0, 18, 20)], sounds=[(15, 16)]) == ["not_due"]
    assert outcomes([said(0, 18, 20)], sounds=[(21, 22)], ending=LIMIT) == ["not_due"]


def test_lost_audio_of_the_agent_alone_hides_its_answer() -> None:
    gap = {"start_s": 13.0, "end_s": 14.0, "packets": 50}
    utterances = [said(0, 10, 12), said(1, 18, 20)]
    hidden = outcomes(utterances, gaps=[Gap(side="agent", **gap)], ending=GAVE_UP)
    assert hidden == ["not_due", "not_answered"]
    assert outcomes(utterances, gaps=[Gap(side="caller", **gap)], ending=GAVE_UP) == ["not_answered"] * 2


def test_a_pause_of_the_sender_beside_a_lost_packet_hides_no_answer() -> None:
    """13 s in which the agent sent nothing, with one packet of 20 ms lost beside them; of 20 packets (0.4 s)
    nobody knows where in the 13 s they were."""
    gap = {"side": "agent", "start_s": 11.99, "end_s": 24.99}
    for packets, sound_s, outcome in (
        (1, 0.02, "not_answered"),
        (20, 0.4, "not_due"),
        (650, None, "not_due"),
    ):
        gaps = [Gap.model_validate(gap | {"packets": packets, "sound_s": sound_s})]
        assert outcomes([said(0, 10, 12)], gaps=gaps, ending=GAVE_UP) == [outcome]


@pytest.mark.parametrize(("last_s", "told"), [(15.0, True), (29.6, True), (29.8, False)])
def test_packets_that_stop_for_good_are_told_and_excuse_nothing(last_s: float, told: bool) -> None:
    """An agent that sends nothing in silence looks the same as one whose packets were lost to the end."""
    received = PacketTimes(placed_s=np.arange(0.0, last_s, 0.02))
    (turn,) = judged([said(0, 10, 12)], received=received, ending=GAVE_UP)
    assert turn.outcome == "not_answered"
    assert ("no packet of the agent's came after" in turn.outcome_reason) is told


def test_an_interruption_that_stopped_the_agent_talked_nobody_over() -> None:
    utterances = [said(0, 10, 12, kind="barge_in")]
    assert outcomes(utterances, [(8, 12.5), (13.5, 16)], stopped=[0]) == ["answered"]
    assert outcomes(utterances, [(8, 12.5), (13.5, 16)]) == ["talked_over"]


def test_the_error_bar_of_the_turn_is_what_an_onset_may_be_early_by() -> None:
    assert outcomes([said(0, 10, 12)], [(11.985, 15)], measured={0: -15.0}) == ["answered"]
    assert outcomes([said(0, 10, 12)], [(11.975, 15)], measured={0: -25.0}) == ["talked_over"]
    assert outcomes([said(0, 10, 12)], [(11.98, 15)], measured={0: -19.99}) == ["answered"]
    without_bar = outcomes([said(0, 10, 12)], [(11.985, 15)], measured={0: -15.0}, resolution_ms=None)
    assert without_bar == ["talked_over"]


def test_where_packets_contradict_the_place_of_the_speech_they_decide() -> None:
    assert outcomes([said(0, 10, 12)], [(11.9, 15)], measured={0: 200.0}) == ["answered"]
    assert outcomes([said(0, 10, 12)], [(12.2, 15)], measured={0: -100.0}) == ["talked_over"]


def heard(word: str, start_s: float, end_s: float) -> TranscriptLine:
    words = [TranscriptWord(word=word, start_s=start_s, end_s=end_s)]
    return TranscriptLine(
        side="agent", source="whisper", start_s=start_s, end_s=end_s, text=word, words=words
    )


def test_words_decide_about_a_short_reply_and_tones_have_none() -> None:
    mm, yes = heard("Mm.", 13, 13.4), heard("Yes.", 13, 13.4)
    assert outcomes([said(0, 10, 12)], [(13, 13.4)], lines=[mm]) == ["answered_in_part"]
    assert outcomes([said(0, 10, 12)], [(13, 13.4)], lines=[yes]) == ["answered"]
    assert outcomes([said(0, 10, 12)], [(13, 13.4)], lines=[mm], tones=True) == ["answered"]


def test_speech_that_breaks_off_is_an_answer_in_part_and_a_tone_is_not() -> None:
    assert outcomes([said(0, 10, 12)], [(13, 16)], soft=False) == ["answered_in_part"]
    assert outcomes([said(0, 10, 12)], [(13, 16)], soft=False, tones=True) == ["answered"]
    assert outcomes([said(0, 10, 12)], [(13, 16)], lines=[heard("and", 15, 16)]) == ["answered_in_part"]
    # Into which the caller spoke, if only a listener's noise.
    utterances = [said(0, 10, 12), said(1, 15.5, 15.9, kind="backchannel")]
    assert outcomes(utterances, [(13, 16)], soft=False) == ["answered", "not_due"]


def test_who_goes_on_after_a_goodbye_has_not_taken_leave() -> None:
    bye, more = "Thanks, bye.", "Wait, what is my balance?"
    assert outcomes([said(0, 10, 12, bye), said(1, 18, 20, more)], [(21, 23)]) == ["not_answered", "answered"]
    # Two goodbyes are one.
    assert outcomes([said(0, 10, 12, bye), said(1, 18, 20, "Bye.")]) == ["not_due", "not_due"]
    noise = said(1, 18, 18.4, "mm", kind="backchannel")
    assert outcomes([said(0, 10, 12, bye), noise]) == ["not_due", "not_due"]


def test_a_request_with_a_goodbye_is_due_an_answer() -> None:
    text = "Please cancel my order and send me the receipt, bye."
    assert outcomes([said(0, 10, 12, text)], ending=GAVE_UP) == ["not_answered"]
