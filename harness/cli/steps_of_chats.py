"""The steps of ``chat``: hold what is missing, show it, say how it ended and what to do next."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from harness.calls.conversation import Watcher
from harness.calls.text.medium import TextMedium
from harness.cli.screen.live_chat import BatchProgress, DialoguePrinter, briefing, print_batch, print_ending
from harness.cli.stopping import run_stoppable
from harness.plans.callers_told import callers_told
from harness.plans.run import RunPlan
from harness.records.call import CallRecord, CallStatus, Side
from harness.runs.batch import Outcome, hold_all
from harness.runs.store import RunStore


class ChatRun:
    """The dialogues of one command, and the folder they go to.

    Args:
        plan: All of them, in the order in which they are held.
        store: Where they go, and where an earlier start left some.
        medium: Makes the sides; not yet entered.
        parallel: So many at once.
        again: Hold failed ones again.
        rerun_guilty: Hold one in which our own caller was at fault again, so often at most.
    """

    def __init__(
        self,
        plan: RunPlan,
        store: RunStore,
        *,
        medium: TextMedium,
        parallel: int = 1,
        again: bool = False,
        rerun_guilty: int = 0,
    ) -> None:
        self._plan = plan
        self._store = store
        self._medium = medium
        self._parallel = parallel
        self._again = again
        self._rerun_guilty = rerun_guilty

    def one(self, console: Console, *, why: bool = False, typed: Side | None = None) -> Outcome:
        """Holds the only dialogue, shown as it is held.

        Args:
            why: Also show what led the caller to each line.
            typed: The side that the person at the terminal plays.
        """
        unit = self._plan.units[0]
        if typed is not None and unit.entry is not None:
            console.print(briefing(unit.entry, typed))
        else:
            title = f"[bold]{unit.plan.about.entry}[/] · {escape(unit.plan.about.title)}"
            console.print(f"{title} · {escape(unit.plan.competitor)}", highlight=False)
            self._tell_callers(console)
        shown = DialoguePrinter(console, why=why, typed=typed)
        outcome = self._hold(Watcher(on_event=lambda plan, event: shown.show(event)))
        if outcome.complete_before:
            console.print("held by an earlier start; --retry holds a failed one again", style="dim")
        return outcome

    def many(self, console: Console) -> Outcome:
        """Holds all that are missing, with a progress line."""
        self._tell_callers(console)
        shown = BatchProgress(console, total=len(self._plan.units))
        with shown.progress:
            return self._hold(
                Watcher(
                    on_complete_before=shown.on_complete_before,
                    on_preparing=shown.on_preparing,
                    on_held=shown.on_held,
                )
            )

    def _tell_callers(self, console: Console) -> None:
        for line in callers_told(self._plan.calls):
            console.print(f"the caller: {line}", style="dim", highlight=False, markup=False)

    def _hold(self, watcher: Watcher) -> Outcome:
        return run_stoppable(
            hold_all(
                self._plan,
                self._store,
                medium=self._medium,
                parallel=self._parallel,
                again=self._again,
                rerun_guilty=self._rerun_guilty,
                watcher=watcher,
            )
        )

    def print_one(self, console: Console, record: CallRecord) -> None:
        """How the dialogue ended, and where it is."""
        print_ending(console, record)
        file = self._store.record_file(record.plan.call_id)
        lines = [str(file)]
        if record.status.took_place:
            lines.append(f"judge it: outboundeval score {self._store.folder}")
        for line in lines:
            console.print(line, style="dim", soft_wrap=True, highlight=False, markup=False)

    def print_many(self, console: Console, outcome: Outcome) -> None:
        """How the dialogues ended, where they are, and what to do about those that are missing."""
        print_batch(console, self._store.records(), outcome)
        missing = len(self._plan.units) - len(outcome.statuses)
        failed = len(outcome.statuses) - outcome.count(*(one for one in CallStatus if one.took_place))
        lines = [f"\n{self._store.folder}"]
        if outcome.interrupted:
            lines.append(outcome.interrupted)
        if missing:
            lines.append(
                f"{missing} still to be held: the same command with --out {self._store.folder} goes on"
            )
        if failed:
            lines.append(f"{failed} failed: the same command with --out {self._store.folder} --retry")
        if not (missing or failed):
            lines.append(f"judge them: outboundeval score {self._store.folder}")
        for line in lines:
            console.print(line, soft_wrap=True, highlight=False, markup=False)
