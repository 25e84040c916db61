"""Tables 1, 2 and 3 of the paper from verdicts, each figure with its interval, each table with a test.

The unit is the dialogue (or pair), not the answer: where several people judged the same one, scores are
averaged and verdicts decided by majority; a tie decides nothing and is counted as undecided. A pair that one
judge saw in both orders is decided where both answers are there and agree. Failures are counted and enter no
figure.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, fisher_exact, mannwhitneyu, norm, t

from voice_sim.realism.verdicts import Compared, Detected, Scored, Source

Values = NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 5000
_SOURCES: tuple[Source, Source] = ("human", "simulated")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A value with its 95 % interval; None where the data give none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """Table 1: mean human-likeness, 0-9.

    Attributes:
        means: Over dialogues; bootstrap intervals.
        difference: Human minus simulated.
        p: Mann-Whitney, two-sided: both kinds of dialogues draw the same scores. None with nothing to
            compare.
        failed: Questions without an answer.
    """

    means: Mapping[Source, Figure]
    difference: Figure
    p: float | None
    failed: int


@dataclass(frozen=True, kw_only=True)
class DetectionTable:
    """Table 2: what dialogues of each kind are taken for.

    Attributes:
        counts: (what it is, what it is taken for) -> dialogues.
        undecided: Dialogues on which raters are split evenly.
        taken_for_human: Share of each kind that is taken for human; Wilson.
        correct: Share of dialogues that are taken for what they are; Wilson.
        p_correct: Exact binomial, two-sided, against one half.
        p_told_apart: Fisher's exact test, two-sided: what a dialogue is taken for has nothing to do with what
            it is.
    """

    counts: Mapping[tuple[Source, Source], int]
    undecided: int
    taken_for_human: Mapping[Source, Figure]
    correct: Figure
    p_correct: float | None
    p_told_apart: float | None
    failed: int


@dataclass(frozen=True, kw_only=True)
class ComparisonTable:
    """Table 3: which of two is taken for the human one; that one wins.

    Attributes:
        wins: Pairs won.
        undecided: Pairs on which answers (both orders, or raters) are split evenly.
        simulated_wins: Share of the decided pairs; Wilson.
        p: Exact binomial, two-sided, against one half.
        first_chosen: Share of all answers that chose what was shown first; Wilson. Far from one half, the
            order decides, not the dialogue.
    """

    wins: Mapping[Source, int]
    undecided: int
    simulated_wins: Figure
    p: float | None
    first_chosen: Figure
    failed: int

    @property
    def total(self) -> int:
        """Pairs that were decided, or evenly split."""
        return sum(self.wins.values()) + self.undecided


def score_table(scored: Iterable[Scored], *, seed: int = 0) -> ScoreTable:
    """Table 1."""
    answers = list(scored)
    by_talk: dict[tuple[Source, str], list[int]] = defaultdict(list)
    for one in answers:
        if one.score is not None:
            by_talk[(one.source, one.talk)].append(one.score)
    values = {
        source: np.array([fmean(scores) for (kind, _), scores in sorted(by_talk.items()) if kind == source])
        for source in _SOURCES
    }
    rng = np.random.default_rng(seed)
    resampled = {source: _resampled_means(values[source], rng) for source in _SOURCES}
    means = {source: _of_resamples(values[source], resampled[source]) for source in _SOURCES}
    human, simulated = (values[source] for source in _SOURCES)
    difference, p = Figure(value=None), None
    if len(human) and len(simulated):
        both = resampled["human"], resampled["simulated"]
        fewest = min(len(human), len(simulated))
        low, high = (None, None) if both[0] is None or both[1] is None else _ends(both[0] - both[1], fewest)
        difference = Figure(
            value=float(human.mean() - simulated.mean()), low=low, high=high, n=len(human) + len(simulated)
        )
        # With every score the same there is nothing to rank.
        alike = len({*human.tolist(), *simulated.tolist()}) == 1
        p = 1.0 if alike else float(mannwhitneyu(human, simulated, alternative="two-sided").pvalue)
    return ScoreTable(
        means=means, difference=difference, p=p, failed=sum(one.score is None for one in answers)
    )


def detection_table(detected: Iterable[Detected]) -> DetectionTable:
    """Table 2."""
    answers = list(detected)
    by_talk: dict[tuple[Source, str], list[Source]] = defaultdict(list)
    for one in answers:
        if one.verdict is not None:
            by_talk[(one.source, one.talk)].append(one.verdict)
    counts = {(is_, taken): 0 for is_ in _SOURCES for taken in _SOURCES}
    undecided = 0
    for (source, _), verdicts in by_talk.items():
        decided = _majority(verdicts)
        if decided is None:
            undecided += 1
        else:
            counts[(source, decided)] += 1
    rows = [[counts[(is_, taken)] for taken in _SOURCES] for is_ in _SOURCES]
    total = sum(map(sum, rows))
    right = counts[("human", "human")] + counts[("simulated", "simulated")]
    both = all(sum(row) for row in rows)
    return DetectionTable(
        counts=counts,
        undecided=undecided,
        taken_for_human={
            source: share(rows[place][0], sum(rows[place])) for place, source in enumerate(_SOURCES)
        },
        correct=share(right, total),
        p_correct=against_half(right, total),
        p_told_apart=float(fisher_exact(rows).pvalue) if both else None,
        failed=sum(one.verdict is None for one in answers),
    )


def comparison_table(compared: Iterable[Compared]) -> ComparisonTable:
    """Table 3."""
    answers = list(compared)
    by_rater: dict[tuple[str, str, str], list[Source | None]] = defaultdict(list)
    for one in answers:
        by_rater[(one.human, one.simulated, one.rater)].append(one.more_human)
    by_pair: dict[tuple[str, str], list[Source]] = defaultdict(list)
    split: Counter[tuple[str, str]] = Counter()
    for (human, simulated, _), orders in by_rater.items():
        given = [winner for winner in orders if winner is not None]
        if len(given) < len(orders):
            continue  # one order alone would let the order decide
        decided = _majority(given)
        if decided is None:
            split[(human, simulated)] += 1
        else:
            by_pair[(human, simulated)].append(decided)
    wins: dict[Source, int] = dict.fromkeys(_SOURCES, 0)
    undecided = 0
    for pair in {*by_pair, *split}:
        winner = _majority(by_pair[pair])
        if winner is None:
            undecided += 1
        else:
            wins[winner] += 1
    chosen = [one for one in answers if one.more_human is not None]
    total = sum(wins.values())
    return ComparisonTable(
        wins=wins,
        undecided=undecided,
        simulated_wins=share(wins["simulated"], total),
        p=against_half(wins["simulated"], total),
        first_chosen=share(sum(one.more_human == one.first for one in chosen), len(chosen)),
        failed=len(answers) - len(chosen),
    )


def share(successes: int, n: int) -> Figure:
    """A proportion with Wilson's interval (*JASA* 22, 1927)."""
    if n == 0:
        return Figure(value=None)
    interval = binomtest(successes, n).proportion_ci(confidence_level=CONFIDENCE, method="wilson")
    return Figure(value=successes / n, low=float(interval.low), high=float(interval.high), n=n)


