"""The timing of a whole call from its parts: natural speech at known times, packets, notices, losses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.analysis.timing import CallTiming, agent_notices, measure_timing
from harness.calls.voice.packet_times import PacketTimes
from harness.records.call import Event, Gap, SpokenUtterance
from metrics.score import Status
from tests.unit.harness.stand_ins.spoken import RATE, clip

END_S = 30.0


def _agent(*said: tuple[float, str] | tuple[float, str, float]) -> NDArray[np.float32]:
    """Clips at their times; a third figure cuts a clip after so many seconds."""
    audio = np.zeros(round(END_S * RATE), np.float32)
    for at_s, name, *cut_s in said:
        samples = clip(name)[: round(cut_s[0] * RATE)] if cut_s else clip(name)
        start = round(at_s * RATE)
        audio[start : start + len(samples)] = samples
    return audio


def _said(
    index: int, start_s: float, end_s: float, *, kind: str = "turn", cut_short: bool = False
) -> SpokenUtterance:
    return SpokenUtterance(
        index=index,
        text="x",
        kind=kind,  # type: ignore[arg-type]
        start_s=start_s,
        end_s=end_s,
        cut_short=cut_short,
        audio_sha256="",
    )


def _measure(audio: NDArray[np.float32], said: list[SpokenUtterance], **options: object) -> CallTiming:
    return measure_timing(
        agent_audio=audio,
        utterances=said,
        interruption_resolution_s=0.02,
        end_s=END_S,
        **options,  # type: ignore[arg-type]
    )


def _event(t: float, kind: str, source: str = "rtvi") -> Event:
    return Event(t=t, side="agent", kind=kind, source=source)


def test_latencies_of_natural_speech_are_right_to_the_millisecond() -> None:
    audio = _agent((1.0, "greeting"), (7.9, "refund"), (15.4, "account"))
    timing = _measure(audio, [_said(0, 6.0, 7.2), _said(1, 13.5, 15.6)])
    assert [one.status for one in timing.latencies] == [Status.MEASURED] * 2
    measured_ms = [one.latency_s * 1000 for one in timing.latencies if one.latency_s is not None]
    assert measured_ms == pytest.approx([700.0, -200.0], abs=1.0)
    assert timing.per_packet_s == [None, None]
    assert timing.interruptions == []


def _chime() -> NDArray[np.float32]:
    """Two notes of 60 ms at -24 dBFS, from its first sample on."""
    hz = np.repeat([880.0, 1320.0], round(0.06 * RATE))
    return np.asarray(10 ** (-24 / 20) * np.cos(2 * np.pi * np.cumsum(hz) / RATE), np.float32)


@pytest.mark.parametrize("quiet_s", [0.2, 0.45, 0.56, 0.6, 1.0])
def test_an_answer_behind_a_chime_is_timed_at_its_speech(quiet_s: float) -> None:
    """The chime comes 0.5 s after the turn and lasts 0.12 s."""
    audio = _agent((1.0, "greeting"), (7.2 + 0.5 + 0.12 + quiet_s, "refund"))
    start = round(7.7 * RATE)
    audio[start : start + len(_chime())] = _chime()
    [answer] = _measure(audio, [_said(0, 6.0, 7.2)]).latencies
    assert (answer.status, answer.reason) == (Status.MEASURED, "")
    assert answer.latency_s == pytest.approx(0.62 + quiet_s, abs=0.001)
    assert answer.tone is not None
    assert answer.tone.start_s == pytest.approx(7.7, abs=0.001)
    assert answer.tone.end_s == pytest.approx(7.82, abs=0.001)


@pytest.mark.parametrize("quiet_s", [0.3, 0.6, 1.0])
def test_an_answer_that_begins_with_a_short_word_and_a_pause_is_timed_at_the_word(quiet_s: float) -> None:
    """0.35 s of speech, 0.5 s after the turn."""
    audio = _agent((1.0, "greeting"), (7.7, "answer_short", 0.35), (7.7 + 0.35 + quiet_s, "refund"))
    [answer] = _measure(audio, [_said(0, 6.0, 7.2)]).latencies
    assert (answer.status, answer.reason, answer.tone) == (Status.MEASURED, "", None)
    assert answer.latency_s == pytest.approx(0.5, abs=0.001)


def test_a_chime_alone_is_no_answer() -> None:
    audio = _agent((1.0, "greeting"))
    start = round(7.7 * RATE)
    audio[start : start + len(_chime())] = _chime()
    [answer] = _measure(audio, [_said(0, 6.0, 7.2)]).latencies
    assert (answer.status, answer.answer) == (Status.NOT_APPLICABLE, None)
    assert answer.reason.endswith("there is sound from 7.7 s on, but it is no speech")


def test_an_interruption_and_the_answer_to_it() -> None:
    """The agent speaks from 8 s, is interrupted at 9.5 s, breaks off at 9.9 s, and answers at 12.2 s."""
    audio = _agent((8.0, "reference", 1.9), (12.2, "answer_short"))
    said = [_said(0, 6.0, 7.5), _said(1, 9.5, 11.5, kind="barge_in")]
    timing = _measure(audio, said)
    assert [one.latency_s for one in timing.latencies] == pytest.approx([0.5, 0.7], abs=0.002)
    [stopped] = timing.interruptions
    # It ends softly: by sound alone the sentence may have been over.
    assert (stopped.index, stopped.outcome, stopped.within_500ms) == (1, "stopped", None)
    told = [_event(8.0, "bot-started-speaking"), _event(9.85, "bot-interrupted")]
    assert _measure(audio, said, events=told).interruptions[0].within_500ms is True
    cut_at = round(1.9 * RATE)
    last_voiced = np.flatnonzero(np.abs(clip("reference")[:cut_at]) >= 10 ** (-48 / 20))[-1] / RATE
    assert stopped.delay_s == pytest.approx(8.0 + last_voiced - 9.5, abs=0.02)


def test_a_backchannel_asks_for_no_answer_and_a_line_cut_short_neither() -> None:
    audio = _agent((8.0, "reference"), (20.0, "answer_short"))
    said = [
        _said(0, 6.0, 7.5),
        _said(1, 9.0, 9.4, kind="backchannel"),
        _said(2, 18.0, 19.0),
        _said(3, 28.0, 29.9, cut_short=True),
    ]
    timing = _measure(audio, said)
    assert [one.index for one in timing.latencies] == [0, 2]
    assert [one.latency_s for one in timing.latencies] == pytest.approx([0.5, 1.0], abs=0.002)
    assert timing.interruptions == []


def test_single_packets_are_read_at_the_edges_of_the_turn() -> None:
    """The packet with the onset came 12 ms late, the one with the last word left 5 ms late, on a line without
    any jitter: what passed is the truth, and the bar holds what the clocks say, too."""
    audio = _agent((8.0, "refund"))
    media_s = np.arange(1400) * 0.02
    late_in, late_out = np.zeros(1400), np.zeros(1400)
    late_in[round(7.0 / 0.02)] = 0.012
    late_out[round(6.2 / 0.02)] = 0.005
    received = PacketTimes(
        media_s=media_s,
        passed_s=1.0 + media_s + late_in + 0.0065,
        placed_s=1.0 + media_s,
        codec_delay_s=0.0065,
    )
    sent = PacketTimes(media_s=media_s, passed_s=1.0 + media_s + late_out, placed_s=1.0 + media_s)
    timing = _measure(audio, [_said(0, 5.0, 7.21)], sent=sent, received=received)
    [latency], [per_packet_s] = timing.latencies, timing.per_packet_s
    assert latency.latency_s == pytest.approx(0.79 + 0.012 - 0.005, abs=0.001)
    assert per_packet_s == pytest.approx(0.79 + 0.012 - 0.005, abs=0.001)
    [wire] = timing.on_wire
    assert wire is not None
    assert wire.strays
    assert wire.jitter_s == pytest.approx(0.012 + 0.005, abs=1e-6)


def test_a_loss_before_an_onset_makes_it_doubtful_and_one_of_the_caller_does_not() -> None:
    audio = _agent((8.0, "refund"))
    lost = Gap(side="agent", start_s=7.85, end_s=8.0, packets=8)
    [hidden] = _measure(audio, [_said(0, 5.0, 7.2)], gaps=[lost]).latencies
    assert hidden.status is Status.INDETERMINATE
    mine = lost.model_copy(update={"side": "caller"})
    [plain] = _measure(audio, [_said(0, 5.0, 7.2)], gaps=[mine]).latencies
    assert plain.latency_s == pytest.approx(0.8, abs=0.001)


def test_the_noise_floor_is_that_of_the_stream_and_not_of_the_time_before_it() -> None:
    audio = _agent((8.0, "refund"))
    rng = np.random.default_rng(1)
    stream = slice(6 * RATE, 20 * RATE)
    audio[stream] += (10 ** (-60 / 20) * rng.standard_normal(14 * RATE)).astype(np.float32)
    placed_s = 6.0 + np.arange(700) * 0.02
    received = PacketTimes(media_s=placed_s - 6.0, passed_s=placed_s, placed_s=placed_s)
    timing = _measure(audio, [_said(0, 5.0, 7.2)], received=received)
    assert timing.agent.noise_floor_dbfs == pytest.approx(-60.0, abs=0.5)
    assert timing.latencies[0].latency_s == pytest.approx(0.8, abs=0.002)


def test_the_noise_floor_is_not_that_of_what_never_arrived() -> None:
    """3 s of 14 s were lost, and are silent in the recording: more than the tenth that the floor is of."""
    audio = _agent((8.0, "refund"))
    rng = np.random.default_rng(1)
    audio[6 * RATE : 20 * RATE] += (10 ** (-60 / 20) * rng.standard_normal(14 * RATE)).astype(np.float32)
    audio[16 * RATE : 19 * RATE] = 0.0
    placed_s = np.linspace(6.0, 20.0, 700, endpoint=False)
    timing = _measure(
        audio,
        [_said(0, 5.0, 7.2)],
        received=PacketTimes(media_s=placed_s - 6.0, passed_s=placed_s, placed_s=placed_s),
        gaps=[Gap(side="agent", start_s=16.0, end_s=19.0, packets=150)],
    )
    assert timing.agent.noise_floor_dbfs == pytest.approx(-60.0, abs=0.5)


def test_what_the_agent_says_of_itself_counts_only_from_its_own_messages() -> None:
    events = [
        _event(1.0, "bot-started-speaking"),
        _event(2.5, "bot-interrupted"),
        _event(4.0, "bot-interrupted", source="wire"),
    ]
    notices = agent_notices(events)
    assert notices.speaks
    assert 2.5 in notices.interrupted_s
    assert not agent_notices([_event(1.0, "bot-started-speaking", source="vad")]).speaks
    assert agent_notices([]).interrupted_s == ()


def test_an_agent_that_reports_and_was_not_interrupted_had_ended_by_itself() -> None:
    audio = _agent((8.0, "reference", 1.9))
    said = [_said(0, 6.0, 7.5), _said(1, 9.5, 11.5, kind="barge_in")]
    started = _event(8.0, "bot-started-speaking")
    of_another = _event(20.0, "bot-interrupted")
    [ended] = _measure(audio, said, events=[started, of_another]).interruptions
    assert ended.outcome == "ended_by_itself"
    # One that has reported none may be one that never does.
    [unknown] = _measure(audio, said, events=[started]).interruptions
    assert unknown.outcome == "indeterminate"
    reported = [started, _event(9.85, "bot-interrupted")]
    [stopped] = _measure(audio, said, events=reported).interruptions
    assert stopped.outcome == "stopped"


def test_marker_tones_are_measured_as_tones() -> None:
    audio = np.zeros(round(END_S * RATE), np.float32)
    tone = 0.1 * 2**0.5 * np.cos(2 * np.pi * 1000 * np.arange(RATE) / RATE)
    audio[8 * RATE : 9 * RATE] = audio[20 * RATE : 21 * RATE] = tone
    for marker_tones in (True, None):
        [latency] = _measure(audio, [_said(0, 6.0, 7.5)], marker_tones=marker_tones).latencies
        assert latency.latency_s == pytest.approx(0.5, abs=1e-6)
    [latency] = _measure(audio, [_said(0, 6.0, 7.5)], marker_tones=False).latencies
    assert latency.status is Status.NOT_APPLICABLE
    assert "no speech" in latency.reason


def _packets(late_ms: dict[int, float], *, count: int = 1400) -> PacketTimes:
    """One each 20 ms from call time 1 on, some late."""
    media_s = np.arange(count) * 0.02
    late_s = np.array([late_ms.get(index, 0.0) for index in range(count)]) / 1000
    return PacketTimes(media_s=media_s, passed_s=1.0 + media_s + late_s, placed_s=1.0 + media_s)


def test_packets_that_leave_more_than_50_ms_open_give_no_latency() -> None:
    audio = _agent((8.0, "refund"))
    onset = round(7.0 / 0.02)
    for late_ms, status in ((49.0, Status.MEASURED), (51.0, Status.INDETERMINATE)):
        held = {onset - 1 + behind: late_ms + 20.0 - 20.0 * behind for behind in range(4)}
        timing = _measure(audio, [_said(0, 5.0, 7.2)], sent=_packets({}), received=_packets(held))
        [latency] = timing.latencies
        assert latency.status is status
        if status is Status.MEASURED:
            assert latency.latency_s == pytest.approx(0.849, abs=0.001)
        else:
            assert f"single packets say {800 + late_ms:.0f} ms, ±51 ms" in latency.reason


def test_the_end_of_a_stop_is_by_its_packets_and_heard_when_the_heap_is_played() -> None:
    """Two packets 0.9 s before the stop came 30 and 10 ms late; the one with the stop came 12 ms late."""
    audio = _agent((8.0, "reference", 1.9), (12.2, "answer_short"))
    said = [_said(0, 6.0, 7.5), _said(1, 9.5, 11.5, kind="barge_in")]
    [by_clock] = _measure(audio, said).interruptions
    assert by_clock.delay_s is not None
    stop = int((9.5 + by_clock.delay_s - 1.0) / 0.02)
    received = _packets({400: 30.0, 401: 10.0, stop: 12.0})
    [found] = _measure(audio, said, sent=_packets({}), received=received).interruptions
    assert found.delay_s == pytest.approx(by_clock.delay_s + 0.012, abs=1e-6)
    assert found.on_wire is not None
    assert found.on_wire.jitter_s == pytest.approx(0.012, abs=1e-6)
    assert found.on_wire.heard_s == pytest.approx(by_clock.delay_s + 0.03, abs=1e-6)
