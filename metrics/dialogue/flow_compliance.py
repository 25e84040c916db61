"""Task flow compliance: how much of its task a call did, and whether in order (section 5.1.3, Table 4).

::

    Cov  = 0.7 key node completion + 0.3 node completion        (over the nodes that apply)
    Proc = achieved nodes in order / achieved nodes
    TFC  = 0.7 Cov + 0.3 Proc

**In order** is an achieved node each of whose prerequisites was achieved, in an earlier turn or in the same
one; a node without prerequisites is. Prerequisites are direct ones (``requires``). Within one turn the flow's
own order is given the benefit of the doubt: people say "I'm sorry, and I'll see to it" in either order. A
prerequisite that did not apply to this call does not count.

**Nothing achieved.** Then there is no order to judge and Proc has no value. TFC counts it as 0, which makes
TFC 0: to leave the term out would give 0 as well (TFC = Cov = 0), and to count "nothing out of order" as 1
would give an agent that said nothing 0.3, against the paper's ranking of task completion before order.

**Failed verdicts** leave the affected figures open between two bounds, see :mod:`metrics.dialogue.share`:
at worst each failed node applied and was not achieved (and broke the order), at best each was achieved in
order. The bounds hold; both need not be reachable at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from metrics.dialogue.share import ZERO, Share, weighted
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.verdict_checks import checked_nodes
from metrics.dialogue.verdicts import NodeVerdict
from metrics.score import Evidence, Score, not_measured
from spoken_language.dialogue import Dialogue

KEY_WEIGHT, ALL_WEIGHT = 0.7, 0.3
COVERAGE_WEIGHT, PROCESS_WEIGHT = 0.7, 0.3

_SHOWN = 160


class NodeOrder(BaseModel):
    """Whether an achieved node came after its prerequisites.

    Attributes:
        missing: Prerequisites that were never achieved, or only in a later turn.
        unknown: Prerequisites whose verdict failed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    node: str
    in_order: bool
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FlowCompliance:
    """The TFC scores of one session and what they rest on.

    Attributes:
        nodes: One checked verdict a node, in the flow's order.
        order: One entry for each achieved node.
        tfc_share: TFC with its bounds, for the final score; None where no node applied.
        scores: key_node_completion, node_completion, coverage, process, tfc.
    """

    nodes: tuple[NodeVerdict, ...]
    order: tuple[NodeOrder, ...]
    tfc_share: Share | None
    scores: tuple[Score, ...]


def flow_compliance(
    dialogue: Dialogue,
    flow: TaskFlow,
    verdicts: Sequence[NodeVerdict],
    *,
    version: str,
    call_id: str | None = None,
) -> FlowCompliance:
    """TFC of one session (section 5.1.3).

    Args:
        verdicts: As the judge gave them; they are checked here (:mod:`metrics.dialogue.verdict_checks`).
        version: Of judge and formula, for the scores.
        call_id: For the evidence.
    """
    nodes = checked_nodes(dialogue, flow, verdicts)
    order = node_order(flow, nodes)
    judged = list(zip(flow.nodes, nodes, strict=True))
    evidence = tuple(_evidence(node, verdict, call_id) for node, verdict in judged)
    applying = [(node, verdict) for node, verdict in judged if verdict.outcome != "not_applicable"]
    if not applying:
        reason = "no node of the flow applied to this call"
        names = ("key_node_completion", "node_completion", "coverage", "process", "tfc")
        scores = tuple(not_measured(name, "ratio", reason, version=version) for name in names)
        return FlowCompliance(nodes=nodes, order=order, tfc_share=None, scores=scores)

    every = _completion([verdict for _, verdict in applying])
    key_score, coverage = _coverage(applying, every, judged, evidence, version=version)
    process_score, process, notes = _process_score(nodes, order, call_id, version=version)
    tfc = weighted([(COVERAGE_WEIGHT, coverage), (PROCESS_WEIGHT, process)], n=len(applying), notes=notes)
    tfc = replace(tfc, failed=every.failed)
    return FlowCompliance(
        nodes=nodes,
        order=order,
        tfc_share=tfc,
        scores=(
            key_score,
            every.score("node_completion", version=version, evidence=evidence),
            coverage.score("coverage", version=version, evidence=evidence),
            process_score,
            tfc.score("tfc", version=version),
        ),
    )


Judged = tuple[FlowNode, NodeVerdict]
"""A node and its checked verdict."""


