"""What came of a sheet, for the terminal and as Markdown; nothing that anybody wrote is read as markup."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness._files.code_span import code_span
from harness.judging.checking.judge_check import PAPER_NODES, PAPER_REPLIES, percent
from harness.judging.people.annotating.agreement import Difference, PeopleCheck
from harness.judging.people.annotating.key import NODES
from harness.judging.people.annotating.labelled_set import WrittenSet
from metrics.dialogue.agreement import Agreement

FEW_POINTS = 30


def print_people_check(console: Console, check: PeopleCheck) -> None:
    """The tables of agreement."""
    raters = ", ".join(f"{name} ({n})" for name, n in check.raters.items())
    console.print(f"{check.points} points rated by {raters}", markup=False, highlight=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for column in _columns(check):
        table.add_column(Text(column), header_style="dim")
    for what in _rows(check):
        table.add_row(what, *(_cell(one.get(what)) for one in _columns(check).values()))
    console.print(table)
    for line in _remarks(check):
        console.print(line, style="dim", markup=False, highlight=False)


def print_written_set(console: Console, written: WrittenSet) -> None:
    """Where the labelled set is, and what is not in it."""
    for reason, n in written.left_out.items():
        console.print(f"not in the labelled set: {n} points, {reason}", style="yellow", markup=False)
    if written.folder is not None:
        told = f"labelled set: {written.replies} replies, {written.dialogues} dialogues: {written.folder}"
        console.print(told, markup=False, highlight=False, soft_wrap=True)
        command = f"outboundeval judge check --set {written.folder} --judge NAME"
        console.print(command, style="dim", markup=False, highlight=False, soft_wrap=True)


def as_markdown(check: PeopleCheck) -> str:
    """Agreement, and every difference with everybody's argument: what a judge's prompt is worked on with."""
    columns = _columns(check)
    lines = ["# What raters say", "", *_remarks(check), ""]
    lines += [
        "| | " + " | ".join(code_span(name) for name in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for what in _rows(check):
        lines.append(f"| {what} | " + " | ".join(_cell(one.get(what)) for one in columns.values()) + " |")
    judge = [one for one in check.differences if one.judge_differs]
    raters = [one for one in check.differences if not one.judge_differs]
    for title, found in (
        (f"Judge against people: {len(judge)}", judge),
        (f"Raters against each other only: {len(raters)}", raters),
    ):
        lines += ["", f"## {title}"]
        for one in found:
            lines += ["", *_difference(one)]
    return "\n".join(lines) + "\n"


def _columns(check: PeopleCheck) -> dict[str, dict[str, Agreement]]:
    columns = dict(check.pairs)
    if len(check.pairs) > 1:
        columns["all pairs"] = check.people
    if check.judge_people:
        columns["judge / people"] = check.judge_people
        if len(check.judge_raters) > 1:
            columns |= {f"judge / {name}": one for name, one in check.judge_raters.items()}
    return columns


def _rows(check: PeopleCheck) -> list[str]:
    tables = _columns(check).values()
    return list(dict.fromkeys(what for table in tables for what in table))


def _cell(one: Agreement | None) -> str:
    if one is None or one.accuracy is None:
        return "-"
    kappa = one.weighted_kappa if one.weighted_kappa is not None else one.kappa
    failed = f", {one.failed} failed" if one.failed else ""
    return f"{percent(one)}, κ {'-' if kappa is None else f'{kappa:.2f}'}, n {one.n}{failed}"


def _remarks(check: PeopleCheck) -> Iterator[str]:
    if check.judge:
        yield f"Judge: {check.judge} {check.judge_version}."
    yield (
        "Share of equal labels with its 95 % interval (dialogues resampled where several points are of one, "
        "else Wilson); κ is Cohen's, weighted where labels are scores."
    )
    if check.settled_by:
        yield f"Where the others did not agree, {check.settled_by} settled it."
    if check.points > check.settled:
        yield f"{check.points - check.settled} points are not settled: the judge is not compared on them."
    if check.not_judged:
        yield f"{check.not_judged} settled points were not judged, or go by rule, or other words were judged."
    for who, one in (("raters", check.turns), ("judge and people", check.judge_turns)):
        if one.n:
            yield f"Achieved nodes for which {who} name the same turn: {percent(one)}, n {one.n}."
    if any(table[what].n < FEW_POINTS for table in _columns(check).values() for what in table):
        yield f"Rows with n below {FEW_POINTS} say little: rate more before a conclusion is drawn from one."
    if check.judge:
        yield (
            f"The paper reports {100 * PAPER_NODES:.0f} % of its judge with experts for {NODES} and "
            f"{100 * PAPER_REPLIES:.0f} % for replies."
        )


def _difference(one: Difference) -> Iterator[str]:
    where = f", turn {one.turn}" if one.turn is not None else ""
    about = f" ({code_span(one.entry)})" if one.entry else ""
    yield f"### {one.what}: {code_span(one.item)}"
    yield ""
    yield f"{code_span(one.dialogue)}{where}{about}: {code_span(one.about, limit=1500)}"
    yield ""
    for each in (*one.arguments, *((one.judge,) if one.judge is not None else ())):
        turn = f" in turn {each.turn}" if each.turn is not None else ""
        yield f"- {code_span(each.who)}: **{each.label}**{turn} {code_span(each.why, limit=1000)}"
    yield f"- together: {f'**{one.people}**' if one.people else 'not settled'}"
