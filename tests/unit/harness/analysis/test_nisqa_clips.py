"""What is cut out of a voice for NISQA, and whose answer goes to which stretch: models by hand, one that says
the length of its clip and one that says its first sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.analysis.sound import nisqa_clips
from harness.analysis.sound.nisqa_clips import RatedClip, rate_clips, rated_clip
from metrics.spans import Span
from metrics.synthesis.nisqa_result import NaturalnessResult, NisqaResult, QualityResult

RATE = 1000
SAMPLES = np.arange(4000, dtype=np.float32)
"""Sample n is n, so that a clip tells where it was cut."""
QUALITY = QualityResult(mos=1.0, noisiness=2.0, discontinuity=3.0, coloration=4.0, loudness=5.0)

Clip = tuple[NDArray[np.float32], int]


@dataclass
class Model:
    """Refuses clips of some lengths; ``natural``: stands for the naturalness model."""

    natural: bool
    refuses: tuple[int, ...] = ()
    batches: list[list[Clip]] = field(default_factory=list)

    def refusal(self, clip: NDArray[np.float32], rate: int) -> str:
        assert rate == RATE
        return "too short" if len(clip) in self.refuses else ""

    def predict(self, clips: Sequence[Clip]) -> list[NisqaResult]:
        self.batches.append(list(clips))
        return [
            NaturalnessResult(naturalness=float(len(clip)))
            if self.natural
            else QualityResult(
                mos=float(clip[0]), noisiness=1.0, discontinuity=1.0, coloration=1.0, loudness=1.0
            )
            for clip, _ in clips
        ]


@pytest.fixture(autouse=True)
def _warned(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the domain's own tests hold is not asked here: each clip is warned of by its last sample."""
    monkeypatch.setattr(
        nisqa_clips, "domain_warnings", lambda clip, rate: [f"{clip[-1]:.0f} at {rate}", "and more"]
    )


def _span(start_s: float, end_s: float) -> Span:
    return Span(start_s=start_s, end_s=end_s)


def _rated(spans: Sequence[Span], natural: Any = None, quality: Any = None) -> list[RatedClip]:
    natural, quality = natural or Model(natural=True), quality or Model(natural=False)
    return rate_clips(SAMPLES, RATE, spans, naturalness=natural, quality=quality)


def test_a_clip_has_a_tenth_of_a_second_around_it_as_far_as_there_is_sound() -> None:
    inside, first, last = _rated([_span(1.0, 2.0), _span(0.05, 0.5), _span(3.0, 3.95)])
    assert (inside.quality.mos, inside.naturalness.naturalness) == (900, 1200)
    assert inside.warnings == ("2099 at 1000", "and more")
    assert (first.quality.mos, first.naturalness.naturalness) == (0, 600)
    assert (last.quality.mos, last.naturalness.naturalness) == (2900, 1100)
    assert last.span == _span(3.0, 3.95)


def test_what_either_model_refuses_is_rated_by_neither() -> None:
    """Clips of 300, 400, 500 and 600 samples; one model refuses 400, the other 500."""
    spans = [_span(1.0, 1.0 + length_s) for length_s in (0.1, 0.2, 0.3, 0.4)]
    natural, quality = Model(natural=True, refuses=(400,)), Model(natural=False, refuses=(500,))
    found = _rated(spans, natural, quality)
    assert [one.span for one in found] == [spans[0], spans[3]]
    assert [one.naturalness.naturalness for one in found] == [300, 600]
    assert [[len(clip) for clip, _ in batch] for batch in quality.batches] == [[300, 600]]


def test_clips_go_to_a_model_eight_at_a_time_and_come_back_in_order() -> None:
    """Nineteen, each 10 ms after the one before it."""
    spans = [_span(1.0 + k / 100, 1.5) for k in range(19)]
    natural, quality = Model(natural=True), Model(natural=False)
    found = _rated(spans, natural, quality)
    assert [one.quality.mos for one in found] == [900 + 10 * k for k in range(19)]
    assert [one.naturalness.naturalness for one in found] == [700 - 10 * k for k in range(19)]
    for model in (natural, quality):
        assert [len(batch) for batch in model.batches] == [8, 8, 3]
        assert {rate for batch in model.batches for _, rate in batch} == {RATE}
    assert _rated([]) == []


def test_one_model_in_the_other_s_place_is_told() -> None:
    natural = NaturalnessResult(naturalness=4.0)
    assert rated_clip(_span(0, 1), natural, QUALITY, []) == RatedClip(
        span=_span(0, 1), naturalness=natural, quality=QUALITY
    )
    for one, other in ((QUALITY, QUALITY), (natural, natural), (QUALITY, natural)):
        with pytest.raises(TypeError, match="hold each other's model"):
            rated_clip(_span(0, 1), one, other, [])
