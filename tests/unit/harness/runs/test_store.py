"""The run folder: what is written comes back, half a file never does, and what is broken is named."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.calls.conversation import Held
from harness.calls.voice.packet_times import PacketTimes
from harness.calls.voice.recorder import Recording
from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.records.call import CallRecord, CallStatus, Event, Media
from harness.records.scores import CallScores, Machine, RunInfo, Transcript, TranscriptLine
from harness.runs.packets_file import packets_bytes, read_packets
from harness.runs.sound_file import read_audio_file
from harness.runs.store import RunStore
from harness.transports.clock import CallClock
from spoken_language.outside_text import harmless
from voice_sim.policies.script import Script, ScriptLine


def _times(count: int, delay_s: float) -> PacketTimes:
    media_s = np.arange(count) * 0.02
    return PacketTimes(
        media_s=media_s,
        passed_s=media_s + 1,
        placed_s=media_s + 0.9,
        codec_delay_s=delay_s,
        resampling_s=delay_s / 2,
    )


def _placed(call_id: str = "one", *, recorded: bool = True, detail: str = "fine") -> Held:
    rng = np.random.default_rng(1)
    recording = Recording(
        audio=rng.uniform(-0.9, 0.9, (4800, 2)).astype(np.float32),
        gaps=[],
        media=Media(
            codec="opus",
            packets_received=5,
            packets_lost=0,
            packets_duplicate=0,
            packets_reordered=0,
            jitter_ms=0.1,
            kernel_timestamps=True,
        ),
        sent=_times(5, 0.0),
        received=_times(7, 0.0065),
    )
    plan = CallPlan(call_id=call_id, agent="http://x:1", script=Script(lines=(ScriptLine(say="hi"),)))
    record = CallRecord(
        plan=plan,
        status=CallStatus.COMPLETED,
        status_detail=detail,
        started_at="2026-11-03T10:00:00+00:00",
        duration_s=0.1,
    )
    events = [
        Event(t=0.1, side="agent", kind="connected", source="wire"),
        Event(t=0.2, side="agent", kind="bot-output", source="rtvi", data={"text": "Zoë\tsaid\n张"}),
    ]
    return Held(
        clock=CallClock(zero_ns=0), record=record, events=events, recording=recording if recorded else None
    )


def _info() -> RunInfo:
    return RunInfo(
        name="run",
        started_at="2026-11-03T10:00:00+00:00",
        outboundeval="0.1.0",
        machine=Machine(cpu_count=2, platform="Linux"),
        plan_digest="0" * 16,
        agents=["http://x:1"],
        call_ids=["one"],
    )


def test_a_call_comes_back_as_it_was_written(tmp_path: Path) -> None:
    store, placed = RunStore(tmp_path / "run"), _placed()
    store.write(placed)
    assert placed.recording is not None
    assert store.read_record("one") == placed.record
    assert store.read_events("one") == placed.events
    audio = store.read_audio("one")
    assert audio is not None
    # 16 bits.
    np.testing.assert_allclose(audio, placed.recording.audio, atol=1 / 32767)
    sent, received = store.read_packets("one")
    for found, written in ((sent, placed.recording.sent), (received, placed.recording.received)):
        np.testing.assert_array_equal(found.media_s, written.media_s)
        np.testing.assert_array_equal(found.passed_s, written.passed_s)
        np.testing.assert_array_equal(found.placed_s, written.placed_s)
        assert (found.codec_delay_s, found.resampling_s) == (written.codec_delay_s, written.resampling_s)
    info = soundfile.info(store.call_folder("one") / "audio.flac")
    assert (info.samplerate, info.channels, info.subtype) == (48_000, 2, "PCM_16")


def test_sound_beyond_full_scale_is_clipped_not_folded(tmp_path: Path) -> None:
    placed = _placed()
    assert placed.recording is not None
    loud = dataclasses.replace(placed.recording, audio=np.full((960, 2), 1.4, np.float32))
    store = RunStore(tmp_path)
    store.write(dataclasses.replace(placed, recording=loud))
    audio = store.read_audio("one")
    assert audio is not None
    assert audio.min() > 0.999


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(_TEXT, max_size=5))
def test_no_text_of_an_agent_can_split_or_hide_an_event(tmp_path: Path, texts: list[str]) -> None:
    events = [
        Event(t=float(number), side="agent", kind="bot-output", source="rtvi", data={"text": text})
        for number, text in enumerate(texts)
    ]
    store = RunStore(tmp_path)
    store.write(dataclasses.replace(_placed(recorded=False), events=events))
    read = store.read_events("one")
    assert [event.t for event in read] == [event.t for event in events]
    assert [event.data["text"] for event in read] == [harmless(text) for text in texts]


def test_a_call_placed_again_keeps_nothing_of_the_attempt_before(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    store.write_scores("one", CallScores(call_id="one"), Transcript())
    again = _placed(recorded=False, detail="nobody there")
    store.write(again)
    assert store.read_record("one") == again.record
    assert store.read_scores("one") is None
    assert store.read_audio("one") is None, "the sound of the first attempt is not this call's"
    assert len(store.read_packets("one")[0].placed_s) == 0
    assert sorted(path.name for path in store.call_folder("one").iterdir()) == ["call.json", "timeline.jsonl"]


def test_the_record_is_written_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever breaks off before, the call is not taken for complete."""

    def broken(*_: object, **__: object) -> None:
        raise OSError("disk full")

    store = RunStore(tmp_path)
    monkeypatch.setattr(soundfile, "write", broken)
    with pytest.raises(UserError, match="disk full"):
        store.write(_placed())
    assert store.read_record("one") is None


