"""A listening page in a real browser: heard and rated to its end, reloaded in the middle, imported."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from typer.testing import CliRunner

from harness.cli.main import app
from harness.scoring.listening.key import ListeningKey, read_key
from harness.scoring.listening.order import order_of
from tests.report.browser import WAIT_S, chromium, complaints, saved
from tests.unit.harness.scoring.listening.rated_runs import rated_run

pytestmark = pytest.mark.browser

WORDS = "your money will be back on friday"
FAST = """
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { this.playbackRate = 16; return play.call(this); };
"""
"""Sounds are heard to their end in a sixteenth of the time."""
NAME = "Zoë  王 "
"""As somebody types it; the page keeps one blank, as the file does."""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    with chromium(tmp_path / "profile") as browser:
        downloads = {"behavior": "allow", "downloadPath": str(tmp_path / "saved")}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAST})
        yield browser


def command(*arguments: str | Path, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def step(browser: Chrome) -> str:
    return str(browser.find_element(By.CSS_SELECTOR, "#stage .panel").get_attribute("data-step"))


def press(browser: Chrome, key: str) -> None:
    browser.switch_to.active_element.send_keys(key)


def hear(browser: Chrome) -> None:
    """Plays what there is, by the keyboard, to its end."""
    assert not browser.find_element(By.ID, "next").is_enabled()
    for radio in browser.find_elements(By.NAME, "answer"):
        assert not radio.is_enabled(), "nothing can be rated before it was heard"
    press(browser, Keys.ENTER)
    waited_until = time.monotonic() + WAIT_S
    while not browser.find_element(By.ID, "play").is_enabled():
        assert time.monotonic() < waited_until, "the sound did not end"
        time.sleep(0.02)


def answer(browser: Chrome, key: str) -> None:
    hear(browser)
    press(browser, key)
    assert browser.find_element(By.ID, "next").is_enabled()
    press(browser, Keys.ENTER)


def begin(browser: Chrome, page: Path, key: ListeningKey, name: str) -> None:
    """From the name to the first clip, every tone right."""
    browser.get(page.as_uri())
    press(browser, Keys.ENTER)
    assert "give a name" in browser.find_element(By.ID, "told").text
    browser.find_element(By.ID, "rater").send_keys(name)
    press(browser, Keys.ENTER)
    assert step(browser) == "volume"
    hear(browser)
    press(browser, Keys.ENTER)
    for number, softer in enumerate(key.softer):
        assert step(browser) == f"tones {number}"
        answer(browser, str(softer))
    for number in range(len(key.sheet.training)):
        assert step(browser) == f"training {number}"
        answer(browser, "2")


def test_a_rater_goes_on_after_a_reload_and_is_taken_in(browser: Chrome, tmp_path: Path) -> None:
    run, page = tmp_path / "run", tmp_path / "listen.html"
    rated_run(run, "one", "two")
    exported = command("listen", "export", run, "--clips", "3", "--out", page)
    key = read_key(run, exported["sheet"])
    ids = [one.id for one in key.sheet.items]
    order = order_of(ids, sheet=key.sheet.id, rater="Zoë 王").items
    says = {item: is_.right[0] if is_.right else 4 for item, is_ in key.items.items()}

    begin(browser, page, key, NAME)
    for item in order[:5]:
        assert step(browser) == f"item {item}"
        answer(browser, str(says[item]))
    # In the middle of the sixth, heard and chosen but not gone on from: it is asked again.
    hear(browser)
    press(browser, "1")
    browser.find_element(By.ID, "save-now").click()
    assert f"{len(ids) - 5} of {len(ids)} are still open" in browser.find_element(By.ID, "told").text
    saved(tmp_path / "saved" / "listening-Zoë-王.json")
    browser.refresh()
    assert browser.find_element(By.ID, "who").text == "Zoë 王"
    for number, item in enumerate(order[5:], 5):
        assert step(browser) == f"item {item}"
        past = len(key.softer) + len(key.sheet.training) + number
        total = len(key.softer) + len(key.sheet.training) + len(ids)
        assert browser.find_element(By.ID, "counted").text == f"{past} of {total} done"
        if number == 5:  # heard twice
            hear(browser)
            browser.find_element(By.ID, "play").click()
            while not browser.find_element(By.ID, "play").is_enabled():
                time.sleep(0.02)
            press(browser, str(says[item]))
            press(browser, Keys.ENTER)
        else:
            answer(browser, str(says[item]))
    assert step(browser) == "end"
    (tmp_path / "saved" / "listening-Zoë-王.json").unlink()
    browser.find_element(By.ID, "save").click()
    file = saved(tmp_path / "saved" / "listening-Zoë-王.json")
    content = json.loads(file.read_text())
    assert content.pop("saved_at")
    assert content == {
        "format": "outboundeval-listening",
        "version": 1,
        "sheet": exported["sheet"],
        "rater": "Zoë 王",
        "order": list(order),
        "tones": list(key.softer),
        "answers": {
            item: {"value": says[item], "heard": 2 if number == 5 else 1} for number, item in enumerate(order)
        },
    }
    # Once rated, it is over for this name; somebody else has another order.
    browser.refresh()
    assert step(browser) == "end"
    assert complaints(browser) == []

    [found] = command("listen", "import", run, file)["runs"]
    assert found["raters"][0]["set_aside"] == []
    assert (found["mos"]["value"], found["mos"]["n"]) == (4.0, 3)
    assert "one rater" in found["mos"]["interval_method"]
    report = Path(found["report"])
    assert json.loads((run / "summary.json").read_text())["metrics"]["mos"]["value"] == 4.0
    browser.get(report.as_uri())
    assert "Mean opinion score" in browser.find_element(By.TAG_NAME, "body").text
    assert complaints(browser) == []


@pytest.mark.long
def test_pairs_are_heard_in_the_order_that_the_import_takes_them_in(browser: Chrome, tmp_path: Path) -> None:
    runs, page = [tmp_path / "old", tmp_path / "new"], tmp_path / "listen.html"
    for run in runs:
        rated_run(run, "one", "two", words=WORDS)
    exported = command(
        "listen", "export", *runs, "--method", "ccr", "--clips", "4", "--no-headphones", "--out", page
    )
    key = read_key(runs[0], exported["sheet"])
    assert key.softer == ()
    order = order_of([one.id for one in key.sheet.items], sheet=key.sheet.id, rater="__proto__")
    sounds = {one.id: one.sounds for one in key.sheet.items}
    # A name that every object of a script has already.
    begin(browser, page, key, "__proto__")
    browser.refresh()
    # What is really played, by the checksum's own names.
    browser.execute_script(
        "window.heardSounds = []; const sheet = JSON.parse(document.getElementById('sheet').textContent);"
        "const names = new Map(Object.entries(sheet.sounds).map(([name, data]) => [data, name]));"
        "const play = HTMLMediaElement.prototype.play; HTMLMediaElement.prototype.play = function () {"
        "  window.heardSounds.push(names.get(this.src.split(',')[1])); return play.call(this); };"
    )
    expected: list[str] = []
    keys = {3: "1", 2: "2", 1: "3", 0: "4", -1: "5", -2: "6", -3: "7"}
    for item in order.items:
        assert step(browser) == f"item {item}"
        is_ = key.items[item]
        value = is_.right[1] if is_.right else (1 if is_.places[0].run == 0 else -1)
        turned = item in order.swapped
        answer(browser, keys[-value if turned else value])
        expected += reversed(sounds[item]) if turned else sounds[item]
    assert browser.execute_script("return window.heardSounds") == expected
    browser.find_element(By.ID, "save").click()
    file = saved(tmp_path / "saved" / "listening-proto.json")
    assert complaints(browser) == []
    found = command("listen", "import", runs[1], file)["runs"][0]
    assert found["raters"][0]["set_aside"] == []
    [figure] = found["figures"]
    assert (figure["of"], figure["mean"], figure["n"]) == ("new against old", 1.0, exported["clips"])
