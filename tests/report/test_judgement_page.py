"""From a score to its evidence in a real browser: in the report of calls, and from the leaderboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait
from typer.testing import CliRunner

from harness.cli.main import app
from harness.reports.html import build_report
from tests.report.browser import WAIT_S, chromium, complaints
from tests.report.judged_calls import judged_call
from tests.report.make_run import ATTACK, write_run
from tests.unit.harness.stand_ins.chat_runs import Held, score_run, write_chat_run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile"), width=390) as browser:
        yield browser


def fits(browser: Chrome) -> bool:
    return bool(browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"))


def test_a_node_plays_the_words_that_it_rests_on(browser: Chrome, tmp_path: Path) -> None:
    run_dir = write_run(tmp_path / "nightly", [judged_call()])
    browser.get(build_report(run_dir).as_uri())
    node = browser.find_element(By.CSS_SELECTOR, "[data-node='explain']")
    assert ATTACK.split("\u2028")[0].strip() in node.text
    browser.execute_script("arguments[0].click()", node.find_element(By.CSS_SELECTOR, ".at"))
    now = "return document.querySelector('#call-judged audio').currentTime"

    def reached(page: Chrome) -> float | bool:
        at_s = float(page.execute_script(now))
        return at_s if at_s >= 5.5 else False

    assert WebDriverWait(browser, WAIT_S, poll_frequency=0.05).until(reached) < 8
    assert fits(browser)
    assert complaints(browser) == []


def test_a_leaderboard_leads_to_the_words_behind_a_score(browser: Chrome, tmp_path: Path) -> None:
    words = (("agent", f"Hello [score 0] [nodes 1] {ATTACK}"), ("caller", "Yes?"), ("agent", "Bye."))
    folder = write_chat_run(tmp_path / "run", [Held(model="a", words=words)]).folder  # type: ignore[arg-type]
    assert CliRunner().invoke(app, ["report", str(score_run(folder))]).exit_code == 0
    browser.get((folder / "report" / "index.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, "#dialogues tbody a").click()
    WebDriverWait(browser, WAIT_S).until(lambda page: page.find_elements(By.ID, "turn-0"))
    place = browser.find_element(By.CSS_SELECTOR, "[data-turn='0'] a.at")
    browser.execute_script("arguments[0].click()", place)
    turn = browser.find_element(By.CSS_SELECTOR, ":target")
    assert turn.get_attribute("id") == "turn-0"
    assert "naturalness 0" in turn.text
    assert "<script>alert(1)</script>" in turn.text
    assert fits(browser)
    assert complaints(browser) == []
