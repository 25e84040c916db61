"""From a run folder to everything that the page, the JUnit file and the pull-request comment say.

Nothing is measured here: figures come from ``summary.json`` and ``scores.json``, and are only put into words
and positions. A ``summary.json`` that cannot be used is computed again from the calls, and the page says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path

from harness.calls.guard import read_guard
from harness.judging.checking.standing import judge_standing
from harness.plans.callers_told import callers_told
from harness.records.call import CallStatus
from harness.records.scores import CalibrationNote, RunInfo, Summary
from harness.records.verdict import Verdict
from harness.reports.call import MAX_EVENTS_SHOWN, STATUS_LABELS, CallPanel, call_panel
from harness.reports.conduct import conduct_figures
from harness.reports.load_chart import LoadChart, load_chart
from harness.reports.parts.audio import MAX_BUCKETS, MIN_BUCKETS, AudioError, Outline, outline
from harness.reports.parts.charts import Chart
from harness.reports.parts.figures import (
    Figure,
    Share,
    Unmeasured,
    cards,
    figures,
    outcome_shares,
    unmeasured,
)
from harness.reports.parts.formats import address, clock, count, day, length
from harness.reports.parts.guard_lines import guard_lines
from harness.reports.parts.judgement import StandingOf
from harness.reports.parts.judging_cost import judging_told
from harness.reports.parts.playable import Sound
from harness.reports.parts.run_charts import delay_chart, delays_not_drawn, latency_chart
from harness.reports.people.listening import ListeningSection, listening_section
from harness.reports.probes import ProbeFigure, ProbeSection, probe_sections
from harness.reports.rung.rings import Rings, rings_of
from harness.reports.told.figures import ToldTable, told_table
from harness.reports.verdict import HEADLINES, CheckLine, check_lines, notes
from harness.runs.others.witnessed import with_witnessed
from harness.runs.reader import CallFiles, Problem, RunFiles, read_run
from harness.runs.store import RunStore
from harness.scoring.gates.decide import read_verdict, verdict_now
from harness.scoring.guilty_aside import summarize_guarded, without_guilty
from harness.scoring.summary import UNMEASURED_STATUSES

OUTLINES_BYTES = 8_000_000
"""What all waveforms of a page may take together; with many calls each is drawn more coarsely."""

EVENTS_UP_TO_CALLS = 20
"""In larger runs events stay in their files: they would be most of the page's text."""

_BYTES_PER_BUCKET = 16 / 3  # lowest and highest of two sides, as base64


SAY_NOTHING = frozenset(status for status in CallStatus if status.says_nothing)
"""Of the agent: such calls are shown apart, and enter no figure."""


@dataclass(frozen=True, kw_only=True)
class StatusCount:
    status: str
    label: str
    tone: str
    n: int


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """The whole report. ``calls`` are the agent's; ``faulty`` say nothing about it: our own side failed, or
    they were cut off."""

    name: str
    verdict_list: Verdict
    """What decides pass and fail."""
    agents: tuple[str, ...]
    started: str
    took: str
    version: str
    verdict: str
    statuses: tuple[StatusCount, ...]
    instrument: tuple[str, ...]
    cards: tuple[Figure, ...]
    more: tuple[Figure, ...]
    outcomes: tuple[Share, ...]
    latency: Chart | None
    delays: Chart | None
    delays_not_drawn: str
    load: LoadChart | None
    """By calls at once; None where they were placed one after the other."""
    calls: tuple[CallPanel, ...]
    faulty: tuple[CallPanel, ...]
    unmeasured: tuple[Unmeasured, ...]
    measured: tuple[Figure, ...]
    detectors: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]
    callers: tuple[str, ...]
    """Who plays the callers and how they understand, a line each."""
    guard: tuple[str, ...]
    """What the guard says of our own callers, a sentence each."""
    judge: tuple[str, ...]
    """Who judged the words and how often that judge is right, a sentence each."""
    conduct: tuple[ProbeFigure, ...]
    """How it conducted its turns, a figure each."""
    told: ToldTable | None
    """Where the time of its answers went, by what it tells; None where it tells nothing."""
    probes: tuple[ProbeSection, ...]
    """A section for each probe suite that it has calls of."""
    rings: Rings | None
    """What became of each ring; None for a run that was not called."""
    listening: ListeningSection | None
    """What people said of the voice."""
    by_packets: bool
    """Some call was placed by us, packet by packet; a recording from elsewhere is not."""

    @property
    def headline(self) -> str:
        """Whether it passes, in a word."""
        return HEADLINES[self.verdict_list.word]

    @property
    def checks(self) -> tuple[CheckLine, ...]:
        return check_lines(self.verdict_list)

    @property
    def check_notes(self) -> list[str]:
        return notes(self.verdict_list)

    @property
    def faults(self) -> tuple[CallPanel, ...]:
        """Those of ``faulty`` in which our own side failed."""
        return tuple(call for call in self.faulty if call.status != CallStatus.INTERRUPTED)

    @property
    def cut_off(self) -> tuple[CallPanel, ...]:
        """Those of ``faulty`` that were cut off at the terminal: nobody's fault."""
        return tuple(call for call in self.faulty if call.status == CallStatus.INTERRUPTED)

    @property
    def linked_sound(self) -> str:
        """How many calls play from their file: "3 calls", or nothing."""
        linked = sum(call.sound.kind == "linked" for call in self.calls + self.faulty)
        return count(linked, "call") if linked else ""

    def with_sounds(self, sounds: Sequence[Sound]) -> RunPage:
        """The same page with other sounds, in the order of ``calls`` and then ``faulty``."""
        changed = [
            replace(call, sound=sound) for call, sound in zip(self.calls + self.faulty, sounds, strict=True)
        ]
        own = len(self.calls)
        return replace(self, calls=tuple(changed[:own]), faulty=tuple(changed[own:]))


