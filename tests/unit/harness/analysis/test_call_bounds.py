"""That nothing of a call is lost between what was found in it and what is told of it; bounds, roundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from harness.analysis import call
from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.call import analyse, utterances_in
from harness.analysis.listener import Listener
from harness.analysis.measures.base import Found
from harness.analysis.sound.nisqa_clips import RatedClip
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.plans.probes.planted import ProbePlan
from harness.records.call import Event, Gap, Side
from harness.records.scores import ProbeReading, WordCounts
from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.interruption import MAY_HAVE_ENDED
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity
from metrics.synthesis.artefacts import StretchArtefacts
from metrics.synthesis.nisqa_result import NaturalnessResult, QualityResult
from metrics.synthesis.prediction import Prediction
from tests.unit.harness.analysis.test_call import (
    CALIBRATED,
    END_S,
    _activity,
    _analysed,
    _Listener,
    _packets,
    _said,
)


def _ending_softly(*talks: tuple[float, float], open_s: float = 0.0) -> SpeechActivity:
    plain = _activity(*talks)
    soft = tuple(replace(talk, soft_end=True, open_s=(open_s,)) for talk in plain.talks)
    return replace(plain, talks=soft)


# --- what is asked of the instruments


@pytest.mark.parametrize(
    ("known", "checked", "hears", "wanted"),
    [
        (True, False, False, False),
        (False, False, False, True),
        (True, True, False, True),
        (True, False, True, True),
    ],
)
def test_the_caller_is_listened_to_where_its_words_are_not_known_or_are_checked_or_wanted(
    known: bool, checked: bool, hears: bool, wanted: bool
) -> None:
    listener = _Listener(_activity((12.8, 16.0)), hears_the_caller=hears)
    _analysed(listener, _said(0, 10.0, 12.0), utterances_known=known, caller_is_checked=checked)
    assert listener.asked["words of the caller"] is wanted
    assert listener.asked["words of the agent"] is True


def test_each_turn_is_judged_by_the_words_that_were_heard() -> None:
    said = _said(0, 10.0, 12.0)
    listener = _Listener(_ending_softly((13.0, 13.4)), spoken={"agent": [("Mm.", 13.0)]})
    heard, _ = _analysed(listener, said, _said(1, 20.0, 20.4, kind="backchannel"))
    assert [(turn.index, turn.outcome, turn.outcome_reason) for turn in heard.turns] == [
        (0, "answered_in_part", "the whole reply is 0.4 s of speech that says nothing"),
        (1, "not_due", "a backchannel asks for no answer"),
    ]
    deaf = replace(listener, why_no_whisper="no Whisper")
    [turn] = _analysed(deaf, said)[0].turns
    assert (turn.outcome, turn.outcome_reason) == (
        "answered",
        "0.4 s of speech; without its words nobody can tell whether it says anything",
    )


# --- what the measures meet, and what stands in the file

EVERY_FORM = ProbePlan.model_validate(
    {
        "suite": "all",
        "version": "1",
        "planted": [{"item": "cough", "line": 1, "kind": "cough", "place": "over_agent"}],
        "asked": [{"item": "first", "line": 0, "kind": "sentence"}],
        "attended": [
            {
                "item": "other",
                "request": "r",
                "line": 0,
                "kind": "name",
                "entity": "Smith",
                "place": "under_request",
            }
        ],
        "to_read": [{"item": "plain", "line": 0, "kind": "neutral", "text": "It is late."}],
    }
)


def _met(
    monkeypatch: pytest.MonkeyPatch, listener: _Listener
) -> tuple[AnalysedCall, CallMaterial, dict[str, Any]]:
    """What the measures meet of a call of every form, its material, and what stands in its file."""
    met: list[AnalysedCall] = []

    def found_in(one: AnalysedCall) -> list[Found]:
        met.append(one)
        return []

    monkeypatch.setattr(call, "found_in", found_in)
    said = [_said(0, 10.0, 12.0), _said(1, 14.0, 16.5, kind="barge_in", agent_onset_s=12.8)]
    material = CallMaterial(call_id="c7", utterances=said, end_s=END_S, probe=EVERY_FORM)
    scores, transcript = analyse(material, listener=cast(Listener, listener), calibration=CALIBRATED)
    [one] = met
    assert scores.scores == []
    assert transcript.lines == sorted(one.lines, key=lambda line: line.start_s)
    return one, material, {name: getattr(scores, name) for name in type(scores).model_fields}


def _full_listener(*, tones: bool = False) -> _Listener:
    span = Span(start_s=12.8, end_s=14.4)
    quality = QualityResult(mos=3.0, noisiness=3.1, discontinuity=3.2, coloration=3.3, loudness=3.4)
    predicted = Prediction(dnsmos_sig=3.1, dnsmos_bak=4.2, dnsmos_ovrl=2.9, dnsmos_p808=3.6, plcmos=4.4)
    return _Listener(
        _activity((12.8, 14.4), (17.2, 20.0), tones=tones),
        rated=[RatedClip(span=span, naturalness=NaturalnessResult(naturalness=4.1), quality=quality)],
        predicted=[PredictedClip(span=span, prediction=predicted)],
        why_no_whisper="no Whisper",
        why_no_caller_words="no words of the caller",
        why_no_nisqa="no NISQA",
        why_no_predictors="no predictors",
        why_no_artefacts="no artefacts",
    )


def test_measures_meet_all_that_was_found_in_the_call_and_the_file_has_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listener = _full_listener()
    one, material, file = _met(monkeypatch, listener)
    assert one.material is material
    for name in (
        "turns",
        "interruptions",
        "reactions",
        "hearings",
        "attention",
        "readings",
        "conduct",
        "told",
    ):
        assert file[name]
        assert getattr(one, name) == file[name]
    assert [line.source for line in one.lines] == ["said", "said"]
    assert one.activity is listener.agent
    assert one.rated is listener.rated
    assert one.predicted is listener.predicted
    assert one.artefacts == [
        StretchArtefacts(span=Span(start_s=12.8, end_s=14.4)),
        StretchArtefacts(span=Span(start_s=17.2, end_s=20.0)),
    ]
    assert one.sound == listener.sound
    assert (one.why_no_recogniser, one.why_no_caller_words) == ("no Whisper", "no words of the caller")
    assert (one.why_no_rating, one.why_no_prediction) == ("no NISQA", "no predictors")
    assert one.why_no_artefacts == "no artefacts"


def test_nobody_looks_for_artefacts_in_marker_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    one, _, _ = _met(monkeypatch, _full_listener(tones=True))
    assert one.artefacts is None
    assert one.why_no_artefacts == "the agent sounds in marker tones and never speaks"


def test_each_detector_is_described() -> None:
    scores, _ = _analysed(_Listener(_activity((12.8, 16.0))), _said(0, 10.0, 12.0))
    assert scores.detectors == {
        "energy": "a sample is voiced from -48 dBFS, or 5 times the noise floor",
        "silero": "Silero VAD v6, speech from probability 0.5",
        "webrtcvad": "WebRTC VAD, mode 2, 10 ms frames; for comparison only",
    }


def test_what_an_agent_that_wrote_nothing_missed_stands_beside_the_counts() -> None:
    """Its two words are missing, and what our recogniser heard of the caller lacks one."""
    listener = _Listener(_activity((12.8, 16.0)), spoken={"caller": [("line", 10.2)]})
    silent, _ = _analysed(listener, _said(0, 10.0, 12.0, text="line five"))
    missed = WordCounts(substitutions=0, deletions=2, insertions=0, reference=2)
    assert silent.unheard["wer"] == missed
    assert "wer" not in silent.word_counts
    assert silent.word_counts["caller_intelligibility_wer"].deletions == 1
    assert "caller_intelligibility_wer" not in silent.unheard
    wrote = Event(
        t=13.0,
        side="agent",
        kind="user-transcription",
        source="rtvi",
        data={"text": "line five", "final": True},
    )
    written, _ = _analysed(listener, _said(0, 10.0, 12.0, text="line five"), events=[wrote])
    assert "wer" not in written.unheard
    assert written.word_counts["wer"].errors == 0


def test_an_echo_that_may_hide_a_reply_is_known_where_something_was_planted() -> None:
    planted = {"item": "cough", "line": 1, "kind": "cough", "place": "in_silence"}
    probe = ProbePlan.model_validate({"suite": "s", "version": "1", "planted": [planted]})
    said = [_said(0, 10.0, 12.0), _said(1, 20.0, 21.0, kind="backchannel")]
    echo = LineEcho(
        path=EchoPath(delay_s=0.2, gain_db=-20.0, talks=3, seconds=4.0),
        heard=(Span(start_s=21.2, end_s=22.0),),
    )
    quiet, _ = _analysed(_Listener(_activity((12.8, 16.0))), *said, probe=probe)
    assert [(one.replied, one.reason) for one in quiet.reactions] == [(False, "")]
    doubtful, _ = _analysed(_Listener(replace(_activity((12.8, 16.0)), echo=echo)), *said, probe=probe)
    [reaction] = doubtful.reactions
    assert reaction.replied is None
    assert reaction.reason.startswith("nothing else followed, and the caller's own voice comes back")


class _Reader(_Listener):
    """Is asked about sentences, and tells of what."""

    def forms(self, forms: Sequence[Any], language: str, *, of: str = "spoken forms") -> None:
        self.asked["forms"] = (list(forms), language, of)

    def why_no_forms(self, of: str = "spoken forms") -> str:
        return f"nobody listened for {of}"

    def sound(self, side: Side) -> Any:
        return f"sound of the {side}"


def test_words_of_another_language_are_asked_about_under_a_name_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: dict[str, Any] = {}

    def delivered(readings: Sequence[ProbeReading], told: object, **more: Any) -> list[ProbeReading]:
        given.update(more, told=told)
        return [one.model_copy(update={"reason": "looked at"}) for one in readings]

    monkeypatch.setattr(call, "delivered", delivered)
    listener = _Reader(_activity((12.8, 16.0)))
    scores, transcript = _analysed(listener, _said(0, 10.0, 12.0), probe=EVERY_FORM, language="zh")
    assert [one.reason for one in scores.readings] == ["looked at"]
    assert (given["told"], given["language"]) == (EVERY_FORM.to_read, "zh")
    assert sorted(given["lines"], key=lambda line: line.start_s) == transcript.lines
    assert given["sound"]() == "sound of the agent"
    assert given["hear"]([], "en") is None
    assert listener.asked["forms"] == ([], "en", "words of another language")
    assert given["why_not"]() == "nobody listened for words of another language"


# --- figures in words


def test_what_lost_audio_may_hide_is_told_in_milliseconds() -> None:
    """Half a second was lost, from a second before the onset on."""
    gap = Gap(side="agent", start_s=12.2, end_s=12.7, packets=25)
    scores, _ = _analysed(_Listener(_activity((13.2, 16.0))), _said(0, 10.0, 12.0), gaps=[gap])
    [turn] = scores.turns
    assert turn.status is Status.INDETERMINATE
    assert turn.notes == ("up to 1000 ms of the onset may be hidden by lost audio",)
    assert turn.resolution_ms == pytest.approx(1004.0)


def test_a_chime_is_told_in_milliseconds() -> None:
    heard = replace(_activity((14.5, 16.0)), tones=(Span(start_s=13.0, end_s=14.0),))
    [turn] = _analysed(_Listener(heard), _said(0, 10.0, 12.0))[0].turns
    assert turn.notes == ("a sound that is no speech (a tone of 1000 ms) began 1000 ms after the turn",)


# --- interruptions


def test_an_end_that_is_open_widens_the_bar_of_an_interruption() -> None:
    """20 ms are open at the end, and its packet came 30 ms late; sound alone tells of a soft end."""
    listener = _Listener(_ending_softly((8.0, 9.9), open_s=0.02))
    said = _said(5, 9.5, 11.5, kind="barge_in")
    [one] = _analysed(listener, said)[0].interruptions
    assert (one.outcome, one.within_500ms, one.stopped_in_pause) == ("stopped", None, True)
    assert one.reason == MAY_HAVE_ENDED
    assert one.resolution_ms == pytest.approx(30.0)
    [late] = _analysed(listener, said, sent=_packets(), received=_packets(at_9_9=0.03))[0].interruptions
    assert late.resolution_ms == pytest.approx(60.0)


def test_who_goes_on_speaking_was_heard_to_stop_at_no_time() -> None:
    """Though a packet of what it says came 200 ms late."""
    listener = _Listener(_activity((8.0, 16.0)))
    said = _said(5, 9.5, 11.5, kind="barge_in")
    scores, _ = _analysed(listener, said, sent=_packets(), received=_packets(at_9_0=0.2))
    [one] = scores.interruptions
    assert one.outcome == "not_stopped"
    assert one.censored_after_ms == pytest.approx(6500.0)
    assert (one.delay_ms, one.heard_delay_ms, one.notes) == (None, None, ())


def test_an_interruption_of_nobody_says_so() -> None:
    [one] = _analysed(_Listener(_activity()), _said(5, 9.5, 11.5, kind="barge_in"))[0].interruptions
    assert (one.basis, one.reason) == ("timing", "the agent was not speaking when the interruption began")


def test_what_was_heard_when_it_came_was_heard_no_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a moment of no length were worth a word."""
    monkeypatch.setattr(call, "HEARD_LATER_S", 0.0)
    listener = _Listener(_activity((8.0, 9.9)))
    said = _said(5, 9.5, 11.5, kind="barge_in")
    scores, _ = _analysed(listener, said, sent=_packets(), received=_packets())
    [one] = scores.interruptions
    assert one.heard_delay_ms == one.delay_ms
    assert one.notes == ()


