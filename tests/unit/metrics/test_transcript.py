"""Transcripts: the real model on speech and on sounds that are none; all around it on a stand-in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from metrics import transcript as transcript_module
from metrics.recognition.error_rate import word_error_rate
from metrics.spans import Span
from metrics.transcript import Transcriber, TranscriberError, Transcript

RATE = 16_000
Samples = NDArray[np.float32]
Speak = Callable[[str], Samples]


@pytest.fixture(scope="module")
def transcriber(whisper_folder: Path) -> Transcriber:
    return Transcriber(whisper_folder, language="en", threads=2)


def at_level(sound: NDArray[np.float64], level_dbfs: float) -> Samples:
    return (sound / np.sqrt(np.mean(sound**2)) * 10 ** (level_dbfs / 20)).astype(np.float32)


def digital_silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), dtype=np.float32)


def white_noise(seconds: float) -> Samples:
    return at_level(np.random.default_rng(1).normal(size=round(seconds * RATE)), -50)


def mains_hum(seconds: float) -> Samples:
    t = np.arange(round(seconds * RATE)) / RATE
    hum = sum(np.sin(2 * np.pi * 50 * k * t + k) / k for k in range(1, 10))
    return at_level(hum + 0.01 * np.random.default_rng(2).normal(size=t.size), -45)


def comfort_noise(seconds: float) -> Samples:
    """Telephone-band noise whose level changes by up to 4 dB every 100 ms, as a decoder makes it up."""
    rng = np.random.default_rng(3)
    count = round(seconds * RATE)
    band = sosfilt(butter(2, [200, 3400], "bandpass", fs=RATE, output="sos"), rng.normal(size=count))
    gain = np.repeat(10 ** (rng.uniform(-4, 4, size=count // 1600 + 1) / 20), 1600)[:count]
    return at_level(band * gain, -50)


def room_rumble(seconds: float) -> Samples:
    walk = np.cumsum(np.random.default_rng(4).normal(size=round(seconds * RATE)))
    return at_level(sosfilt(butter(1, 50, "highpass", fs=RATE, output="sos"), walk), -45)


SOUNDS = [
    digital_silence,
    white_noise,
    comfort_noise,
    *(pytest.param(one, marks=pytest.mark.long) for one in (mains_hum, room_rumble)),
]


@pytest.mark.parametrize("sound", SOUNDS)
def test_no_words_where_nobody_speaks(transcriber: Transcriber, sound: Callable[[float], Samples]) -> None:
    """As though a detector had taken all of it for speech."""
    for seconds in (0.4, 2.0):
        found = transcriber.transcribe(sound(seconds))
        assert found.words == ()
        assert found.text == ""


@pytest.mark.long
def test_the_model_does_invent_and_its_own_doubt_alone_is_enough(
    transcriber: Transcriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript_module, "silence_reason", lambda clip: "")
    monkeypatch.setattr(transcript_module, "word_silence_reason", lambda clip, start_s, end_s: "")
    invented = []
    for sound in (digital_silence, white_noise, mains_hum):
        found = transcriber.transcribe(sound(1.0))
        assert found.words == (), sound.__name__
        invented += [item.text for item in found.rejected]
    assert sum(bool(text) for text in invented) >= 2, "Whisper invented nothing: this test tests nothing"
    monkeypatch.setattr(transcript_module, "invention_reason", lambda **measures: "")
    assert transcriber.transcribe(white_noise(1.0)).words != ()


def test_no_chinese_words_on_noise_either(transcriber: Transcriber) -> None:
    found = transcriber.transcribe(comfort_noise(2.0), "zh")
    assert found.words == ()
    assert "".join(item.text for item in found.rejected), "Whisper invented nothing: this tests nothing"


FIRST = "Hello, may I speak with Mister Smith?"
SECOND = "I would like to cancel my order, please."


@pytest.fixture(scope="module")
def call(speak: Speak) -> tuple[Samples, list[Span]]:
    """Two utterances in 16 s of faint noise, with a false alarm of the detector between them."""
    audio = np.random.default_rng(5).normal(size=16 * RATE).astype(np.float32) * np.float32(10 ** (-65 / 20))
    spans = []
    for text, start_s in ((FIRST, 2.0), (SECOND, 10.0)):
        speech = speak(text)
        audio[round(start_s * RATE) : round(start_s * RATE) + len(speech)] += speech
        spans.append(Span(start_s=start_s, end_s=start_s + len(speech) / RATE))
    spans.insert(1, Span(start_s=6.0, end_s=7.5))
    return audio, spans


def test_speech_is_recognised_in_its_place(
    transcriber: Transcriber, call: tuple[Samples, list[Span]]
) -> None:
    audio, spans = call
    found = transcriber.transcribe(audio, spans=spans)
    for text, span in ((FIRST, spans[0]), (SECOND, spans[2])):
        heard = found.text_within(Span(start_s=span.start_s - 0.3, end_s=span.end_s + 0.3))
        assert word_error_rate(text, heard).errors == 0, heard
        words = [word for word in found.words if span.start_s - 0.3 <= word.start_s <= span.end_s]
        assert words[0].start_s == pytest.approx(span.start_s, abs=0.05)
        assert words[-1].end_s == pytest.approx(span.end_s, abs=0.2)
    assert found.text_within(Span(start_s=4.5, end_s=9.5)) == ""
    starts = [word.start_s for word in found.words]
    assert starts == sorted(starts)
    assert all(word.start_s <= word.end_s and 0.0 < word.probability <= 1.0 for word in found.words)
    assert [item.start_s for item in found.rejected] == [6.0]


def test_words_are_placed_where_they_were_spoken(transcriber: Transcriber, speak: Speak) -> None:
    """Words spoken one by one, with pauses of 0.2 s: Whisper alone puts their starts about 0.3 s early.

    Processors round Whisper's arithmetic differently, so a word of a list may be heard otherwise on another
    machine: the words that were recognised are compared, and there must be most of them.
    """
    lists = (
        ["Never", "before", "did", "seven", "people", "visit", "London", "together"],
        ["Monday", "morning", "seven", "doctors", "open", "another", "window"],
    )
    errors = []
    for spoken in lists:
        pieces, truth, now_s = [digital_silence(1.0)], [], 1.0
        for word in spoken:
            speech = speak(word)
            truth.append((now_s, now_s + len(speech) / RATE))
            pieces += [speech, digital_silence(0.2)]
            now_s += len(speech) / RATE + 0.2
        audio = np.concatenate([*pieces, digital_silence(1.0)])
        found = transcriber.transcribe(audio, spans=[Span(start_s=truth[0][0], end_s=truth[-1][1])])
        heard = {word.word.strip(" .,!?").casefold(): word for word in found.words}
        known = [
            (heard[word.casefold()], place)
            for word, place in zip(spoken, truth, strict=True)
            if word.casefold() in heard
        ]
        assert len(known) >= len(spoken) - 3, found.text
        errors += [(word.start_s - start, word.end_s - end) for word, (start, end) in known]
    median = np.abs(np.median(np.array(errors), axis=0))
    assert median[0] < 0.03
    assert median[1] < 0.06
    assert np.percentile(np.abs(errors), 90) < 0.2


def test_same_audio_same_words_and_they_survive_a_file(
    transcriber: Transcriber, call: tuple[Samples, list[Span]]
) -> None:
    audio, spans = call
    found = transcriber.transcribe(audio, spans=spans[2:])
    assert transcriber.transcribe(audio, spans=spans[2:]) == found
    assert Transcript.model_validate_json(found.model_dump_json()) == found


def test_quiet_speech_and_speech_in_noise_are_not_lost(transcriber: Transcriber, speak: Speak) -> None:
    speech = speak(SECOND)
    quiet = speech * np.float32(10 ** (-30 / 20))
    noisy = speech + np.random.default_rng(6).normal(size=len(speech)).astype(np.float32) * np.float32(
        10 ** (-33 / 20)
    )
    for audio in (quiet, noisy):
        assert word_error_rate(SECOND, transcriber.transcribe(audio).text).errors <= 1


@pytest.mark.parametrize("text", ["Yes.", "No.", "Okay."])
def test_one_word_answers_are_kept(transcriber: Transcriber, speak: Speak, text: str) -> None:
    assert word_error_rate(text, transcriber.transcribe(speak(text)).text).errors == 0


def test_language_is_detected_where_none_is_given(
    transcriber: Transcriber, speak: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcriber, "_language", None)
    assert transcriber.transcribe(speak(SECOND)).language == "en"
    assert transcriber.transcribe(digital_silence(2.0)).language == "und"


@pytest.mark.parametrize("broken", ["absent", "no tokenizer", "garbage"])
def test_a_folder_that_is_no_model_says_so(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "model"
    if broken != "absent":
        folder.mkdir()
        for name in ("model.bin", "config.json", "tokenizer.json"):
            if broken == "garbage" or name != "tokenizer.json":
                (folder / name).write_bytes(b"{}garbage")
    with pytest.raises(TranscriberError, match=str(folder)) as caught:
        Transcriber(folder)
    if broken == "no tokenizer":
        assert "tokenizer.json missing" in str(caught.value)


class StandIn:
    """Answers each clip with prepared segments, and remembers what it was given."""

    def __init__(self, folder: str, **options: Any) -> None:
        self.clips: list[Samples] = []
        self.options: list[dict[str, Any]] = []
        self.answers: list[list[SimpleNamespace]] = []

    def transcribe(self, clip: Samples, **options: Any) -> tuple[Iterator[SimpleNamespace], None]:
        self.clips.append(clip)
        self.options.append(options)
        return iter(self.answers.pop(0) if self.answers else []), None


def answer(*words: tuple[str, float, float, float], **measures: float) -> SimpleNamespace:
    return SimpleNamespace(
        words=[
            SimpleNamespace(word=word, start=start, end=end, probability=np.float64(probability))
            for word, start, end, probability in words
        ],
        **{"no_speech_prob": 0.05, "avg_logprob": -0.3, "compression_ratio": 1.0, **measures},
    )


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Transcriber, StandIn]:
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).touch()
    made: list[StandIn] = []

    def make(folder: str, **options: Any) -> StandIn:
        assert folder == str(tmp_path)
        made.append(StandIn(folder, **options))
        return made[0]

    monkeypatch.setattr(transcript_module, "ShortWindow", make)
    return Transcriber(tmp_path, language="en"), made[0]


def swelling(seconds: float) -> Samples:
    """A sound that passes for speech where no model listens."""
    t = np.arange(round(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * 200 * t) * np.sin(2 * np.pi * 2 * t) ** 2).astype(np.float32)


def test_only_spans_are_fed_each_with_padding_that_stops_half_way(
    stand_in: tuple[Transcriber, StandIn],
) -> None:
    transcriber, model = stand_in
    audio = swelling(10.0)
    progress: list[float] = []
    transcriber.transcribe(
        audio,
        spans=[
            Span(start_s=6.0, end_s=7.0),
            Span(start_s=0.1, end_s=1.0),
            Span(start_s=1.1, end_s=2.0),
            Span(start_s=9.5, end_s=12.0),
            Span(start_s=20.0, end_s=21.0),
        ],
        on_progress=progress.append,
    )
    expected = [
        audio[round(start_s * RATE) : round(end_s * RATE)]
        for start_s, end_s in [(0.0, 1.05), (1.05, 2.2), (5.8, 7.2), (9.3, 10.0)]
    ]
    # Together first, a second of silence between them; without words in any, each by itself.
    joint = np.zeros(RATE, np.float32)
    together = [sound for one in expected for sound in (joint, one)][1:]
    assert len(model.clips) == 1 + len(expected)
    assert np.array_equal(model.clips[0], np.concatenate(together))
    for clip, one in zip(model.clips[1:], expected, strict=True):
        assert np.array_equal(clip, one)
    assert progress == [1.0]
    for options in model.options:
        assert options["condition_on_previous_text"] is False
        assert options["temperature"] == [0.0]
        assert options["language"] == "en"


def test_words_get_times_of_the_call_and_stay_inside_their_span(
    stand_in: tuple[Transcriber, StandIn],
) -> None:
    transcriber, model = stand_in
    model.answers = [[answer((" Hello,", -0.1, 0.4, 0.9), (" there", 0.5, 9.0, 1.0000001))]]
    tone = (0.1 * np.sin(2 * np.pi * 200 * np.arange(10 * RATE) / RATE)).astype(np.float32)
    tone[round(4.9 * RATE) :] *= 3.0  # no steady sound
    found = transcriber.transcribe(tone, spans=[Span(start_s=4.0, end_s=5.0)])
    first, second = found.words
    # The clip begins at 3.8 s; Whisper's times are 0.1 s early.
    assert (first.word, first.start_s, first.end_s) == ("Hello,", pytest.approx(3.8), pytest.approx(4.3))
    assert (second.word, second.start_s, second.end_s) == ("there", pytest.approx(4.4), pytest.approx(5.2))
    assert (first.probability, second.probability) == (0.9, 1.0)
    assert found.text == "Hello, there"


TWO = [Span(start_s=1.0, end_s=2.0), Span(start_s=5.0, end_s=6.0)]
"""Padded 0.8 to 2.2 and 4.8 to 6.2 s: side by side 0 to 1.4 and 2.4 to 3.8 s."""


def test_words_of_spans_heard_together_get_back_to_their_own(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    # One segment over both; Whisper's times are 0.1 s early.
    model.answers = [[answer((" one", 0.2, 0.5, 0.9), (" two", 2.5, 2.9, 0.8), (" three", 2.9, 9.0, 0.7))]]
    found = transcriber.transcribe(swelling(8.0), spans=TWO)
    assert len(model.clips) == 1
    assert [one.text for one in found.segments] == ["one", "two three"]
    assert [one.mean_log_probability for one in found.segments] == [-0.3, -0.3]
    first, second, third = found.words
    assert (first.start_s, first.end_s) == (pytest.approx(0.8 + 0.3), pytest.approx(0.8 + 0.6))
    # The quiet beginning of the swelling is cut off, in frames of 10 ms.
    assert (second.start_s, second.end_s) == (pytest.approx(4.8 + 0.21), pytest.approx(4.8 + 0.6))
    assert third.end_s == pytest.approx(6.2)
    assert found.rejected == ()


@pytest.mark.parametrize(
    "doubtful",
    [
        pytest.param([answer((" one", 0.2, 0.5, 0.9))], id="nothing of the second"),
        pytest.param([answer((" two", 2.5, 2.9, 0.9))], id="nothing of the first"),
        pytest.param(
            [answer((" one", 0.2, 0.5, 0.9), (" two", 2.5, 2.9, 0.9), compression_ratio=4.0)], id="a loop"
        ),
        pytest.param(
            [answer((" one", 0.2, 0.5, 0.9), (" and", 1.6, 1.9, 0.9), (" two", 2.5, 2.9, 0.9))],
            id="a word between them",
        ),
        # Speech that sounds on before the silence: Whisper lets a word begin where the one before it ended.
        pytest.param(
            [answer((" one", 0.2, 0.5, 0.9), (" two", 0.5, 2.9, 0.9), (" three", 2.9, 3.4, 0.9))],
            id="a word in both",
        ),
        # log 0.3 is -1.204.
        pytest.param(
            [answer((" one", 0.2, 0.5, 0.9), (" two", 2.5, 2.9, 0.3))], id="a word that it is not sure of"
        ),
    ],
)
def test_what_is_in_doubt_together_is_heard_apart(
    stand_in: tuple[Transcriber, StandIn], doubtful: list[SimpleNamespace]
) -> None:
    transcriber, model = stand_in
    model.answers = [doubtful, [answer((" eins", 0.2, 0.5, 0.9))], [answer((" zwei", 0.2, 0.5, 0.9))]]
    found = transcriber.transcribe(swelling(8.0), spans=TWO)
    assert [round(len(clip) / RATE, 3) for clip in model.clips] == [3.8, 1.4, 1.4]
    assert found.text == "eins zwei"
    assert [round(word.start_s, 3) for word in found.words] == [1.1, 5.1]
    assert found.rejected == ()


def test_a_doubtful_word_beside_one_that_is_sure_is_believed(stand_in: tuple[Transcriber, StandIn]) -> None:
    """Of a stretch the mean counts: of the logs of 0.3 and 0.9 that is -0.65."""
    transcriber, model = stand_in
    model.answers = [[answer((" one", 0.2, 0.5, 0.9), (" two", 2.5, 2.9, 0.3), (" three", 2.9, 3.4, 0.9))]]
    assert transcriber.transcribe(swelling(8.0), spans=TWO).text == "one two three"
    assert len(model.clips) == 1


def test_each_by_itself_where_that_is_asked_for(
    tmp_path: Path, stand_in: tuple[Transcriber, StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, model = stand_in
    monkeypatch.setattr(transcript_module, "ShortWindow", lambda folder, **options: model)
    model.answers = [[answer((" one", 0.2, 0.5, 0.9))], [answer((" two", 0.2, 0.5, 0.9))]]
    apart = Transcriber(tmp_path, language="en", together=False)
    assert apart.transcribe(swelling(8.0), spans=TWO).text == "one two"
    assert len(model.clips) == 2


def test_pieces_of_a_number_are_one_word(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    model.answers = [
        [answer((" at", 0.1, 0.2, 0.9), (" 3", 0.2, 0.4, 0.8), (".30", 0.4, 0.6, 0.5), (" -", 0.7, 0.7, 0.9))]
    ]
    found = transcriber.transcribe(swelling(1.0))
    assert [(word.word, word.probability) for word in found.words] == [("at", 0.9), ("3.30", 0.5)]
    assert found.words[1].end_s == pytest.approx(0.7)


def test_chinese_comes_simplified_and_without_spaces(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    model.answers = [[answer(("請問", 0.1, 0.3, 0.9), ("您現在", 0.3, 0.6, 0.9), ("方便嗎?", 0.6, 0.9, 0.9))]]
    found = transcriber.transcribe(swelling(1.0), "zh")
    assert [word.word for word in found.words] == ["请问", "您现在", "方便吗?"]
    assert found.text == found.segments[0].text == "请问您现在方便吗?"
    assert model.options[0]["language"] == "zh"


def test_latin_words_among_chinese_are_whole_and_have_spaces(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    pieces = ["我", " only", " got", " the", " gar", "bled", " half,", " 5", "G", " at", " 10", "点"]
    times = [(piece, 0.05 * n, 0.05 * (n + 1), 0.9) for n, piece in enumerate(pieces, 1)]
    model.answers = [[answer(*times)]]
    found = transcriber.transcribe(swelling(1.0), "zh")
    words = ["我", "only", "got", "the", "garbled", "half,", "5G", "at", "10", "点"]
    assert [word.word for word in found.words] == words
    assert found.text == found.segments[0].text == "我only got the garbled half, 5G at 10点"
    assert found.words[4].end_s - found.words[4].start_s == pytest.approx(2 * 0.05)


def test_figures_and_chinese_have_no_spaces_between_them(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    model.answers = [
        [answer(("3", 0.1, 0.2, 0.9), (".5", 0.2, 0.4, 0.9), ("元", 0.4, 0.6, 0.9), ("。10", 0.6, 0.9, 0.9))]
    ]
    assert transcriber.transcribe(swelling(1.0), "zh").text == "3.5元。10"


def test_what_is_not_believed_is_kept_apart_with_its_reason(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, model = stand_in
    model.answers = [
        [
            answer((" Thank", 0.2, 0.5, 0.4), (" you", 0.5, 0.8, 0.4), no_speech_prob=0.8),
            answer((" yes", 0.8, 0.9, 0.9), (" goodbye", 1.5, 1.9, 0.9)),
        ]
    ]
    audio = np.concatenate([swelling(1.0), digital_silence(1.0)])
    found = transcriber.transcribe(audio)
    assert found.text == "yes"
    assert [(item.text, item.reason.split(" (")[0]) for item in found.rejected] == [
        ("Thank you", "no-speech probability 0.80"),
        ("goodbye", "word on silence"),
    ]


def test_wrong_audio_is_refused(stand_in: tuple[Transcriber, StandIn]) -> None:
    transcriber, _ = stand_in
    for audio in (np.zeros((RATE, 2), dtype=np.float32), np.zeros(RATE, dtype=np.int16)):
        with pytest.raises(ValueError, match="mono floating-point"):
            transcriber.transcribe(audio)
    with pytest.raises(ValueError, match="not finite"):
        transcriber.transcribe(np.full(RATE, np.nan, dtype=np.float32))
    assert transcriber.transcribe(np.zeros(0, dtype=np.float32)).words == ()
