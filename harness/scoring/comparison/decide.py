"""What a change of a figure means: for a gate with a margin, and for a figure that is only looked at."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scipy.special import ndtri

from harness.analysis.measures.table import catalogue
from harness.analysis.measures.units import PER_MINUTE, RATIO
from harness.plans.checks.gates import Gate
from harness.records.comparison import Change, FigureChange
from harness.records.verdict import CheckResult, Result
from harness.scoring.comparison.observations import OfFigure, of_figure
from harness.scoring.comparison.pairs import Pair, Pairing, grouped
from harness.scoring.gates.held_to import OF_STATUS
from metrics.comparison.paired import (
    CONFIDENCE,
    FEWEST_GROUPS,
    LEVEL,
    THOROUGH,
    Difference,
    Effort,
    compare,
    holm,
)
from metrics.comparison.rates import (
    compare_rates,
    detectable_change,
    newcombe_of_two,
    pairs_needed,
)
from metrics.comparison.weighted import Sums
from metrics.intervals import none_in

FEWEST_CALLS = 10
MOST_CALLS_NAMED = 100_000
LUCK = 0.01
"""How rarely chance alone may bring a night so good that it is green with too few calls."""
GREENEST = 0.25
"""How many nights in which nothing changed must be able to be green, for one that is to count."""
_LEAST_OF_A_HALF = 1 + float(ndtri(GREENEST) / ndtri(1 - LEVEL))
"""0.59: so much of the interval's bad half must a margin have for that."""
_TOO_FEW_FAILURES = 5
"""Fewer failures, or groups that differ from the others, than that: resamples claim more than they know."""
_NO_WIDTH = 1e-9
_ALL_ALIKE = "all pairs are alike: nothing tells how much it varies"
_NOT_KNOWN = "what could have been seen cannot be told"
_IN_NEITHER = "reached in neither run: too much never came to tell how they differ"


def changes(
    wanted: Sequence[tuple[str, str]],
    pairing: Pairing,
    *,
    instruments: Sequence[str] = (),
    effort: Effort = THOROUGH,
) -> list[FigureChange]:
    """Each figure (name, part) on both sides, with the word that Holm's adjustment over all allows.

    Where the agent did not take so many of the same calls any more, the others can show that it got worse,
    and nothing else.
    """
    found = [_change(figure, part, pairing, effort) for figure, part in wanted]
    worse = _adjusted([one.p for one in found])
    better = _adjusted([one.p_better for one in found])
    told = []
    for change, p_worse, p_better in zip(found, worse, better, strict=True):
        if instruments and change.word != "inconclusive":
            told.append(
                change.model_copy(update={"word": "inconclusive", "reason": _other_instrument(instruments)})
            )
            continue
        word = _word(change, p_worse, p_better)
        why = _ALL_ALIKE if _all_alike(change) else _NOT_KNOWN
        reason = change.reason or (why if word == "inconclusive" else "")
        if word in ("better", "no difference seen") and (lost := _lost_calls(change.figure, pairing)):
            word, reason = "inconclusive", lost
        needed = _with_the_others(change.calls_needed, have=change.pairs, of=_placed(change.figure, pairing))
        told.append(change.model_copy(update={"word": word, "reason": reason, "calls_needed": needed}))
    return told


def gate_results(
    gates: Sequence[Gate],
    pairing: Pairing,
    *,
    instruments: Sequence[str] = (),
    effort: Effort = THOROUGH,
) -> list[CheckResult]:
    """The family of relative gates.

    Red where the interval leaves out 0 on the bad side, the estimate is beyond the margin, and Holm's
    adjustment over the family leaves it so; green where the interval's bad end lies within the margin, and
    there are calls enough that this is no mere luck; else nobody can tell. Where the agent did not take so
    many of the same calls any more, nothing that rests on the others is green.
    """
    found = gate_changes(gates, pairing, effort=effort)
    results = judged(gates, found, instruments=instruments)
    return [
        _of_those_left(gate, _in_calls_of_the_plan(one, change, pairing), pairing)
        for gate, one, change in zip(gates, results, found, strict=True)
    ]


