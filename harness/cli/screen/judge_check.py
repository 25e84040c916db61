"""How often a judge agrees with people, at the terminal."""

from __future__ import annotations

from collections import Counter

from rich.markup import escape
from rich.table import Table

from harness.cli.screen.console import stdout
from harness.judging.checking.judge_check import PAPER_NODES, PAPER_REPLIES, JudgeCheck, percent
from harness.judging.checking.progress import told_failures


def print_check(result: JudgeCheck, *, verbose: bool) -> None:
    """One set, as a table: agreement of replies by dimension and of nodes, with intervals.

    Args:
        verbose: Also list every disagreement that was kept, with both arguments.
    """
    stdout.print(f"[bold]{escape(result.judge)}[/] {escape(result.judge_version)}", highlight=False)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)  # fits into 80 columns
    table.add_column("", no_wrap=True)
    for name in ("n", "failed"):
        table.add_column(name, justify="right")
    for name in ("agrees", "kappa", "weighted", "passes agree"):
        table.add_column(name)
    rows = [*result.dimensions.items(), ("all replies", result.replies), ("nodes", result.nodes)]
    for name, one in rows:
        people = result.people.get(name)
        table.add_row(
            escape(name),
            str(one.n),
            str(one.failed),
            percent(one),
            _two(one.kappa),
            _two(one.weighted_kappa),
            percent(people) if people is not None else "",
        )
    stdout.print(table)
    _print_counts(result)
    stdout.print(_told_intervals(result), style="dim", highlight=False)
    if result.turns.n:
        stdout.print(f"achieved nodes with the same turn cited: {percent(result.turns)}, n {result.turns.n}")
    for language, groups in result.by_language.items() if len(result.by_language) > 1 else ():
        told = ", ".join(f"{what} {percent(one)} (n {one.n})" for what, one in groups.items())
        stdout.print(f"{language}: {told}", highlight=False, markup=False)
    if result.not_claimed:
        stdout.print(f"not claimed by this judge: {', '.join(result.not_claimed)}", highlight=False)
    stdout.print(
        f"The paper reports {100 * PAPER_NODES:.0f} % for nodes and {100 * PAPER_REPLIES:.0f} % for replies.",
        style="dim",
        highlight=False,
    )
    _print_confusions(result)
    _print_disagreements(result, verbose=verbose)


def _told_intervals(result: JudgeCheck) -> str:
    """How the intervals were found: what is of one dialogue is not independent."""
    told = []
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        if one.dialogues is not None:
            told.append(f"{name} by resampling dialogues ({one.dialogues})")
        elif one.n:
            told.append(f"{name} Wilson, each of a dialogue of its own")
    return f"95 % intervals: {'; '.join(told)}" if told else "nothing was compared"


def _print_counts(result: JudgeCheck) -> None:
    """How much of the set was judged, and why there is no verdict where there is none."""
    if result.replies_in_set is not None and result.dialogues_in_set is not None:
        stdout.print(
            f"judged {result.replies.n} of {result.replies_in_set} replies and {result.dialogues} of "
            f"{result.dialogues_in_set} dialogues ({result.nodes.n} nodes)",
            highlight=False,
        )
    if result.partial:
        stdout.print(
            "a balanced sample: of each dimension about as many replies of each score, not as often as in "
            "the set, so what agrees here is no estimate of the whole set",
            highlight=False,
        )
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        if one.failed:
            reasons = told_failures(Counter(result.failures.get(name, {})))
            stdout.print(f"failed {one.failed} of {one.n} {name}: {reasons}", highlight=False, markup=False)


def _print_confusions(result: JudgeCheck) -> None:
    for name, one in (("replies", result.replies), ("nodes", result.nodes)):
        wrong = [
            (count, label, judged)
            for label, row in one.confusion.items()
            for judged, count in row.items()
            if label != judged
        ]
        if wrong:
            told = ", ".join(
                f"{label} taken for {judged} {count}x" for count, label, judged in sorted(wrong)[::-1]
            )
            stdout.print(f"{name}: {told}", highlight=False, markup=False)


def _print_disagreements(result: JudgeCheck, *, verbose: bool) -> None:
    count = sum(one.n - one.agreed for one in (result.replies, result.nodes))
    listed = len(result.disagreements)
    for one in result.disagreements if verbose else ():
        trait = f" ({one.trait})" if one.trait else ""
        stdout.print(f"\n{one.item}{trait}, {one.what}: {one.label}, judged {one.judged}", markup=False)
        stdout.print(f"  label: {one.why}", style="dim", markup=False, highlight=False)
        stdout.print(f"  judge: {one.judge_why}", style="dim", markup=False, highlight=False)
    which = "them" if listed == count else f"the first {listed}"
    if count and not verbose:
        stdout.print(f"{count} disagreements; -v lists {which}", style="dim", highlight=False)
    elif count > listed:
        stdout.print(f"\n{count} disagreements, of which these are the first {listed}", style="dim")


def _two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
