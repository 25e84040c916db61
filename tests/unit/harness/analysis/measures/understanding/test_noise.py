"""Which calls count as noisy, from both sides of the paper's bound."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.understanding.noise import WER_NOISY
from harness.records.scores import CallScores, WordCounts


def _call(call_id: str, snr_db: float | None, errors: int) -> ScoredCall:
    """One of ten words wrong for each error, placed at such a level of noise."""
    noise = None if snr_db is None else SimpleNamespace(snr_db=snr_db)
    counts = WordCounts(substitutions=errors, deletions=0, insertions=0, reference=10)
    plan = SimpleNamespace(conditions=SimpleNamespace(noise=noise), language="en")
    return cast(
        ScoredCall,
        SimpleNamespace(scores=CallScores(call_id=call_id, word_counts={"wer": counts}), plan=plan),
    )


@pytest.mark.parametrize(
    ("snr_db", "noisy"), [(12.5, True), (14.9, True), (15.0, False), (15.5, False), (None, False)]
)
def test_noisy_is_below_15_db(snr_db: float | None, noisy: bool) -> None:
    score = WER_NOISY.pool([_call("a", snr_db, 3)])
    assert score.value == (0.3 if noisy else None)


def test_only_noisy_calls_are_pooled() -> None:
    """(1 + 4) of 20 words; the quiet call's nine errors are none of it."""
    score = WER_NOISY.pool([_call("a", 5.0, 1), _call("b", 20.0, 9), _call("c", 10.0, 4)])
    assert (score.value, score.n) == (0.25, 20)
