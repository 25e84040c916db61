"""The leaderboard: one row a competitor, and how sure the order is.

Each figure is the mean over a competitor's dialogues, its interval by resampling entries
(``figures_over_texts``). Two competitors are compared on the dialogues in which both met the same caller
(entry, seed, trial), which is sharper than two intervals side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from harness.analysis.measures.task.final import FINAL
from harness.judging.checking.judge_check import MAX_FAILED_SHARE
from harness.judging.checking.standing import judge_standing
from harness.judging.judges import why_not_comparable
from harness.records.scores import DialogueScores, JudgingUse
from harness.records.scores.figures import Figures, FinalsByGroup
from harness.records.usage import SideUsage, summed_usage
from harness.scenarios.catalogue import Domain
from harness.scoring.figures_over_texts import judging_of, pooled_texts
from harness.scoring.leaderboard.dialogues import RankedDialogue
from metrics.intervals import bootstrap_mean_by_call
from metrics.score import Score
from voice_sim.person.archetypes import Archetype

_SEED = 20


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Difference(_Part):
    """Mean difference of Final, ``one`` minus ``other``, over the callers that both met.

    Attributes:
        pairs, entries: Dialogues of each that were compared, and entries that they were about.
        ci_low, ci_high: 95 %, by resampling entries; None where nothing can be said.
    """

    one: str
    other: str
    value: float | None
    pairs: int
    entries: int
    ci_low: float | None = None
    ci_high: float | None = None
    interval_method: str = ""

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.ci_low is not None and self.ci_high is not None and not self.ci_low <= 0.0 <= self.ci_high


class Row(_Part):
    """One competitor.

    Attributes:
        rank: By Final, from 1; equal values share one. None without a Final.
        metrics: TFC, GIC, Final and all else, over all its dialogues.
        by_domain, by_archetype: Final of each group.
        held, judged: Dialogues that ended, and that were judged.
        left_out: Reason -> dialogues that play no part in Final.
        held_again: Dialogues of which an earlier attempt had failed.
        judgements, failed: Asked for, and failed among them.
        doubtful: More than :data:`MAX_FAILED_SHARE` of the judgements failed.
        agent, caller: What both sides took, the dialogues that were left out included.
        judging: What the judgements took, likewise.
        to_first: Against the first of the table; None for itself, or where nothing can be compared.
    """

    rank: int | None
    competitor: str
    metrics: Figures
    by_domain: FinalsByGroup = Field(default_factory=dict)
    by_archetype: FinalsByGroup = Field(default_factory=dict)
    held: int
    judged: int
    left_out: dict[str, int] = Field(default_factory=dict)
    held_again: int = 0
    judgements: int = 0
    failed: int = 0
    doubtful: bool = False
    agent: SideUsage = SideUsage()
    caller: SideUsage = SideUsage()
    judging: JudgingUse = JudgingUse()
    to_first: Difference | None = None


class Leaderboard(_Part):
    """Everything that a leaderboard shows.

    Attributes:
        heading: ``final`` or ``provisional``: what the scores may be called.
        standing: What is known of the judge, for the foot.
        domains, archetypes: Those that dialogues were about, in the paper's order.
        remarks: What else has to be known.
        differences: Of every two competitors, in the order of the table.
    """

    runs: tuple[str, ...]
    judge: str
    judge_version: str
    heading: str
    comparable: bool
    standing: tuple[str, ...]
    rows: tuple[Row, ...]
    domains: tuple[str, ...] = ()
    archetypes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


def board_of(dialogues: Sequence[RankedDialogue], *, runs: Sequence[Path]) -> Leaderboard:
    """The leaderboard of dialogues, of which one at least has been judged."""
    text = next(one.scores.text for one in dialogues if one.scores is not None)
    assert text is not None
    standing = judge_standing(text.judge, text.judge_version)
    groups: dict[str, list[RankedDialogue]] = {}
    for one in dialogues:
        groups.setdefault(one.competitor, []).append(one)
    rows = sorted((_row(name, members) for name, members in groups.items()), key=_order)
    names = [row.competitor for row in rows]
    differences = [difference(groups[one], groups[other]) for one, other in combinations(names, 2)]
    return Leaderboard(
        runs=tuple(str(folder) for folder in runs),
        judge=text.judge,
        judge_version=text.judge_version,
        heading=standing.heading,
        comparable=not why_not_comparable(text.judge),
        standing=tuple(standing.lines()),
        rows=tuple(_ranked(rows, differences)),
        domains=_present(Domain, (name for row in rows for name in row.by_domain)),
        archetypes=_present(Archetype, (name for row in rows for name in row.by_archetype)),
        remarks=tuple(_remarks(dialogues, groups, rows)),
        differences=tuple(differences),
    )


def difference(one: Sequence[RankedDialogue], other: Sequence[RankedDialogue]) -> Difference:
    """The paired difference of Final; each caller counts once however often it was met."""
    first, second = _by_caller(one), _by_caller(other)
    by_entry: dict[str, list[float]] = {}
    for met in first:
        if met in second:
            by_entry.setdefault(met[0], []).append(first[met] - second[met])
    values = [value for found in by_entry.values() for value in found]
    name, other_name = one[0].competitor, other[0].competitor
    if not values:
        why = "no caller met both"
        return Difference(one=name, other=other_name, value=None, pairs=0, entries=0, interval_method=why)
    mean = sum(values) / len(values)
    interval = bootstrap_mean_by_call(by_entry, seed=_SEED)
    low, high, method = interval.low, interval.high, interval.method
    if len(set(values)) == 1:
        # Resampling equal values would claim certainty.
        low, high, method = None, None, "no interval: all differences are the same"
    return Difference(
        one=name,
        other=other_name,
        value=mean,
        pairs=len(values),
        entries=len(by_entry),
        ci_low=low,
        ci_high=high,
        interval_method=method,
    )


def _by_caller(dialogues: Sequence[RankedDialogue]) -> dict[tuple[str, int, int, str], float]:
    found: dict[tuple[str, int, int, str], list[float]] = {}
    for one in dialogues:
        if one.final is not None:
            found.setdefault(one.met, []).append(one.final)
    return {met: sum(values) / len(values) for met, values in found.items()}


def _row(name: str, members: Sequence[RankedDialogue]) -> Row:
    scored = [one.scores for one in members if one.scores is not None]
    texts = [one.text for one in scored if one.text is not None]
    judgements = sum(len(text.nodes) + len(text.replies) for text in texts)
    failed = sum(text.failed for text in texts)
    return Row(
        rank=None,
        competitor=name,
        metrics=pooled_texts(scored),
        by_domain=_finals(scored, lambda one: one.domain),
        by_archetype=_finals(scored, lambda one: one.archetype),
        held=len(members),
        judged=len(scored),
        left_out=dict(Counter(why for one in members if (why := _left_out(one)))),
        held_again=sum(bool(one.record.earlier_attempts) for one in members),
        judgements=judgements,
        failed=failed,
        doubtful=failed > MAX_FAILED_SHARE * judgements,
        agent=summed_usage([one.record.agent_usage for one in members]),
        caller=summed_usage([one.record.caller_usage for one in members]),
        judging=judging_of(one.as_judged for one in members if one.as_judged is not None),
    )


def _left_out(one: RankedDialogue) -> str:
    """Why a dialogue plays no part in Final; empty where it does."""
    if one.scores is None:
        return one.left_out
    return "" if one.final is not None else "Final is open: judgements failed"


def _finals(scored: Sequence[DialogueScores], key: Callable[[DialogueScores], str]) -> dict[str, Score]:
    groups: dict[str, list[DialogueScores]] = {}
    for one in scored:
        groups.setdefault(key(one), []).append(one)
    return {name: FINAL.pool_dialogues(members) for name, members in groups.items() if name}


def _order(row: Row) -> tuple[bool, float, str]:
    """Best first; whoever has no Final is not the worst, and stands below."""
    final = row.metrics["final"].value
    return (final is None, 0.0 if final is None else -final, row.competitor)


def _ranked(rows: Sequence[Row], differences: Sequence[Difference]) -> Iterator[Row]:
    first = rows[0].competitor
    to_first = {one.other: one for one in differences if one.one == first and one.value is not None}
    ranks: dict[float, int] = {}
    for place, row in enumerate(rows, 1):
        final = row.metrics["final"].value
        rank = ranks.setdefault(final, place) if final is not None else None
        yield row.model_copy(update={"rank": rank, "to_first": to_first.get(row.competitor)})


def _present(order: type[Domain] | type[Archetype], names: Iterator[str]) -> tuple[str, ...]:
    found = set(names)
    known = [one.value for one in order if one.value in found]
    return (*known, *sorted(found - set(known)))


def _remarks(
    dialogues: Sequence[RankedDialogue], groups: dict[str, list[RankedDialogue]], rows: Sequence[Row]
) -> Iterator[str]:
    callers = sorted(
        {
            " ".join(filter(None, (one.record.plan.policy, one.record.plan.language_model)))
            for one in dialogues
        }
    )
    yield f"Caller: {', '.join(callers)}."
    if len(callers) > 1:
        yield "Not all competitors met the same kind of caller: compare with care."
    calls = {one.met for one in dialogues}
    if len({met[:3] for met in calls}) < len(calls):
        yield (
            "Some entries had another prompt, flow, person or caller in some of the dialogues: these are not "
            "compared with the others of the same name."
        )
    behind = {name: {one.met for one in members if one.scores} for name, members in groups.items()}
    if len({frozenset(met) for met in behind.values()}) > 1:
        yield (
            "The competitors' figures rest on different dialogues; the differences compare only those in "
            "which both met the same caller."
        )
    reasons = Counter(
        part for row in rows for part in row.metrics["final"].reason.split("; ") if part.startswith("partial")
    )
    if reasons:
        told = sorted({reason.rpartition(" (")[0] or reason for reason in reasons})
        yield f"Final and GIC are {'; '.join(told[:3])}."
    unfinished = sum(one.left_out == "not judged yet" for one in dialogues)
    if unfinished:
        yield f"{unfinished} dialogues have not been judged yet."