# --- a recording of which nothing else is known


@pytest.mark.parametrize(
    ("caller", "agent", "joined"),
    [
        # Each is joined with the one before it, and with no other.
        (
            [(1.0, 2.0), (10.0, 11.0), (11.5, 12.0), (20.0, 21.0)],
            [(15.0, 16.0)],
            [(1.0, 2.0), (10.0, 12.0), (20.0, 21.0)],
        ),
        # One of the agent's stretches lies between them.
        ([(1.0, 2.0), (3.0, 5.0)], [(2.2, 2.7), (8.0, 9.0)], [(1.0, 2.0), (3.0, 5.0)]),
        # It ended as the caller paused, or began as the caller went on.
        ([(1.0, 2.0), (3.0, 5.0)], [(0.5, 2.0)], [(1.0, 5.0)]),
        ([(1.0, 2.0), (3.0, 5.0)], [(3.0, 6.0)], [(1.0, 5.0)]),
        ([(1.0, 2.0), (3.0, 5.0)], [], [(1.0, 5.0)]),
    ],
)
def test_stretches_are_joined_unless_the_agent_spoke_between_them(
    caller: list[tuple[float, float]],
    agent: list[tuple[float, float]],
    joined: list[tuple[float, float]],
) -> None:
    found = utterances_in(_activity(*caller), _activity(*agent))
    assert [(one.start_s, one.end_s) for one in found] == joined
