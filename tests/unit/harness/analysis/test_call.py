"""The figures of a whole call as they are reported, on a timeline that is written out by hand.

The detectors and the recogniser say what they are told to; packets pass when they are told to. What is asked
is which of all these times a figure is made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import pytest

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.call import DETECTORS, analyse, scorable, utterances_in
from harness.analysis.listener import Listener
from harness.analysis.sound.nisqa_clips import RatedClip
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.calls.voice.packet_times import PacketTimes
from harness.plans.probes.planted import ProbePlan
from harness.records.call import CallStatus, Event, Gap, Side, SpokenUtterance
from harness.records.scores import CalibrationNote, CallScores, LineEchoNote, Transcript
from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk
from metrics.synthesis.artefacts import StretchArtefacts
from metrics.synthesis.nisqa_result import NaturalnessResult, QualityResult
from metrics.transcript import Segment, Word
from metrics.transcript import Transcript as Heard

CALIBRATED = CalibrationNote(transport="smallwebrtc", response_p95_ms=4.0, interruption_p95_ms=10.0)
END_S = 40.0


def _activity(*talks: tuple[float, float], tones: bool = False) -> SpeechActivity:
    spans = tuple(Span(start_s=start, end_s=end) for start, end in talks)
    return SpeechActivity(
        talks=tuple(Talk(span=span, clusters=(span,)) for span in spans),
        energy=spans,
        silero=spans[:1],
        webrtcvad=spans[1:],
        noise_floor_dbfs=-71.5,
        threshold_dbfs=-48.0,
        marker_tones=tones,
    )


@dataclass
class _Listener:
    """Has heard what it is given."""

    agent: SpeechActivity
    caller: SpeechActivity = field(default_factory=_activity)
    spoken: dict[str, list[tuple[str, float]]] = field(default_factory=dict)
    rated: list[RatedClip] | None = None
    asked: dict[str, Any] = field(default_factory=dict)
    why_no_whisper: str = ""
    why_no_caller_words: str = ""
    hears_the_caller: bool = True
    predicted: list[PredictedClip] | None = None
    why_no_nisqa: str = "no NISQA"
    why_no_predictors: str = "no predictors"
    why_no_artefacts: str = ""
    left: frozenset[str] = frozenset()

    def left_out(self, kind: str) -> str:
        return "it was left out" if kind in self.left else ""

    def activity(
        self, side: Side, *, present: Span | None = None, absent: Sequence[Span] = ()
    ) -> SpeechActivity:
        self.asked[side] = (present, list(absent))
        return self.agent if side == "agent" else self.caller

    def words(self, side: Side, spans: Sequence[Span], language: str, *, wanted: bool = True) -> Heard:
        self.asked["language"] = language
        self.asked[f"words of the {side}"] = wanted
        words = tuple(
            Word(word=word, start_s=at_s, end_s=at_s + 0.3, probability=0.9)
            for word, at_s in self.spoken.get(side, [])
        )
        segment = Segment(
            text="",
            start_s=0.0,
            end_s=END_S,
            words=words,
            no_speech_probability=0.0,
            mean_log_probability=0.0,
            compression_ratio=1.0,
        )
        return Heard(language=language, segments=(segment,))

    def ratings(self, spans: Sequence[Span]) -> list[RatedClip] | None:
        self.asked["rated"] = list(spans)
        return self.rated

    def predictions(self, spans: Sequence[Span]) -> list[PredictedClip] | None:
        self.asked["predicted"] = list(spans)
        return self.predicted

    def artefacts(self, spans: Sequence[Span]) -> list[StretchArtefacts] | None:
        return [StretchArtefacts(span=span) for span in spans]

    def forms(self, forms: Sequence[Any], language: str, *, of: str = "") -> None:
        raise AssertionError("no call here has sentences to be read aloud")

    def why_no_forms(self, of: str = "") -> str:
        raise AssertionError("no call here has sentences to be read aloud")

    def sound(self, side: Side) -> Any:
        return np.zeros(round(END_S * 48_000), np.float32)


def _said(index: int, start_s: float, end_s: float, **fields: Any) -> SpokenUtterance:
    known: dict[str, Any] = {"text": f"line {index}", "kind": "turn", "audio_sha256": ""} | fields
    return SpokenUtterance(index=index, start_s=start_s, end_s=end_s, **known)


def _analysed(
    listener: _Listener, *said: SpokenUtterance, calibration: CalibrationNote = CALIBRATED, **material: Any
) -> tuple[CallScores, Transcript]:
    given = CallMaterial(call_id="c7", utterances=said, end_s=END_S, **material)
    return analyse(given, listener=cast(Listener, listener), calibration=calibration)


def _packets(**late_s: float) -> PacketTimes:
    """A packet every 20 ms, placed where its media time is.

    ``at_13_0=0.04`` passes so much later, and those after it not before it.
    """
    media_s = np.arange(round(END_S / 0.02)) * 0.02
    passed_s = media_s.copy()
    for name, by_s in late_s.items():
        at_s = float(name.removeprefix("at_").replace("_", "."))
        passed_s[round(at_s / 0.02)] += by_s
    passed_s = np.maximum.accumulate(passed_s)
    return PacketTimes(media_s=media_s, passed_s=passed_s, placed_s=media_s)


# --- turns


def test_a_turn_is_reported_with_its_own_times_from_the_end_of_the_question() -> None:
    """Asked from 10 to 12 s, answered at 12.8 s; the first word with content comes at 13.9 s."""
    listener = _Listener(
        _activity((12.8, 16.0)), spoken={"agent": [("Well,", 12.8), ("okay.", 13.2), ("Tuesday", 13.9)]}
    )
    scores, _ = _analysed(listener, _said(4, 10.0, 12.0))
    [turn] = scores.turns
    assert (turn.index, turn.user_start_s, turn.user_end_s) == (4, 10.0, 12.0)
    assert (turn.agent_start_s, turn.agent_end_s, turn.first_content_s) == (12.8, 16.0, 13.9)
    assert turn.latency_ms == pytest.approx(800.0)
    assert turn.content_latency_ms == pytest.approx(1900.0)
    assert (turn.status, turn.reason, turn.notes) == (Status.MEASURED, "", ())
    assert (turn.per_packet_latency_ms, turn.heard_latency_ms) == (None, None)
    assert turn.resolution_ms == pytest.approx(4.0)
    assert turn.noise_floor_dbfs == -71.5


def test_each_turn_has_its_own_utterance_and_answer() -> None:
    listener = _Listener(
        _activity((3.5, 5.0), (9.2, 11.0)), spoken={"agent": [("Alpha", 3.7), ("Beta", 9.6)]}
    )
    scores, _ = _analysed(listener, _said(7, 2.0, 3.0), _said(9, 8.0, 9.0))
    assert [(turn.index, turn.user_end_s, turn.agent_start_s) for turn in scores.turns] == [
        (7, 3.0, 3.5),
        (9, 9.0, 9.2),
    ]
    assert [turn.latency_ms for turn in scores.turns] == pytest.approx([500.0, 200.0])
    assert [turn.content_latency_ms for turn in scores.turns] == pytest.approx([700.0, 600.0])


def test_a_turn_without_an_answer_has_no_figure_at_all() -> None:
    scores, _ = _analysed(_Listener(_activity((1.0, 2.0))), _said(0, 10.0, 12.0), sent=_packets())
    [turn] = scores.turns
    assert turn.status is not Status.MEASURED
    assert turn.reason
    assert {
        turn.agent_start_s,
        turn.agent_end_s,
        turn.first_content_s,
        turn.latency_ms,
        turn.content_latency_ms,
        turn.per_packet_latency_ms,
        turn.heard_latency_ms,
    } == {None}


def test_an_onset_that_may_be_hidden_widens_the_bar_and_says_so() -> None:
    """10 ms before the onset were lost."""
    gap = Gap(side="agent", start_s=12.79, end_s=12.8, packets=1)
    other = Gap(side="caller", start_s=1.0, end_s=2.0, packets=50)
    listener = _Listener(_activity((12.8, 16.0)))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), gaps=[other, gap])
    [turn] = scores.turns
    assert turn.notes == ("up to 10 ms of the onset may be hidden by lost audio",)
    assert turn.resolution_ms == pytest.approx(14.0)
    # And the detectors are told where sound is missing.
    assert listener.asked["agent"] == (None, [Span(start_s=12.79, end_s=12.8)])
    assert listener.asked["caller"] == (None, [])


# --- what packets say of a turn


def test_packets_that_pass_in_time_change_nothing_and_are_told() -> None:
    listener = _Listener(_activity((12.8, 16.0)))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), sent=_packets(), received=_packets())
    [turn] = scores.turns
    assert turn.latency_ms == pytest.approx(800.0)
    assert turn.per_packet_latency_ms == pytest.approx(800.0)
    assert turn.heard_latency_ms == pytest.approx(800.0)
    assert turn.notes == ()
    # From the first packet to 20 ms after the last one.
    present, _ = listener.asked["agent"]
    assert (present.start_s, present.end_s) == (0.0, pytest.approx(END_S))


def test_a_stall_at_a_turn_makes_its_figure_disappear() -> None:
    """The packet with the onset came 80 ms late, that is no figure any more."""
    listener = _Listener(_activity((12.8, 16.0)), spoken={"agent": [("Tuesday", 12.9)]})
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), sent=_packets(), received=_packets(at_12_8=0.08))
    [turn] = scores.turns
    assert (turn.status, turn.latency_ms, turn.content_latency_ms) == (Status.INDETERMINATE, None, None)
    assert (turn.first_content_s, turn.heard_latency_ms) == (None, None)
    assert turn.reason.startswith("single packets say 880 ms, ±80 ms: something on the way")
    assert turn.per_packet_latency_ms == pytest.approx(880.0)
    # That it was by arrival is no news where there is no figure.
    assert turn.notes == ()


def test_a_stall_of_ours_at_the_end_of_a_turn_does_so_too() -> None:
    listener = _Listener(_activity((12.8, 16.0)))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), sent=_packets(at_12_0=0.08), received=_packets())
    [turn] = scores.turns
    assert turn.latency_ms is None
    assert turn.per_packet_latency_ms == pytest.approx(720.0)


def test_an_onset_that_came_later_than_its_clock_says_is_given_by_arrival() -> None:
    listener = _Listener(_activity((12.8, 16.0)))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), sent=_packets(), received=_packets(at_12_8=0.03))
    [turn] = scores.turns
    assert turn.latency_ms == pytest.approx(830.0)
    assert turn.resolution_ms == pytest.approx(34.0)
    assert turn.notes == ("by its packets' arrival, which its media clock contradicts",)


@pytest.mark.parametrize(("word_s", "content_ms"), [(12.7, 830.0), (12.8, 830.0), (13.3, 1330.0)])
def test_content_never_comes_before_an_onset_that_is_given_by_arrival(
    word_s: float, content_ms: float
) -> None:
    """The recording has the onset at 800 ms and it came at 830: the word lies as far behind it as there."""
    listener = _Listener(_activity((12.8, 16.0)), spoken={"agent": [("Tuesday", word_s)]})
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), sent=_packets(), received=_packets(at_12_8=0.03))
    [turn] = scores.turns
    assert turn.latency_ms == pytest.approx(830.0)
    assert turn.content_latency_ms == pytest.approx(content_ms)
    assert turn.first_content_s == max(word_s, 12.8)


def test_a_chime_before_the_answer_is_named_in_the_turn_s_notes() -> None:
    heard = replace(_activity((13.3, 16.0)), tones=(Span(start_s=12.63, end_s=12.747),))
    scores, _ = _analysed(_Listener(heard), _said(0, 10.0, 12.0))
    [turn] = scores.turns
    assert turn.latency_ms == pytest.approx(1300.0)
    assert turn.notes == ("a sound that is no speech (a tone of 117 ms) began 630 ms after the turn",)


# --- interruptions


def test_an_interruption_is_reported_with_the_times_of_its_own_utterance() -> None:
    """At 9.5 s, planned for 9.4 s; the agent was heard from 8.1 s on, began at 8.0 s and stops at 9.9 s."""
    listener = _Listener(_activity((8.0, 9.9), (12.2, 14.0)))
    scores, _ = _analysed(
        listener,
        _said(2, 6.0, 7.5),
        _said(5, 9.5, 11.5, kind="barge_in", planned_s=9.4, agent_onset_s=8.1),
    )
    [one] = scores.interruptions
    assert (one.index, one.user_start_s, one.agent_onset_s) == (5, 9.5, 8.0)
    assert one.planned_offset_s == pytest.approx(1.3)
    assert one.actual_offset_s == pytest.approx(1.5)
    assert (one.outcome, one.agent_stop_s, one.within_500ms) == ("stopped", 9.9, True)
    assert one.delay_ms == pytest.approx(400.0)
    assert (one.censored_after_ms, one.heard_delay_ms, one.notes) == (None, None, ())
    assert one.resolution_ms == pytest.approx(10.0)
    assert (one.basis, one.reason, one.stopped_in_pause) == ("timing alone", "", False)


def test_an_interruption_that_was_not_planned_counts_from_its_own_beginning() -> None:
    listener = _Listener(_activity((1.0, 2.0), (8.0, 16.0)))
    scores, _ = _analysed(listener, _said(5, 9.5, 11.5, kind="barge_in", agent_onset_s=8.5))
    [one] = scores.interruptions
    assert (one.outcome, one.censored_after_ms, one.delay_ms) == ("not_stopped", pytest.approx(6500.0), None)
    assert one.planned_offset_s == pytest.approx(1.0)
    assert one.actual_offset_s == pytest.approx(1.5)
    nothing, _ = _analysed(_Listener(_activity()), _said(5, 9.5, 11.5, kind="barge_in"))
    [missed] = nothing.interruptions
    assert (missed.outcome, missed.agent_onset_s) == ("ended_by_itself", 9.5)
    assert (missed.planned_offset_s, missed.actual_offset_s) == (0.0, 0.0)
    heard, _ = _analysed(_Listener(_activity()), _said(5, 9.5, 11.5, kind="barge_in", agent_onset_s=8.5))
    assert heard.interruptions[0].agent_onset_s == 8.5


def test_a_delay_that_is_close_to_500_ms_is_decided_by_the_bar_of_interruptions() -> None:
    """495 ms; the bar of responses (4 ms) would decide it, that of interruptions (10 ms) does not."""
    listener = _Listener(_activity((8.0, 9.995)))
    said = _said(5, 9.5, 11.5, kind="barge_in")
    close, _ = _analysed(listener, said)
    assert close.interruptions[0].within_500ms is None
    sure = CALIBRATED.model_copy(update={"interruption_p95_ms": 4.0, "response_p95_ms": 10.0})
    decided, _ = _analysed(listener, said, calibration=sure)
    assert decided.interruptions[0].within_500ms is True


def test_a_stop_that_came_later_than_its_clock_says_is_given_by_arrival_and_as_heard() -> None:
    listener = _Listener(_activity((8.0, 9.9)))
    scores, _ = _analysed(
        listener, _said(5, 9.5, 11.5, kind="barge_in"), sent=_packets(), received=_packets(at_9_9=0.03)
    )
    [one] = scores.interruptions
    assert one.delay_ms == pytest.approx(430.0)
    assert one.heard_delay_ms == pytest.approx(430.0)
    assert one.resolution_ms == pytest.approx(40.0)
    assert one.notes == ("by its packets' arrival, which its media clock contradicts",)


def test_packets_in_heaps_are_heard_later_than_they_came() -> None:
    """One packet of the agent's speech came 200 ms late: whoever plays every packet is as late to the end."""
    listener = _Listener(_activity((8.0, 9.9)))
    scores, _ = _analysed(
        listener, _said(5, 9.5, 11.5, kind="barge_in"), sent=_packets(), received=_packets(at_9_0=0.2)
    )
    [one] = scores.interruptions
    assert one.delay_ms == pytest.approx(400.0)
    assert one.heard_delay_ms == pytest.approx(600.0)
    assert one.notes == ("its packets came in heaps: heard until 600 ms",)
    # 5 ms are not worth a word.
    little, _ = _analysed(
        listener, _said(5, 9.5, 11.5, kind="barge_in"), sent=_packets(), received=_packets(at_9_0=0.0049)
    )
    assert little.interruptions[0].notes == ()
    more, _ = _analysed(
        listener, _said(5, 9.5, 11.5, kind="barge_in"), sent=_packets(), received=_packets(at_9_0=0.0052)
    )
    assert more.interruptions[0].notes == ("its packets came in heaps: heard until 405 ms",)


