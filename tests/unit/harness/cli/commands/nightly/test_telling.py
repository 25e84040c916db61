"""Who else is told of a run: CI, scrapers, channels. The receiver is a server of the test's own."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.cli.commands.nightly.telling import tell_others
from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.plans.run import Notify
from harness.records.call import CallStatus
from harness.reports.openmetrics import openmetrics
from harness.runs.database.index import put_run
from harness.runs.others.notify import webhook_address
from harness.runs.store import RunStore
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.make_run import write_run


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    received: list[Any] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HOOK", f"http://127.0.0.1:{server.server_port}/secret-path")
    yield received
    server.shutdown()
    thread.join()
    server.server_close()


def night(folder: Path, number: int, *, bad: bool = False) -> Path:
    status = CallStatus.AGENT_HANGUP if bad else CallStatus.COMPLETED
    run = write_run(
        folder / f"n{number}", [night_call(f"c{n}", status=status) for n in range(2)], name="a <b> & c"
    )
    info = json.loads((run / "run.json").read_text())
    info["started_at"] = f"2026-11-0{number}T02:00:00+00:00"
    (run / "run.json").write_text(json.dumps(info))
    decide(run)
    return run


def told(run: Path, store: str, **notify: Any) -> None:
    put_run(store, run)
    tell_others(
        run,
        info=RunStore(run).read_info(),
        store=store,
        notify=Notify(url="{env:HOOK}", **notify),
        console=Console(quiet=True),
    )


def test_a_message_comes_on_a_change_alone_and_in_ten_lines(hook: list[Any], tmp_path: Path) -> None:
    store = str(tmp_path / "nights.sqlite")
    told(night(tmp_path, 1), store)
    assert hook == []
    told(night(tmp_path, 2, bad=True), store, link="https://ci.example/{run}")
    told(night(tmp_path, 3, bad=True), store)
    told(night(tmp_path, 4), store, form="slack")
    told(night(tmp_path, 5), store, form="teams", on="always")
    changed, mended, always = hook
    assert changed["word"] == "failed"
    assert len(changed["lines"]) <= 10
    assert changed["lines"][0] == "a <b> & c: FAILED (the night before: passed)"
    assert changed["lines"][-1] == "https://ci.example/n2"
    assert "2 agent_hangup" in " ".join(changed["lines"])
    assert mended["text"].startswith("a &lt;b&gt; &amp; c: PASSED (the night before: failed)")
    assert always["attachments"][0]["content"]["body"][0]["text"].startswith("a <b> & c: PASSED")


def test_a_long_link_and_a_name_with_spaces_stay_a_link(hook: list[Any], tmp_path: Path) -> None:
    run = night(tmp_path / "a", 1, bad=True).rename(tmp_path / "monday night#1")
    path = "x" * 400
    told(run, str(tmp_path / "nights.sqlite"), link=f"https://ci.example/{path}/{{run}}", form="slack")
    assert hook[0]["text"].split("\n")[-1] == f"https://ci.example/{path}/monday%20night%231"


def test_the_address_is_a_secret_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = {"agent": "http://x", "calls": [{"id": "a", "script": {"lines": [{"say": "hi"}]}}]}
    with pytest.raises(
        UserError, match=r"notify\.url: the address of a webhook is a secret: .* '\{env:TEAM_WEBHOOK\}'$"
    ):
        expand_plan(plan | {"notify": {"url": "https://hooks.example/T0/secret"}})
    monkeypatch.delenv("HOOK", raising=False)
    with pytest.raises(UserError, match="HOOK is not set"):
        webhook_address("{env:HOOK}")


def test_a_webhook_that_is_not_there_fails_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOOK", "http://127.0.0.1:9/secret-path")
    store, run = str(tmp_path / "nights.sqlite"), night(tmp_path, 1, bad=True)
    put_run(store, run)
    tell_others(
        run, info=RunStore(run).read_info(), store=store, notify=Notify(url="{env:HOOK}"), console=Console()
    )
    out = capsys.readouterr().out
    assert "the webhook was not reached" in out
    assert "secret-path" not in out


def test_the_steps_summary_gets_the_markdown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    step = tmp_path / "summary.md"
    step.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    run = night(tmp_path, 1)
    tell_others(run, info=None, store="", notify=None, console=Console(quiet=True))
    text = step.read_text()
    assert text.startswith("before\n### outboundeval")
    assert "**PASSED**" in text


def test_openmetrics_has_every_measured_figure_and_no_other(tmp_path: Path) -> None:
    run = night(tmp_path, 1)
    text = openmetrics(run)
    assert text.endswith("# EOF\n")
    summary = json.loads((run / "summary.json").read_text())["metrics"]
    samples = dict(re.findall(r"^outboundeval_(\w+)\{run=\"a <b> & c\"\} (\S+)$", text, re.M))
    measured = {name: one["value"] for name, one in summary.items() if one["value"] is not None}
    assert {name: float(samples[name]) for name in measured} == measured
    assert "outboundeval_wer{" not in text
    assert 'outboundeval_verdict="passed"} 1' in text
    for line in text.splitlines():
        assert re.fullmatch(r'#.*|[a-z0-9_]+\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\} -?[0-9.e+-]+', line), line
