"""Nights in a real browser: from a step for the worse to the sound of it, from a file and from the site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from harness.cli.commands.nightly.history import history
from harness.cli.options.nightly.history import HistoryOptions
from harness.reports.html import build_report
from harness.runs.database.index import put_run
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.browser import WAIT_S, chromium, complaints
from tests.report.make_run import ATTACK, write_run

pytestmark = pytest.mark.browser

NIGHTS, WORSE_FROM = 14, 10


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fourteen nights; from the eleventh on the agent, then of another version, answers 900 ms later."""
    folder = tmp_path_factory.mktemp("nights")
    for night in range(NIGHTS):
        worse = night >= WORSE_FROM
        latency = 700.0 + 900.0 * worse + 7 * (night * 5 % 11)
        run = write_run(folder / f"n{night:02}", [night_call(f"c{n}", [latency + 40 * n]) for n in range(2)])
        info = json.loads((run / "run.json").read_text())
        info |= {"started_at": f"2026-11-{night + 1:02}T02:00:00+00:00", "name": "nightly"}
        (run / "run.json").write_text(json.dumps(info))
        for path in run.glob("calls/*/call.json"):
            record = json.loads(path.read_text())
            path.write_text(json.dumps(record | {"agent_name": f"bot {1 + worse} {ATTACK}"}))
        decide(run)
        if night in (WORSE_FROM, NIGHTS - 1):
            build_report(run)
        put_run(str(folder / "nights.sqlite"), run)
    page = folder / "pages" / "history.html"
    history(HistoryOptions(store=str(folder / "nights.sqlite"), page=page))
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def served(nights: Path) -> Iterator[str]:
    """The site, as its command serves it."""
    command = [sys.executable, "-P", "-m", "harness.cli", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--store", str(nights / "nights.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith("http://127.0.0.1:"), first + process.stdout.read()
    try:
        yield first.split()[0]
    finally:
        process.terminate()
        rest = process.stdout.read()
        assert (process.wait(20), "Traceback" in rest) == (0, False), rest
        process.stdout.close()


@pytest.mark.parametrize("way", ["file", "site"])
def test_from_the_step_to_the_sound(
    way: str, nights: Path, browser: Chrome, request: pytest.FixtureRequest
) -> None:
    if way == "file":
        browser.get((nights / "pages" / "history.html").as_uri())
    else:
        browser.get(request.getfixturevalue("served"))
        browser.find_element(By.CSS_SELECTOR, "section.nights h2 a").click()
    row = browser.find_element(By.ID, "response_latency_ms")
    assert row.get_attribute("data-steps") == "1"
    assert len(browser.find_elements(By.CSS_SELECTOR, ".glance a")) == NIGHTS
    told = row.find_element(By.CSS_SELECTOR, ".step-told")
    assert "2026-11-11" in told.text
    assert "the agent: bot 1" in told.text
    assert "alert(1)" in told.text  # a stranger's name, as text
    told.find_element(By.PARTIAL_LINK_TEXT, "Listen: c1 at").click()
    WebDriverWait(browser, WAIT_S).until(lambda one: "/report/index.html" in one.current_url)
    assert browser.current_url.endswith("#call-c1")
    assert ("n10" in browser.current_url) == (way == "file")
    playing = browser.execute_async_script(
        """const done = arguments[arguments.length - 1];
        const sound = document.querySelector('#call-c1 audio');
        sound.muted = true;
        sound.addEventListener('timeupdate', () => { if (sound.currentTime > 0.1) done(sound.duration); });
        sound.addEventListener('error', () => done('error'));
        sound.play().catch(error => done(String(error)));"""
    )
    # Its one line is answered after 1.6 s and more.
    assert isinstance(playing, float), playing
    assert playing > 3.0
    assert complaints(browser) == []
