"""Lines made ahead of calls: told call by call, and a voice that is not there stops nobody else's."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from harness.calls.voice.prepare import CallBuilder
from harness.calls.voice.speaking import line_maker
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.calls.voice.speaking.line_maker import make_lines, serve
from harness.errors import UserError
from harness.paths import CACHE_VARIABLE
from harness.plans.call import CallPlan, VoicePlan
from voice_sim.policies.script import Script, ScriptLine
from voice_sim.voice.utterance import Utterance, tone


class _Clips(ClipMaker):
    def __init__(self) -> None:
        super().__init__()
        self.spoken: list[str] = []

    def versions(self, voice: VoicePlan) -> dict[str, str]:
        return {}

    def speak(self, voice: VoicePlan, text: str, **_: object) -> Utterance:  # type: ignore[override]
        if voice.name == "nobody":
            raise UserError("voice piper/nobody: there is none")
        if voice.name == "broken":
            raise ValueError("speech of the wrong shape")
        self.spoken.append(text)
        return tone(0.1)


def _plan(call_id: str, voice: str = "joe") -> CallPlan:
    lines = (ScriptLine(say=f"{call_id} one"), ScriptLine(say=f"{call_id} two"))
    return CallPlan(
        call_id=call_id,
        agent="http://x:1",
        script=Script(lines=lines),
        voice=VoicePlan(engine="piper", name=voice),
    )


def test_every_line_of_a_call_is_spoken_and_encoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    clips = _Clips()
    assert make_lines(_plan("a"), CallBuilder(clips)) == 2
    assert clips.spoken == ["a one", "a two"]
    assert len(list((tmp_path / "packets").iterdir())) == 1  # both lines are the same tone


def test_each_call_is_told_also_one_that_cannot_be_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_maker, "CallBuilder", lambda **how: CallBuilder(_Clips(), **how))
    plans = [_plan("a"), _plan("b", "nobody"), _plan("x", "broken"), _plan("c")]
    asked = b"".join(plan.model_dump_json(by_alias=True).encode() + b"\n" for plan in plans)
    told = io.BytesIO()
    serve(io.BytesIO(asked), told)
    assert [json.loads(line) for line in told.getvalue().splitlines()] == [
        {"call": "a", "lines": 2},
        {"call": "b", "lines": 0},
        {"call": "x", "lines": 0},
        {"call": "c", "lines": 2},
    ]