def gate_changes(gates: Sequence[Gate], pairing: Pairing, *, effort: Effort = THOROUGH) -> list[FigureChange]:
    """The figure of each gate on both sides."""
    return [_change(gate.figure, gate.part, pairing, effort) for gate in gates]


def judged(
    gates: Sequence[Gate], found: Sequence[FigureChange], *, instruments: Sequence[str] = ()
) -> list[CheckResult]:
    """What :func:`gate_results` makes of changes."""
    adjusted = _adjusted([one.p for one in found])
    return [
        _result(gate, change, p, instruments) for gate, change, p in zip(gates, found, adjusted, strict=True)
    ]


def _in_calls_of_the_plan(result: CheckResult, change: FigureChange, pairing: Pairing) -> CheckResult:
    """What is needed, in calls like those that were placed, of which not each has the figure."""
    needed = _with_the_others(result.calls_needed, have=change.pairs, of=_placed(change.figure, pairing))
    return result.model_copy(update={"calls_needed": needed})


def _placed(figure: str, pairing: Pairing) -> int:
    return len(pairing.every if figure in OF_STATUS else pairing.pairs)


def _with_the_others(needed: int | None, *, have: int, of: int) -> int | None:
    """``needed`` calls that have a figure, as calls of a plan in which ``have`` of ``of`` have it."""
    if needed is None or not have:
        return needed
    calls = math.ceil(needed * max(of, have) / have)
    return calls if calls <= MOST_CALLS_NAMED else None


def _of_those_left(gate: Gate, result: CheckResult, pairing: Pairing) -> CheckResult:
    """With the calls that are in no pair."""
    lost = _lost_calls(gate.figure, pairing)
    left = ", ".join(f"{n} {why}" for why, n in pairing.left_out.items())
    told = [result.told, lost, f"left out: {left}" if left and gate.figure not in OF_STATUS else ""]
    update: dict[str, object] = {"told": "; ".join(filter(None, told))}
    if lost and result.result == "passed":
        update["result"] = "inconclusive"
    return result.model_copy(update=update)


def _lost_calls(figure: str, pairing: Pairing) -> str:
    return pairing.lost_more(but=OF_STATUS.get(figure, ()))


def bad_side(change: FigureChange) -> tuple[float | None, float | None, float | None]:
    """Estimate, nearer and farther end of the interval, in the direction of worse."""
    if change.lower_is_better:
        return change.estimate, change.low, change.high
    return _minus(change.estimate), _minus(change.high), _minus(change.low)


def _result(gate: Gate, change: FigureChange, p: float, instruments: Sequence[str]) -> CheckResult:
    estimate, near, far = bad_side(change)
    result: Result = "inconclusive"
    told = _told(change)
    needed = change.calls_needed
    lost = change.baseline is not None and change.candidate is None and change.p is not None
    if instruments:
        told = _other_instrument(instruments)
        needed = None
    elif change.word == "inconclusive":
        told = change.reason
    elif p <= LEVEL and (
        lost or (near is not None and near > 0 and estimate is not None and estimate > gate.margin)
    ):
        result, needed = "failed", None
    elif far is not None and far <= gate.margin and _no_luck(change, gate.margin):
        result, needed = "passed", None
    elif _all_alike(change):
        told += f"; {_ALL_ALIKE}"
    else:
        needed = needed_for(change, gate.margin)
        told += f"; a change of {gate.margin:g} cannot be told from none"
    return CheckResult(
        name=gate.text,
        of="gate",
        result=result,
        warns=gate.inconclusive == "warn",
        told=told,
        calls_needed=needed,
    )


def _no_luck(change: FigureChange, margin: float) -> bool:
    """Whether there are calls enough that an end within the margin says more than that a night was lucky.

    With too few the interval reaches so far beyond the estimate that hardly any night of an agent that did
    not change ends within the margin; those that do, and those of an agent that got worse, are the lucky
    ones. Where the interval's bad half is ``w`` wide, a change of 0 ends within the margin with the chance
    Phi((margin - w) / (w / 1.645)), taken as normal: :data:`GREENEST` of such nights at least have to. A
    night that is better beyond chance needs no such excuse.
    """
    estimate, _, far = bad_side(change)
    if estimate is None or far is None:
        return False
    better = change.p_better is not None and change.p_better <= LUCK
    return better or (not _all_alike(change) and margin >= _LEAST_OF_A_HALF * (far - estimate))


