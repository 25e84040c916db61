"""The caller's own voice on the agent's channel: whole calls with planted echoes, held to the same without.

The caller asks four times; the agent (the same voice) answers 0.9 s later, 0.1 s later (into what comes
back), 1.0 s later, and then not at all. It is interrupted in its third answer, in a call of its own.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.call import analyse, utterances_in
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.records.call import SpokenUtterance
from harness.records.scores import CalibrationNote, CallScores
from harness.transports.codecs.table import codec_named
from metrics.detection.beside_caller import detect_beside
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from metrics.speech import detect_speech
from tests.unit.harness.stand_ins.spoken import RATE, clip

ASKS = ("refund", "question", "account", "reference")
ANSWERS = ("callback", "answer_short", "untrimmed_form")
AFTER_S = (0.9, 0.1, 1.0)
FOUND = "the caller's own voice comes back on the agent's channel (line echo, "

Samples = NDArray[np.float32]


@functools.cache
def _call() -> tuple[Samples, Samples, tuple[SpokenUtterance, ...]]:
    """Both sides, and what the caller said."""
    said, answers, at_s = [], [], 1.0
    for place, name in enumerate(ASKS):
        ends_s = at_s + len(clip(name)) / RATE
        said.append((at_s, clip(name)))
        if place == len(ANSWERS):
            at_s = ends_s + 10.0
            break
        answers.append((ends_s + AFTER_S[place], clip(ANSWERS[place])))
        at_s = answers[-1][0] + len(clip(ANSWERS[place])) / RATE + 1.5
    return _side(said, at_s), _side(answers, at_s), _spoken(said)


def _side(parts: list[tuple[float, Samples]], total_s: float) -> Samples:
    audio = np.zeros(round(total_s * RATE), np.float32)
    for at_s, samples in parts:
        first = round(at_s * RATE)
        audio[first : first + len(samples)] += samples
    return audio


def _spoken(said: list[tuple[float, Samples]], kinds: str = "") -> tuple[SpokenUtterance, ...]:
    return tuple(
        SpokenUtterance(
            index=index,
            text="x",
            kind="barge_in" if str(index) in kinds else "turn",
            start_s=at_s,
            end_s=at_s + len(samples) / RATE,
            audio_sha256="",
        )
        for index, (at_s, samples) in enumerate(said)
    )


def _back(sent: Samples, delay_s: float, gain_db: float, how: str = "") -> Samples:
    if how in ("pcmu", "opus"):
        sent = _through(how, sent)
    if how == "band":
        sent = np.asarray(sosfilt(butter(4, [300, 3400], btype="band", fs=RATE, output="sos"), sent))
    if how == "twice":
        sent = sent - 0.5 * _back(sent, 0.04, 0.0)
    come = np.concatenate([np.zeros(round(delay_s * RATE), np.float32), sent])[: len(sent)]
    return np.asarray(come * 10 ** (gain_db / 20), dtype=np.float32)


def _through(codec: str, sound: Samples) -> Samples:
    coded = codec_named(codec)
    heard = coded.decode(coded.encode(sound))[coded.delay_samples :]
    return np.asarray(np.pad(heard, (0, max(0, len(sound) - len(heard))))[: len(sound)], dtype=np.float32)


def _line(sent: Samples, agent: Samples, delay_s: float, gain_db: float, how: str = "") -> Samples:
    both = np.asarray(agent + _back(sent, delay_s, gain_db, how), dtype=np.float32)
    return _through(how, both) if how in ("pcmu", "opus") else both


def _scores(caller: Samples, agent: Samples, said: tuple[SpokenUtterance, ...]) -> CallScores:
    scores, _ = analyse(
        CallMaterial(call_id="one", utterances=said, end_s=len(agent) / RATE, ending=Ending(patience_s=8.0)),
        listener=Listener(lambda: (caller, agent), instruments=_none()),
        calibration=CalibrationNote(transport="sip", not_calibrated="a test"),
    )
    return scores


def _none() -> Instruments:
    return Instruments(only=frozenset({"timing"}))


LINES = [
    (0.06, -20.0, ""),
    (0.4, -10.0, ""),
    (0.18, -20.0, "pcmu"),
    *(
        pytest.param(*line, marks=pytest.mark.long)
        for line in [
            (0.01, -10.0, ""),
            (0.18, -30.0, ""),
            (0.4, -20.0, ""),
            (0.18, -20.0, "band"),
            (0.06, -10.0, "twice"),
            (0.18, -20.0, "opus"),
        ]
    ),
]


@pytest.mark.parametrize(("delay_s", "gain_db", "how"), LINES)
def test_with_an_echo_a_figure_is_the_one_without_it_or_none(
    delay_s: float, gain_db: float, how: str
) -> None:
    caller, agent, said = _call()
    clean = _scores(caller, _through(how, agent) if how in ("pcmu", "opus") else agent, said)
    heard = _line(caller, agent, delay_s, gain_db, how)
    # Taken as it sounds, the agent "answers" seconds before the caller has finished.
    talks = detect_speech(heard, RATE).talks
    assert any(said[0].start_s < one.span.start_s < said[0].end_s for one in talks)
    scores = _scores(caller, heard, said)
    assert scores.line_echo is not None
    assert scores.line_echo.delay_ms == pytest.approx(delay_s * 1000, abs=2)
    assert scores.line_echo.gain_db == pytest.approx(gain_db, abs=3)
    for turn, truth in zip(scores.turns, clean.turns, strict=True):
        assert turn.latency_ms is None or turn.latency_ms == pytest.approx(truth.latency_ms, abs=2)
        assert turn.outcome in (truth.outcome, TurnOutcome.NOT_DUE)
    # What begins clearly after the echo keeps its figure: 0.9 and 1.0 s after the end.
    kept = [scores.turns[index].latency_ms for index in (0, 2)]
    assert kept == pytest.approx([900, 1000], abs=15)
    # Nothing but the echo followed on the last: 0.4 s of it may hide a short answer, less may not.
    last = scores.turns[3]
    assert clean.turns[3].outcome is TurnOutcome.NOT_ANSWERED
    if delay_s >= 0.4:
        assert (last.status, last.outcome) == (Status.INDETERMINATE, TurnOutcome.NOT_DUE)
        assert f"{FOUND}{scores.line_echo.delay_ms:.0f} ms later, " in last.reason
        assert FOUND in last.outcome_reason
    else:
        assert (last.status, last.outcome) == (Status.NOT_APPLICABLE, TurnOutcome.NOT_ANSWERED)
    assert all(one.double_talk_s == 0.0 for one in scores.conduct)


@pytest.mark.parametrize(("delay_s", "gain_db"), [(0.18, -10.0), (0.18, -20.0), (0.4, -20.0)])
def test_an_onset_into_what_comes_back_is_not_measured(delay_s: float, gain_db: float) -> None:
    """The second answer comes 0.1 s after the caller's end."""
    caller, agent, said = _call()
    assert _scores(caller, agent, said).turns[1].latency_ms == pytest.approx(100, abs=15)
    turn = _scores(caller, _line(caller, agent, delay_s, gain_db), said).turns[1]
    assert turn.latency_ms is None
    assert turn.status is Status.INDETERMINATE
    assert turn.reason.startswith(FOUND)
    assert turn.reason.endswith("the agent's onset cannot be told from it")


