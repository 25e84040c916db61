"""What the agent understands in noise: the word error rate of the calls that were placed with some."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.understanding.error_rates import pooled_errors
from harness.analysis.measures.units import RATIO
from metrics.score import Score

NOISY_BELOW_DB = 15.0
"""SNR under which a call counts as noisy (paper, Table 15)."""


class _WerNoisy(Measure):
    scores_calls = False  # A noisy call's own is its word error rate.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        return pooled_errors(self.entry, [call for call in calls if _is_noisy(call)], counted_as="wer")


def _is_noisy(call: ScoredCall) -> bool:
    noise = call.plan.conditions.noise if call.plan is not None else None
    return noise is not None and noise.snr_db < NOISY_BELOW_DB


WER_NOISY = _WerNoisy(
    MetricEntry(
        name="wer_noisy",
        label="Word error rate in noise",
        unit=RATIO,
        better="lower",
        definition=(
            "The word error rate over the calls placed with background noise below "
            f"{NOISY_BELOW_DB:g} dB SNR."
        ),
        paper="Table 15",
        needs=(Need.CALLER_TEXT, Need.AGENT_TRANSCRIPT),
        when_absent=f"no call was placed with background noise below {NOISY_BELOW_DB:g} dB SNR",
        counted="word",
    )
)