def test_a_write_that_breaks_off_leaves_the_old_file_whole_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RunStore(tmp_path)
    store.write_info(_info())

    def broken(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", broken)
        with pytest.raises(UserError, match="disk full"):
            store.write_info(_info().model_copy(update={"name": "other"}))
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    read = store.read_info()
    assert read is not None
    assert read.name == "run"


def test_written_files_can_be_read_by_others(tmp_path: Path) -> None:
    RunStore(tmp_path).write_info(_info())
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o644


def test_scores_and_transcript_come_back(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    line = TranscriptLine(side="agent", source="whisper", start_s=1.0, end_s=2.0, text="hello")
    scores = CallScores(call_id="one", detectors={"energy": "-48 dBFS"})
    store.write_scores("one", scores, Transcript(lines=[line]))
    assert store.read_scores("one") == scores
    written = json.loads((store.call_folder("one") / "transcript.json").read_text())
    assert written["lines"][0]["text"] == "hello"


def test_nothing_written_is_nothing_read(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    assert store.read_info() is None
    assert store.read_record("one") is None
    assert store.read_scores("one") is None
    assert store.read_audio("one") is None
    assert store.read_events("one") == []
    assert len(store.read_packets("one")[1].placed_s) == 0
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"plan": 1}'])
def test_a_broken_record_is_no_complete_call(tmp_path: Path, content: bytes) -> None:
    store = RunStore(tmp_path)
    store.write(_placed("one"))
    store.write(_placed("two"))
    (store.call_folder("one") / "call.json").write_bytes(content)
    assert store.read_record("one") is None
    assert store.read_record("two") is not None
    assert store.read_record("three") is None


@pytest.mark.parametrize("content", [b"", b"{", b"\xff"])
def test_other_broken_files_are_named(tmp_path: Path, content: bytes) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    (tmp_path / "run.json").write_bytes(content)
    (store.call_folder("one") / "scores.json").write_bytes(content)
    with pytest.raises(UserError, match=r"run\.json(:1)?: cannot be read"):
        store.read_info()
    with pytest.raises(UserError, match=r"scores\.json(:1)?: cannot be read"):
        store.read_scores("one")


def test_lines_of_a_timeline_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    store, placed = RunStore(tmp_path), _placed()
    store.write(placed)
    path = store.call_folder("one") / "timeline.jsonl"
    path.write_bytes(b"\xff\xfe\n{\n\n" + path.read_bytes() + b'{"t": 1')
    assert store.read_events("one") == placed.events


def test_how_long_packets_sound_is_kept_and_not_known_of_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "packets.npz"
    long = dataclasses.replace(_times(3, 0.0), sound_s=np.array([0.4, 0.4, 0.1]))
    path.write_bytes(packets_bytes(_times(5, 0.0), long))
    sent, received = read_packets(path)
    assert (sent.sound_s.tolist(), received.sound_s.tolist()) == ([], [0.4, 0.4, 0.1])
    with np.load(path) as arrays:
        kept = dict(arrays)
    np.savez(path, **{name: one for name, one in kept.items() if not name.endswith("_sound_s")})
    assert [len(one.sound_s) for one in read_packets(path)] == [0, 0]
    for wrong in (np.array([0.4]), np.array([0.4, np.nan, 0.4]), np.array([0.4, -1.0, 0.4]), np.ones(3, int)):
        np.savez(path, **(kept | {"received_sound_s": wrong}))
        with pytest.raises(UserError, match=r"packets\.npz: cannot be read: .*the received packets' lengths"):
            read_packets(path)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.99])