def test_what_the_agent_reports_is_taken_from_the_timeline() -> None:
    events = [
        Event(t=8.0, side="agent", kind="bot-started-speaking", source="rtvi"),
        Event(t=9.7, side="agent", kind="bot-interrupted", source="rtvi"),
    ]
    listener = _Listener(_activity((8.0, 9.9)))
    scores, _ = _analysed(listener, _said(5, 9.5, 11.5, kind="barge_in"), events=events)
    assert scores.interruptions[0].basis == "timing and the agent's own messages"


# --- what else stands in the file


def test_the_file_has_the_call_its_detectors_and_the_spans_of_both_sides() -> None:
    listener = _Listener(_activity((12.8, 16.0), (20.0, 21.0)), caller=_activity((10.0, 12.0), (18.0, 19.0)))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), language="zh")
    assert (scores.call_id, scores.calibration, scores.clips) == ("c7", CALIBRATED, [])
    assert scores.detectors == DETECTORS
    assert scores.detectors["energy"] == "a sample is voiced from -48 dBFS, or 5 times the noise floor"
    assert scores.spans.agent == {
        "energy": [(12.8, 16.0), (20.0, 21.0)],
        "silero": [(12.8, 16.0)],
        "webrtcvad": [(20.0, 21.0)],
    }
    assert scores.spans.caller["energy"] == [(10.0, 12.0), (18.0, 19.0)]
    assert listener.asked["language"] == "zh"
    assert listener.asked["rated"] == [Span(start_s=12.8, end_s=16.0), Span(start_s=20.0, end_s=21.0)]


