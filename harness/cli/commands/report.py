"""``outboundeval report``: what it does. Its options: :mod:`harness.cli.options.report`."""

from __future__ import annotations

import sys
from pathlib import Path

from harness._files.atomic_file import write_text
from harness._files.self_contained_page import write_page
from harness.cli.options.report import ReportOptions
from harness.cli.screen.console import print_json, progress_console, stdout
from harness.errors import NotWritten, UserError
from harness.paths import new_run_folder
from harness.reports.agents.page import agents_page
from harness.reports.agents.text import agents_markdown, print_agents
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.reports.leaderboard.dialogue_pages import write_dialogue_pages
from harness.reports.leaderboard.page import leaderboard_page
from harness.reports.leaderboard.text import leaderboard_markdown, print_leaderboard
from harness.reports.markdown import render_markdown
from harness.runs.store import is_chat_run
from harness.scoring.comparison.runs import relative_as_before
from harness.scoring.comparison.side_by_side import side_by_side
from harness.scoring.gates.decide import decide, read_verdict
from harness.scoring.leaderboard.board import board_of
from harness.scoring.leaderboard.dialogues import ranked_dialogues


def report(options: ReportOptions) -> None:
    """Writes the page and junit.xml of calls, or the pages of dialogues."""
    runs = options.runs
    chats = [is_chat_run(folder) for folder in runs]
    if all(chats):
        if options.markdown:
            raise UserError("--markdown is for calls; of dialogues in text leaderboard.md is written anyway")
        _leaderboard(runs, options.out, as_json=options.as_json)
        return
    if any(chats):
        calls = next(folder for folder, chat in zip(runs, chats, strict=True) if not chat)
        raise UserError(
            f"{calls}: is no run of dialogues in text; calls and dialogues do not stand in one table"
        )
    if len(runs) > 1:
        _agents(runs, options)
        return
    if options.out is not None:
        raise UserError("--out is for several runs; the report of one run of calls stays in its folder")
    if read_verdict(runs[0]) is None:
        decide(runs[0], relative=relative_as_before(runs[0]))
    if options.markdown and not options.as_json:
        sys.stdout.write(render_markdown(runs[0]))
        return
    page = build_report(runs[0])
    junit = write_junit(runs[0])
    if options.as_json:
        print_json({"report": str(page), "junit": str(junit)})
        return
    stdout.print(f"Report: {page}", soft_wrap=True, highlight=False, markup=False)


def _agents(runs: list[Path], options: ReportOptions) -> None:
    """Runs of calls side by side: the table, and a page with it."""
    board = side_by_side(runs)
    if options.markdown and not options.as_json:
        sys.stdout.write(agents_markdown(board))
        return
    folder = options.out or new_run_folder("agents")
    page = write_page(folder / "index.html", agents_page(board))
    try:
        write_text(folder / "agents.md", agents_markdown(board))
    except OSError as error:
        raise NotWritten.of(folder, error) from error
    if options.as_json:
        print_json({"report": str(page), **board.model_dump(mode="json")})
        return
    print_agents(stdout, board)
    stdout.print(f"Report: {page}", soft_wrap=True, highlight=False, markup=False)


def _leaderboard(runs: list[Path], out: Path | None, *, as_json: bool) -> None:
    dialogues = ranked_dialogues(runs)
    board = board_of(dialogues, runs=runs)
    folder = out or (runs[0] / "report" if len(runs) == 1 else new_run_folder("leaderboard"))
    with progress_console(as_json=as_json).status("writing the pages") as status:
        links = write_dialogue_pages(
            dialogues,
            folder,
            runs=runs,
            on_progress=lambda done, total: status.update(f"writing the dialogues' pages, {done} of {total}"),
        )
    page = write_page(folder / "index.html", leaderboard_page(board, links))
    try:
        write_text(folder / "leaderboard.md", leaderboard_markdown(board))
    except OSError as error:
        raise NotWritten.of(folder, error) from error
    if as_json:
        print_json(
            {
                "report": str(page),
                "dialogue_pages": {
                    name: [str(folder / link.href) for link in found] for name, found in links.items()
                },
                **board.model_dump(mode="json"),
            }
        )
        return
    print_leaderboard(stdout, board)
    stdout.print(f"Report: {page}", soft_wrap=True, highlight=False, markup=False)