def _all_alike(change: FigureChange) -> bool:
    """Whether its interval is none, because every resample is the same."""
    return change.low is not None and change.high is not None and change.high - change.low <= _NO_WIDTH


def _told(change: FigureChange) -> str:
    if change.estimate is None or change.baseline is None or change.candidate is None:
        sides = [
            f"{side:.4g}" if side is not None else "not reached"
            for side in (change.baseline, change.candidate)
        ]
        return f"{sides[0]}, then {sides[1]}, {change.pairs} pairs"
    low = "open" if change.low is None else f"{change.low:+.4g}"
    high = "open" if change.high is None else f"{change.high:+.4g}"
    unit = "" if change.unit == "ratio" else f" {change.unit}"
    seen = f"; could have seen {change.detectable:.3g}{unit}" if change.detectable is not None else ""
    return (
        f"{change.baseline:.4g}, then {change.candidate:.4g}{unit} "
        f"({change.estimate:+.3g}, 90 % {low} to {high}); "
        f"{change.pairs} pairs in {change.groups} groups by {change.grouped_by}{seen}"
    )


def needed_for(change: FigureChange, margin: float) -> int | None:
    """About how many calls a side that have the figure would tell a change of that size from none."""
    if margin <= 0 or not change.groups:
        return None
    a_group = max(1.0, change.pairs / change.groups)
    if change.method.startswith("McNemar") and change.baseline is not None:
        pairs = pairs_needed(margin, change.baseline, worse=not change.lower_is_better)
        return None if pairs is None else math.ceil(max(pairs, change.pairs + 1))
    if change.detectable is None:
        return None
    groups = change.groups * (change.detectable / margin) ** 2
    calls = math.ceil(max(groups * a_group, change.pairs + 1))
    return calls if calls <= MOST_CALLS_NAMED else None


def _change(figure: str, part: str, pairing: Pairing, effort: Effort) -> FigureChange:
    entry = catalogue()[figure]
    pairs, grouped_by = pairing.pairs, pairing.grouped_by
    groups: Mapping[str, Sequence[Pair]] = pairing.groups
    if figure in OF_STATUS:
        pairs = pairing.every
        groups, grouped_by = grouped(pairs)
    found = of_figure(figure, part, groups)
    if found.groups < FEWEST_GROUPS and grouped_by != "call":
        # Few groups have this figure: each call by itself, and the claim holds for those scenarios alone.
        grouped_by = "call"
        found = of_figure(figure, part, {pair[0].id: [pair] for pair in pairs})
    bare = FigureChange(
        figure=figure,
        part=part,
        label=entry.label,
        unit=entry.unit.name,
        lower_is_better=entry.better != "higher",
        pairs=found.pairs,
        groups=found.groups,
        grouped_by=grouped_by,
        word="inconclusive",
    )
    if found.observed is None or not found.groups:
        return bare.model_copy(update={"reason": "no pair of calls has it"})
    if found.groups < FEWEST_CALLS:
        few = f"only {found.groups} pairs of calls have it: at least {FEWEST_CALLS} are needed"
        return bare.model_copy(update={"reason": few, "calls_needed": FEWEST_CALLS})
    difference = _compared(figure, part, found, effort)
    if difference.baseline is None and difference.candidate is None:
        return bare.model_copy(update={"reason": _IN_NEITHER})
    lower = bare.lower_is_better
    return bare.model_copy(
        update={
            "baseline": difference.baseline,
            "candidate": difference.candidate,
            "estimate": difference.estimate if math.isfinite(difference.estimate) else None,
            "low": difference.low,
            "high": difference.high,
            "p": difference.p_higher if lower else difference.p_lower,
            "p_better": difference.p_lower if lower else difference.p_higher,
            "detectable": difference.detectable,
            "method": difference.method,
            "word": "no difference seen",
        }
    )