def against_half(successes: int, n: int) -> float | None:
    """Exact binomial test, two-sided, that both outcomes are equally likely; None without a trial."""
    return float(binomtest(successes, n, 0.5).pvalue) if n else None


def _majority(verdicts: Sequence[Source]) -> Source | None:
    counts = Counter(verdicts)
    if counts["human"] == counts["simulated"]:
        return None
    return "human" if counts["human"] > counts["simulated"] else "simulated"


def _resampled_means(values: Values, rng: np.random.Generator) -> Values | None:
    if len(values) < 2:
        return None
    drawn = values[rng.integers(0, len(values), size=(RESAMPLES, len(values)))]
    return np.asarray(drawn.mean(axis=1))


def _of_resamples(values: Values, resampled: Values | None) -> Figure:
    if not len(values):
        return Figure(value=None)
    low, high = (None, None) if resampled is None else _ends(resampled, len(values))
    return Figure(value=float(values.mean()), low=low, high=high, n=len(values))


def _ends(resampled: Values, n: int) -> tuple[float | None, float | None]:
    """Percentiles, moved out for few dialogues as in Hesterberg (*The American Statistician* 69, 2015). None
    where
    all resamples are the same: that would claim certainty."""
    if float(np.ptp(resampled)) == 0.0:
        return None, None
    quantile = math.sqrt(n / (n - 1)) * float(t.ppf(0.5 + CONFIDENCE / 2, n - 1))
    tail = float(norm.sf(quantile))
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return float(low), float(high)