def test_a_call_in_marker_tones_says_that_energy_alone_decides() -> None:
    scores, _ = _analysed(_Listener(_activity((12.8, 16.0), tones=True)), _said(0, 10.0, 12.0))
    assert scores.detectors["energy"].endswith(
        "it alone decides in this call: the agent sounds in marker tones and never speaks"
    )
    assert scores.detectors["silero"] == DETECTORS["silero"]


def test_the_transcript_is_in_the_order_of_time_whoever_spoke() -> None:
    listener = _Listener(_activity((1.0, 2.0), (12.8, 16.0)), spoken={"agent": [("Hi", 1.2), ("Yes", 13.0)]})
    _, transcript = _analysed(listener, _said(0, 10.0, 12.0, text="so"))
    assert [(line.side, line.source, line.text) for line in transcript.lines] == [
        ("agent", "whisper", "Hi"),
        ("caller", "said", "so"),
        ("agent", "whisper", "Yes"),
    ]


def test_words_are_counted_and_voices_rated_where_there_are_instruments() -> None:
    quality = QualityResult(mos=3.0, noisiness=3.1, discontinuity=3.2, coloration=3.3, loudness=3.4)
    span = Span(start_s=12.8, end_s=16.0)
    rated = [RatedClip(span=span, naturalness=NaturalnessResult(naturalness=4.1), quality=quality)]
    listener = _Listener(
        _activity((12.8, 16.0)), spoken={"caller": [("line", 10.2), ("four", 10.8)]}, rated=rated
    )
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0, text="line five"))
    assert [(clip.start_s, clip.naturalness, clip.mos) for clip in scores.clips] == [(12.8, 4.1, 3.0)]
    [counts] = [one for one in scores.word_counts.values() if one.reference == 2]
    assert counts.substitutions == 1
    by_name = {score.metric: score for score in scores.scores}
    latency = by_name["response_latency_ms"]
    assert latency.value == pytest.approx(800.0)
    without, _ = _analysed(
        _Listener(_activity((12.8, 16.0)), why_no_whisper="no Whisper"), _said(0, 10.0, 12.0)
    )
    reasons = " ".join(score.reason for score in without.scores)
    assert "no Whisper" in reasons
    assert "no NISQA" in reasons


