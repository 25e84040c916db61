"""A codec and a transport of another package, each one file and one line, work through a whole call.

The test writes each as a module of its own with an entry point, outside of the product, where nothing
names them. Both are unusual on purpose (see their files), so that no habit of ours carries them through.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
import soundfile
from scipy.signal import resample_poly

from fixtures import SPEECH_FOLDER
from harness.calls.conversation import Held
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.place import Beside, PreparedCall, place_call
from harness.plans.call import CallPlan, Limits
from harness.records.call import CallRecord, CallStatus
from harness.transports.by_scheme import transport_for, transport_name
from harness.transports.clips.clip import prepare_clip
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import silence
from tests.added_parts import add_package
from tests.faults.command_line import start, write_plan
from tests.unit.harness.stand_ins.fake_agent import FakeEars
from voice_sim.caller.caller import Caller
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
from voice_sim.voice.utterance import tone

HERE = Path(__file__).parent
AGENT = "toy://anywhere:1"
RATE = 48_000
ANSWERS_AFTER_MS = 500.0
FRAME_MS = 30.0
SLACK_MS = 25.0
"""For the agent's end of speech, which is a threshold's, and for a busy machine."""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Both toys installed; gives the transport's module."""
    for group, name, module, attribute in (
        ("outboundeval.codecs", "toy", "toy_codec", "TOY"),
        ("outboundeval.transports", "toy", "toy_transport", "ToyTransport"),
    ):
        add_package(
            tmp_path,
            monkeypatch,
            group=group,
            name=name,
            module=module,
            attribute=attribute,
            source=(HERE / f"{module}.py").read_text(encoding="utf-8"),
        )
    codec_named.cache_clear()
    return importlib.import_module("toy_transport")


@pytest.mark.live
@pytest.mark.alone
@pytest.mark.parametrize("agents_codec", ["toy", pytest.param("pcm-16k", marks=pytest.mark.long)])
async def test_a_call_over_both_has_every_sound_in_its_place(toys: ModuleType, agents_codec: str) -> None:
    """What goes out is in the toy codec; what comes in may be in another."""
    says = tuple(tone(0.6).samples for _ in range(3))
    placed = await _place(toys.ToyTransport(says=says), f"{AGENT}/{agents_codec}")
    (session,) = toys.calls
    record = placed.record
    assert record.status is CallStatus.COMPLETED, record.status_detail
    assert record.media is not None
    assert (record.media.codec, record.media.packets_lost) == (agents_codec, 0)
    assert placed.recording is not None
    assert record.pacing is not None
    assert record.pacing.frames == len(placed.recording.sent.placed_s)
    # The caller's lines, as the agent heard them through the toy codec.
    assert len(record.utterances) == len(session.heard_last_s) == 2
    for said, heard_s in zip(record.utterances, session.heard_last_s, strict=True):
        assert heard_s == pytest.approx(said.end_s, abs=0.015)
    # The agent's words, as they were recorded.
    starts_s = _onsets_s(placed.recording.audio[:, 1])
    assert starts_s == pytest.approx(session.said_s, abs=0.015)
    assert placed.recording.gaps == []


def test_they_are_in_the_tables_like_our_own(toys: ModuleType) -> None:
    assert isinstance(transport_for(AGENT), toys.ToyTransport)
    assert transport_name(AGENT) == "toy-room"
    codec = codec_named("toy")
    assert (codec.sample_rate_hz, codec.frame_samples, codec.frame_ticks) == (RATE, 1440, 30)


@pytest.mark.live
@pytest.mark.alone
@pytest.mark.long
def test_a_run_goes_from_the_command_line_to_the_report(
    toys: ModuleType, joe_folder: Path, whisper_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    says = [_speech(folder, name) for name in ("greeting", "callback", "goodbye")]
    call = {
        "id": "toy-call",
        "script": {
            "lines": [{"say": "Hello, who is calling?"}, {"say": "All right, thank you very much."}],
            "hang_up_after_s": 0.3,
        },
        "request_data": {"says": [str(path) for path in says]},
    }
    plan = write_plan(folder / "toys.yaml", [call])
    for attempt in range(2):
        run = folder / f"run-{attempt}"
        command = start("run", str(plan), "--agent", AGENT, "--out", str(run), "--json", folder=folder)
        code = command.ends()
        assert code in (0, 1), command.stderr
        summary: dict[str, Any] = json.loads(command.stdout)
        if "harness_fault" not in summary["calls"]:
            break
    assert summary["calls"] == {"completed": 1}, command.stderr
    verdict = summary.pop("verdict")
    assert verdict["word"] in ("passed", "failed")
    assert json.loads((run / "summary.json").read_text(encoding="utf-8")) == summary
    latency = summary["metrics"]["response_latency_ms"]
    assert (latency["status"], latency["n"]) == ("measured", 2)
    assert ANSWERS_AFTER_MS - SLACK_MS < latency["value"] < ANSWERS_AFTER_MS + FRAME_MS + SLACK_MS * 2
    record = CallRecord.model_validate_json((run / "calls/toy-call/call.json").read_text(encoding="utf-8"))
    assert record.media is not None
    assert record.media.codec == "toy"
    assert record.agent_name == "a toy"
    # Understood through the toy codec: what the agent said is words again.
    transcript = (run / "calls/toy-call/transcript.json").read_text(encoding="utf-8").lower()
    assert "goodbye" in transcript or "good day" in transcript or "bye" in transcript
    page = (run / "report" / "index.html").read_text(encoding="utf-8")
    assert "toy-call" in page
    assert "toy-room" in page


async def _place(transport: Any, agent: str) -> Held:
    """A caller who waits for the greeting, says two lines in tones, and hangs up after the second answer."""
    script = Script(
        lines=(ScriptLine(say="one", pause_s=0.2), ScriptLine(say="two", pause_s=0.2)), hang_up_after_s=0.2
    )
    limits = Limits(first_speech_s=3.0, silence_s=3.0, call_s=20.0)
    patience = Patience(
        first_speech_s=limits.first_speech_s, silence_s=limits.silence_s, call_s=limits.call_s
    )
    codec = codec_named(transport.codec)
    prepared = PreparedCall(
        plan=CallPlan(call_id="toy", agent=agent, script=script, limits=limits),
        transport=transport,
        caller=Caller(policy=ScriptPolicy(script), patience=patience),
        clips=[prepare_clip(codec, tone(0.4).samples) for _ in script.lines],
        background=silence(codec),
        versions={},
    )
    return await place_call(prepared, beside=Beside(ears=cast(Ears, FakeEars())))


def _onsets_s(audio: np.ndarray) -> list[float]:
    """Where sound begins after at least 200 ms of quiet."""
    loud = np.flatnonzero(np.abs(audio) > 0.02)
    firsts = np.concatenate([loud[:1], loud[1:][np.diff(loud) > 0.2 * RATE]])
    return [float(first) / RATE for first in firsts]


def _speech(folder: Path, name: str) -> Path:
    """A clip of speech at 48 kHz."""
    sound, rate = soundfile.read(SPEECH_FOLDER / f"{name}.flac", dtype="float32")
    path = folder / f"{name}.wav"
    soundfile.write(path, resample_poly(sound, RATE, rate), RATE)
    return path
