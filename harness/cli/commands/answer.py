"""``outboundeval answer``: what it does. Its options: :mod:`harness.cli.options.answer`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from harness.analysis.instruments import Instruments
from harness.calls.voice.answering.medium import Answering, AnsweringMedium
from harness.calls.voice.answering.switchboard import answer_of
from harness.cli.commands.nightly.telling import index_run, tell_others
from harness.cli.ending import end, end_where_cut_off
from harness.cli.options.answer import AnswerOptions
from harness.cli.own_folder import own_folder
from harness.cli.reaching.started_agent import spawn_of, with_agent
from harness.cli.refusing import check_plan
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.scores import print_summary
from harness.cli.steps_of_calls import Answered, place, score_and_report
from harness.errors import UserError
from harness.paths import new_run_folder
from harness.plans.plan import load_plan
from harness.plans.run import RunPlan
from harness.records.call import CallStatus
from harness.records.placed.rings import RingRecord, RingsFile, RingStatus, told
from harness.runs.database.opening import store_beside
from harness.runs.others.witness import witnessing
from harness.runs.store import RunStore
from harness.scoring.comparison.runs import relative_to
from harness.transports.sip.address import Destination
from harness.transports.sip.answering.listening import read_listening, read_registrar

MOST_WAITING = 50
"""Entries that calls are told apart by wait all at once, so that they may be called in any order."""
HERE, AT_REGISTRARS = "sip:127.0.0.1:5060", "sip:0.0.0.0:0"
ANYWHERE = "sip:anywhere.invalid"
_QUIET = (RingStatus.TAKEN, RingStatus.AS_PLANNED, RingStatus.HUNG_UP_RINGING, RingStatus.NO_CALL)
"""Of rings that become a call, the call's own line tells."""


def answer(options: AnswerOptions) -> None:
    """Takes the calls that the agent places, scores and reports them."""
    registrars = [read_registrar(one) for one in options.register or []]
    listening = read_listening(
        options.listen or (AT_REGISTRARS if registrars else HERE),
        certificate=options.certificate,
        key=options.key,
    )
    if listening.secure and any(one.carrier == "udp" for one in registrars):
        raise UserError(
            "--register: over UDP we are called where we listen, and at sips: that is TLS alone: write "
            "sip:USER@REGISTRAR;transport=tls or ;transport=tcp"
        )
    plan = _plan(options, registrars).against(options.baseline)
    folder = options.out if options.out is not None else new_run_folder(plan.name)
    console = progress_console(as_json=options.as_json)
    check_plan(plan, where=str(options.plan_file))
    go_on = f"Go on with: the same command and --out {folder}"
    if plan.rerun_within_s:
        told = "rerun_within_s: it is the agent who calls; no call is placed once more"
        console.print(told, style="yellow", markup=False, highlight=False, soft_wrap=True)
    with (
        own_folder(folder, doing="answer", console=console, go_on=go_on),
        witnessing(plan.witness, folder),
    ):
        bells = _Bells(folder, console)
        answering = Answering(
            listening=listening,
            registrars=registrars,
            from_anywhere=options.from_anywhere,
            on_ring=bells.add,
            on_note=bells.note,
        )
        medium = AnsweringMedium(answering, plan.calls, _served(plan, RunStore(folder)))
        with with_agent(plan.spawn, folder, console):
            outcome = place(
                plan,
                folder,
                console=console,
                live=options.live,
                within_s=options.within,
                answered=Answered(medium=medium, at_once=_at_once(plan)),
            )
        bells.tell()
        document: dict[str, Any] = {
            "run": str(folder),
            "calls": dict(outcome.statuses),
            "rings": bells.counted,
        }
        if options.as_json:
            print_json(document)
        end_where_cut_off(outcome)
        if not options.score:
            end(outcome)
        store = options.store or store_beside(folder)
        relative = relative_to(plan.checks.baseline, folder, store=store)
        scored = score_and_report(folder, instruments=Instruments(), console=console, relative=relative)
        if options.as_json:
            print_json(
                scored.summary.model_dump(mode="json")
                | {"verdict": scored.verdict.model_dump(mode="json"), "rings": bells.counted}
            )
        else:
            print_summary(stdout, scored.summary, scored.records, scored.report)
            print_verdict(stdout, scored.verdict)
        index_run(store, folder, console)
        info = RunStore(folder).read_info()
        tell_others(folder, info=info, store=store, notify=plan.notify, otel=plan.otel, console=console)
        end(outcome, scored.verdict)


class _Bells:
    """Tells of rings and counts them."""

    def __init__(self, folder: Path, console: Console) -> None:
        self._file = RingsFile(folder)
        self._console = console
        self._told_of_disk = False

    @property
    def counted(self) -> dict[str, int]:
        return {str(status): count for status, count in sorted(self._file.counts.items())}

    def add(self, ring: RingRecord) -> None:
        try:
            self._file.add(ring)
        except OSError as error:
            if not self._told_of_disk:
                self.note(f"rings are counted and not kept: {error.strerror or error}")
            self._told_of_disk = True
        if ring.status not in _QUIET:
            who = f"{ring.caller} ({ring.source})" + (f" for {ring.entry}" if ring.entry else "")
            self.note(f"  {ring.status}: {who} called {ring.number or 'nobody'}; refused")

    def note(self, text: str) -> None:
        self._console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)

    def tell(self) -> None:
        if line := told(self._file.counts.items()):
            self._console.print(f"rings: {line}", style="dim", markup=False, highlight=False)


def _plan(options: AnswerOptions, registrars: list[Destination]) -> RunPlan:
    agent = options.agent
    reach = {"codecs": options.codec} if options.codec else None
    default = None
    if registrars:
        default = f"sip:{registrars[0].uri.host}"
    elif options.from_anywhere:
        default = ANYWHERE
    plan = load_plan(
        options.plan_file,
        agent=agent,
        reach=reach,
        spawn=spawn_of(options),
        answering=True,
        agent_otherwise=default,
    )
    if plan.load is not None:
        raise UserError(
            f"{options.plan_file}: load: it is the agent who calls; say with parallel how many at once"
        )
    return plan


def _served(plan: RunPlan, store: RunStore) -> list[str]:
    """The entries that have had their call in an earlier start: whoever calls for them again calls twice."""
    known = {call.call_id: store.read_record(call.call_id) for call in plan.calls}
    return [
        call.call_id
        for call in plan.calls
        if (record := known[call.call_id]) is not None
        and record.plan.digest == call.digest
        and record.status is not CallStatus.INTERRUPTED
    ]


def _at_once(plan: RunPlan) -> int:
    """How many entries wait or talk at once: those that are told apart may be called in any order."""
    named = [call for call in plan.calls if answer_of(call).is_meant_by_name and not answer_of(call).trigger]
    return max(plan.parallel, min(len(named), MOST_WAITING))