@pytest.mark.parametrize("codec", ["", "opus"])
def test_without_an_echo_nothing_is_another_to_the_bit(codec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    caller, agent, said = _call()
    heard = _through(codec, agent) if codec else agent
    activity = detect_beside(caller, heard, RATE, said=detect_speech(caller, RATE))
    assert activity == detect_speech(heard, RATE)
    found = _scores(caller, heard, said)
    monkeypatch.setattr("metrics.detection.beside_caller.echo_path", lambda *_, **__: None)
    assert _scores(caller, heard, said).model_dump_json() == found.model_dump_json()
    assert found.line_echo is None


def _interrupted(stops_after_s: float | None) -> tuple[Samples, Samples, tuple[SpokenUtterance, ...]]:
    """Three turns as above, and an interruption 1.5 s into the third answer ("untrimmed_summary")."""
    said, answers, at_s = [], [], 1.0
    for name, answer in zip(ASKS[:2], ANSWERS[:2], strict=True):
        said.append((at_s, clip(name)))
        answers.append((at_s + len(clip(name)) / RATE + 0.9, clip(answer)))
        at_s = answers[-1][0] + len(clip(answer)) / RATE + 1.5
    said.append((at_s, clip("account")))
    begins_s = at_s + len(clip("account")) / RATE + 0.9
    said.append((begins_s + 1.5, clip("question")))
    ends_s = begins_s + 1.5 + len(clip("question")) / RATE
    long = np.concatenate([clip("untrimmed_summary"), clip("untrimmed_visit"), clip("untrimmed_form")])
    spoken = long if stops_after_s is None else long[: round((1.5 + stops_after_s) * RATE)]
    total_s = max(ends_s, begins_s + len(spoken) / RATE) + 4.0
    answers.append((begins_s, spoken))
    return _side(said, total_s), _side(answers, total_s), _spoken(said, kinds="3")


@pytest.mark.parametrize(("delay_s", "gain_db"), [(0.06, -10.0), (0.18, -20.0), (0.4, -10.0)])
def test_a_stop_under_the_interruption_come_back_is_one_without_a_delay(
    delay_s: float, gain_db: float
) -> None:
    """The echo has ended with the interruption or soon after: so much later no agent has not stopped."""
    caller, agent, said = _interrupted(0.8)
    [clean] = _scores(caller, agent, said).interruptions
    assert clean.outcome == "stopped"
    assert clean.delay_ms == pytest.approx(800, abs=60)
    [found] = _scores(caller, _line(caller, agent, delay_s, gain_db), said).interruptions
    assert (found.outcome, found.delay_ms, found.agent_stop_s) == ("stopped", None, None)
    assert found.censored_after_ms is not None
    assert clean.delay_ms is not None
    assert clean.delay_ms - 200 < found.censored_after_ms < clean.delay_ms + 15
    assert found.within_500ms in (None, False)
    assert found.reason.startswith(FOUND)
    assert "the agent's end cannot be told from it; it stopped " in found.reason


def test_a_stop_before_the_interruption_comes_back_keeps_its_delay() -> None:
    caller, agent, said = _interrupted(0.25)
    [clean] = _scores(caller, agent, said).interruptions
    [found] = _scores(caller, _line(caller, agent, 0.45, -20.0), said).interruptions
    assert (found.outcome, found.delay_ms) == (clean.outcome, clean.delay_ms)
    assert clean.outcome == "stopped"


def test_an_agent_that_speaks_on_beyond_the_echo_did_not_stop() -> None:
    caller, agent, said = _interrupted(None)
    [clean] = _scores(caller, agent, said).interruptions
    [found] = _scores(caller, _line(caller, agent, 0.18, -20.0), said).interruptions
    assert clean.outcome == found.outcome == "not_stopped"
    assert found.censored_after_ms == pytest.approx(clean.censored_after_ms, abs=20)


def test_in_a_recording_from_elsewhere_an_echo_splits_no_turn_and_makes_no_interruption() -> None:
    caller, agent, _ = _call()
    said = detect_speech(caller, RATE)
    clean = utterances_in(said, detect_speech(agent, RATE))
    heard = _line(caller, agent, 0.4, -10.0)
    assert utterances_in(said, detect_beside(caller, heard, RATE, said=said)) == clean


def test_one_sound_on_both_channels_is_told_and_left_alone() -> None:
    caller, agent, said = _call()
    heard = np.asarray(agent + 0.8 * caller, dtype=np.float32)
    activity = detect_beside(caller, heard, RATE, said=detect_speech(caller, RATE))
    assert activity.talks == detect_speech(heard, RATE).talks
    note = _scores(caller, heard, said).line_echo
    assert note is not None
    assert "the recording may mix its channels" in note.note
    # Crosstalk, as faint as a line's echo.
    note = _scores(caller, np.asarray(agent + 0.1 * caller, dtype=np.float32), said).line_echo
    assert note is not None
    assert (note.delay_ms, note.gain_db) == (pytest.approx(0.0, abs=0.2), pytest.approx(-20.0, abs=1))


def test_marker_tones_are_no_echo() -> None:
    """A calibration agent's tone after each of the caller's, and a caller that sounds in the same tone."""
    tone = np.asarray(0.1414 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE), dtype=np.float32)
    caller = _side([(at_s, tone) for at_s in (1.0, 4.0, 7.0, 10.0)], 13.0)
    agent = _back(caller, 0.3, 0.0)
    for marked in (True, False):
        said = detect_speech(caller, RATE, marker_tones=marked)
        assert detect_beside(caller, agent, RATE, said=said) == detect_speech(agent, RATE)
    spoken = _call()[0]
    said = detect_speech(spoken, RATE)
    tones = np.resize(agent, len(spoken))
    assert detect_beside(spoken, tones, RATE, said=said) == detect_speech(tones, RATE)


@pytest.mark.parametrize("length_s", [0.2, 0.4, 0.6])
def test_short_answers_in_the_caller_s_own_voice_are_not_taken_for_an_echo(length_s: float) -> None:
    """On a line with an echo: the answer is the caller's own first sound, 0.5 s after the echo has ended."""
    short = clip("refund")[: round(length_s * RATE)]
    said, answers, at_s = [], [], 1.0
    for name in (*ASKS, "minutes"):
        ends_s = at_s + len(clip(name)) / RATE
        said.append((at_s, clip(name)))
        answers.append((ends_s + 0.68, short))
        at_s = ends_s + 0.68 + length_s + 1.5
    caller, agent, spoken = _side(said, at_s), _side(answers, at_s), _spoken(said)
    heard = _scores(caller, _line(caller, agent, 0.18, -20.0), spoken)
    assert heard.line_echo is not None
    assert [one.latency_ms for one in heard.turns] == pytest.approx([680.0] * 5, abs=15)
    assert all(one.outcome.replied for one in heard.turns)
