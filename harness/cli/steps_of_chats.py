"""The steps of ``chat``: hold what is missing, show it, say how it ended and what to do next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from harness.calls.text.prepare import ChatBuilder
from harness.cli.screen.live_chat import BatchView, ChatView, briefing, print_batch, print_ending
from harness.errors import EXIT_CHECK_FAILED, EXIT_NOT_PLACED, EXIT_OK
from harness.plans.chat import ChatJob
from harness.records.call import Side
from harness.records.dialogue import ChatRecord, ChatStatus
from harness.runs.chat_store import ChatStore
from harness.runs.chats import ChatOutcome, ChatWatcher, hold_all, open_chat_run

EXIT_INTERRUPTED = 130


class ChatRun:
    """The dialogues of one command, and the folder they go to.

    Args:
        jobs: All of them, in the order in which they are held.
        store: Where they go, and where an earlier start left some.
        builder: Makes the sides; not yet entered.
        name: Of the run.
        parallel: So many at once.
        again: Hold failed ones again.
        rerun_guilty: Hold one in which our own caller was at fault again, so often at most.
    """

    def __init__(
        self,
        jobs: Sequence[ChatJob],
        store: ChatStore,
        *,
        builder: ChatBuilder,
        name: str,
        seed: int = 0,
        parallel: int = 1,
        again: bool = False,
        rerun_guilty: int = 0,
    ) -> None:
        self._jobs = jobs
        self._store = store
        self._builder = builder
        self._name = name
        self._seed = seed
        self._parallel = parallel
        self._again = again
        self._rerun_guilty = rerun_guilty

    def one(self, console: Console, *, why: bool = False, typed: Side | None = None) -> ChatOutcome:
        """Holds the only dialogue, shown as it is held.

        Args:
            why: Also show what led the caller to each line.
            typed: The side that the person at the terminal plays.
        """
        job = self._jobs[0]
        if typed is not None:
            console.print(briefing(job.entry, typed))
        else:
            title = f"[bold]{job.plan.task.entry}[/] · {escape(job.plan.task.title)}"
            console.print(f"{title} · {escape(job.plan.competitor)}", highlight=False)
        view = ChatView(console, why=why, typed=typed)
        outcome = self._hold(ChatWatcher(on_event=view.show))
        if outcome.kept:
            console.print("held by an earlier start; --retry holds a failed one again", style="dim")
        return outcome

    def many(self, console: Console) -> ChatOutcome:
        """Holds all that are missing, with a progress line."""
        view = BatchView(console, total=len(self._jobs))
        with view.progress:
            return self._hold(ChatWatcher(on_kept=view.on_kept, on_begun=view.on_begun, on_held=view.on_held))

    def _hold(self, watcher: ChatWatcher) -> ChatOutcome:
        return asyncio.run(self._hold_all(watcher))

    async def _hold_all(self, watcher: ChatWatcher) -> ChatOutcome:
        async with self._builder as builder:
            info = open_chat_run(
                self._jobs, self._store, name=self._name, seed=self._seed, versions=builder.versions()
            )
            return await hold_all(
                self._jobs,
                self._store,
                info=info,
                builder=builder,
                parallel=self._parallel,
                again=self._again,
                rerun_guilty=self._rerun_guilty,
                watcher=watcher,
            )

    def print_one(self, console: Console, record: ChatRecord) -> None:
        """How the dialogue ended, and where it is."""
        print_ending(console, record)
        file = self._store.dialogue_folder(record.plan.dialogue_id) / "dialogue.json"
        lines = [str(file)]
        if record.status.took_place:
            lines.append(f"judge it: outboundeval score {self._store.folder}")
        for line in lines:
            console.print(line, style="dim", soft_wrap=True, highlight=False, markup=False)

    def print_many(self, console: Console, outcome: ChatOutcome) -> None:
        """How the dialogues ended, where they are, and what to do about those that are missing."""
        print_batch(console, self._store.records(), outcome)
        missing = len(self._jobs) - len(outcome.statuses)
        failed = len(outcome.statuses) - outcome.count(*(one for one in ChatStatus if one.took_place))
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


def exit_code(outcome: ChatOutcome) -> int:
    """3 where no dialogue came about, 1 where some failed, 130 where it was cut off, 0 otherwise."""
    if outcome.interrupted:
        return EXIT_INTERRUPTED
    if outcome.statuses and outcome.count(ChatStatus.SETUP_FAILED) == len(outcome.statuses):
        return EXIT_NOT_PLACED
    failed = outcome.count(ChatStatus.SETUP_FAILED, ChatStatus.AGENT_FAILED, ChatStatus.HARNESS_FAULT)
    return EXIT_CHECK_FAILED if failed or outcome.stopped else EXIT_OK
