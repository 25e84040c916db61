"""The steps of a run: calls, scores, summary, report. Each reads what the one before it left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from harness.analysis.instruments import Instruments
from harness.calls.conversation import Held, Medium, Watcher
from harness.calls.voice.hearing.words_for_watchers import WatchedWords
from harness.calls.voice.medium import VoiceMedium
from harness.cli.commands.nightly.at_once import place_at_once
from harness.cli.screen.live_call import CallPrinter
from harness.cli.stopping import run_stoppable
from harness.judging.judges import JudgeChoice
from harness.models.resolve import ModelMissing, resolve_model
from harness.plans.call import CallPlan
from harness.plans.callers_told import callers_told
from harness.plans.run import RunPlan
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import Summary
from harness.records.verdict import Verdict
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.runs.batch import Outcome, hold_all
from harness.runs.store import AUDIO_FILE, RunStore
from harness.scoring.gates.decide import Relative, decide, nothing_to_compare_with
from harness.scoring.reused_work import AudioReuse
from harness.scoring.run import score_run

_MANY_LINES = 10
"""From so many lines on, making them is worth telling."""


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """A run that was scored: its figures, its calls in order, where its page is, what was kept, and how
    recordings (by call) were cut off, and whether it passes."""

    summary: Summary
    records: list[CallRecord]
    report: Path
    audio: AudioReuse
    cut: dict[str, str]
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Answered:
    """How calls are taken that the agent places, and how many may stand or wait at once."""

    medium: Medium
    at_once: int


def place(
    plan: RunPlan,
    folder: Path,
    *,
    console: Console,
    live: bool,
    live_words: bool = False,
    within_s: float | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    answered: Answered | None = None,
) -> Outcome:
    """Places the calls of a plan into a folder, with progress on the console: one after the other, or as many
    at once as the plan says.

    Args:
        processes: How many hold the calls, where there are several at once; default: as many as cores.
        cluster: Address of a Ray cluster that places them.
        live: Show transcript and latency as they happen.
        live_words: Where the agent does not tell its words, have Whisper hear them beside the call.
        within_s: After so many seconds no further call is taken up.
        answered: It is the agent who places them.
    """
    shown = CallPrinter(console)
    for line in callers_told(plan.calls):
        console.print(f"the caller: {line}", style="dim", highlight=False, markup=False)
    if answered is None and (plan.most_at_once > 1 or cluster is not None):
        outcome = place_at_once(
            plan, folder, console=console, within_s=within_s, processes=processes, cluster=cluster
        )
        _tell_complete_before(outcome, console)
        return outcome
    speaking = console.status("")

    def on_preparing(call: CallPlan, done: int, total: int) -> None:
        shown.begin()
        title = f" · {escape(call.title)}" if call.title else ""
        console.print(f"[bold]call {done + 1}/{total}[/] {escape(call.call_id)}{title}", highlight=False)

    def on_spoken(call: CallPlan, done: int, total: int) -> None:
        if done == total:
            speaking.stop()
        elif total >= _MANY_LINES:
            speaking.update(f"speaking the caller's lines, {done + 1} of {total}")
            speaking.start()

    def on_held(held: Held) -> None:
        record = held.record
        style = "green" if record.status is CallStatus.COMPLETED else "yellow"
        if not live:
            console.print(
                f"  [{style}]{record.status}[/], {record.duration_s:.1f} s: {escape(record.status_detail)}",
                highlight=False,
            )

    def on_waiting(call: CallPlan, address: str) -> None:
        console.print(
            f"  [dim]{escape(call.call_id)} waits to be called at {escape(address)}[/]", highlight=False
        )

    watcher = Watcher(on_preparing=on_preparing, on_waiting=on_waiting, on_spoken=on_spoken, on_held=on_held)
    if live:
        watcher.on_event = lambda call, event: shown.show(event)
    if live_words:
        watcher.words_for = lambda call: _watched_words(call, shown)
    try:
        outcome = run_stoppable(
            hold_all(
                plan,
                RunStore(folder),
                medium=VoiceMedium() if answered is None else answered.medium,
                parallel=1 if answered is None else answered.at_once,
                watcher=watcher,
                within_s=within_s,
            )
        )
    finally:
        speaking.stop()
    _tell_complete_before(outcome, console)
    return outcome


def _tell_complete_before(outcome: Outcome, console: Console) -> None:
    if outcome.complete_before:
        console.print(f"[dim]{len(outcome.complete_before)} calls were complete already and are kept[/]")


def score_and_report(
    folder: Path,
    *,
    instruments: Instruments,
    judge: JudgeChoice | None = None,
    console: Console,
    fresh: bool = False,
    processes: int | None = None,
    relative: Relative = nothing_to_compare_with,
) -> ScoredRun:
    """Scores a run's calls and writes its summary, its verdict, report page and junit.xml.

    Args:
        judge: Of the words of calls that are about a scenario; default: the rules.
        fresh: Listen to every recording again, whatever was kept.
        processes: That listen at the same time; None: as many as are worth it.
        relative: Decides the gates that compare with a baseline.
    """
    store = RunStore(folder)
    with console.status("scoring") as status:
        scored = score_run(
            store,
            instruments=instruments,
            judge=judge,
            on_progress=lambda doing: status.update(escape(doing)),
            fresh=fresh,
            processes=processes,
        )
        verdict = decide(folder, relative=relative)
        page = build_report(folder)
        write_junit(folder)
    for problem in scored.audio.problems:
        console.print(problem, style="yellow", markup=False, highlight=False, soft_wrap=True)
    for call_id, cut in scored.cut.items():
        line = f"{store.call_folder(call_id) / AUDIO_FILE}: {cut}"
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
    return ScoredRun(
        summary=scored.summary,
        records=complete(store),
        report=page,
        audio=scored.audio,
        cut=scored.cut,
        verdict=verdict,
    )


def complete(store: RunStore) -> list[CallRecord]:
    """The calls of a run that left a record, in order."""
    info = store.read_info()
    ids = info.call_ids if info else []
    return [record for call_id in ids if (record := store.read_record(call_id)) is not None]


def _watched_words(call: CallPlan, shown: CallPrinter) -> WatchedWords | None:
    try:
        folder = resolve_model("whisper-base")
    except ModelMissing:
        return None
    return WatchedWords(model_folder=folder, language=call.language, on_event=shown.show)