def _compared(figure: str, part: str, found: OfFigure, effort: Effort) -> Difference:
    entry = catalogue()[figure]
    lower = entry.better != "higher"
    if found.rates is not None:
        return compare_rates(found.rates, lower_is_better=lower)
    assert found.observed is not None
    difference = compare(found.observed, seed=zlib.crc32(f"{figure}.{part}".encode()), effort=effort)
    if math.isinf(difference.estimate):
        return _lost(difference, found, effort)
    if entry.unit is PER_MINUTE and difference.baseline == 0 == difference.candidate:
        return _of_none(difference, found)
    return _widened(difference, found, lower=lower) if found.share or entry.unit is RATIO else difference


def _lost(difference: Difference, found: OfFigure, effort: Effort) -> Difference:
    """One side no longer reaches the percentile: whether that is chance is told by how many had come by the
    time at which the other reaches it."""
    reached = difference.baseline if difference.baseline is not None else difference.candidate
    assert reached is not None
    shares = compare(found.later_than(reached), seed=1, effort=effort)
    return replace(difference, p_higher=shares.p_higher, p_lower=shares.p_lower)


def _widened(difference: Difference, found: OfFigure, *, lower: bool) -> Difference:
    """A share that hardly ever fails, or a figure from 0 to 1 that hardly ever varies: resamples of what was
    never seen claim certainty. The interval then holds Newcombe's for as many independent verdicts as there
    are groups: no figure from 0 to 1 varies more."""
    one, two, n = difference.baseline, difference.candidate, found.groups
    if one is None or two is None or found.varied is None or max(one, two) > 1 or min(one, two) < 0:
        return difference
    failures = min(one, two, 1 - one, 1 - two) * n
    if found.varied >= _TOO_FEW_FAILURES and not (found.share and failures < _TOO_FEW_FAILURES):
        return difference
    low, high = newcombe_of_two(one, two, n)
    seen = detectable_change(n, one, worse=not lower)
    lows, highs = [low, difference.low], [high, difference.high]
    return replace(
        difference,
        low=min(end for end in lows if end is not None),
        high=max(end for end in highs if end is not None),
        detectable=max(filter(None, (seen, difference.detectable)), default=None),
        method=f"{difference.method}, and not narrower than Newcombe's for {n} verdicts",
    )


def _of_none(difference: Difference, found: OfFigure) -> Difference:
    """Nothing was counted in the minutes of either side, where Poisson's distribution allows for some."""
    assert isinstance(found.observed, Sums)
    sides = (found.observed.baseline, found.observed.candidate)
    down, up = (
        none_in(float(side[:, 1].sum()) / 60, n=found.pairs, confidence=CONFIDENCE).high for side in sides
    )
    assert down is not None
    assert up is not None
    return replace(
        difference, low=-down, high=up, method=f"{difference.method}, and Poisson's for none in so long"
    )


def _word(change: FigureChange, p_worse: float, p_better: float) -> Change:
    if change.word == "inconclusive":
        return "inconclusive"
    estimate, near, far = bad_side(change)
    if p_worse <= LEVEL / 2 and (estimate is None or (near is not None and near > 0)):
        return "worse"
    if p_better <= LEVEL / 2 and (estimate is None or (far is not None and far < 0)):
        return "better"
    # What could not have been seen is no news.
    return "inconclusive" if change.detectable is None or _all_alike(change) else "no difference seen"


def _adjusted(p_values: Sequence[float | None]) -> list[float]:
    """Holm's, over those that can be told; the others stay at 1.

    A p of 1 is of observations that are all alike, or that differ the other way: it could not have been
    significant, and takes nothing away from the others (Tarone, *Biometrics* 46, 1990).
    """
    known = [p for p in p_values if p is not None and p < 1.0]
    adjusted = iter(holm(known))
    return [1.0 if p is None or p >= 1.0 else next(adjusted) for p in p_values]


def _other_instrument(instruments: Sequence[str]) -> str:
    more = f" and {len(instruments) - 2} more" if len(instruments) > 2 else ""
    return f"the instrument is another ({'; '.join(instruments[:2])}{more})"


def _minus(value: float | None) -> float | None:
    return None if value is None else -value
