"""From a plan to what is sent: same plan, same packets, bit for bit; what cannot be had is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.calls.voice.prepare import CallBuilder
from harness.errors import UserError
from harness.paths import CACHE_VARIABLE
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.reach.answer import AnswerPlan
from harness.transports.clips.clip import PREROLL_FRAMES
from harness.transports.codecs.opus import OPUS


def _plan(*, seed: int = 1, **call: Any) -> CallPlan:
    written = {"id": "a", "script": {"lines": [{"say": "Hello."}, {"say": "Thank you."}]}} | call
    return expand_plan({"agent": "http://127.0.0.1:9", "seed": seed, "calls": [written]}).calls[0]


@pytest.fixture
def builders(joe_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[CallBuilder]:
    """Two that share nothing: each speaks for itself, into a cache of its own."""
    pytest.importorskip("piper", reason="piper-tts is not installed (extra 'local')")
    made = []
    for name in ("one", "two"):
        monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / name))
        made.append(CallBuilder())
    monkeypatch.undo()
    return made


def test_the_same_plan_gives_the_same_packets_and_another_seed_other_noise(
    builders: list[CallBuilder],
) -> None:
    one, two = (builder.prepare(_plan()) for builder in builders)
    assert [clip.sha256 for clip in one.clips] == [clip.sha256 for clip in two.clips]
    assert [clip.packets for clip in one.clips] == [clip.packets for clip in two.clips]
    assert one.background.packets == two.background.packets
    assert one.plan.digest == two.plan.digest
    noise = {"conditions": {"noise": {"snr_db": 10}}}
    noisy, again = (builder.prepare(_plan(**noise)) for builder in builders)
    other = builders[0].prepare(_plan(seed=2, **noise))
    assert [clip.packets for clip in noisy.clips] == [clip.packets for clip in again.clips]
    assert noisy.background.packets == again.background.packets
    assert [clip.sha256 for clip in noisy.clips] != [clip.sha256 for clip in other.clips]
    assert noisy.background.packets != other.background.packets
    # The speech under the noise is the same.
    for plain, with_noise in zip(one.clips, noisy.clips, strict=True):
        assert plain.voiced_samples == with_noise.voiced_samples


def test_what_is_prepared_is_what_was_asked_for(builders: list[CallBuilder]) -> None:
    level_dbfs, snr_db = -26.0, 12.0
    plan = _plan(voice={"level_dbfs": level_dbfs}, conditions={"noise": {"snr_db": snr_db}})
    prepared = builders[0].prepare(plan)
    plain = builders[0].prepare(_plan(voice={"level_dbfs": level_dbfs}))
    assert len(prepared.clips) == 2
    noise_dbfs = 20 * np.log10(np.sqrt(np.mean(prepared.background.pcm**2)))
    assert level_dbfs - noise_dbfs == pytest.approx(snr_db, abs=1.0)
    for clip in plain.clips:
        start = PREROLL_FRAMES * OPUS.frame_samples
        speech = clip.pcm[start : start + clip.voiced_samples]
        # Trimmed: its first and its last sample are voiced, at -42 dBFS or more.
        assert min(abs(speech[0]), abs(speech[-1])) >= 10 ** (-42 / 20)
        rms = np.sqrt(np.mean(speech.reshape(-1)[: len(speech) // 480 * 480].reshape(-1, 480) ** 2, axis=1))
        active = rms[rms >= 10 ** ((level_dbfs - 15) / 20)]
        assert 20 * np.log10(np.sqrt(np.mean(active**2))) == pytest.approx(level_dbfs, abs=1.5)
    assert any("joe" in name for name in prepared.versions)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"voice": {"engine": "nobody"}}, "nobody"),
        ({"conditions": {"noise": {"kind": "rain", "snr_db": 10}}}, "rain"),
        ({"agent": "sip:a@127.0.0.1", "headers": {"User-Agent": "mine"}}, "the call itself$"),
        ({"agent": "sip:a@127.0.0.1", "request_data": {"customer id": 7}}, "letters, digits, _ and - only$"),
    ],
)
def test_what_is_not_to_be_had_or_sent_names_the_call(call: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words) as refused:
        CallBuilder().check(_plan(**call))
    assert "call a" in str(refused.value)


def test_what_the_agent_is_told_that_calls_us_needs_no_headers() -> None:
    call = _plan(agent="sip:a@127.0.0.1", request_data={"customer id": 7}, voice={"engine": "nobody"})
    with pytest.raises(UserError, match="nobody"):
        CallBuilder().check(call.model_copy(update={"answer": AnswerPlan(ring_s=0.0)}))
