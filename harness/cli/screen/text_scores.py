"""Text scores in the terminal: the figures, what each node rests on, and the worst replies.

Nothing that either side of a dialogue wrote is read as markup.
"""

from __future__ import annotations

from typing import Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harness.analysis.measures.table import label
from harness.judging.checking.standing import judge_standing
from harness.records.scores import DialogueScores, TextSummary
from harness.reports.parts.guard_lines import turns_left_out
from harness.scoring.figures_over_texts import text_measures
from metrics.dialogue.flow_compliance import NodeOrder
from metrics.dialogue.text_scores import TextScores
from metrics.dialogue.verdicts import NodeVerdict, ReplyVerdict
from metrics.score import Score, Status

WORST_REPLIES = 6
_SHOWN = 160

_MARKS = {"achieved": "[green]✓[/]", "not_achieved": "[red]✗[/]", "not_applicable": "[dim]·[/]"}


def print_dialogue(console: Console, scores: DialogueScores, criteria: dict[str, str]) -> None:
    """One dialogue in full.

    Args:
        criteria: Node -> its criterion, for those that were missed.
    """
    about = f" · {escape(scores.entry)}" if scores.entry else ""
    console.print(f"[bold]{escape(scores.id)}[/]{about} · {_counted(scores)}", highlight=False)
    for note in scores.notes:
        console.print(f"  {note}", style="yellow", markup=False, highlight=False)
    if scores.text is None:
        console.print(f"  not judged: {scores.not_judged}", style="yellow", markup=False, highlight=False)
        return
    text = scores.text
    console.print()
    _print_figures(console, text)
    console.print()
    _print_nodes(console, text, criteria)
    _print_worst(console, scores, text)


def print_text_summary(console: Console, summary: TextSummary) -> None:
    """Means over several dialogues, and by what they were about where there is more than one kind."""
    told = f"{summary.dialogues} dialogue{'' if summary.dialogues == 1 else 's'} judged"
    console.print(f"[bold]{told}[/] by {_judge(summary)}", highlight=False)
    for reason, times in summary.not_judged.items():
        console.print(f"  not judged: {times} × {reason}", style="yellow", markup=False, highlight=False)
    if summary.guilty_turns:
        told = turns_left_out(summary.guilty_turns)
        console.print(f"  {told}", style="yellow", markup=False, highlight=False)
    if summary.failed:
        console.print(f"  {summary.failed} of {summary.judgements} judgements failed", style="yellow")
    many = len(summary.competitors) > 1
    if many:
        rows = {one.name or "(no name)": one.metrics for one in summary.competitors}
        console.print(_means("by competitor", rows))
    console.print(_pooled_table(summary))
    for one in [] if many else summary.competitors:
        for title, groups in (("by domain", one.by_domain), ("by user type", one.by_archetype)):
            if len(groups) > 1:
                console.print(_means(title, groups))
    reasons = dict.fromkeys(
        metric.reason for name in ("tfc", "gic", "final") if (metric := summary.metrics[name]).reason
    )
    for reason in reasons:
        console.print(f"  {reason}", style="dim", markup=False, highlight=False)


def print_judge_note(console: Console, summary: TextSummary) -> None:
    """What has to be known about the judge, under the figures: whether it was checked, and how it did."""
    if not summary.judge:
        return
    standing = judge_standing(summary.judge, summary.judge_version)
    style = "dim" if standing.final else "yellow"
    for line in standing.lines():
        console.print(line, style=style, markup=False, highlight=False)


def _print_figures(console: Console, text: TextScores) -> None:
    table = _table("score", "value", "n", "note")
    for measure in text_measures():
        score = measure.of_dialogue(text)
        name = measure.entry.label
        shown = f"  {name}" if measure.part_of else f"[bold]{name}[/]"
        table.add_row(shown, _value(score), str(score.n) if score.n else "", Text(score.reason, style="dim"))
    console.print(table)


def _print_nodes(console: Console, text: TextScores, criteria: dict[str, str]) -> None:
    order = {one.node: one for one in text.order}
    table = _table("", "node", "turn", "what it rests on")
    for node in text.nodes:
        mark = _MARKS.get(node.outcome, "[yellow]?[/]")
        late = order.get(node.node)
        if late is not None and not late.in_order:
            mark = "[yellow]↕[/]"
        turn = "" if node.turn is None else str(node.turn)
        table.add_row(mark, escape(node.node), turn, _rests_on(node, late, criteria))
    console.print(table)
    console.print(
        "✓ achieved, ↕ out of order, ✗ missed, · not applicable, ? not judged; turns count from 0",
        style="dim",
    )


