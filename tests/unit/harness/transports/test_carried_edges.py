"""Where a line begins and ends for who hears it in a narrower band: on sounds whose bands are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.transports.clips.clip import PREROLL_FRAMES, Clip, join_clips, prepare_clip
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named
from harness.transports.uplink import Uplink, noise_background, silence
from voice_sim.voice.utterance import UtteranceError, voiced_edges

RATE = 48_000
VOWEL_S, HISS_S = 0.4, 0.15
FRAME = 960


def _tone(freq_hz: float, duration_s: float) -> NDArray[np.float32]:
    t = np.arange(round(duration_s * RATE)) / RATE
    return (0.1 * np.cos(2 * np.pi * freq_hz * t)).astype(np.float32)


def _hissing() -> NDArray[np.float32]:
    """150 ms at 5.5 kHz, 400 ms at 500 Hz, 150 ms at 5.5 kHz: an *s* before a vowel and one behind it."""
    return np.concatenate([_tone(5500, HISS_S), _tone(500, VOWEL_S), _tone(5500, HISS_S)])


def _edges_s(clip: Clip) -> tuple[float, float]:
    """Of the clip, behind its pre-roll."""
    return clip.lead_samples / RATE, (clip.lead_samples + clip.voiced_samples) / RATE


def _heard_edges_s(clip: Clip, codec_name: str) -> tuple[float, float]:
    """What the agent at the other end finds, with a floor that is 6 dB lower."""
    codec = codec_named(codec_name)
    heard = codec.decode(codec.encode(np.pad(clip.pcm, (0, codec.delay_samples))))[codec.delay_samples :]
    edges = voiced_edges(heard, threshold_dbfs=-48.0)
    assert edges is not None
    return tuple(edge / RATE - PREROLL_FRAMES * 0.02 for edge in edges)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("codec_name", "first_s", "end_s"),
    [
        ("pcmu", HISS_S, HISS_S + VOWEL_S),
        ("pcma", HISS_S, HISS_S + VOWEL_S),
        # 16 kHz carry 5.5 kHz.
        ("g722", 0.0, 2 * HISS_S + VOWEL_S),
        ("opus", 0.0, 2 * HISS_S + VOWEL_S),
    ],
)
@pytest.mark.parametrize("open_until_the_answer", [False, True])
def test_a_line_ends_where_the_codec_lets_it_be_heard(
    codec_name: str, first_s: float, end_s: float, open_until_the_answer: bool
) -> None:
    codec = codec_named(codec_name)
    if open_until_the_answer:
        uplink = Uplink(background=silence(codec_named(UNENCODED)))
        uplink.settle(codec)
        clip = uplink.schedule(prepare_clip(uplink.codec, _hissing()), first_voiced_frame=10).clip
        first, end = _edges_s(clip)
        # What the caller is noted to have said begins there, too.
        assert uplink.placed[0].first_voiced_sample == 10 * FRAME + clip.lead_samples
    else:
        clip = prepare_clip(codec, _hissing())
        first, end = _edges_s(clip)
        assert first == 0.0
        end += first_s
        first = first_s
    # The filter's slope blurs the seam between two tones by 1 ms.
    assert first == pytest.approx(first_s, abs=0.001)
    assert end == pytest.approx(end_s, abs=0.001)
    heard_first, heard_end = _heard_edges_s(clip, codec_name)
    shift = 0.0 if open_until_the_answer else first_s
    assert heard_first + shift == pytest.approx(first, abs=0.002)
    assert heard_end + shift == pytest.approx(end, abs=0.002)


def test_noise_under_a_line_goes_on_where_the_line_is_not_heard() -> None:
    noise = (0.01 * np.random.default_rng(1).standard_normal(RATE)).astype(np.float32)
    made = prepare_clip(codec_named(UNENCODED), _hissing(), bed=noise)
    carried = made.carried(6)
    assert carried.lead_samples > 0
    assert carried.sha256 != made.sha256
    before = PREROLL_FRAMES * FRAME + carried.lead_samples
    np.testing.assert_allclose(carried.pcm[:before], noise[:before], atol=1e-6)


def test_where_all_is_carried_the_clip_stays_as_it_is() -> None:
    made = prepare_clip(codec_named(UNENCODED), _hissing())
    assert made.carried(1) is made
    assert prepare_clip(codec_named("pcmu"), _hissing()).carried(6).faint == {}


def test_of_joined_clips_only_the_outer_ends_are_cut() -> None:
    one = prepare_clip(codec_named(UNENCODED), _hissing())
    joined = join_clips([one, one])
    carried = joined.carried(6)
    alone = one.carried(6)
    assert carried.lead_samples == alone.lead_samples
    lost = one.voiced_samples - alone.voiced_samples
    assert joined.voiced_samples - carried.voiced_samples == lost
    # The hiss between the two is nobody's end.
    inside = slice(len(one.pcm) - 8 * FRAME, len(one.pcm) + 8 * FRAME)
    np.testing.assert_array_equal(carried.pcm[inside], joined.pcm[inside])
    narrow = join_clips([alone, alone])
    assert (narrow.lead_samples, narrow.voiced_samples) == (alone.lead_samples, carried.voiced_samples)


def test_a_line_of_which_nothing_is_carried_is_refused_where_that_is_known() -> None:
    with pytest.raises(UtteranceError, match="nothing of the speech comes through pcmu"):
        prepare_clip(codec_named("pcmu"), _tone(5500, 0.3))
    assert 6 not in prepare_clip(codec_named(UNENCODED), _tone(5500, 0.3)).faint
    # Keys are pressed over silence.
    assert prepare_clip(codec_named("pcmu"), np.zeros(4800, np.float32)).voiced_samples == 4800


def test_the_uplink_s_background_is_none_of_it() -> None:
    uplink = Uplink(background=noise_background(codec_named(UNENCODED), _tone(5500, 0.1)))
    before = uplink.background.packets
    uplink.settle(codec_named("pcmu"))
    assert uplink.background.packets == before
