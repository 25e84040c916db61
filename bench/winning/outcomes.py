"""How calls ended, what the agent achieved in them, and what a person's type changes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.records.call import CallRecord
from harness.scenarios.scenario import Entry
from metrics.dialogue.rules.nodes import judge_nodes
from metrics.dialogue.verdict_checks import checked_nodes
from metrics.intervals import Interval, bootstrap_mean_by_call, wilson
from spoken_language.dialogue import Dialogue, DialogueTurn
from voice_sim.person.archetypes import Archetype
from voice_sim.policies.agenda.lines import LineBook


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One call.

    Attributes:
        winnable: As it was drawn when the plan was frozen.
        won: The person ended the call satisfied.
        turns: Of the person.
        refusals: Turns of it with a no or an objection.
        achieved, applicable: Nodes of the task, by the rules.
    """

    entry: str
    winnable: bool
    won: bool
    end: str
    turns: int
    refusals: int
    achieved: int
    applicable: int
    text: str

    @property
    def nodes(self) -> float:
        """Share of the task's nodes that were achieved."""
        return self.achieved / self.applicable if self.applicable else 0.0


Rows = Mapping[tuple[str, Archetype], Sequence[Outcome]]


def outcome_of(entry: Entry, record: CallRecord) -> Outcome:
    """What became of one call in text."""
    task = record.plan.about
    dialogue = Dialogue(
        turns=tuple(DialogueTurn(speaker=turn.speaker, text=turn.text) for turn in record.turns)
    )
    verdicts = checked_nodes(dialogue, task.flow, judge_nodes(dialogue, task.flow, task.agent_prompt))
    outcomes = [verdict.outcome for verdict in verdicts]
    book = LineBook(task.persona)
    said = [turn.text for turn in record.turns if turn.speaker == "caller"]
    kinds = [{role.kind for role in book.roles_in(text)} for text in said]
    lines = [f"{turn.speaker:>6}: {turn.text}" + f"  [{turn.why}]" * bool(turn.why) for turn in record.turns]
    return Outcome(
        entry=entry.id,
        winnable=task.winnable,
        won=record.end_reason == "satisfied",
        end=record.end_reason or str(record.status),
        turns=len(said),
        refusals=sum(bool(one & {"no", "obstacle"}) for one in kinds),
        achieved=outcomes.count("achieved"),
        applicable=len(outcomes) - outcomes.count("not_applicable"),
        text="\n".join([f"{entry.id}: {record.end_reason}", *lines]),
    )


def shares(outcomes: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    """A table: an agent a row, who is won of those who can be, and the nodes achieved with either kind."""
    yield "| agent | won of who can be won | nodes with them | nodes with the others | ends |"
    yield "|---|---:|---:|---:|---|"
    for agent, found in outcomes.items():
        can, cannot = [one for one in found if one.winnable], [one for one in found if not one.winnable]
        ends = {end: sum(one.end == end for one in found) for end in sorted({one.end for one in found})}
        told = ", ".join(f"{end} {count}" for end, count in ends.items())
        yield f"| {agent} | {_share(can)} | {_nodes(can)} | {_nodes(cannot)} | {told} |"


def by_type(rows: Rows) -> Iterator[str]:
    """A table: agent and type of the person a row."""
    yield "| agent | type | won of who can be won | nodes | turns | refusals |"
    yield "|---|---|---:|---:|---:|---:|"
    for (agent, archetype), found in rows.items():
        can = [one for one in found if one.winnable]
        turns, refusals = _mean([one.turns for one in found]), _mean([one.refusals for one in found])
        yield f"| {agent} | {archetype} | {_share(can)} | {_nodes(found)} | {turns:.1f} | {refusals:.1f} |"


def swapped(rows: Rows) -> Iterator[str]:
    """A table: what the same person does differently from itself as a cooperative one; paired, by person."""
    yield "\n| agent | type, less the same person cooperative | won | turns | refusals |"
    yield "|---|---|---:|---:|---:|"
    for (agent, archetype), found in rows.items():
        if archetype is Archetype.COOPERATIVE:
            continue
        pairs = list(zip(found, rows[agent, Archetype.COOPERATIVE], strict=True))
        can = [(one, other) for one, other in pairs if one.winnable and other.winnable]
        won = _difference({one.entry: one.won - other.won for one, other in can})
        turns = _difference({one.entry: one.turns - other.turns for one, other in pairs})
        refusals = _difference({one.entry: one.refusals - other.refusals for one, other in pairs})
        yield f"| {agent} | {archetype} | {won} | {turns} | {refusals} |"


def _difference(by_entry: Mapping[str, float]) -> str:
    interval = bootstrap_mean_by_call({entry: [value] for entry, value in by_entry.items()}, seed=1)
    return f"{_mean(list(by_entry.values())):+.2f} {_told(interval)}"


def _share(found: Sequence[Outcome]) -> str:
    won = sum(one.won for one in found)
    return (
        f"{won / len(found):.2f} ({won} of {len(found)}) {_told(wilson(won, len(found)))}" if found else "-"
    )


def _nodes(found: Sequence[Outcome]) -> str:
    if not found:
        return "-"
    interval = bootstrap_mean_by_call({one.entry: [one.nodes] for one in found}, seed=1)
    return f"{_mean([one.nodes for one in found]):.2f} {_told(interval)}"


def _told(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "[no interval]"
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