def test_what_the_caller_said_is_not_made_up_where_it_is_not_known() -> None:
    listener = _Listener(_activity((12.8, 16.0)), spoken={"caller": [("hello", 10.2)]})
    scores, transcript = _analysed(listener, _said(0, 10.0, 12.0, text=""), utterances_known=False)
    assert [line.source for line in transcript.lines] == ["whisper"]
    assert scores.word_counts == {}


def test_the_line_s_echo_stands_in_the_file_in_milliseconds() -> None:
    echo = LineEcho(path=EchoPath(delay_s=0.125, gain_db=-20.0, talks=2, seconds=3.5))
    found, _ = _analysed(_Listener(replace(_activity((12.8, 16.0)), echo=echo)), _said(0, 10.0, 12.0))
    assert found.line_echo == LineEchoNote(
        delay_ms=125.0, gain_db=-20.0, talks=2, seconds=3.5, note=echo.note
    )
    none, _ = _analysed(_Listener(_activity((12.8, 16.0))), _said(0, 10.0, 12.0))
    assert none.line_echo is None


# --- a call of a probe suite


def test_what_the_agent_made_of_each_line_stands_in_the_file() -> None:
    """The second line was never said."""
    asked = [
        {"item": name, "line": line, "kind": "sentence"} for line, name in enumerate(("first", "second"))
    ]
    probe = ProbePlan.model_validate({"suite": "noise", "version": "1", "asked": asked})
    scores, _ = _analysed(_Listener(_activity((12.8, 16.0))), _said(0, 10.0, 12.0), probe=probe)
    assert [(one.item, one.start_s, one.reason) for one in scores.hearings] == [
        ("first", 10.0, "the agent does not expose its own transcript of the caller"),
        ("second", None, "the call ended before it"),
    ]


