"""Dialogues in text, in the terminal: one as it is held, many as a progress line, and how they ended.

Nothing that either side wrote is read as markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from harness.calls.conversation import Held as HeldCall
from harness.plans.call import CallPlan
from harness.records.call import CallRecord, CallStatus, Event, Side
from harness.records.usage import SideUsage
from harness.runs.batch import Outcome
from harness.scenarios.scenario import Entry
from spoken_language.plurals import plural

_STYLE = {
    CallStatus.COMPLETED: "green",
    CallStatus.AGENT_HANGUP: "green",
    CallStatus.SETUP_FAILED: "red",
    CallStatus.AGENT_FAILED: "red",
    CallStatus.HARNESS_FAULT: "magenta",
}
_BLANK_LINES = re.compile(r"\s*\n\s*\n\s*")
_NAMES: dict[Side, tuple[str, str]] = {"agent": ("agent", "green"), "caller": ("caller", "cyan")}


class DialoguePrinter:
    """Prints one dialogue as it is held; pass :meth:`show` as ``on_event``.

    Args:
        why: Also what led the caller to each line.
        typed: The side that a person types: its lines are on the screen already.
    """

    def __init__(self, console: Console, *, why: bool = False, typed: Side | None = None) -> None:
        self._console = console
        self._why = why
        self._typed = typed

    def show(self, event: Event) -> None:
        """Prints what a person wants to see of an event; most events say nothing."""
        data = event.data
        match event.kind:
            case "said" if event.side != self._typed:
                text = _BLANK_LINES.sub("\n", str(data["text"]))
                self._line(event, text, style=_NAMES[event.side][1])
                if self._why and data.get("why"):
                    self._line(event, f"({data['why']})", style="dim", named=False)
            case "silent":
                self._line(event, "(says nothing)", style="dim")
            case "cut":
                kept = f"(went on for {data['chars']} characters; cut after {data['kept']})"
                self._line(event, kept, style="yellow")
            case "retry":
                text = f"(language model: {data['reason']}; trying again in {data['wait_s']:.1f} s)"
                self._line(event, text, style="yellow")
            case "hung-up":
                self._line(event, "(hangs up)", style="dim")

    def _line(self, event: Event, text: str, *, style: str, named: bool = True) -> None:
        who, colour = _NAMES[event.side]
        row = Table.grid(padding=(0, 2))
        row.add_column(width=5, style="dim")
        row.add_column(width=6, style=f"bold {colour}")
        row.add_column(overflow="fold")
        clock = f"{int(event.t // 60):02d}:{int(event.t % 60):02d}"
        row.add_row(clock if named else "", who if named else "", Text(text, style=style))
        self._console.print(row)


def briefing(entry: Entry, side: Side) -> RenderableType:
    """What a person who plays a side is told."""
    if side == "agent":
        return Panel(
            Text(entry.prompt().rstrip()),
            title="You are the agent: your card",
            subtitle="Enter sends · an empty line is silence · Ctrl-D hangs up",
        )
    persona = entry.persona
    lines = [persona.role.strip(), "", persona.situation.strip(), "", "You want to know:"]
    lines += [f"  - {question.ask[0]}" for question in persona.must_ask if question.ask]
    lines += ["What you can tell:"]
    lines += [f"  - {fact.key.replace('_', ' ')}: {fact.value}" for fact in persona.facts]
    return Panel(
        Text("\n".join(lines)),
        title=f"You answer the phone: {persona.archetype.value}",
        subtitle="Enter sends · Ctrl-D hangs up",
    )


def print_ending(console: Console, record: CallRecord) -> None:
    """How one dialogue ended, and what it took."""
    minutes, seconds = divmod(round(record.duration_s), 60)
    style = _STYLE.get(record.status, "yellow")
    ending = Text.assemble(
        (record.status.replace("_", " "), f"bold {style}"), ": ", Text(record.status_detail)
    )
    console.print()
    console.print(ending)
    turns = _count(len(record.turns), "turn")
    console.print(Text(f"{turns}, about {minutes}:{seconds:02d} if it were spoken", style="dim"))
    for side, usage in (("agent", record.agent_usage), ("caller", record.caller_usage)):
        if usage.requests or usage.failed_attempts:
            console.print(Text(f"{side}'s language model: {usage_text(usage)}", style="dim"))


def usage_text(usage: SideUsage) -> str:
    """For a person: requests, tokens, time and cost."""
    known = "at least " if usage.lower_bound else ""
    sources = f" {' and '.join(usage.price_sources)}" if usage.price_sources else ""
    cost = "cost not known" if usage.cost is None else f"{known}{usage.cost:.4f} {usage.currency}{sources}"
    failed = f", {_count(usage.failed_attempts, 'failed attempt')}" if usage.failed_attempts else ""
    tokens = f"{known}{usage.input_tokens} tokens in, {usage.output_tokens} out"
    return f"{_count(usage.requests, 'request')}{failed}, {tokens}, {usage.model_s:.1f} s, {cost}"


class BatchProgress:
    """A progress line, and a line for each dialogue that has ended."""

    def __init__(self, console: Console, *, total: int) -> None:
        self._console = console
        self._endings: Counter[str] = Counter()
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[endings]}", style="dim"),
            console=console,
            transient=True,
        )
        self._task = self.progress.add_task("dialogues", total=total, endings="")

    def on_complete_before(self, count: int) -> None:
        """So many were complete before."""
        self.progress.update(self._task, completed=count)

    def on_preparing(self, plan: CallPlan, done: int, total: int) -> None:
        self.progress.update(self._task, description=escape(plan.about.entry))

    def on_held(self, held: HeldCall) -> None:
        record = held.record
        if record.status is CallStatus.INTERRUPTED:
            return
        self._endings[record.status.replace("_", " ")] += 1
        endings = " · ".join(f"{name} {count}" for name, count in self._endings.most_common())
        self.progress.update(self._task, advance=1, endings=endings)
        style = _STYLE.get(record.status, "yellow")
        detail = "" if record.status.took_place else f"  {record.status_detail}"
        line = Text.assemble(
            (f"{record.status.replace('_', ' '):14}", style),
            f" {record.plan.about.entry}",
            (f"  {record.plan.competitor}  {_count(len(record.turns), 'turn')}{detail}", "dim"),
        )
        self._console.print(line, soft_wrap=True)


def print_batch(console: Console, records: Iterable[CallRecord], outcome: Outcome) -> None:
    """One row a competitor: how its dialogues ended, their length, what they took."""
    by_competitor: dict[str, list[CallRecord]] = {}
    for record in records:
        by_competitor.setdefault(record.plan.competitor, []).append(record)
    columns = [name for name in _COLUMNS if any(_COLUMNS[name](held) for held in by_competitor.values())]
    table = Table(title="Dialogues", title_justify="left", box=None, pad_edge=False)
    table.add_column("agent", header_style="dim", overflow="fold")
    for name in columns:
        longest = max(map(len, name.split()))
        table.add_column(name, header_style="dim", justify="right", min_width=longest)
    for competitor, held in by_competitor.items():
        table.add_row(Text(competitor), *(_COLUMNS[name](held) or "·" for name in columns))
    console.print()
    console.print(table)
    console.print(
        Text("turns: median of both sides together; failed dialogues are never scored", style="dim")
    )
    for competitor, why in outcome.stopped.items():
        console.print(Text(f"{competitor}: stopped: {why}", style="red"), soft_wrap=True)


Held = Sequence[CallRecord]


def _number_of(*statuses: CallStatus) -> Callable[[Held], str]:
    def count(held: Held) -> str:
        return str(sum(record.status in statuses for record in held) or "")

    return count


def _turns(held: Held) -> str:
    lengths = [len(record.turns) for record in held if record.status.took_place]
    return f"{median(lengths):g}" if lengths else ""


def _tokens(held: Held) -> str:
    return str(sum(record.agent_usage.output_tokens for record in held) or "")


def _cost(held: Held) -> str:
    """Of the agent's side; nothing where a price is not known."""
    costs = [record.agent_usage.cost for record in held]
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs) or not any(known):
        return ""
    return f"{sum(known):.4f} {held[0].agent_usage.currency}"


_COLUMNS: dict[str, Callable[[Held], str]] = {
    "held": lambda held: str(len(held)),
    "completed": _number_of(CallStatus.COMPLETED),
    "agent hung up": _number_of(CallStatus.AGENT_HANGUP),
    "caller gave up": _number_of(CallStatus.CALLER_HANGUP),
    "limit": _number_of(CallStatus.TIMEOUT),
    "failed": _number_of(CallStatus.SETUP_FAILED, CallStatus.AGENT_FAILED),
    "our fault": _number_of(CallStatus.HARNESS_FAULT),
    "turns": _turns,
    "tokens out": _tokens,
    "cost": _cost,
}
"""Columns that say nothing for any competitor are left out."""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else plural(noun)}"
