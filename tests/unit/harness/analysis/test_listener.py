"""What is heard again, and what is not: each thing that an answer depends on is changed by itself."""

from __future__ import annotations

import errno
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from harness.analysis import listener as listening
from harness.analysis.cache import ANALYSIS_FILE
from harness.analysis.call import analyse
from harness.analysis.instruments import Instruments
from harness.analysis.listener import Listener
from harness.calls.voice.packet_times import PacketTimes
from harness.records.call import CallRecord, Event, Gap
from harness.records.scores import CalibrationNote, CallScores, Transcript
from harness.runs.sound_file import RecordingFile
from harness.runs.store import RunStore
from harness.scoring.material import call_material, sides_of
from metrics.detection import beside_caller
from metrics.spans import Span
from metrics.speech import SpeechActivity, detect_speech
from metrics.synthesis.nisqa import NaturalnessResult, NisqaResult, QualityResult
from metrics.synthesis.prediction import Prediction
from metrics.transcript import Segment, Word
from metrics.transcript import Transcript as Heard
from tests.unit.harness.stand_ins.recorded import ANSWER_S, END_S, recorded_call

SPEECH = {"speech of the caller", "speech of the agent"}
WORDS = {"words of the caller", "words of the agent"}
VOICE = {"voice of the agent"}
ARTEFACTS = {"artefacts of the agent"}
ALL = SPEECH | WORDS | VOICE | ARTEFACTS
BAR = CalibrationNote(transport="smallwebrtc", response_p95_ms=20.0, interruption_p95_ms=20.0)
"""An error bar that does not depend on whether somebody has calibrated this machine."""

DETECTED: dict[Any, SpeechActivity] = {}
"""What the real detectors said, so that the tests wait for them once."""


@dataclass
class StandInWhisper:
    """Hears a word in each span, the same for the same audio, and counts."""

    asked: Counter[str]

    def transcribe(self, audio: Any, language: str, *, spans: Sequence[Span]) -> Heard:
        self.asked["whisper"] += 1
        words = tuple(
            Word(
                word=f"w{len(audio)}{language}",
                start_s=span.start_s,
                end_s=span.end_s,
                probability=float(np.abs(audio[round(span.start_s * 16_000) :][:1600]).mean()) / 3,
            )
            for span in spans
        )
        segment = Segment(
            text="",
            start_s=0.0,
            end_s=END_S,
            words=words,
            no_speech_probability=0.1,
            mean_log_probability=-0.3,
            compression_ratio=1.0,
        )
        return Heard(language=language, segments=(segment,))


@dataclass
class StandInNisqa:
    """Rates each clip by its loudness, and counts."""

    asked: Counter[str]
    quality: bool

    def refusal(self, audio: Any, rate: int) -> str:
        return ""

    def predict(self, clips: Sequence[tuple[Any, int]]) -> list[NisqaResult]:
        self.asked["nisqa"] += 1
        values = [1 / 3 + float(np.abs(audio).mean()) for audio, _ in clips]
        if self.quality:
            return [
                QualityResult(mos=v, noisiness=v, discontinuity=v, coloration=v, loudness=v) for v in values
            ]
        return [NaturalnessResult(naturalness=v) for v in values]


class StandInPredictors:
    def __init__(self, asked: Counter[str]) -> None:
        self.asked = asked

    def refusal(self, audio: Any, sample_rate_hz: int) -> str:
        return ""

    def predict(self, audio: Any, sample_rate_hz: int) -> Prediction:
        self.asked["predictors"] += 1
        return Prediction(dnsmos_sig=1.0, dnsmos_bak=2.0, dnsmos_ovrl=3.0, dnsmos_p808=4.0, plcmos=5.0)


@dataclass(kw_only=True)
class StandIns(Instruments):
    """Instruments that count. A digest of None: that model is not on this machine."""

    whisper_is: str | None = "whisper-1"
    nisqa_is: str | None = "nisqa-1"
    predictors_is: str | None = None
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def whisper_digest(self) -> str | None:
        self.why_no_whisper = "" if self.whisper_is else "no whisper here"
        return self.whisper_is

    @property
    def nisqa_digest(self) -> str | None:
        self.why_no_nisqa = "" if self.nisqa_is else "no nisqa here"
        return self.nisqa_is

    @property
    def predictors_digest(self) -> str | None:
        self.why_no_predictors = "" if self.predictors_is else "no predictors here"
        return self.predictors_is

    @property
    def predictors(self) -> Any:
        return StandInPredictors(self.asked)

    @property
    def whisper(self) -> Any:
        return StandInWhisper(self.asked)

    @property
    def naturalness(self) -> Any:
        return StandInNisqa(self.asked, quality=False)

    @property
    def quality(self) -> Any:
        return StandInNisqa(self.asked, quality=True)


