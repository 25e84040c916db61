"""Several runs of calls in one table: an agent a column, every figure a row, differences to the first.

Differences are of the calls in which both agents had the same caller
(:mod:`harness.scoring.comparison.pairs`); the figures themselves are of all calls of each run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from harness._files.json_file import read_model
from harness.analysis.measures.table import catalogue
from harness.errors import UserError
from harness.records.call import CallStatus
from harness.records.comparison import Comparison, FigureChange
from harness.records.scores import Summary
from harness.records.scores.figures import Figures
from harness.scoring.comparison.instruments import circumstances, run_info
from harness.scoring.comparison.runs import compare_runs
from harness.scoring.gates.held_to import held_calls
from spoken_language.outside_text import one_line

MOST_RUNS = 20


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AgentFigures(_Part):
    """One run.

    Attributes:
        name: What the agent calls itself, else its address; with the run's name where two have the same.
        calls: How they ended.
        metrics: Over all its calls.
        to_first: The figures against those of the first run; None for itself.
    """

    name: str
    run: str
    calls: dict[CallStatus, int] = Field(default_factory=dict)
    metrics: Figures = Field(default_factory=dict)
    judge: str = ""
    to_first: Comparison | None = None

    def change(self, figure: str) -> FigureChange | None:
        """Of a figure against the first; None where it was not compared."""
        found = self.to_first.figures if self.to_first is not None else ()
        return next((one for one in found if one.figure == figure and not one.part), None)


class SideBySide(_Part):
    """Several agents.

    Attributes:
        figures: Names of those that some agent has a value of, in the catalogue's order.
        absent: Names of those that none has -> the first agent's reason.
    """

    agents: tuple[AgentFigures, ...]
    figures: tuple[str, ...]
    absent: dict[str, str] = Field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def side_by_side(runs: Sequence[Path]) -> SideBySide:
    """The figures of several scored runs of calls, in the order given.

    Raises:
        UserError: One is no run or has not been scored, the same is named twice, or there are too many.
    """
    if len(runs) > MOST_RUNS:
        raise UserError(f"{len(runs)} runs; at most {MOST_RUNS} stand side by side")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UserError("a run is named twice; each agent is one run")
    summaries = [_summary(run) for run in runs]
    agents = tuple(
        AgentFigures(
            name=name,
            run=str(run),
            calls=summary.calls,
            metrics=summary.metrics,
            judge=summary.text.judge if summary.text is not None else "",
            to_first=None if place == 0 else compare_runs(runs[0], run, every_figure=True),
        )
        for place, (name, run, summary) in enumerate(zip(_names(runs), runs, summaries, strict=True))
    )
    names = list(catalogue())
    names += [name for summary in summaries for name in summary.metrics if name not in names]
    names = list(dict.fromkeys(names))
    measured = [name for name in names if any(_has(agent, name) for agent in agents)]
    first = agents[0].metrics
    return SideBySide(
        agents=agents,
        figures=tuple(measured),
        absent={
            name: first[name].reason if name in first else "not in its summary"
            for name in names
            if name not in measured
        },
        remarks=tuple(_remarks(agents)),
    )


def _has(agent: AgentFigures, name: str) -> bool:
    found = agent.metrics.get(name)
    return found is not None and (found.value is not None or bool(found.not_reached))


def _summary(run: Path) -> Summary:
    path = run / "summary.json"
    if not path.is_file():
        raise UserError(f"{run}: has no summary.json; score it first: outboundeval score {run}")
    return read_model(path, Summary, within=run)


def _names(runs: Sequence[Path]) -> list[str]:
    names = []
    for run in runs:
        told = circumstances(run, held_calls(run)).agent
        names.append(one_line(told["agent"] or told["address"] or run.name, most=100))
    twice = {name for name, n in Counter(names).items() if n > 1}
    named = [
        f"{name} ({one_line(run.name, most=60)})" if name in twice else name
        for name, run in zip(names, runs, strict=True)
    ]
    # Two folders of one name: their paths are what tells them apart.
    again = {name for name, n in Counter(named).items() if n > 1}
    return [f"{name} {run}" if name in again else name for name, run in zip(named, runs, strict=True)]


def _remarks(agents: Sequence[AgentFigures]) -> list[str]:
    remarks = []
    first = agents[0].name
    for agent in agents[1:]:
        found = agent.to_first
        assert found is not None
        left = ", ".join(f"{n} {why}" for why, n in found.left_out.items())
        remarks.append(
            f"{agent.name}: {found.pairs} calls with the same caller as in {first}"
            + (f"; calls without a partner: {left}" if left else "")
        )
        remarks += [
            f"{agent.name}: the instrument is another, no difference can be told: {one_line(one, most=200)}"
            for one in found.instruments
        ]
        remarks += [f"{agent.name}: also another: {one_line(one, most=200)}" for one in found.changed]
    judges = {agent.judge for agent in agents if agent.judge}
    if len(judges) > 1:
        remarks.append(
            f"Judged by different judges ({', '.join(sorted(judges))}): their scores do not compare."
        )
    infos = [run_info(Path(agent.run)) for agent in agents]
    if len({info.plan_digest for info in infos if info is not None}) > 1:
        remarks.append(
            "The runs have different plans: the differences are of the same callers, the figures are not."
        )
    remarks.append(
        "Differences are paired by call, with 90 % intervals, each end a bound that holds in 95 of 100; "
        "their words are adjusted for looking at all figures of two agents (Holm), not for several agents."
    )
    return remarks
