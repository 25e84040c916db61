"""What the instruments hear in one recording: speech, words, and how the voice sounds.

The only place where the analysis of a call asks the detectors, Whisper, NISQA and the predictors; each answer
is taken from what was kept where nothing that it depends on has changed. The sound itself is only read when
one of them has to listen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from harness.analysis.cache import AnalysisCache
from harness.analysis.instrument_versions import Instrument, made_of
from harness.analysis.instruments import Instruments, Kind
from harness.analysis.sound.artefact_clips import artefacts_in
from harness.analysis.sound.nisqa_clips import RatedClip, rate_clips
from harness.analysis.sound.predicted_clips import PredictedClip, predict_clips
from harness.analysis.sound.spoken_forms import Forms, HeardForms, hear_forms
from harness.records.call import SAMPLE_RATE_HZ, Side
from metrics.detection.beside_caller import detect_beside
from metrics.recognition.forced_decoding import ForcedDecoder
from metrics.resample import to_speech_rate
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech
from metrics.synthesis.artefacts import StretchArtefacts
from metrics.transcript import Transcript as Heard

Samples = NDArray[np.float32]
Result = TypeVar("Result")

CALLER_LEFT_OUT = "the caller's words are known, and were not listened to: score it with --caller-words"
SPOKEN_FORMS = "spoken forms"
HOW_ASKED = ("model", "threads")
"""Of what an instrument is asked, what tells of the instrument."""

_ACTIVITY = TypeAdapter(SpeechActivity)
_HEARD = TypeAdapter(Heard)
_RATED = TypeAdapter(list[RatedClip])
_PREDICTED = TypeAdapter(list[PredictedClip])
_ARTEFACTS = TypeAdapter(list[StretchArtefacts])
_FORMS = TypeAdapter(list[HeardForms])


class Listener:
    """Listens to one recording.

    Args:
        load: Gives both sides at 48 kHz, caller first; called once at most.
        instruments: Whisper and NISQA, or the reasons why there are none.
        recording_sha256: Of the recording's file; empty for one of which nothing is kept.
        cache: What was heard in it before.

    Attributes:
        asked, measured: How often an answer was wanted, and how often an instrument had to give it.
    """

    def __init__(
        self,
        load: Callable[[], tuple[Samples, Samples]],
        *,
        instruments: Instruments,
        recording_sha256: str = "",
        cache: AnalysisCache | None = None,
    ) -> None:
        self._load = load
        self._instruments = instruments
        self._recording = recording_sha256
        self._cache = cache if cache is not None and recording_sha256 else AnalysisCache(None)
        self.asked = 0
        self.measured = 0
        self._left_out: dict[str, str] = {}

    @property
    def why_no_whisper(self) -> str:
        """Why :meth:`words` gives None of the agent; empty where it does not."""
        return self._instruments.why_no_whisper or self._left_out.get("words of the agent", "")

    @property
    def why_no_caller_words(self) -> str:
        """Why :meth:`words` gives None of the caller; empty where it does not."""
        return self._instruments.why_no_whisper or self._left_out.get("words of the caller", "")

    @property
    def hears_the_caller(self) -> bool:
        """The caller's words are wanted, though they are known."""
        return self._instruments.caller_words

    @property
    def why_no_nisqa(self) -> str:
        """Why :meth:`ratings` gives None; empty where it does not."""
        return self._instruments.why_no_nisqa or self._left_out.get("voice of the agent", "")

    @property
    def why_no_predictors(self) -> str:
        """Why :meth:`predictions` gives None; empty where it does not."""
        return self._instruments.why_no_predictors or self._left_out.get("predicted voice of the agent", "")

    @property
    def why_no_artefacts(self) -> str:
        """Why :meth:`artefacts` gives None; empty where it does not."""
        return self._left_out.get("artefacts of the agent", "")

    def why_no_forms(self, of: str = SPOKEN_FORMS) -> str:
        """Why :meth:`forms` gives None; empty where it does not."""
        return self._instruments.why_no_whisper or self._left_out.get(f"{of} of the agent", "")

    def activity(
        self, side: Side, *, present: Span | None = None, absent: Sequence[Span] = ()
    ) -> SpeechActivity:
        """When a side speaks (:func:`metrics.speech.detect_speech`); of the agent with what the caller's own
        voice, come back, leaves in doubt (:func:`metrics.detection.beside_caller.detect_beside`)."""
        if side == "caller" and present is None and not absent:
            return self._caller_speech
        return self._measured(
            f"speech of the {side}",
            "speech",
            {"present": _text([present] if present else []), "absent": _text(absent)},
            _ACTIVITY,
            lambda: self._detected(side, present, tuple(absent)),
        )

    def words(self, side: Side, spans: Sequence[Span], language: str, *, wanted: bool = True) -> Heard | None:
        """What Whisper hears of a side in these spans; None without Whisper.

        Args:
            wanted: Otherwise what was heard before is taken, and nothing is listened to.
        """
        model = self._instruments.whisper_digest
        if model is None:
            return None
        return self._heard(
            f"words of the {side}",
            "words",
            {
                "model": model,
                "threads": str(self._instruments.threads),
                "language": language,
                "spans": _text(spans),
            },
            _HEARD,
            lambda: self._recognise(side, spans, language),
            left_out=self.left_out("words") or ("" if wanted else CALLER_LEFT_OUT),
            # What would not have been listened to anyway is told as that, whatever is left out.
            told="" if wanted else CALLER_LEFT_OUT,
        )

    def ratings(self, spans: Sequence[Span]) -> list[RatedClip] | None:
        """What NISQA says of the agent's voice in those spans that it can rate; None without NISQA."""
        model = self._instruments.nisqa_digest
        if model is None:
            return None
        return self._heard(
            "voice of the agent",
            "voice",
            {"model": model, "threads": str(self._instruments.threads), "spans": _text(spans)},
            _RATED,
            lambda: self._rate(spans),
            left_out=self.left_out("sound"),
        )

    def predictions(self, spans: Sequence[Span]) -> list[PredictedClip] | None:
        """What DNSMOS and PLCMOS say of the agent's voice in those spans that they can rate; None without."""
        model = self._instruments.predictors_digest
        if model is None:
            return None
        return self._heard(
            "predicted voice of the agent",
            "prediction",
            {"model": model, "threads": str(self._instruments.threads), "spans": _text(spans)},
            _PREDICTED,
            lambda: self._predict(spans),
            left_out=self.left_out("sound"),
        )

    def artefacts(self, spans: Sequence[Span]) -> list[StretchArtefacts] | None:
        """Drop-outs, clipping, level jumps and cut ends in those spans of the agent's voice; None where they
        were left out."""
        return self._heard(
            "artefacts of the agent",
            "artefacts",
            {"spans": _text(spans)},
            _ARTEFACTS,
            lambda: artefacts_in(self._audio["agent"], SAMPLE_RATE_HZ, spans),
            left_out=self.left_out("sound"),
        )

    def forms(
        self, forms: Sequence[Forms], language: str, *, of: str = SPOKEN_FORMS
    ) -> list[HeardForms] | None:
        """How well the spoken forms of sentences fit to what the agent said; None without Whisper.

        Args:
            of: What is asked about: the answer is kept by that name.
        """
        model = self._instruments.whisper_digest
        if model is None:
            return None
        return self._heard(
            f"{of} of the agent",
            "forms",
            {
                "model": model,
                "threads": str(self._instruments.threads),
                "language": language,
                "spans": _text([one.span for one in forms]),
                "sentences": f"sha256 {_digest(repr([one.sentences for one in forms]))}",
            },
            _FORMS,
            lambda: self._fit(forms, language),
            left_out=self.left_out("words"),
        )

    def sound(self, side: Side) -> Samples:
        """A side's samples at 48 kHz."""
        return self._audio[side]

    @cached_property
    def _caller_speech(self) -> SpeechActivity:
        """Asked for beside the agent's, too: what is not kept in a file is detected once all the same."""
        return self._measured(
            "speech of the caller",
            "speech",
            {"present": "", "absent": ""},
            _ACTIVITY,
            lambda: self._detected("caller", None, ()),
        )

    def _detected(self, side: Side, present: Span | None, absent: tuple[Span, ...]) -> SpeechActivity:
        audio = self._audio[side]
        if side == "caller":
            return detect_speech(audio, SAMPLE_RATE_HZ, present=present, absent=absent)
        return detect_beside(
            self._audio["caller"],
            audio,
            SAMPLE_RATE_HZ,
            said=self._caller_speech,
            present=present,
            absent=absent,
        )

    @cached_property
    def _audio(self) -> dict[Side, Samples]:
        caller, agent = self._load()
        return {"caller": caller, "agent": agent}

    def left_out(self, kind: Kind) -> str:
        """Why nothing of a kind is measured now; empty where it is."""
        only = self._instruments.only
        return "" if kind in only else f"it was left out (--only {','.join(sorted(only))})"

    def _heard(
        self,
        name: str,
        instrument: Instrument,
        asked: Mapping[str, str],
        form: TypeAdapter[Result],
        measure: Callable[[], Result],
        *,
        left_out: str,
        told: str = "",
    ) -> Result | None:
        """A part as it was kept; else measured now, or None where it is left out (``told``: why, in words).

        What is left out may have been heard by an earlier version of the instrument, in the same recording
        and the same stretches of it.
        """
        if not left_out:
            return self._measured(name, instrument, asked, form, measure)
        made = {**made_of(instrument), **{key: asked[key] for key in HOW_ASKED if key in asked}}
        before = self._cache.kept(
            name,
            {"recording": self._recording, **made, **asked},
            form,
            # What was heard by an earlier version stands until it is wanted again; but the caller's words
            # are never wanted by themselves.
            whatever=() if left_out == CALLER_LEFT_OUT else made,
        )
        if before is None:
            self._left_out[name] = told or left_out
        else:
            self.asked += 1
        return before

    def _measured(
        self,
        name: str,
        instrument: Instrument,
        asked: Mapping[str, str],
        form: TypeAdapter[Result],
        measure: Callable[[], Result],
    ) -> Result:
        self.asked += 1
        made_from = {"recording": self._recording, **made_of(instrument), **asked}
        before = self._cache.get(name, made_from, form)
        if before is not None:
            return before
        self.measured += 1
        return self._cache.put(name, made_from, form, measure())

    def _recognise(self, side: Side, spans: Sequence[Span], language: str) -> Heard:
        whisper = self._instruments.whisper
        assert whisper is not None
        return whisper.transcribe(
            to_speech_rate(self._audio[side], SAMPLE_RATE_HZ), language, spans=list(spans)
        )

    def _fit(self, forms: Sequence[Forms], language: str) -> list[HeardForms]:
        whisper = self._instruments.whisper
        assert whisper is not None
        return hear_forms(
            to_speech_rate(self._audio["agent"], SAMPLE_RATE_HZ),
            forms,
            decoder=ForcedDecoder(whisper.model),
            language=language,
        )

    def _rate(self, spans: Sequence[Span]) -> list[RatedClip]:
        naturalness, quality = self._instruments.naturalness, self._instruments.quality
        assert naturalness is not None
        assert quality is not None
        return rate_clips(
            self._audio["agent"], SAMPLE_RATE_HZ, spans, naturalness=naturalness, quality=quality
        )

    def _predict(self, spans: Sequence[Span]) -> list[PredictedClip]:
        predictors = self._instruments.predictors
        assert predictors is not None
        return predict_clips(self._audio["agent"], SAMPLE_RATE_HZ, spans, predictors=predictors)


def _text(spans: Sequence[Span]) -> str:
    """Spans as an exact, short text."""
    exact = ";".join(f"{span.start_s!r},{span.end_s!r}" for span in spans)
    return exact if len(exact) <= 100 else f"{len(spans)} spans, sha256 {_digest(exact)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
