"""What a judge made of a dialogue's words, ready to be shown: every node, the worst replies, what failed.

From a score the reader comes to its evidence: a verdict names a turn and quotes it, and both lead to the
place where it was said. The same stands in the report of calls and on the pages of dialogues in text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harness.judging.checking.standing import JudgeStanding, judge_standing
from harness.records.scores import DialogueScores
from harness.reports.parts.formats import count
from harness.reports.parts.judgement_places import Place, Places
from harness.reports.parts.judgement_rows import (
    DimensionRow,
    FailureRow,
    LostPoints,
    NodeRow,
    ReplyRow,
    ScoreRow,
)
from metrics.dialogue.flow_compliance import (
    ALL_WEIGHT,
    COVERAGE_WEIGHT,
    KEY_WEIGHT,
    PROCESS_WEIGHT,
    NodeOrder,
)
from metrics.dialogue.interaction_quality import WEIGHTS
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.text_scores import GIC_WEIGHT, TFC_WEIGHT, TextScores
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from metrics.score import Score, Status

WORST_REPLIES = 12
"""So many replies with lost points are shown; the others are counted."""
MAX_FAILURES = 12
"""So many different reasons of failed judgements are shown."""

_TEXT_CHARS = 700
_OPEN = {Status.INDETERMINATE: "open", Status.FAILED: "failed"}


StandingOf = Callable[[str, str], JudgeStanding]
"""Of a judge and its version: :func:`judge_standing`, cached where many are shown."""


@dataclass(frozen=True, kw_only=True)
class JudgementPanel:
    """Everything that the two sections say.

    Attributes:
        not_measured: Why there is nothing else; empty where there is.
        left_out: Why the scores are in no figure of the run; empty where they are.
        heading, standing: What the scores may be called, and what is known of the judge.
        notes: What qualifies the scores.
        replies_left_out: Replies with lost points that are not shown.
        failed, judgements: That failed, of how many.
        failures_left_out: Failed judgements whose reason is not shown.
    """

    not_measured: str = ""
    left_out: str = ""
    judge: str = ""
    heading: str = ""
    standing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    nodes: tuple[NodeRow, ...] = ()
    flow_scores: tuple[ScoreRow, ...] = ()
    reply_scores: tuple[ScoreRow, ...] = ()
    dimensions: tuple[DimensionRow, ...] = ()
    replies: tuple[ReplyRow, ...] = ()
    replies_judged: int = 0
    replies_left_out: int = 0
    failed: int = 0
    judgements: int = 0
    failures: tuple[FailureRow, ...] = ()
    failures_left_out: int = 0

    @property
    def glance(self) -> str:
        """For a line that is one of many: ``Final 0.6123``, or ``Provisional 0.6123``."""
        for row in self.reply_scores:
            if row.name == "final":
                return f"{row.label} {row.shown}"
        return ""


def judgement_panel(
    scores: DialogueScores,
    flow: TaskFlow | None,
    *,
    places: Places | None = None,
    standing_of: StandingOf = judge_standing,
    left_out: str = "",
) -> JudgementPanel:
    """The judgement of a dialogue.

    Args:
        flow: Its task, for what the nodes ask; without it they have their names alone.
        places: How to get to a turn; default: its number.
        left_out: Why its scores are in no figure of the run.
    """
    text = scores.text
    if text is None:
        return JudgementPanel(not_measured=scores.not_judged, notes=scores.notes)
    find = places or (lambda turn: Place(turn=turn, label=f"turn {turn}"))
    standing = standing_of(text.judge, text.judge_version)
    replies = list(_worst(scores, text, find))
    failures = list(_failures(text))
    by_id = {node.id: node for node in flow.nodes} if flow else {}
    return JudgementPanel(
        left_out=left_out,
        judge=f"{text.judge} {text.judge_version}",
        heading=standing.heading,
        standing=tuple(standing.lines()),
        notes=scores.notes,
        nodes=tuple(_nodes(text, by_id, find)),
        flow_scores=tuple(_flow_scores(text, by_id)),
        reply_scores=tuple(_reply_scores(text, standing)),
        dimensions=tuple(_dimensions(text)),
        replies=tuple(replies[:WORST_REPLIES]),
        replies_judged=len({one.turn for one in text.replies if one.outcome != "failed"}),
        replies_left_out=max(0, len(replies) - WORST_REPLIES),
        failed=text.failed,
        judgements=len(text.nodes) + len(text.replies),
        failures=tuple(failures[:MAX_FAILURES]),
        failures_left_out=sum(one.n for one in failures[MAX_FAILURES:]),
    )


def not_judged(reason: str) -> JudgementPanel:
    """Nothing was judged, and why."""
    return JudgementPanel(not_measured=reason)


# ---- nodes


def _nodes(text: TextScores, by_id: dict[str, FlowNode], find: Places) -> Iterator[NodeRow]:
    order = {one.node: one for one in text.order}
    turns = {one.node: one.turn for one in text.nodes}
    for verdict in text.nodes:
        node = by_id.get(verdict.node)
        late = order.get(verdict.node)
        if late is not None and late.in_order:
            late = None
        outcome, label, tone = _outcome(verdict, late)
        yield NodeRow(
            id=verdict.node,
            criterion=node.criterion if node else "",
            key=node.key if node else False,
            branch=node.branch.when if node and node.branch else "",
            outcome=outcome,
            label=label,
            tone=tone,
            place=None if verdict.turn is None else find(verdict.turn),
            quote=_short(verdict.quote),
            reason=_short(verdict.reason),
            order=_before(late, turns) if late else "",
            votes=", ".join(vote.replace("_", " ") for vote in verdict.votes),
        )


def _outcome(verdict: NodeVerdict, late: NodeOrder | None) -> tuple[str, str, str]:
    if late is not None:
        label = "achieved, out of order" if late.missing else "achieved, order not known"
        return "out_of_order", label, "open"
    words = {
        "achieved": ("achieved", "good"),
        "not_achieved": ("not achieved", "bad"),
        "not_applicable": ("not applicable", "idle"),
        "failed": ("judgement failed", "open"),
    }
    return verdict.outcome, *words[verdict.outcome]


def _before(late: NodeOrder, turns: dict[str, int | None]) -> str:
    told = [
        f"{name} ({'never' if (turn := turns.get(name)) is None else f'only in turn {turn}'})"
        for name in late.missing
    ]
    told += [f"{name} (not judged)" for name in late.unknown]
    return ", ".join(told)


# ---- scores and their counts


def _flow_scores(text: TextScores, by_id: dict[str, FlowNode]) -> Iterator[ScoreRow]:
    applying = [one for one in text.nodes if one.outcome != "not_applicable"]
    keys = [one for one in applying if (node := by_id.get(one.node)) is not None and node.key]
    every, key = _tally(applying), _tally(keys)
    if by_id:
        yield _row(text, "key_node_completion", "Key nodes", key.told)
    yield _row(text, "node_completion", "All nodes", every.told)
    if keys and not (key.failed or every.failed):
        made = f"{KEY_WEIGHT} × {key.fraction} + {ALL_WEIGHT} × {every.fraction}"
    elif by_id and not keys:
        made = "no key node: as of all nodes"
    else:
        made = f"{KEY_WEIGHT} × key nodes + {ALL_WEIGHT} × all nodes"
    yield _row(text, "coverage", "Cov", made)
    kept = sum(one.in_order for one in text.order)
    yield _row(text, "process", "Proc", f"{kept} of {count(len(text.order), 'achieved node')} in order")
    yield _row(text, "tfc", "TFC", f"{COVERAGE_WEIGHT} × Cov + {PROCESS_WEIGHT} × Proc")


@dataclass(frozen=True)
class _Tally:
    achieved: int
    n: int
    failed: int

    @property
    def fraction(self) -> str:
        return f"{self.achieved}/{self.n}"

    @property
    def told(self) -> str:
        failed = f" ({count(self.failed, 'judgement')} failed)" if self.failed else ""
        return f"{self.achieved} achieved of {self.n} that {'applies' if self.n == 1 else 'apply'}{failed}"


def _tally(verdicts: Sequence[NodeVerdict]) -> _Tally:
    outcomes = [one.outcome for one in verdicts]
    return _Tally(outcomes.count("achieved"), len(outcomes), outcomes.count("failed"))


def _reply_scores(text: TextScores, standing: JudgeStanding) -> Iterator[ScoreRow]:
    yield _row(text, "gic", "GIC", "the dimensions by their weights")
    # A total is called final only where its judge has been checked.
    yield _row(text, "final", standing.heading.capitalize(), f"{TFC_WEIGHT} × TFC + {GIC_WEIGHT} × GIC")


def _row(text: TextScores, name: str, label: str, made_of: str) -> ScoreRow:
    score = _score(text, name)
    return ScoreRow(
        name=name,
        label=label,
        shown=_shown(score),
        value=score.value if score else None,
        made_of=made_of,
        note=_short(score.reason) if score else "",
    )


def _score(text: TextScores, name: str) -> Score | None:
    return next((one for one in text.scores if one.metric == name), None)


def _shown(score: Score | None) -> str:
    if score is None:
        return "not measured"
    return f"{score.value:.4f}" if score.value is not None else _OPEN.get(score.status, "not measured")


def _dimensions(text: TextScores) -> Iterator[DimensionRow]:
    for dimension in Dimension:
        mine = [one for one in text.replies if one.dimension is dimension]
        points = Counter(one.score for one in mine if one.score is not None)
        score = _score(text, f"gic_{dimension}")
        yield DimensionRow(
            name=_plain(dimension),
            shown=_shown(score),
            weight=f"{WEIGHTS[dimension]:.2f}",
            zeros=points[0],
            ones=points[1],
            twos=points[2],
            failed=sum(one.outcome == "failed" for one in mine),
            note=_short(score.reason) if score else "",
        )


# ---- replies


def _worst(scores: DialogueScores, text: TextScores, find: Places) -> Iterator[ReplyRow]:
    """Replies below full marks: those with most zeros first, then those with most ones."""
    by_turn: dict[int, list[ReplyVerdict]] = {}
    for verdict in text.replies:
        if verdict.score is not None and verdict.score < 2:
            by_turn.setdefault(verdict.turn, []).append(verdict)

    def badness(item: tuple[int, list[ReplyVerdict]]) -> tuple[int, int, int]:
        points = Counter(one.score for one in item[1])
        return -points[0], -points[1], item[0]

    for turn, verdicts in sorted(by_turn.items(), key=badness):
        # The sort is stable: within one score, in the order of Table 5.
        verdicts.sort(key=lambda one: one.score or 0)
        yield ReplyRow(
            place=find(turn),
            said=_short(scores.turns[turn].text) if turn < len(scores.turns) else "",
            lost=tuple(map(_lost, verdicts)),
        )


def _lost(verdict: ReplyVerdict) -> LostPoints:
    return LostPoints(
        score=verdict.score or 0,
        dimension=_plain(verdict.dimension),
        reason=_short(verdict.reason),
        quote=_short(verdict.quote),
        votes=", ".join(verdict.votes),
    )


def _failures(text: TextScores) -> Iterator[FailureRow]:
    """Failed judgements by reason, the most frequent first."""
    of: dict[str, list[str]] = {}
    for node in text.nodes:
        if node.outcome == "failed":
            of.setdefault(node.reason, []).append(node.node)
    for reply in text.replies:
        if reply.outcome == "failed":
            where = f"{_plain(reply.dimension)} of turn {reply.turn}"
            of.setdefault(reply.reason, []).append(where)
    for reason, places in sorted(of.items(), key=lambda item: -len(item[1])):
        yield FailureRow(
            n=len(places), reason=_short(reason) or "no reason was given", of=_short(", ".join(places))
        )


def _plain(dimension: Dimension) -> str:
    return dimension.value.replace("_", " ")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _TEXT_CHARS else flat[: _TEXT_CHARS - 1] + "…"
