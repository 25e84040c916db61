"""The rating sheet in a real browser, from disk: answered by clicks and keys, saved, read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from selenium.webdriver.support.wait import WebDriverWait

from harness.judging.people.answers import read_ratings
from harness.judging.people.sheet import write_sheet
from tests.report.browser import WAIT_S, chromium, complaints, saved
from tests.unit.harness.judging.people.sheets import ATTACK, small_sheet

pytestmark = pytest.mark.browser

SAVED = "saved/ratings-Anna-B.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheet")
    write_sheet(small_sheet(), folder / "sheet.html")
    return folder


@pytest.fixture(scope="module")
def browser(folder: Path) -> Iterator[Chrome]:
    with chromium(folder / "profile") as browser:
        downloads = {"behavior": "allow", "downloadPath": str(folder / "saved")}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
        yield browser


def shown_item(browser: Chrome) -> str | None:
    return browser.find_element(By.ID, "item").get_attribute("data-item")


def click(browser: Chrome, question: str, value: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f'[data-question="{question}"] input[value="{value}"]').click()


def press(browser: Chrome, key: str) -> None:
    browser.switch_to.active_element.send_keys(key)


def test_a_rater_answers_saves_and_goes_on(browser: Chrome, folder: Path) -> None:
    browser.get((folder / "sheet.html").as_uri())
    assert shown_item(browser) == "r1"
    text = browser.find_element(By.ID, "item").text
    # The attack is there to be read, and the turn after the one to judge is not.
    assert ATTACK in text
    assert "Bye." not in text
    assert "一共八十八元。" in browser.find_element(By.CSS_SELECTOR, ".focus").text
    assert "You are a bank." not in text
    browser.find_element(By.CSS_SELECTOR, ".note summary").click()
    assert "You are a bank." in browser.find_element(By.ID, "item").text

    press(browser, "1")
    press(browser, "2")
    browser.find_element(By.CSS_SELECTOR, ".why").send_keys("to the point")
    assert browser.find_element(By.ID, "counted").text == "1 of 3 answered"

    browser.find_element(By.ID, "next").click()
    assert shown_item(browser) == "d1"
    turn = browser.find_element(By.CSS_SELECTOR, '[data-question="greets"] .turn')
    assert not turn.is_displayed()
    click(browser, "greets", "achieved")
    click(browser, "names_sum", "not_achieved")
    assert turn.is_displayed()
    # Without the turn the item is not done.
    assert browser.find_element(By.ID, "counted").text == "1 of 3 answered"
    assert [option.text for option in Select(turn).options] == ["which?", "0", "2"]
    Select(turn).select_by_value("0")
    assert browser.find_element(By.ID, "counted").text == "2 of 3 answered"

    browser.find_element(By.ID, "save").click()
    assert "your name" in browser.find_element(By.ID, "told").text
    browser.find_element(By.ID, "rater").send_keys("Anna B.")
    browser.find_element(By.ID, "save").click()
    assert "1 of 3 items are still open" in browser.find_element(By.ID, "told").text
    [ratings] = read_ratings([saved(folder / SAVED)], small_sheet())
    assert ratings.rater == "Anna B."
    assert ratings.model_dump(exclude_none=True)["answers"] == {
        "r1": {"score": {"value": "2", "why": "to the point"}},
        "d1": {
            "greets": {"value": "achieved", "turn": 0, "why": ""},
            "names_sum": {"value": "not_achieved", "why": ""},
        },
    }

    # A browser that was closed goes on where it was; what was open is found.
    browser.refresh()
    assert shown_item(browser) == "d1"
    assert browser.find_element(By.ID, "rater").get_attribute("value") == "Anna B."
    browser.find_element(By.ID, "open").click()
    assert shown_item(browser) == "p1"
    assert [label.text for label in browser.find_elements(By.CSS_SELECTOR, ".shown-text h4")] == ["A", "B"]
    press(browser, "b")
    assert browser.find_element(By.ID, "counted").text == "3 of 3 answered"
    # Left and right move between items and change no answer; up and down change one.
    browser.find_element(By.ID, "back").click()
    choice = browser.find_element(By.CSS_SELECTOR, '[data-question="names_sum"] input:checked')
    choice.send_keys(Keys.ARROW_RIGHT)
    assert shown_item(browser) == "p1"
    browser.find_element(By.CSS_SELECTOR, "#item input:checked").send_keys(Keys.ARROW_LEFT)
    assert shown_item(browser) == "d1"
    checked = browser.find_elements(By.CSS_SELECTOR, "#item input:checked")
    assert [one.get_attribute("value") for one in checked] == ["achieved", "not_achieved"]
    assert complaints(browser) == []


def test_another_browser_goes_on_from_the_file(folder: Path) -> None:
    file = saved(folder / SAVED)
    # A profile of its own: storage that a script has just cleared may still be read by the next page.
    with chromium(folder / "another profile") as another:
        another.get((folder / "sheet.html").as_uri())
        assert another.find_element(By.ID, "counted").text == "0 of 3 answered"
        another.find_element(By.ID, "load").send_keys(str(file))
        WebDriverWait(another, WAIT_S).until(
            lambda page: page.find_element(By.ID, "counted").text == "2 of 3 answered"
        )
        assert complaints(another) == []
