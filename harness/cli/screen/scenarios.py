"""Scenarios in the terminal: ``list``, ``show``, and the figures of ``check --stats`` and ``--recall``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from harness.scenarios.agent_card import AgentCard
from harness.scenarios.rules.diversity import ALIKE_MAX, COPIED_MAX, Pair
from harness.scenarios.scenario import Callee, Scenario
from harness.selfcheck.understanding.figures import Share
from harness.selfcheck.understanding.left_out import LeftOut, recall_by_kind
from metrics.dialogue.task_flow import FlowNode, TaskFlow, ordered
from voice_sim.person.archetypes import Archetype

Recalled = dict[str, list[LeftOut]]
"""By language."""


def list_table(scenarios: Sequence[Scenario]) -> Table:
    """One row a scenario."""
    table = Table(title=None, header_style="bold", box=None, pad_edge=False)
    for heading in ("id", "domain", "title", "lang", "personas", "nodes/key"):
        table.add_column(heading, no_wrap=heading not in ("domain", "title"), overflow="fold")
    for scenario in scenarios:
        table.add_row(
            escape(scenario.id),
            scenario.domain.value.replace("_", " "),
            escape(scenario.title),
            scenario.language,
            f"{len({p.archetype for p in scenario.personas})} of {len(Archetype)}",
            f"{len(scenario.flow.nodes)}/{sum(node.key for node in scenario.flow.nodes)}",
        )
    return table


def list_document(scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """What ``list --json`` prints: counts, and one item a scenario."""
    domains: dict[str, dict[str, int]] = defaultdict(dict)
    entries: dict[str, int] = defaultdict(int)
    for scenario in scenarios:
        counts = domains[scenario.language]
        counts[scenario.domain.value] = counts.get(scenario.domain.value, 0) + 1
        entries[scenario.language] += len(scenario.callees)
    return {
        "scenarios": len(scenarios),
        "entries": sum(entries.values()),
        "by_language": {
            language: {
                "scenarios": sum(counts.values()),
                "entries": entries[language],
                "scenarios_by_domain": counts,
            }
            for language, counts in sorted(domains.items())
        },
        "items": [
            {
                "id": scenario.id,
                "domain": scenario.domain.value,
                "sub_scenario": scenario.sub_scenario,
                "language": scenario.language,
                "title": scenario.title,
                "source": scenario.source.kind,
                "entries": [f"{scenario.id}/{persona.archetype.value}" for persona in in_order(scenario)],
                "nodes": len(scenario.flow.nodes),
                "key_nodes": sum(node.key for node in scenario.flow.nodes),
            }
            for scenario in scenarios
        ],
    }


def show_scenario(scenario: Scenario, archetype: Archetype | None = None) -> RenderableType:
    """A readable page: head, agent card, flow, and the people (or the one that is asked for)."""
    entry = scenario.entry(archetype) if archetype else None
    head = Table.grid(padding=(0, 2))
    head.add_column(style="bold", no_wrap=True)
    head.add_column()
    for label, value in (
        ("objective", scenario.core_objective),
        ("challenge", scenario.main_challenge),
        ("domain", f"{scenario.domain.label} ({scenario.orientation.value.replace('_', ' ')})"),
        (
            "today",
            f"{scenario.reference_date:%A, %Y-%m-%d}"
            if scenario.language == "en"
            else str(scenario.reference_date),
        ),
        ("names", ", ".join(entry.proper_nouns if entry else scenario.proper_nouns)),
        ("values", ", ".join(v.value for v in (entry.key_values if entry else scenario.key_values))),
    ):
        head.add_row(label, escape(value))
    title = f"{entry.id if entry else scenario.id}: {scenario.title}"
    callees = [
        callee for callee in scenario.callees if not archetype or callee.persona.archetype is archetype
    ]
    return Group(
        Panel(head, title=escape(title), title_align="left"),
        _card(entry.card if entry else scenario.agent),
        Text(),
        flow_tree(entry.flow if entry else scenario.flow),
        Text(),
        *(_person(callee) for callee in callees),
    )


def flow_tree(flow: TaskFlow) -> Tree:
    """The flow as a tree: each node under the last of its prerequisites."""
    tree = Tree("[bold]Task flow[/]   [bold yellow]●[/] key   ○ main line   [cyan]◇[/] branch")
    try:
        nodes = ordered(flow)
    except ValueError as problem:
        tree.add(f"[red]{escape(str(problem))}[/]")
        nodes = list(flow.nodes)
    places = {node.id: number for number, node in enumerate(nodes)}
    drawn: dict[str, Tree] = {}
    for node in nodes:
        known = [required for required in node.requires if required in drawn]
        parent = drawn[max(known, key=places.__getitem__)] if known else tree
        drawn[node.id] = parent.add(_node(node, known))
    return tree


def stats_table(pairs: Sequence[Pair], *, most: int = 5) -> RenderableType:
    """How similar people are: within a scenario, and of one archetype across scenarios."""
    if not pairs:
        return Text("Diversity: fewer than two written personas of a language")
    summary = Table(header_style="bold", box=None, pad_edge=False, title="Diversity", title_justify="left")
    for heading in ("group", "pairs", "copied: highest", "alike: highest", "alike: mean"):
        summary.add_column(heading, justify="left" if heading == "group" else "right")
    for name, figures in stats_document(pairs)["groups"].items():
        language, group = name.split("/")
        summary.add_row(
            f"{language}: {_GROUPS[group]}",
            str(figures["pairs"]),
            f"{figures['copied_max']:.3f}",
            f"{figures['alike_max']:.3f}",
            f"{figures['alike_mean']:.3f}",
        )
    allowed = " ".join(f"{language} {limit}" for language, limit in ALIKE_MAX.items())
    summary.add_row("[dim]allowed below[/]", "", f"[dim]{COPIED_MAX}[/]", f"[dim]{allowed}[/]", "")
    closest = Table(
        header_style="bold", box=None, pad_edge=False, title="Closest pairs", title_justify="left"
    )
    for heading in ("copied", "alike", "", ""):
        closest.add_column(heading)
    for pair in sorted(pairs, key=_closeness, reverse=True)[:most]:
        closest.add_row(f"{pair.copied:.3f}", f"{pair.alike:.3f}", escape(pair.first), escape(pair.second))
    return Group(summary, Text(), closest)


def stats_document(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The diversity figures as data: per language and group of pairs, the highest values and the mean."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[f"{pair.language}/{pair.group}"].append(pair)
    return {
        "copied_allowed_below": COPIED_MAX,
        "alike_allowed_below": dict(ALIKE_MAX),
        "groups": {
            name: {
                "pairs": len(group),
                "copied_max": max(pair.copied for pair in group),
                "alike_max": max(pair.alike for pair in group),
                "alike_mean": sum(pair.alike for pair in group) / len(group),
            }
            for name, group in sorted(groups.items())
        },
    }


_GROUPS = {
    "scenario": "one scenario",
    "archetype": "one user type",
    "other": "others",
}


def _closeness(pair: Pair) -> float:
    return max(pair.copied / COPIED_MAX, pair.alike / ALIKE_MAX[pair.language])


def in_order(scenario: Scenario) -> Iterable[Any]:
    """The scenario's personas in the paper's order of user types."""
    order = list(Archetype)
    return sorted(scenario.personas, key=lambda persona: order.index(persona.archetype))


def _node(node: FlowNode, requires: Sequence[str]) -> str:
    mark = "[cyan]◇[/]" if node.branch else "[bold yellow]●[/]" if node.key else "○"
    text = f"{mark} [bold]{node.id}[/]  {escape(node.criterion)}"
    if node.branch:
        text += f"\n  [cyan]if {escape(node.branch.when)}[/]"
    if len(requires) > 1:
        text += f"\n  [dim]after {', '.join(requires)}[/]"
    return text + (" [dim](derived)[/]" if node.derived else "")


def _card(card: AgentCard) -> RenderableType:
    tree = Tree("[bold]Agent card[/]")
    tree.add(f"[bold]Role[/]  {escape(card.role)}")
    tree.add(f"[bold]Task[/]  {escape(card.core_task)}")
    tree.add(f"[bold]Opening[/]  {escape(card.opening)}")
    profile = tree.add("[bold]Knows beforehand[/]")
    for line in card.target_profile:
        profile.add(escape(line))
    steps = tree.add("[bold]Steps[/]")
    for number, step in enumerate(card.sop, start=1):
        branch = steps.add(f"[bold]{number}. {escape(step.title)}[/] [dim]{step.id}[/]")
        for line in [step.text] if step.text else step.say:
            branch.add(escape(line))
        for detour in step.branches:
            branch.add(f"[cyan]{detour.kind}: {escape(detour.when)}[/]")
    faq = tree.add(f"[bold]FAQ[/] [dim]{len(card.faq)}[/]")
    for entry in card.faq:
        faq.add(f"{escape(entry.question)}\n[dim]{escape(entry.answer)}[/]")
    ends = tree.add("[bold]Ends[/]")
    for ending in card.termination:
        ends.add(f"{ending.outcome}: {escape(ending.when)}")
    return tree


def _person(callee: Callee) -> RenderableType:
    persona = callee.persona
    body = Table.grid(padding=(0, 2))
    body.add_column(style="bold", no_wrap=True)
    body.add_column()
    rows = (
        ("situation", persona.situation),
        ("wants", " / ".join(persona.concerns.primary)),
        ("hides", " / ".join(persona.concerns.latent)),
        ("must ask", " / ".join(question.ask[0] for question in persona.must_ask if question.ask)),
        ("obstacles", " / ".join(obstacle.say[0] for obstacle in persona.obstacles if obstacle.say)),
        ("sounds like", "\n".join(persona.style.good[:4])),
        ("knows", ", ".join(f"{fact.key}: {fact.value}" for fact in persona.facts)),
    )
    for label, value in rows:
        if value:
            body.add_row(label, escape(value))
    return Panel(
        Group(Text(persona.role), Text(), body),
        title=f"[bold]{persona.archetype.value}[/] {escape(persona.demographics.name)}",
        title_align="left",
    )


def recall_table(found: Mapping[str, Sequence[LeftOut]]) -> Table:
    """A kind of item a row, for each language."""
    title = "Example lines understood by the other authors' lines"
    table = Table(header_style="bold", box=None, pad_edge=False, title=title, title_justify="left")
    for heading in ("language", "for", "lines", "understood", "95 %"):
        table.add_column(heading, justify="left" if heading in ("language", "for") else "right")
    for language, tried in sorted(found.items()):
        for kind, share in recall_by_kind(list(tried)).items():
            if share.value is not None:
                table.add_row(language, kind, str(share.n), f"{share.value:.3f}", _recall_interval(share))
    return table


def recall_document(found: Mapping[str, Sequence[LeftOut]]) -> dict[str, Any]:
    """The same as numbers; a kind without lines is left out."""
    return {
        language: {
            kind: {"lines": share.n, "understood": share.hits, "share": round(share.value, 4)}
            for kind, share in recall_by_kind(list(tried)).items()
            if share.value is not None
        }
        for language, tried in sorted(found.items())
    }


def _recall_interval(share: Share) -> str:
    interval = share.interval
    if interval is None or interval.low is None or interval.high is None:
        return ""
    return f"{interval.low:.3f} to {interval.high:.3f}"