def _rests_on(node: NodeVerdict, order: NodeOrder | None, criteria: dict[str, str]) -> Text:
    if node.outcome == "achieved":
        told = Text(f"“{_short(node.quote)}”")
        if order is not None and not order.in_order:
            told.append(f"  before {', '.join((*order.missing, *order.unknown))}", style="yellow")
        return told
    if node.outcome == "not_achieved":
        return Text(_short(criteria.get(node.node) or node.reason))
    return Text(_short(node.reason), style="dim" if node.outcome == "not_applicable" else "yellow")


def _print_worst(console: Console, scores: DialogueScores, text: TextScores) -> None:
    worst = _worst_replies(text)
    if not worst:
        return
    console.print("\n[bold]Worst replies[/]")
    for turn, verdicts in worst:
        said = _short(scores.turns[turn].text) if turn < len(scores.turns) else ""
        console.print(Text(f"  turn {turn}: {said}"), highlight=False)
        for one in verdicts:
            points = "?" if one.score is None else str(one.score)
            told = f"      {points} {one.dimension}: {_short(one.reason)}"
            console.print(Text(told, style="red" if one.score == 0 else "yellow"), highlight=False)


def _worst_replies(text: TextScores) -> list[tuple[int, list[ReplyVerdict]]]:
    """Replies with lost points, most lost first, each with the verdicts that took them."""
    by_turn: dict[int, list[ReplyVerdict]] = {}
    for verdict in text.replies:
        if verdict.score in (0, 1) or verdict.outcome == "failed":
            by_turn.setdefault(verdict.turn, []).append(verdict)

    def lost(verdicts: list[ReplyVerdict]) -> int:
        return sum(2 - one.score for one in verdicts if one.score is not None)

    ranked = sorted(by_turn.items(), key=lambda item: (-lost(item[1]), item[0]))
    return ranked[:WORST_REPLIES]


# ---- several


def _pooled_table(summary: TextSummary) -> Table:
    table = _table("score", "mean", "95 % interval", "n")
    for name, metric in summary.metrics.items():
        if metric.value is None:
            table.add_row(escape(label(name)), "—", "", Text(metric.reason, style="dim"))
        else:
            table.add_row(escape(label(name)), f"{metric.value:.4f}", _interval(metric), str(metric.n))
    return table


def _means(title: str, groups: dict[str, dict[str, Score]]) -> Table:
    table = _table(title, "n", "TFC", "GIC", "Final", "95 % interval")
    ranked = sorted(groups.items(), key=lambda item: _best_first(item[1]["final"]))
    for name, metrics in ranked:
        final = metrics["final"]
        values = (_mean(metrics[one]) for one in ("tfc", "gic", "final"))
        table.add_row(escape(name), str(final.n), *values, _interval(final))
    return table


def _best_first(final: Score) -> tuple[bool, float]:
    """What was not measured is not the worst: it stands below, whatever the others came to."""
    return (final.value is None, 0.0 if final.value is None else -final.value)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        numeric = heading in ("value", "n", "turn", "mean", "TFC", "GIC", "Final", "95 % interval")
        justify: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(heading, header_style="dim", justify=justify, overflow="fold")
    return table


def _judge(summary: TextSummary) -> str:
    return f"{escape(summary.judge or 'nobody')} {escape(summary.judge_version)}".strip()


def _value(score: Score) -> str:
    if score.value is not None:
        return f"{score.value:.4f}"
    return {Status.NOT_APPLICABLE: "—", Status.FAILED: "failed"}.get(score.status, "open")


def _mean(metric: Score) -> str:
    return "—" if metric.value is None else f"{metric.value:.4f}"


def _interval(metric: Score) -> str:
    if metric.ci_low is None or metric.ci_high is None:
        return ""
    return f"{metric.ci_low:.3f} – {metric.ci_high:.3f}"


def _counted(scores: DialogueScores) -> str:
    replies = sum(turn.speaker == "agent" for turn in scores.turns)
    return f"{len(scores.turns)} turns, {replies} of the agent"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
