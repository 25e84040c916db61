"""Tells others how a run ended: the CI's summary of a step, a file for a scraper, a message to a channel."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from rich.console import Console

from harness.errors import UserError
from harness.plans.run import Notify
from harness.records.scores import RunInfo
from harness.reports.evaluation_results import evaluation_results
from harness.reports.markdown import render_markdown
from harness.reports.openmetrics import write_openmetrics
from harness.reports.run import run_page
from harness.reports.ten_lines import message, ten_lines
from harness.runs.database.identity import key_of
from harness.runs.database.index import put_run
from harness.runs.database.nights import nights
from harness.runs.others.notify import post, webhook_address
from harness.runs.others.telemetry import send_results

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def tell_others(
    folder: Path,
    *,
    info: RunInfo | None,
    store: str,
    notify: Notify | None,
    console: Console,
    otel: bool = False,
) -> None:
    """Writes and posts what is asked for. What does not arrive is told, and fails nothing."""
    write_openmetrics(folder)
    if step := os.environ.get(STEP_SUMMARY):
        try:
            with Path(step).open("a", encoding="utf-8") as file:
                file.write(render_markdown(folder))
        except OSError as error:
            _warn(console, f"{STEP_SUMMARY}: cannot be written: {error.strerror}")
    if otel and (why := send_results(evaluation_results(folder))):
        _warn(console, why)
    if notify is not None and info is not None:
        _notify(folder, info, store, notify, console)


def word_before(store: str, info: RunInfo, folder: Path) -> str:
    """How the newest earlier run of that name ended, and of its branch where it has one; empty where there is
    none."""
    earlier = [
        night.word
        for night in nights(store, name=info.name, branch=info.branch)
        if night.key != key_of(info, folder) and night.started_at < info.started_at
    ]
    return earlier[-1] if earlier else ""


def _notify(folder: Path, info: RunInfo, store: str, notify: Notify, console: Console) -> None:
    try:
        before = word_before(store, info, folder)
        page = run_page(folder, drawn=False)
        word = page.verdict_list.word
        if notify.on == "change" and word == (before or "passed"):
            return
        link = notify.link.replace("{run}", quote(folder.name, safe=""))
        link = link or str(folder.resolve() / "report" / "index.html")
        lines = ten_lines(page, link=link, before=before)
        why = post(webhook_address(notify.url), message(lines, form=notify.form, word=word, link=link))
    except UserError as error:
        why = str(error)
    if why:
        _warn(console, why)


def _warn(console: Console, why: str) -> None:
    console.print(why, style="yellow", markup=False, highlight=False, soft_wrap=True)


def index_run(store: str, folder: Path, console: Console) -> None:
    """Puts a run into the store of nights. One that cannot be indexed is a run all the same."""
    try:
        put_run(store, folder)
    except UserError as error:
        told = f"not in the store: {error}; later, with all runs: outboundeval history --rebuild runs/*"
        console.print(told, style="yellow", markup=False, highlight=False, soft_wrap=True)
