"""The caller's own voice on the agent's channel: planted at known delays and levels, through real codecs.

The caller asks from 3 s on ("refund", 4.33 s) and from 10 s on ("question", 3.16 s).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import fftconvolve

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.call import analyse
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.analysis.timing import NO_PACKETS, CallTiming, call_timing
from harness.records.call import SpokenUtterance
from harness.records.scores import CalibrationNote
from harness.transports.codecs.table import codec_named
from metrics.detection.beside_caller import detect_beside
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from metrics.speech import SpeechActivity, detect_speech
from tests.unit.harness.stand_ins.spoken import RATE, clip

END_S = 18.0
ASKS_S = ((3.0, "refund"), (10.0, "question"))
ENDS_S = tuple(at_s + len(clip(name)) / RATE for at_s, name in ASKS_S)

Samples = NDArray[np.float32]


def _side(*said: tuple[float, str] | tuple[float, str, float]) -> Samples:
    """Clips at their times; a third figure cuts a clip after so many seconds."""
    audio = np.zeros(round(END_S * RATE), np.float32)
    for at_s, name, *cut_s in said:
        samples = clip(name)[: round(cut_s[0] * RATE)] if cut_s else clip(name)
        start = round(at_s * RATE)
        audio[start : start + len(samples)] += samples
    return audio


CALLER = _side(*ASKS_S)
SAID = [
    SpokenUtterance(index=index, text="x", kind="turn", start_s=at_s, end_s=ENDS_S[index], audio_sha256="")
    for index, (at_s, _) in enumerate(ASKS_S)
]


def _through(codec: str, sound: Samples) -> Samples:
    coded = codec_named(codec)
    heard = coded.decode(coded.encode(sound))[coded.delay_samples :]
    return np.asarray(np.pad(heard, (0, max(0, len(sound) - len(heard))))[: len(sound)], dtype=np.float32)


def _hybrid() -> NDArray[np.float64]:
    """Eight milliseconds of a telephone's hybrid: noise that dies away, of power 1."""
    length = round(0.008 * RATE)
    taps = np.random.default_rng(7).standard_normal(length) * np.exp(-np.arange(length) / (0.0015 * RATE))
    return np.asarray(taps / np.sqrt(np.sum(np.square(taps))))


def _line(agent: Samples, codec: str, *, delay_s: float, level_db: float) -> Samples:
    """The agent's channel with what came back of the caller, there and back through the codec."""
    back = fftconvolve(_through(codec, CALLER), _hybrid())[: len(CALLER)] * 10 ** (level_db / 20)
    shifted = np.concatenate([np.zeros(round(delay_s * RATE)), back])[: len(CALLER)]
    return _through(codec, np.asarray(agent + shifted, dtype=np.float32))


def _heard(agent: Samples, *, caller: Samples = CALLER) -> SpeechActivity:
    return detect_beside(caller, agent, RATE, said=detect_speech(caller, RATE))


def _timing(activity: SpeechActivity, said: list[SpokenUtterance] = SAID) -> CallTiming:
    return call_timing(
        activity,
        utterances=said,
        gaps=(),
        sent=NO_PACKETS,
        received=NO_PACKETS,
        events=(),
        interruption_resolution_s=0.02,
        end_s=END_S,
    )


LINES = [
    ("pcmu", 0.02, -20.0),
    ("pcmu", 0.3, -30.0),
    ("pcma", 0.15, -40.0),
    ("opus", 0.02, -30.0),
    ("opus", 0.3, -20.0),
    ("opus", 0.15, -40.0),
]


@pytest.mark.parametrize(("codec", "delay_s", "level_db"), LINES)
def test_an_echo_of_the_caller_is_no_answer(codec: str, delay_s: float, level_db: float) -> None:
    heard = _line(_side(), codec, delay_s=delay_s, level_db=level_db)
    assert detect_speech(heard, RATE).talks, "nothing is planted that could be taken for speech"
    activity = _heard(heard)
    assert activity.talks == ()
    assert activity.echo is not None
    # The strongest path of the hybrid lies 0.4 ms behind its first.
    assert activity.echo.delay_s == pytest.approx(delay_s, abs=0.001)
    assert activity.echo.level_db == pytest.approx(level_db, abs=2.5)
    assert [one.status for one in _timing(activity).latencies] == [Status.NOT_APPLICABLE] * 2