def test_a_packet_file_that_was_cut_off_is_named(tmp_path: Path, share: float) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    path = store.call_folder("one") / "packets.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[: round(len(whole) * share)])
    with pytest.raises(UserError, match=r"packets\.npz: cannot be read"):
        store.read_packets("one")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 10_000), value=st.integers(0, 255))
def test_a_packet_file_with_a_wrong_byte_is_read_or_named(tmp_path: Path, position: int, value: int) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    path = store.call_folder("one") / "packets.npz"
    content = bytearray(path.read_bytes())
    content[position % len(content)] = value
    path.write_bytes(content)
    # Any error but one for the person at the terminal fails the test.
    with contextlib.suppress(UserError):
        sent, received = store.read_packets("one")
        assert (len(sent.placed_s), len(received.placed_s)) == (5, 7)


def test_a_packet_file_can_run_nothing(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    path = store.call_folder("one") / "packets.npz"
    np.savez(path, sent_media_s=np.array([object()], dtype=object))
    with pytest.raises(UserError, match=r"packets\.npz"):
        store.read_packets("one")


def test_a_recording_in_another_format_is_named(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    path = store.call_folder("one") / "audio.flac"
    soundfile.write(path, np.zeros((100, 1), np.float32), 16_000)
    with pytest.raises(UserError, match="1 channels at 16000 Hz"):
        store.read_audio("one")
    path.write_bytes(b"no sound")
    with pytest.raises(UserError, match="not a sound file"):
        store.read_audio("one")


def test_sound_files_of_strangers(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full((800, 2), 0.25, np.float32), 8000, subtype="FLOAT")
    sound = read_audio_file(path)
    audio = sound.samples
    assert (audio.shape, sound.sample_rate_hz, audio.dtype) == ((800, 2), 8000, np.float32)
    assert audio[0, 0] == 0.25
    soundfile.write(path, np.zeros((0, 1), np.float32), 8000)
    with pytest.raises(UserError, match="holds no sound"):
        read_audio_file(path)
    soundfile.write(path, np.array([0.0, np.nan, 0.0], np.float32), 8000, subtype="FLOAT")
    with pytest.raises(UserError, match="no numbers"):
        read_audio_file(path)
    soundfile.write(path, np.zeros((100, 9), np.float32), 8000)
    with pytest.raises(UserError, match="9 channels"):
        read_audio_file(path)
    with pytest.raises(UserError, match=r"nowhere\.wav"):
        read_audio_file(tmp_path / "nowhere.wav")


@pytest.mark.parametrize("call_id", ["..", "../other", "a/../../b", "/etc", "", "a\nb", "a" * 181, "\x1b[2J"])
def test_a_call_lies_in_its_run_whatever_it_is_called(tmp_path: Path, call_id: str) -> None:
    store = RunStore(tmp_path / "run")
    with pytest.raises(UserError, match="is no id of a call") as refused:
        store.call_folder(call_id)
    assert str(refused.value).isprintable()
    assert store.read_record(call_id) is None


def test_a_link_out_of_the_run_is_no_folder_of_a_call(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    (tmp_path / "run" / "calls").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "run" / "calls" / "one").symlink_to(tmp_path / "other")
    with pytest.raises(UserError, match="is a link that leads out of"):
        store.write(_placed())
    assert list((tmp_path / "other").iterdir()) == []


def test_a_record_of_another_call_is_not_this_one_s(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write(_placed("one"))
    store.write(_placed("two"))
    (store.call_folder("one") / "call.json").write_bytes(
        (store.call_folder("two") / "call.json").read_bytes()
    )
    assert store.read_record("one") is None


def test_a_packet_file_that_unpacks_without_end_is_named(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write(_placed())
    path = store.call_folder("one") / "packets.npz"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("sent_media_s.npy", "w", force_zip64=True) as file,
    ):
        for _ in range(250):
            file.write(bytes(1_000_000))
    with pytest.raises(UserError, match="unpacks to more than 200000000 bytes"):
        store.read_packets("one")
