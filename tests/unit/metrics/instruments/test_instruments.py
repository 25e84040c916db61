"""What listens takes sound at any rate, and hears in it what it hears in the same sound at its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fixtures import SPEECH_FOLDER
from metrics import Audio, Nisqa, NisqaError, Transcriber, detect_speech
from metrics.speech import detect_speech as detect_in_samples

CLIP = SPEECH_FOLDER / "account.flac"


@pytest.fixture(scope="module")
def clip() -> Audio:
    return Audio.from_file(CLIP)


def test_speech_is_found_at_the_rate_that_the_audio_has(clip: Audio) -> None:
    found = detect_speech(clip)
    assert found == detect_in_samples(clip.samples, clip.sample_rate_hz)
    narrow = detect_speech(clip.resampled(8000))
    assert narrow.talks[0].span.start_s == pytest.approx(found.talks[0].span.start_s, abs=0.02)
    assert narrow.talks[-1].span.end_s == pytest.approx(found.talks[-1].span.end_s, abs=0.05)


def test_words_are_the_same_from_telephone_audio(clip: Audio, whisper_folder: Path) -> None:
    whisper = Transcriber(whisper_folder, language="en")
    words = whisper.transcribe(clip).text
    assert "account" in words
    assert whisper.transcribe(clip.resampled(8000)).text.lower().split()[-1] == words.lower().split()[-1]


def test_a_voice_is_rated_at_the_rate_that_it_has(clip: Audio, nisqa_folder: Path) -> None:
    nisqa = Nisqa(nisqa_folder / "nisqa.tar")
    assert nisqa.refusal(clip) == ""
    assert nisqa.doubts(clip) == ()
    assert nisqa.doubts(clip.resampled(8000)) == ("narrowband (nothing above 4 kHz)",)
    one, other = nisqa.rate_all([clip, clip.resampled(8000)])
    assert nisqa.rate(clip) == one
    assert one != other


def test_silence_has_no_quality(nisqa_folder: Path) -> None:
    silence = Audio(samples=np.zeros(48_000), sample_rate_hz=48_000)
    nisqa = Nisqa(nisqa_folder / "nisqa_tts.tar")
    assert nisqa.refusal(silence).startswith("silent")
    with pytest.raises(NisqaError, match="silent"):
        nisqa.rate(silence)