def run_page(run_dir: Path, *, drawn: bool = True) -> RunPage:
    """Reads a run folder and puts it into words.

    Args:
        run_dir: The folder that ``run`` left.
        drawn: False leaves waveforms and sound out, for reports that are text. Sound is linked at first;
            :func:`harness.reports.parts.playable.embedded_within` puts it into a page.

    Raises:
        UserError: ``run_dir`` is no run folder.
    """
    files = read_run(run_dir)
    problems = list(files.problems)
    summary = _summary(files, problems)
    shown = figures(summary)
    listening = listening_section(run_dir, summary, problems)
    standing_of = cache(judge_standing)
    rings = rings_of(files, problems)
    calls = with_witnessed(run_dir, files.calls)
    guilty = frozenset(summary.guard.guilty) if summary.guard else frozenset[str]()
    # What stands under a figure is of the calls that the figure is of; the panels show every call.
    counted = replace(files, calls=tuple(call for call in files.calls if call.call_id not in guilty))
    if drawn:
        panels = list(_drawn_panels(replace(files, calls=calls), standing_of))
    else:
        panels = [
            call_panel(call, standing_of=standing_of, left_out=_left_out(files, call)) for call in calls
        ]
    return RunPage(
        name=_name(files),
        verdict_list=read_verdict(run_dir) or verdict_now(run_dir),
        agents=_agents(files),
        started=day(files.info.started_at) if files.info else "",
        took=_took(files.info),
        version=files.info.outboundeval if files.info else "",
        verdict=_verdict(summary),
        statuses=tuple(_status_counts(panels)),
        instrument=tuple(_instrument(summary)),
        cards=tuple(cards(shown)),
        more=tuple(figure for figure in shown if figure.value is not None and figure.card is None),
        outcomes=tuple(outcome_shares(summary.interruptions)),
        latency=latency_chart(counted, summary),
        delays=delay_chart(counted, summary),
        delays_not_drawn=delays_not_drawn(summary),
        load=load_chart(files, guilty=guilty),
        calls=tuple(panel for panel in panels if panel.status not in SAY_NOTHING),
        faulty=tuple(panel for panel in panels if panel.status in SAY_NOTHING),
        unmeasured=tuple(unmeasured(shown)),
        measured=tuple(figure for figure in shown if figure.value is not None),
        detectors=tuple(_detectors(files)),
        facts=tuple(_facts(files)),
        problems=(*problems, *(problem for panel in panels for problem in panel.problems)),
        callers=tuple(callers_told(call.record.plan for call in files.calls if call.record)),
        guard=tuple(guard_lines(summary)),
        judge=tuple(_judge(summary, standing_of)),
        conduct=conduct_figures(counted.calls, summary),
        told=told_table(counted.calls, shown),
        probes=probe_sections(counted.calls, summary),
        rings=rings,
        listening=listening,
        by_packets=any(call.record and call.record.media for call in files.calls),
    )


def _summary(files: RunFiles, problems: list[Problem]) -> Summary:
    records = [call.record for call in files.calls if call.record]
    if files.summary is None:
        problems.append(Problem(file="summary.json", what="the figures were computed again from the calls"))
        scores = [call.scores for call in files.calls if call.scores]
        return summarize_guarded(RunStore(files.folder), records, scores, run=_name(files))
    counted = dict(Counter(record.status for record in records))
    if counted != files.summary.calls:
        what = f"counts {_told(files.summary.calls)}; the calls that can be read are {_told(counted)}"
        problems.append(Problem(file="summary.json", what=what))
    return files.summary


def _name(files: RunFiles) -> str:
    if files.info:
        return files.info.name
    return files.summary.run if files.summary else files.folder.resolve().name


def _agents(files: RunFiles) -> tuple[str, ...]:
    agents = (
        files.info.agents if files.info else [call.record.plan.agent for call in files.calls if call.record]
    )
    return tuple(dict.fromkeys(address(agent) for agent in agents))


def _took(info: RunInfo | None) -> str:
    if info is None:
        return ""
    if info.finished_at is None:
        return "did not finish"
    try:
        passed = datetime.fromisoformat(info.finished_at) - datetime.fromisoformat(info.started_at)
    except (ValueError, TypeError):
        return ""
    return length(passed.total_seconds())