@pytest.mark.parametrize(("codec", "delay_s", "level_db"), LINES)
def test_an_answer_after_an_echo_has_the_latency_that_it_has_without_one(
    codec: str, delay_s: float, level_db: float
) -> None:
    agent = _side((ENDS_S[0] + 0.7, "answer_short"), (ENDS_S[1] + 0.9, "callback"))
    clean = _timing(_heard(_through(codec, agent)))
    found = _timing(_heard(_line(agent, codec, delay_s=delay_s, level_db=level_db)))
    for one, truth in zip(found.latencies, clean.latencies, strict=True):
        assert one.latency_s == pytest.approx(truth.latency_s, abs=0.005)


@pytest.mark.parametrize(("codec", "delay_s", "level_db"), LINES)
def test_an_agent_that_speaks_over_an_echo_is_found_and_its_onset_right_or_doubtful(
    codec: str, delay_s: float, level_db: float
) -> None:
    """It comes in 2 s before the first end, and 0.1 s after the second, into what still comes back."""
    agent = _side((ENDS_S[0] - 2.0, "account"), (ENDS_S[1] + 0.1, "callback"))
    clean = _heard(_through(codec, agent)).talks
    found = _heard(_line(agent, codec, delay_s=delay_s, level_db=level_db)).talks
    assert len(found) == len(clean) == 2
    for one, truth in zip(found, clean, strict=True):
        assert one.onset_doubt or one.span.start_s == pytest.approx(truth.span.start_s, abs=0.005)
        assert one.end_doubt or one.span.end_s == pytest.approx(truth.span.end_s, abs=0.02)
    if codec == "pcmu" and level_db == -30.0:
        assert [one.onset_doubt for one in found] == ["", ""]


def test_a_stop_for_an_interruption_is_not_hidden_by_the_interruption_come_back() -> None:
    """The agent speaks from 8.5 s, the caller comes in at 10 s, it falls silent at 10.4 s."""
    agent = _side((8.5, "reference", 1.9))
    said = [SAID[0], SAID[1].model_copy(update={"kind": "barge_in"})]
    [clean] = _timing(_heard(_through("pcmu", agent)), said).interruptions
    heard = _line(agent, "pcmu", delay_s=0.15, level_db=-30.0)
    # Taken as it sounds, the agent speaks on to the end of the interruption.
    [before] = _timing(detect_speech(heard, RATE), said).interruptions
    assert before.delay_s is None or before.delay_s > 2.0
    [found] = _timing(_heard(heard), said).interruptions
    assert clean.outcome == "stopped"
    assert (found.outcome == "indeterminate" and "own voice" in found.reason) or (
        found.outcome == "stopped" and found.delay_s == pytest.approx(clean.delay_s, abs=0.02)
    )


@pytest.mark.parametrize("codec", ["pcmu", "opus"])
def test_without_an_echo_nothing_is_another_to_the_bit(codec: str) -> None:
    agent = _through(codec, _side((2.0, "answer_short"), (5.5, "callback"), (ENDS_S[1] + 0.3, "account")))
    assert _heard(agent) == detect_speech(agent, RATE)


@pytest.mark.parametrize("pitch", [1.03, 0.9])
def test_another_voice_that_says_the_same_at_once_is_no_echo(pitch: float) -> None:
    """The very words at the very times, 0.2 s later, as another voice has them: of another pitch."""
    words = clip("refund")
    agent = _side()
    parrot = _of_another_pitch(words, pitch)
    agent[round(3.2 * RATE) : round(3.2 * RATE) + len(parrot)] = parrot
    activity = _heard(_through("opus", agent))
    assert activity.echo is None
    assert activity.talks[0].span.start_s == pytest.approx(3.2, abs=0.05)


def test_the_agent_on_the_caller_s_channel_is_no_echo_of_the_caller() -> None:
    """A recorder's crosstalk, 20 dB down: what is on both channels is the agent's."""
    agent = _side((ENDS_S[0] + 0.7, "callback"))
    caller = np.asarray(CALLER + 0.1 * agent, dtype=np.float32)
    assert _heard(agent, caller=caller) == detect_speech(agent, RATE)


@pytest.mark.parametrize("level_db", [-3.0, -30.0])
def test_a_late_copy_of_the_caller_is_no_answer_and_no_silence_either(level_db: float) -> None:
    """An agent that plays the caller back 1.5 s late, or a long way round: nobody can tell."""
    heard = _line(_side(), "pcmu", delay_s=1.5, level_db=level_db)
    scores, _ = analyse(
        CallMaterial(call_id="one", utterances=SAID, end_s=END_S),
        listener=Listener(lambda: (CALLER, heard), instruments=_none()),
        calibration=CalibrationNote(transport="sip", not_calibrated="a test"),
    )
    assert [one.latency_ms for one in scores.turns] == [None, None]
    assert [one.outcome for one in scores.turns] == [TurnOutcome.NOT_DUE] * 2
    assert "the caller's own voice" in scores.turns[0].outcome_reason