@pytest.mark.parametrize(
    ("left", "looked_at"),
    [((), True), (("sound",), True), (("words",), True), (("sound", "words"), False)],
)
def test_how_a_sentence_was_said_is_looked_at_unless_sound_and_words_are_both_left_out(
    left: tuple[str, ...], looked_at: bool
) -> None:
    """Asked for two sentences, the agent says neither: that is told of the one that has a control."""
    to_read = [
        {"item": "plain", "line": 0, "kind": "neutral", "text": "It is late."},
        {"item": "sad", "line": 1, "kind": "sad", "text": "It is late.", "control": "plain"},
    ]
    probe = ProbePlan.model_validate({"suite": "emotion", "version": "1", "to_read": to_read})
    listener = _Listener(_activity((1.0, 2.0)), left=frozenset(left))
    scores, _ = _analysed(listener, _said(0, 10.0, 12.0), _said(1, 20.0, 22.0), probe=probe)
    assert [one.said for one in scores.readings] == [False, False]
    assert [one.delivery and one.delivery.reason for one in scores.readings] == [
        None,
        "it was not said: it said nothing" if looked_at else None,
    ]


NEVER_SET_UP = (
    CallStatus.SETUP_FAILED,
    CallStatus.NOT_ANSWERED,
    CallStatus.NEVER_RUNG,
    CallStatus.RANG_OFF,
)


