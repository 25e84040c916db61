"""Somebody else under a line: at the ratio that was asked for, and with the line's own edges."""

from __future__ import annotations

import numpy as np
import pytest

from harness.calls.voice.speaking.two_voices import with_other_voice
from voice_sim.conditions.level import active_level_dbfs
from voice_sim.voice.utterance import tone

RATE = 48_000


@pytest.mark.parametrize("ratio_db", [15.0, 5.0, 0.0])
def test_the_other_is_so_much_quieter_and_only_where_it_belongs(ratio_db: float) -> None:
    said, other = tone(2.0, 700.0, -23.0), tone(1.0, 1300.0, -23.0 - ratio_db)
    both = with_other_voice(said, other, after_s=0.4)
    added = both.samples - said.samples
    where = np.flatnonzero(added)
    assert where[0] >= round(0.4 * RATE)
    assert where[-1] < round(0.4 * RATE) + len(other.samples)
    measured = said.level_dbfs - active_level_dbfs(added[where[0] : where[-1] + 1], sample_rate_hz=RATE)
    assert measured == pytest.approx(ratio_db, abs=0.2)
    assert (both.first_voiced, both.last_voiced) == (said.first_voiced, said.last_voiced)
    assert both.samples.dtype == np.float32


def test_what_is_longer_than_the_line_ends_with_it() -> None:
    said, other = tone(1.0, 700.0), tone(3.0, 1300.0)
    both = with_other_voice(said, other, after_s=0.5)
    assert len(both.samples) == len(said.samples)
    assert both.samples[-1] == said.samples[-1]
    late = with_other_voice(said, other, after_s=5.0)
    np.testing.assert_array_equal(late.samples, said.samples)


def test_their_sum_is_never_beyond_full_scale() -> None:
    said, other = tone(1.0, 700.0, -10.0), tone(0.8, 700.0, -4.0)
    assert np.max(np.abs(with_other_voice(said, other, after_s=0.1).samples)) <= 1.0