def test_what_is_played_back_later_than_any_line_is_the_agent_s_doing() -> None:
    heard = _line(_side(), "pcmu", delay_s=5.0, level_db=-3.0)
    assert _heard(heard).talks[0].span.start_s == pytest.approx(8.0, abs=0.01)


def test_the_call_says_that_an_echo_was_heard_and_the_turn_is_not_answered() -> None:
    heard = _line(_side(), "pcmu", delay_s=0.15, level_db=-30.0)
    scores, _ = analyse(
        CallMaterial(call_id="one", utterances=SAID, end_s=END_S),
        listener=Listener(lambda: (CALLER, heard), instruments=_none()),
        calibration=CalibrationNote(transport="sip", not_calibrated="a test"),
    )
    first = scores.turns[0]
    assert (first.latency_ms, first.outcome) == (None, TurnOutcome.NOT_ANSWERED)
    [note] = [one for one in first.notes if "own voice" in one]
    assert note.startswith("the caller's own voice came back after 150 ms at -3")


@pytest.mark.parametrize("changed_db", [0.0, -90.0])
def test_an_echo_whose_way_changes_in_the_middle_of_a_turn_is_no_figure(changed_db: float) -> None:
    """From 5.2 s on it comes 20 ms later (a jitter buffer grew), or not at all (a suppressor shut)."""
    first = _line(_side(), "opus", delay_s=0.2, level_db=-30.0)
    later = _line(_side(), "opus", delay_s=0.22, level_db=-30.0 + changed_db)
    at = round(5.2 * RATE)
    heard = np.concatenate([first[:at], later[at:]])
    scores, _ = analyse(
        CallMaterial(call_id="one", utterances=SAID, end_s=END_S),
        listener=Listener(lambda: (CALLER, heard), instruments=_none()),
        calibration=CalibrationNote(transport="sip", not_calibrated="a test"),
    )
    assert [one.latency_ms for one in scores.turns] == [None, None]
    kinds = {one.outcome for one in scores.turns}
    assert kinds <= {TurnOutcome.NOT_ANSWERED, TurnOutcome.NOT_DUE}
    assert all(one.double_talk_s == 0.0 for one in scores.conduct)


def test_marker_tones_are_left_alone() -> None:
    """A tone is like itself at any delay."""
    tone = (0.141 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE)).astype(np.float32)
    caller, agent = _side(), _side()
    for at_s in (3.0, 8.0):
        caller[round(at_s * RATE) : round((at_s + 1) * RATE)] = tone
        agent[round((at_s + 0.3) * RATE) : round((at_s + 1.3) * RATE)] = tone
    said = replace(detect_speech(caller, RATE), marker_tones=False)
    assert detect_beside(caller, agent, RATE, said=said) == detect_speech(agent, RATE)


def _none() -> Instruments:
    return Instruments(only=frozenset({"timing"}))


def _of_another_pitch(sound: Samples, factor: float) -> Samples:
    """The same durations at another pitch: stretched by a phase vocoder, then played faster."""
    size, hop = 2048, 512
    far = round(hop * factor)
    window = np.hanning(size + 1)[:-1]
    spectra = [np.fft.rfft(sound[at : at + size] * window) for at in range(0, len(sound) - size, hop)]
    turns = 2 * np.pi * np.arange(size // 2 + 1) * hop / size
    phase = before = np.angle(spectra[0])
    stretched = np.zeros(far * len(spectra) + size)
    for place, spectrum in enumerate(spectra):
        if place:
            apart = np.angle(spectrum) - before - turns
            apart -= 2 * np.pi * np.round(apart / 2 / np.pi)
            phase = phase + (turns + apart) * far / hop
        before = np.angle(spectrum)
        part = np.fft.irfft(np.abs(spectrum) * np.exp(1j * phase)) * window
        stretched[place * far : place * far + size] += part
    played = np.interp(np.arange(0, len(stretched) - 1, far / hop), np.arange(len(stretched)), stretched)
    gain = np.sqrt(np.mean(np.square(sound)) / np.mean(np.square(played)))
    return np.asarray(played * gain, dtype=np.float32)