def _coverage(
    applying: Sequence[Judged],
    every: Share,
    judged: Sequence[Judged],
    evidence: Sequence[Evidence],
    *,
    version: str,
) -> tuple[Score, Share]:
    """The completion of the key nodes, and coverage; ``every``: the completion of all that apply."""
    keys = [verdict for node, verdict in applying if node.key]
    if not keys:
        reason = "the flow has no key node"
        score = not_measured("key_node_completion", "ratio", reason, version=version)
        return score, replace(every, n=len(applying), notes=(f"{reason}: completion of all nodes",))
    key = _completion(keys)
    key_evidence = [one for one, (node, _) in zip(evidence, judged, strict=True) if node.key]
    score = key.score("key_node_completion", version=version, evidence=key_evidence)
    coverage = weighted([(KEY_WEIGHT, key), (ALL_WEIGHT, every)], n=len(applying))
    # A failed key node is in both completions, but it is one judgement.
    return score, replace(coverage, failed=every.failed)


def _process_score(
    nodes: Sequence[NodeVerdict], order: Sequence[NodeOrder], call_id: str | None, *, version: str
) -> tuple[Score, Share, list[str]]:
    """The score of the order, the share that TFC takes of it, and what is to be told of that."""
    process = _process(nodes, order)
    if process is None:
        reason = "no node was achieved, so there is no order to judge"
        score = not_measured("process", "ratio", reason, version=version)
        return score, ZERO, ["no node was achieved: process counts as 0"]
    broken = [_order_evidence(one, nodes, call_id) for one in order if not one.in_order]
    return process.score("process", version=version, evidence=broken), process, []


def node_order(flow: TaskFlow, verdicts: Sequence[NodeVerdict]) -> tuple[NodeOrder, ...]:
    """For each achieved node, in the flow's order, whether its prerequisites came before it.

    Args:
        verdicts: Checked ones: one for each node.
    """
    by_id = {verdict.node: verdict for verdict in verdicts}
    found = []
    for node in flow.nodes:
        turn = by_id[node.id].turn
        if turn is None:
            continue
        required = [by_id[name] for name in node.requires if name in by_id]
        missing = tuple(
            one.node
            for one in required
            if one.outcome == "not_achieved" or (one.turn is not None and one.turn > turn)
        )
        unknown = tuple(one.node for one in required if one.outcome == "failed")
        order = NodeOrder(
            node=node.id, in_order=not missing and not unknown, missing=missing, unknown=unknown
        )
        found.append(order)
    return tuple(found)


def _completion(applying: Sequence[NodeVerdict]) -> Share:
    achieved = sum(verdict.outcome == "achieved" for verdict in applying)
    failed = sum(verdict.outcome == "failed" for verdict in applying)
    n = len(applying)
    return Share(
        low=achieved / n, high=(achieved + failed) / n, n=n - failed, failed=failed, none=failed == n
    )


def _process(nodes: Sequence[NodeVerdict], order: Sequence[NodeOrder]) -> Share | None:
    """None where nothing was achieved and nothing could have been."""
    failed = sum(verdict.outcome == "failed" for verdict in nodes)
    achieved = len(order)
    if not achieved + failed:
        return None
    kept = sum(one.in_order for one in order)
    open_ = sum(bool(one.unknown) and not one.missing for one in order)
    # A failed node takes part in the share only if it was achieved; the two ends are the worst and best case.
    return Share(
        low=kept / (achieved + failed),
        high=(kept + open_ + failed) / (achieved + failed),
        n=achieved,
        failed=failed,
        none=failed == sum(verdict.outcome != "not_applicable" for verdict in nodes),
    )


def _evidence(node: FlowNode, verdict: NodeVerdict, call_id: str | None) -> Evidence:
    told = f"{node.id}{' (key)' if node.key else ''}: {verdict.outcome.replace('_', ' ')}"
    if verdict.turn is not None:
        told += f", turn {verdict.turn}: “{_short(verdict.quote)}”"
    elif verdict.reason:
        told += f" ({_short(verdict.reason)})"
    value = {"achieved": 1.0, "not_achieved": 0.0}.get(verdict.outcome)
    return Evidence(call_id=call_id, value=value, text=told)


def _order_evidence(order: NodeOrder, nodes: Sequence[NodeVerdict], call_id: str | None) -> Evidence:
    by_id = {verdict.node: verdict for verdict in nodes}
    before = [
        f"{name} ({f'turn {turn}' if (turn := by_id[name].turn) is not None else 'never'})"
        for name in order.missing
    ]
    before += [f"{name} (not judged)" for name in order.unknown]
    told = f"{order.node}: achieved in turn {by_id[order.node].turn} before {', '.join(before)}"
    return Evidence(call_id=call_id, value=0.0, text=told)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
