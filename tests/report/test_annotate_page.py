"""A run through the hands of a rater in a real browser, and the leaderboard's page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select
from typer.testing import CliRunner

from harness.cli.main import app
from tests.report.browser import chromium, complaints, saved
from tests.unit.harness.stand_ins.chat_runs import Held, score_run, write_chat_run

pytestmark = pytest.mark.browser

MODELS = ("<img src=x onerror=alert(1)>", "plain")


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dialogues = [
        Held(
            model=model,
            entry=f"cs-bank-complaint/{type_}",
            words=(("agent", f"Hello [score {score}] [nodes 1]"), ("caller", "Yes?")),
        )
        for model, scores in zip(MODELS, ((2, 1, 0), (1, 1, 1)), strict=True)
        for type_, score in zip(("hesitant", "resistant", "efficient"), scores, strict=True)
    ]
    return score_run(write_chat_run(tmp_path_factory.mktemp("run") / "bench", dialogues).folder)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, run_dir: Path) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        downloads = {"behavior": "allow", "downloadPath": str(run_dir.parent)}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
        yield browser


def command(*arguments: str | Path) -> Any:
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_what_is_clicked_comes_back_as_agreement(browser: Chrome, run_dir: Path) -> None:
    page = run_dir.parent / "sheet.html"
    assert command("annotate", "export", run_dir, "--sample", "1", "--out", page)["items"] == 9
    browser.get(page.as_uri())
    browser.find_element(By.ID, "rater").send_keys("Zoë")
    for item in range(9):
        for question in browser.find_elements(By.CSS_SELECTOR, "#item fieldset"):
            values = [one.get_attribute("value") for one in question.find_elements(By.TAG_NAME, "input")]
            wanted = "achieved" if "achieved" in values else "1"
            question.find_element(By.CSS_SELECTOR, f'input[value="{wanted}"]').click()
            if wanted == "achieved":
                Select(question.find_element(By.CSS_SELECTOR, ".turn")).select_by_value("0")
        browser.find_element(By.ID, "next" if item < 8 else "save").click()
    assert browser.find_element(By.ID, "counted").text == "9 of 9 answered"
    ratings = saved(run_dir.parent / "ratings-Zoë.json")
    found = command("annotate", "import", ratings, "--judge-scores", run_dir)
    assert complaints(browser) == []
    assert list(found["raters"]) == ["Zoë"]
    assert found["judge_people"]["replies"]["n"] == 8
    # The judge has one main node achieved in turn 0; Zoë has all of them, and every branch.
    nodes = found["judge_people"]["nodes"]
    assert (nodes["agreed"], nodes["n"]) == (1, found["points"] - 8)
    assert (found["judge_turns"]["n"], found["judge_turns"]["agreed"]) == (1, 1)


def test_the_leaderboard_shows_what_was_computed(browser: Chrome, run_dir: Path) -> None:
    board = command("report", run_dir)
    browser.get(Path(board["report"]).as_uri())
    assert browser.find_element(By.ID, "heading").text == "provisional scores"
    rows = {
        row.get_attribute("data-competitor"): row
        for row in browser.find_elements(By.CSS_SELECTOR, "#ranking tbody tr")
    }
    assert list(rows) == [one["competitor"] for one in board["rows"]]
    for one in board["rows"]:
        shown = rows[one["competitor"]]
        assert shown.find_element(By.TAG_NAME, "th").text == one["competitor"]
        cells = [
            float(str(cell.get_attribute("data-value")))
            for cell in shown.find_elements(By.CSS_SELECTOR, "[data-value]")
        ]
        assert cells == [one["metrics"][name]["value"] for name in ("final", "tfc", "gic")]
        figures = [cell.text for cell in shown.find_elements(By.CSS_SELECTOR, "[data-value] b")]
        assert figures == [f"{value:.4f}" for value in cells]
    assert "has not been checked here" in browser.find_element(By.TAG_NAME, "footer").text
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 390
    assert complaints(browser) == []