@dataclass
class Analysed:
    scores: CallScores
    transcript: Transcript
    measured: set[str]
    problems: list[str]
    changed: set[str]
    asked: Counter[str]


@dataclass
class Case:
    """A call's folder, and what is to be changed before it is listened to once more."""

    store: RunStore
    record: CallRecord
    monkeypatch: pytest.MonkeyPatch
    instruments: StandIns = field(default_factory=StandIns)
    calibration: CalibrationNote = BAR
    more_events: tuple[Event, ...] = ()
    received: PacketTimes | None = None

    @property
    def folder(self) -> Path:
        return self.store.call_folder("one")

    @property
    def file(self) -> Path:
        return self.folder / ANALYSIS_FILE

    def analyse(self, *, fresh: bool = False) -> Analysed:
        cache = self.store.analysis_cache("one", fresh=fresh)
        detected: Counter[str] = self.instruments.asked

        def counted(audio: Any, rate: int, **options: Any) -> SpeechActivity:
            detected["vad"] += 1
            key = (audio.tobytes(), repr(options))
            if key not in DETECTED:
                DETECTED[key] = detect_speech(audio, rate, **options)
            return DETECTED[key]

        self.monkeypatch.setattr(listening, "detect_speech", counted)
        self.monkeypatch.setattr(beside_caller, "detect_speech", counted)
        measured: set[str] = set()
        put = cache.put

        def noted(name: str, *args: Any) -> Any:
            measured.add(name)
            return put(name, *args)

        self.monkeypatch.setattr(cache, "put", noted)
        material = call_material(self.store, self.record)
        material = type(material)(
            **{
                **vars(material),
                "events": [*material.events, *self.more_events],
                "received": self.received or material.received,
            }
        )
        recording = self.store.recording("one")
        assert recording is not None
        scores, transcript = analyse(
            material,
            listener=Listener(
                lambda: sides_of(recording),
                instruments=self.instruments,
                recording_sha256=recording.sha256,
                cache=cache,
            ),
            calibration=self.calibration,
        )
        self.store.write_scores("one", scores, transcript, cache)
        return Analysed(
            scores, transcript, measured, cache.problems, cache.changed, Counter(self.instruments.asked)
        )


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Analysed]:
    """A call that was analysed once."""
    folder = tmp_path_factory.mktemp("heard")
    store, placed = RunStore(folder), recorded_call()
    store.write(placed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        first = Case(store, placed.record, monkeypatch).analyse()
    assert first.measured == ALL
    assert first.asked == {"vad": 2, "whisper": 2, "nisqa": 2}
    assert [turn.status for turn in first.scores.turns] == ["measured"]
    return folder, first


@pytest.fixture
def case(heard: tuple[Path, Analysed], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    shutil.copytree(heard[0], tmp_path, dirs_exist_ok=True)
    store = RunStore(tmp_path)
    record = store.read_record("one")
    assert record is not None
    return Case(store, record, monkeypatch)


def test_the_second_time_no_instrument_listens_and_not_a_bit_is_another(
    case: Case, heard: tuple[Path, Analysed], monkeypatch: pytest.MonkeyPatch
) -> None:
    def decoded(recording: RecordingFile) -> None:
        raise AssertionError("the sound was decoded")

    monkeypatch.setattr(RecordingFile, "samples", decoded)
    before = {path.name: path.read_bytes() for path in case.folder.iterdir()}
    again = case.analyse()
    assert (again.measured, again.asked, again.problems) == (set(), {}, [])
    assert {path.name: path.read_bytes() for path in case.folder.iterdir()} == before
    assert (again.scores, again.transcript) == (heard[1].scores, heard[1].transcript)


def test_fresh_listens_to_everything_and_finds_the_same(case: Case, heard: tuple[Path, Analysed]) -> None:
    again = case.analyse(fresh=True)
    assert again.measured == ALL
    assert again.asked == {"vad": 2, "whisper": 2, "nisqa": 2}
    assert again.scores == heard[1].scores


def _another_recording(case: Case) -> None:
    audio, rate = soundfile.read(case.folder / "audio.flac")
    audio[-1, 0] = 0.5
    soundfile.write(case.folder / "audio.flac", audio, rate, subtype="PCM_16")


def _utterance_moved(case: Case) -> None:
    [said] = case.record.utterances
    moved = said.model_copy(update={"end_s": said.end_s + 0.001})
    case.record = case.record.model_copy(update={"utterances": [moved]})


def _agent_gap(case: Case) -> None:
    gap = Gap(side="agent", start_s=8.8, end_s=8.9, packets=5)
    case.record = case.record.model_copy(update={"gaps": [gap]})


def _caller_gap(case: Case) -> None:
    gap = Gap(side="caller", start_s=8.8, end_s=8.9, packets=5)
    case.record = case.record.model_copy(update={"gaps": [gap]})


def _packets_end_earlier(case: Case) -> None:
    media_s = np.arange(440) * 0.02
    case.received = PacketTimes(media_s=media_s, passed_s=media_s, placed_s=media_s)


def _chinese(case: Case) -> None:
    plan = case.record.plan.model_copy(update={"language": "zh"})
    case.record = case.record.model_copy(update={"plan": plan})


def _other_whisper(case: Case) -> None:
    case.instruments.whisper_is = "whisper-2"


def _more_threads(case: Case) -> None:
    case.instruments.threads = 3


def _other_nisqa(case: Case) -> None:
    case.instruments.nisqa_is = "nisqa-2"


def _made_of(instrument: str, key: str) -> Callable[[Case], None]:
    def change(case: Case) -> None:
        known = listening.made_of
        case.monkeypatch.setattr(
            listening,
            "made_of",
            lambda asked: {**known(asked), key: "another"} if asked == instrument else known(asked),
        )

    return change


@pytest.mark.parametrize(
    ("change", "again", "named"),
    [
        (_another_recording, ALL, {"recording"}),
        (_utterance_moved, {"words of the caller"}, {"spans"}),
        (_agent_gap, {"speech of the agent"}, {"absent"}),
        (_packets_end_earlier, {"speech of the agent"}, {"present"}),
        (_caller_gap, set(), set()),
        (_chinese, WORDS, {"language"}),
        (_other_whisper, WORDS, {"model"}),
        (_more_threads, WORDS | VOICE, {"threads"}),
        (_other_nisqa, VOICE, {"model"}),
        (_made_of("speech", "code"), SPEECH, {"code"}),
        (_made_of("words", "code"), WORDS, {"code"}),
        (_made_of("voice", "code"), VOICE, {"code"}),
        (_made_of("artefacts", "code"), ARTEFACTS, {"code"}),
        (_made_of("words", "library ctranslate2"), WORDS, {"library ctranslate2"}),
    ],
)
def test_just_what_depends_on_a_change_is_heard_again(
    case: Case, change: Callable[[Case], None], again: set[str], named: set[str]
) -> None:
    change(case)
    found = case.analyse()
    assert (found.measured, found.changed, found.problems) == (again, named, [])
    case.instruments.asked.clear()
    assert case.analyse().measured == set(), "and kept in its turn"


def test_what_costs_nothing_is_never_kept(case: Case, heard: tuple[Path, Analysed]) -> None:
    """Another error bar, and words that the agent tells: in the scores at once, without listening."""
    case.calibration = BAR.model_copy(update={"response_p95_ms": 3.0, "interruption_p95_ms": 4.0})
    told = {"text": "Good day.", "spoken": True}
    case.more_events = (Event(t=2.0, side="agent", kind="bot-output", source="rtvi", data=told),)
    found = case.analyse()
    assert found.measured == set()
    assert (heard[1].scores.turns[0].resolution_ms, found.scores.turns[0].resolution_ms) == (20.0, 3.0)
    assert "Good day." in {line.text for line in found.transcript.lines}


def test_weights_that_come_later_do_not_transcribe_again(tmp_path: Path) -> None:
    store, placed = RunStore(tmp_path), recorded_call()
    store.write(placed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        case = Case(store, placed.record, monkeypatch)
        case.instruments.nisqa_is = case.instruments.whisper_is = None
        assert case.analyse().measured == SPEECH | ARTEFACTS
        case.instruments.whisper_is = "whisper-1"
        found = case.analyse()
        assert (found.measured, found.scores.clips) == (WORDS, [])
        case.instruments.nisqa_is = "nisqa-1"
        found = case.analyse()
        assert found.measured == VOICE
        assert len(found.scores.clips) == 2
        # Without the weights nobody can say that it is these: nothing is told, and nothing is forgotten.
        case.instruments.nisqa_is = None
        found = case.analyse()
        assert (found.measured, found.scores.clips) == (set(), [])
        assert "no nisqa here" in {score.reason for score in found.scores.scores}
        case.instruments.nisqa_is = "nisqa-1"
        found = case.analyse()
        assert (found.measured, len(found.scores.clips)) == (set(), 2)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: b"\xff\xfe\x00 no json",
        lambda content: b"[" * 100_000,
        lambda content: b"null",
        lambda content: content.replace(b'"version": 1', b'"version": 2', 1),
        lambda content: content.replace(b'"seal"', b'"sealed"', 1),
        lambda content: content.replace(b'"made_from"', b'"extra": 1, "made_from"', 1),
    ],
    ids=["cut off", "empty", "binary", "deep", "null", "foreign version", "lacks a field", "unknown field"],
)
def test_a_file_that_is_not_as_it_should_be_is_named_and_measured_anew(
    case: Case, heard: tuple[Path, Analysed], spoil: Callable[[bytes], bytes]
) -> None:
    content = case.file.read_bytes()
    case.file.write_bytes(spoil(content))
    found = case.analyse()
    assert found.measured == ALL
    [problem] = found.problems
    assert f"{ANALYSIS_FILE}: not used (" in problem
    assert "measured again" in problem
    assert found.scores == heard[1].scores
    assert case.file.read_bytes() == content
    assert case.analyse().problems == []


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (b'"word": "w', b'"word": "W', "words of the caller"),
        (b'"naturalness": 0.', b'"naturalness": 4.', "voice of the agent"),
        (b'"marker_tones": false', b'"marker_tones": true', "speech of the caller"),
        (b'"model": "nisqa-1"', b'"model": "nisqa-9"', "voice of the agent"),
        (b'"marker_tones": false', b'"marker_tones": NaN', "speech of the caller"),
    ],
)
def test_a_figure_that_was_changed_by_hand_does_not_pass_as_measured(
    case: Case, heard: tuple[Path, Analysed], old: bytes, new: bytes, part: str
) -> None:
    content = case.file.read_bytes()
    assert old in content
    case.file.write_bytes(content.replace(old, new, 1))
    found = case.analyse()
    assert found.measured == {part}
    assert [f"'{part}' is not as it was written" in problem for problem in found.problems] == [True]
    assert found.scores == heard[1].scores
    assert case.file.read_bytes() != content.replace(old, new, 1)


