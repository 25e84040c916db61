"""What judging cost, in words: an amount that nobody knows is never 0, and a part is told as a part."""

from __future__ import annotations

from harness.records.scores import JudgingUse
from harness.reports.parts.formats import count

NONE = "–"


def judging_cost(use: JudgingUse) -> str:
    """``0.0123 USD``, ``at least 0.0123 USD``, ``not known``; a dash where no language model judged."""
    if use.nothing:
        return NONE
    total = use.total
    # Where nothing that was counted paid for these judgements, 0 would be untrue.
    if total.cost is None or not total.requests or (use.lower_bound and not total.cost):
        return "not known"
    return f"{'at least ' if use.lower_bound else ''}{total.cost:.4f} {total.currency}"


def judging_counts(use: JudgingUse) -> str:
    """How many answers were asked for by the last scoring, and how many were kept from before."""
    if use.nothing:
        return ""
    told = f"{use.answers:,} asked now, {use.kept:,} kept"
    if use.from_elsewhere:
        told += f" ({use.from_elsewhere:,} paid for elsewhere)"
    if use.uncounted:
        told += f"; {count(use.uncounted, 'dialogue')} not counted"
    return told


def judging_told(use: JudgingUse) -> str:
    """In one sentence."""
    total = use.total
    tokens = f"{total.input_tokens:,} tokens in, {total.output_tokens:,} out"
    return (
        f"Judging took {count(total.requests, 'request')} ({tokens}), cost {judging_cost(use)}; "
        f"last scoring: {judging_counts(use)}"
    )