@pytest.mark.parametrize("status", list(CallStatus))
def test_every_call_that_was_set_up_can_be_scored(status: CallStatus) -> None:
    assert scorable(status) == (status not in NEVER_SET_UP)


# --- a recording of which nothing else is known


def _utterances(caller: tuple[float, float], *agent: tuple[float, float]) -> list[tuple[str, float | None]]:
    found = utterances_in(_activity((0.1, 0.2), caller), _activity(*agent))
    assert [one.index for one in found] == [0, 1]
    assert (found[1].start_s, found[1].end_s, found[1].text, found[1].audio_sha256) == (*caller, "", "")
    return [(one.kind, one.agent_onset_s) for one in found][1:]


def test_speech_that_begins_over_the_agent_s_is_a_barge_in() -> None:
    assert _utterances((10.0, 12.0), (1.0, 3.0), (8.0, 10.4)) == [("barge_in", 8.0)]
    assert _utterances((10.0, 12.0), (8.0, 10.0)) == [("barge_in", 8.0)]
    assert _utterances((10.0, 12.0), (8.0, 9.999)) == [("turn", None)]
    assert _utterances((10.0, 12.0), (10.0, 14.0)) == [("turn", None)]


def test_speech_under_1_5_s_within_the_agent_s_is_a_backchannel() -> None:
    assert _utterances((10.0, 11.49), (8.0, 14.0)) == [("backchannel", 8.0)]
    assert _utterances((10.0, 11.51), (8.0, 14.0)) == [("barge_in", 8.0)]
    assert _utterances((10.0, 11.5), (8.0, 14.0)) == [("barge_in", 8.0)]
    # The agent fell silent during it: whether it does must not decide.
    assert _utterances((10.0, 11.0), (8.0, 11.0)) == [("backchannel", 8.0)]
    assert _utterances((10.0, 11.0), (8.0, 10.3)) == [("backchannel", 8.0)]
    assert _utterances((10.0, 10.5)) == [("turn", None)]


