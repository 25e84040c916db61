"""What the agent understands in noise: the word error rate of the calls that were placed with some.

In a run with a probe suite that says its sentences at several levels of noise (``noise``) it is that of the
suite alone, each of its levels counted alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.analysed_call import Need
from harness.analysis.measures.base import Measure, MetricEntry, ScoredCall
from harness.analysis.measures.notes import count
from harness.analysis.measures.probes.curve import noise_suites, noisy_rate
from harness.analysis.measures.understanding.error_rates import pooled_errors
from harness.analysis.measures.units import RATIO
from metrics.score import Score

NOISY_BELOW_DB = 15.0
"""SNR under which a call counts as noisy (paper, Table 15)."""


class _WerNoisy(Measure):
    scores_calls = False  # A noisy call's own is its word error rate.

    def pool(self, calls: Sequence[ScoredCall]) -> Score:
        noisy = [call for call in calls if _is_noisy(call)]
        suites = noise_suites(calls)
        if not suites:
            return pooled_errors(self.entry, noisy, counted_as="wer", of_run=calls)
        score = noisy_rate(self.entry, calls)
        others = sum(not any(one.suite in suites for one in call.scores.hearings) for call in noisy)
        if not others:
            return score
        note = f"{count(others, 'other call')} with noise left out"
        return score.model_copy(update={"reason": f"{score.reason}; {note}"})


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
            f"{NOISY_BELOW_DB:g} dB SNR; of the probe suite noise the mean of its rates at 10, 5 and 0 dB."
        ),
        paper="Table 15",
        needs=(Need.CALLER_TEXT, Need.AGENT_TRANSCRIPT),
        when_absent=f"no call was placed with background noise below {NOISY_BELOW_DB:g} dB SNR",
        counted="word",
    )
)