def _verdict(summary: Summary) -> str:
    total = sum(summary.calls.values())
    faults = summary.calls.get(CallStatus.HARNESS_FAULT, 0)
    measured = total - sum(summary.calls.get(status, 0) for status in UNMEASURED_STATUSES)
    if not total:
        return "No call was placed"
    guilty = len(summary.guard.guilty) if summary.guard else 0
    sentence = f"{measured - guilty} of {count(total, 'call')} measured"
    if guilty:
        sentence += f"; {count(guilty, 'call')} left out: the simulator's fault"
    return f"{sentence}; {count(faults, 'harness fault')} left out" if faults else sentence


def _status_counts(panels: list[CallPanel]) -> Iterator[StatusCount]:
    found = Counter(panel.status for panel in panels)
    kinds = {panel.status: (panel.status_label, panel.tone) for panel in panels}
    order = [str(status) for status in STATUS_LABELS]
    for status in sorted(found, key=lambda status: order.index(status) if status in order else len(order)):
        label, tone = kinds[status]
        yield StatusCount(status=status, label=label, tone=tone, n=found[status])


def _instrument(summary: Summary) -> Iterator[str]:
    """One sentence a transport: how far its figures can be off."""
    if not summary.calibrations:
        yield "Not calibrated: no call carries an error bar"
    for note in summary.calibrations:
        yield _calibration(note)


def _judge(summary: Summary, standing_of: StandingOf) -> Iterator[str]:
    text = summary.text
    if text is None or not text.judge:
        return
    yield from standing_of(text.judge, text.judge_version).lines()
    if text.failed:
        yield f"{text.failed} of {count(text.judgements, 'judgement')} failed"
    if text.judging is not None and not text.judging.nothing:
        yield judging_told(text.judging)


def _calibration(note: CalibrationNote) -> str:
    bars = [
        f"±{value:.1f}\u202fms on {what}"
        for value, what in (
            (note.response_p95_ms, "response latency"),
            (note.interruption_p95_ms, "interruption delay"),
        )
        if value is not None
    ]
    if not bars:
        reason = note.not_calibrated.removeprefix("not calibrated").lstrip(": ")
        return f"{note.what}: not calibrated; {reason}"
    origin = [note.date and day(note.date), note.machine]
    source = "; ".join(["95th percentile of the error", *(part for part in origin if part)])
    told = f"{note.what}: {' and '.join(bars)} ({source})"
    return f"{told}; {note.not_calibrated}" if note.not_calibrated else told


def _drawn_panels(files: RunFiles, standing_of: StandingOf) -> Iterator[CallPanel]:
    with_audio = sum(call.audio is not None for call in files.calls)
    buckets = int(OUTLINES_BYTES / _BYTES_PER_BUCKET / max(1, with_audio))
    max_events = MAX_EVENTS_SHOWN if len(files.calls) <= EVENTS_UP_TO_CALLS else 0
    for call in files.calls:
        found: Outline | None = None
        problems: list[Problem] = []
        if call.audio:
            try:
                found = outline(call.audio, max_buckets=min(MAX_BUCKETS, max(MIN_BUCKETS, buckets)))
                if found.torn:
                    problems.append(_torn(call.call_id, found))
            except AudioError as error:
                problems.append(Problem(file=f"calls/{call.call_id}/audio.flac", what=str(error)[:300]))
        yield call_panel(
            call,
            outline=found,
            problems=problems,
            max_events=max_events,
            standing_of=standing_of,
            left_out=_left_out(files, call),
        )


def _left_out(files: RunFiles, call: CallFiles) -> str:
    """Why a call's text scores are in no figure; empty where they are."""
    text = call.scores.text if call.scores else None
    if text is None or text.text is None:
        return ""
    return without_guilty(text, read_guard(files.folder / "calls" / call.call_id)).not_judged


def _torn(call_id: str, drawn: Outline) -> Problem:
    what = f"is torn: nothing after {clock(drawn.duration_s)} can be decoded"
    return Problem(file=f"calls/{call_id}/audio.flac", what=what)


def _detectors(files: RunFiles) -> Iterator[tuple[str, str]]:
    """Every setting that a detector had in this run; more than one is worth seeing."""
    found: dict[str, dict[str, None]] = {}
    for call in files.calls:
        for name, setting in call.scores.detectors.items() if call.scores else ():
            found.setdefault(name, {})[setting] = None
    for name, settings in found.items():
        yield name, " / ".join(settings)


def _facts(files: RunFiles) -> Iterator[tuple[str, str]]:
    info = files.info
    if info is None:
        return
    yield "Harness", f"outboundeval {info.outboundeval}"
    if info.machine is not None:
        cores = "an unknown number of" if info.machine.cpu_count is None else str(info.machine.cpu_count)
        yield "Machine", f"{info.machine.platform}, {cores} cores"
    yield "Plan", info.plan_digest
    if info.versions:
        yield "Versions", ", ".join(f"{name} {version}" for name, version in info.versions.items())


def _told(counted: dict[CallStatus, int]) -> str:
    return ", ".join(f"{n} {STATUS_LABELS[status]}" for status, n in counted.items()) or "none"