def test_a_transcript_that_was_changed_by_hand_is_written_anew(
    case: Case, heard: tuple[Path, Analysed]
) -> None:
    path = case.folder / "transcript.json"
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"text": "w', b'"text": "Of course, ', 1))
    found = case.analyse()
    assert found.measured == set()
    [problem] = found.problems
    assert problem.startswith(f"{path}: is not as it was written")
    assert path.read_bytes() == content
    assert found.transcript == heard[1].transcript
    assert case.analyse().problems == []


def test_another_call_s_analysis_is_not_used(case: Case, tmp_path: Path) -> None:
    """The same words in another call: its recording has another checksum."""
    store, placed = RunStore(tmp_path / "other"), recorded_call(answer="account")
    store.write(placed)
    shutil.copy(case.file, store.call_folder("one"))
    other = Case(store, placed.record, case.monkeypatch)
    found = other.analyse()
    assert found.measured == ALL
    assert found.changed >= {"recording"}


def test_what_ended_in_the_middle_goes_on_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, placed = RunStore(tmp_path), recorded_call()
    store.write(placed)
    case = Case(store, placed.record, monkeypatch)
    with monkeypatch.context() as stopped:

        def cut_off(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        stopped.setattr(StandInNisqa, "predict", cut_off)
        with pytest.raises(KeyboardInterrupt):
            case.analyse()
    assert not (case.folder / "scores.json").exists()
    assert case.analyse().measured == VOICE | ARTEFACTS


def test_a_full_disk_loses_nothing_but_the_keeping(
    case: Case, heard: tuple[Path, Analysed], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = case.file.read_bytes()
    with monkeypatch.context() as full:

        def refused(path: Path, model: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        full.setattr("harness.analysis.cache.write_model", refused)
        found = case.analyse(fresh=True)
    assert found.scores == heard[1].scores
    assert found.transcript == heard[1].transcript
    assert found.problems == [
        f"{case.file}: could not be written (No space left on device); not kept for next time"
    ]
    assert case.file.read_bytes() == content


def test_the_answer_is_where_it_was_put(heard: tuple[Path, Analysed]) -> None:
    [turn] = heard[1].scores.turns
    assert turn.agent_start_s == pytest.approx(ANSWER_S, abs=0.002)