def test_interruptions_are_not_picked_by_what_the_agent_did() -> None:
    """Six short ones and six long, each over the agent, which stops for every other: three of six that count
    are stops, and not six of nine."""
    agent, caller = [], []
    for number in range(12):
        at_s, length_s = 20.0 * number, 1.0 if number < 6 else 3.0
        caller.append((at_s + 3.0, at_s + 3.0 + length_s))
        agent.append((at_s, at_s + (3.4 if number % 2 else 10.0)))
    found = utterances_in(_activity(*caller), _activity(*agent))
    assert [one.kind for one in found] == ["backchannel"] * 6 + ["barge_in"] * 6


def test_a_pause_in_which_nobody_speaks_is_the_caller_s_own() -> None:
    def spans(*caller: tuple[float, float], agent: tuple[float, float]) -> list[tuple[float, float]]:
        return [(one.start_s, one.end_s) for one in utterances_in(_activity(*caller), _activity(agent))]

    assert spans((1.0, 2.0), (2.8, 4.0), (5.9, 7.0), agent=(8.0, 9.0)) == [(1.0, 7.0)]
    # Two seconds are long enough for an answer that never came.
    assert spans((1.0, 2.0), (4.0, 5.0), agent=(8.0, 9.0)) == [(1.0, 2.0), (4.0, 5.0)]
    # The agent said something in it, or through it.
    assert spans((1.0, 2.0), (3.0, 5.0), agent=(2.2, 2.7)) == [(1.0, 2.0), (3.0, 5.0)]
    assert spans((1.0, 2.0), (3.0, 5.0), agent=(0.5, 6.0)) == [(1.0, 2.0), (3.0, 5.0)]
