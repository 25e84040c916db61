"""A nightly from nothing: one plan, one command. On the second night the agent answers a second later.

Exit code 1, ten lines to the team, and a page that opens in a browser on the sound of what got worse; on the
third there is no agent: exit code 3, and no figure.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from selenium.webdriver.common.by import By

from harness.models.served_process import free_port
from tests.faults.command_line import start
from tests.report.browser import chromium, complaints

pytestmark = [pytest.mark.live, pytest.mark.calls(places=3), pytest.mark.long, pytest.mark.browser]

CALLS = 12


@pytest.fixture
def channel() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A team's webhook: its address, and what was posted."""
    posted: list[dict[str, Any]] = []

    class Channel(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Channel)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/hook", posted
    server.shutdown()
    server.server_close()
    thread.join()


def agent(folder: Path, *, answers_after_ms: float) -> None:
    """What the agent of the night does; its program reads it when it is started."""
    behaviour = {
        "greeting": {"after_ms": 300, "say": {"clip": "goodbye"}},
        "turns": [{"answer_after_ms": answers_after_ms, "say": {"clip": "callback"}}],
        "quiet_ms": 200,
    }
    (folder / "bot.yaml").write_text(yaml.safe_dump(behaviour), encoding="utf-8")


def night(folder: Path, name: str) -> tuple[int, dict[str, Any]]:
    command = start("run", "nightly.yaml", "--out", f"runs/{name}", "--json", folder=folder)
    code = command.ends()
    assert "Traceback" not in command.stderr, command.stderr
    document = json.loads(command.stdout)
    assert "verdict" in document, document
    return code, document


def test_the_morning_after_the_agent_got_worse(
    joe_folder: Path,
    channel: tuple[str, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, posted = channel
    monkeypatch.setenv("TEAM_WEBHOOK", address)
    monkeypatch.setattr("tests.faults.command_line.ENDS_S", 280.0)
    serve = f"{sys.executable} -m harness.cli agents serve calibration --behaviour bot.yaml --port {{port}}"
    limits = {"first_speech_s": 5.0, "silence_s": 5.0, "call_s": 15.0}
    script = {"lines": [{"say": "Could you tell me what this is about?"}], "hang_up_after_s": 0.2}
    plan = {
        "name": "nightly",
        "spawn": {"command": serve, "port": free_port(), "within_s": 60},
        "baseline": "last green",
        "gates": ["shipped", "response_latency_ms: not worse by 300"],
        "notify": {"url": "{env:TEAM_WEBHOOK}"},
        "parallel": 3,
        "defaults": {"limits": limits},
        "calls": [{"id": f"c{n:02}", "script": script} for n in range(CALLS)],
    }
    (tmp_path / "nightly.yaml").write_text(json.dumps(plan), encoding="utf-8")

    agent(tmp_path, answers_after_ms=500)
    code, first = night(tmp_path, "monday")
    assert (code, first["verdict"]["word"]) == (0, "passed"), first["verdict"]
    assert posted == []  # nothing to tell: it passed, and there was no night before

    agent(tmp_path, answers_after_ms=1500)
    code, second = night(tmp_path, "tuesday")
    assert (code, second["verdict"]["word"]) == (1, "failed"), second["verdict"]
    [red] = [one for one in second["verdict"]["checks"] if one["result"] == "failed"]
    assert red["name"] == "response_latency_ms: not worse by 300"
    change = (
        second["metrics"]["response_latency_ms"]["value"] - first["metrics"]["response_latency_ms"]["value"]
    )
    assert change == pytest.approx(1000, abs=30)  # as the agent was told
    [message] = posted
    assert message["word"] == "failed"
    assert len(message["lines"]) <= 10
    assert any("not worse by 300" in line for line in message["lines"])
    assert address not in json.dumps(message)

    with chromium(tmp_path / "profile") as browser:
        browser.get((tmp_path / "runs" / "tuesday" / "report" / "index.html").as_uri())
        assert "not worse by 300" in browser.find_element(By.TAG_NAME, "main").text
        call = browser.find_element(By.CSS_SELECTOR, "[id^='call-c']")
        browser.get(f"{browser.current_url}#{call.get_attribute('id')}")
        played = browser.execute_async_script(
            """const done = arguments[arguments.length - 1];
            const sound = document.querySelector(location.hash + ' audio');
            sound.muted = true;
            sound.addEventListener('timeupdate', () => sound.currentTime > 0.1 && done(sound.duration));
            sound.addEventListener('error', () => done('error'));
            sound.play().catch(error => done(String(error)));"""
        )
        assert isinstance(played, float), played
        assert played > 3.0
        assert complaints(browser) == []

    del plan["spawn"]
    plan |= {"agent": f"http://127.0.0.1:{free_port()}", "parallel": 1, "calls": plan["calls"][:2]}
    (tmp_path / "nightly.yaml").write_text(json.dumps(plan), encoding="utf-8")
    code, third = night(tmp_path, "wednesday")
    assert (code, third["verdict"]["word"]) == (3, "not_placed")
    assert all(one["value"] is None for one in third["metrics"].values())
