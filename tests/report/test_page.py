"""The page in a real browser: figures, sound, strangers' text, phone, keyboard, and no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from harness.reports.html import build_report
from tests.report.browser import WAIT_S, chromium, complaints
from tests.report.make_run import ATTACK, write_run
from tests.report.sample_calls import sample_calls

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_run(tmp_path_factory.mktemp("run") / "nightly", sample_calls())
    build_report(folder)
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def page(browser: Chrome, run_dir: Path) -> Chrome:
    browser.get("about:blank")
    complaints(browser)  # of the test before
    browser.get((run_dir / "report" / "index.html").as_uri())
    return browser


def test_figures_equal_the_summary(page: Chrome, run_dir: Path) -> None:
    metrics = json.loads((run_dir / "summary.json").read_text())["metrics"]
    shown = {
        element.get_attribute("data-metric"): element
        for element in page.find_elements(By.CSS_SELECTOR, "[data-metric]")
    }
    measured = {name for name, metric in metrics.items() if metric["value"] is not None}
    assert len(measured) > 10
    for name in measured:
        value = metrics[name]["value"]
        element = shown[name]
        assert float(element.get_attribute("data-value") or "nan") == value
        text = element.find_element(By.CSS_SELECTOR, ".num").text
        number = float(text.replace(",", "").replace("\u2212", "-"))
        if metrics[name]["unit"] == "ratio":
            assert number == pytest.approx(value * 100, abs=0.05001)
        elif metrics[name]["unit"] == "mos":
            assert number == pytest.approx(value, abs=0.005001)
        else:
            assert number == pytest.approx(value, abs=0.5001)
    latency = metrics["response_latency_ms"]
    assert [element.text for element in shown["response_latency_ms"].find_elements(By.TAG_NAME, "dd")] == [
        *(f"{latency[name]:,.0f}\u202fms" for name in ("p50", "p90")),
        f"not reached (>\u202f{latency['not_reached']['p95']:,.0f}\u202fms)",
    ]
    assert complaints(page) == []


def test_what_was_not_measured_shows_no_number(page: Chrome, run_dir: Path) -> None:
    summary = json.loads((run_dir / "summary.json").read_text())
    unmeasured = [name for name, metric in summary["metrics"].items() if metric["value"] is None]
    assert "mos" in unmeasured
    for element in page.find_elements(By.CSS_SELECTOR, "[data-metric]"):
        if element.get_attribute("data-metric") in unmeasured:
            assert element.get_attribute("data-value") is None
            assert not element.find_elements(By.CSS_SELECTOR, ".num")
    table = page.find_element(By.CSS_SELECTOR, "#not-measured table").text
    assert "Mean opinion score" in table
    assert "needs ratings by people" in table


@pytest.mark.parametrize(
    ("call", "label", "expected_s"),
    [
        # 0.8 s before the end of the caller's second utterance, and before the third interruption.
        ("plain", "Turn 2: response latency 620", 15.38 - 0.8),
        ("interruptions", "Interruption 3: stopped after 690", 15.0 - 0.8),
    ],
)
def test_sound_plays_from_a_mark(page: Chrome, call: str, label: str, expected_s: float) -> None:
    opened(page, call)
    mark = page.find_element(By.CSS_SELECTOR, f"#call-{call} .mark[aria-label^='{label}']")
    press(page, mark)
    first = playing_at(page, call, at_least=expected_s)
    assert first < expected_s + 2.5
    assert playing_at(page, call, at_least=first + 0.3) < first + 3
    shown = page.find_element(By.CSS_SELECTOR, f"#call-{call} .now").text
    assert shown.startswith("0:1")
    press(page, page.find_element(By.CSS_SELECTOR, f"#call-{call} .play"))
    assert page.execute_script(f"return document.querySelector('#call-{call} audio').paused")
    assert complaints(page) == []


def test_the_sound_is_what_the_waveform_shows(page: Chrome) -> None:
    """Caller at 220 Hz on the left, agent at 330 Hz on the right, each where the timeline has them."""
    opened(page, "plain")
    heard = page.execute_async_script(
        """
        const [call, moments, done] = arguments;
        (async () => {
          const audio = document.querySelector(`#call-${call} audio`);
          const context = new AudioContext({ sampleRate: 48000 });
          await context.resume();
          const splitter = context.createChannelSplitter(2);
          context.createMediaElementSource(audio).connect(splitter);
          const ears = [0, 1].map((channel) => {
            const ear = context.createAnalyser();
            ear.fftSize = 8192;
            splitter.connect(ear, channel);
            return ear;
          });
          const look = () => ears.map((ear) => {
            const wave = new Float32Array(ear.fftSize);
            ear.getFloatTimeDomainData(wave);
            let crossings = 0, power = 0;
            for (let n = 1; n < wave.length; n++) {
              crossings += wave[n - 1] < 0 && wave[n] >= 0;
              power += wave[n] * wave[n];
            }
            return { hertz: crossings * 48000 / wave.length, rms: Math.sqrt(power / wave.length) };
          });
          const loudness = (one) => one[0].rms + one[1].rms;
          const heard = [];
          for (const moment of moments) {
            audio.currentTime = moment;
            await audio.play();
            // A busy machine plays late, and with holes: of several looks the fullest counts.
            const looks = [];
            do {
              await new Promise((resolve) => setTimeout(resolve, 50));
              if (audio.currentTime > moment + 0.6) looks.push(look());
            } while (audio.currentTime < moment + 1.2);
            heard.push(looks.reduce((most, one) => loudness(one) > loudness(most) ? one : most));
            audio.pause();
          }
          done(heard);
        })().catch((error) => done(String(error)));
        """,
        "plain",
        [5.5, 25.0],
    )
    assert isinstance(heard, list), heard
    (caller, silent_agent), (silent_caller, agent) = heard
    assert caller["hertz"] == pytest.approx(220, abs=12)
    assert agent["hertz"] == pytest.approx(330, abs=12)
    assert caller["rms"] > 0.05 > 0.005 > silent_agent["rms"]
    assert agent["rms"] > 0.05 > 0.005 > silent_caller["rms"]


def test_playing_follows_the_transcript(page: Chrome) -> None:
    opened(page, "plain")
    word = page.find_element(By.XPATH, "//details[@id='call-plain']//*[contains(@class,'w')][.='blocked']")
    start_s = float(word.get_attribute("data-t") or "nan")
    press(page, word)
    playing_at(page, "plain", at_least=start_s)
    current = page.find_element(By.CSS_SELECTOR, "#call-plain .line.current .main").text
    assert current.startswith("Of course. I have blocked the card")
    press(page, page.find_element(By.CSS_SELECTOR, "#call-plain .play"))


def test_clicking_the_waveform_plays_from_there(page: Chrome) -> None:
    opened(page, "plain")
    page.execute_script(
        """
        const canvas = document.querySelector('#call-plain canvas'), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new MouseEvent('click', {
          bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + 200 }));
        """
    )
    assert playing_at(page, "plain", at_least=17.0) < 19.5


def test_the_waveform_is_drawn_where_speech_is(page: Chrome) -> None:
    """Reads the canvas back: the caller's colour fills its lane in an utterance and is a line beside it."""
    opened(page, "plain")
    filled = page.execute_script(
        """
        const canvas = document.querySelector('#call-plain canvas'), pen = canvas.getContext('2d');
        const colour = getComputedStyle(canvas).getPropertyValue('--caller').trim();
        const [r, g, b] = colour.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
        return [5.5, 10.0].map((seconds) => {
          const x = Math.round(seconds / 34 * canvas.width);
          const column = pen.getImageData(x, 0, 1, canvas.height).data;
          let count = 0;
          for (let n = 0; n < column.length; n += 4)
            count += Math.abs(column[n] - r) + Math.abs(column[n + 1] - g) + Math.abs(column[n + 2] - b) < 24;
          return count;
        });
        """
    )
    speech, silence = filled
    assert speech > 20
    assert 1 <= silence <= 2


def test_text_from_outside_is_harmless(page: Chrome) -> None:
    opened(page, "script-tag")
    spoken = page.find_element(By.CSS_SELECTOR, "#call-script-tag .line-agent .main").text
    assert " ".join(spoken.split()) == " ".join(f"Hello {ATTACK}".split())
    assert "<script>alert(1)</script>" in page.find_element(By.ID, "calls-table").text
    assert (
        page.execute_script("return document.querySelectorAll('#main script:not([type]), #main img').length")
        == 0
    )
    assert page.execute_script("return typeof Wave") == "function"
    assert complaints(page) == []


def test_the_policy_forbids_what_is_not_ours(page: Chrome) -> None:
    page.execute_script(
        """
        window.ran = [];
        const script = document.createElement('script');
        script.textContent = 'window.ran.push("script")';
        document.body.append(script);
        const image = document.createElement('img');
        image.setAttribute('onerror', 'window.ran.push("handler")');
        image.src = 'http://127.0.0.1:9/never.png';
        document.body.append(image);
        """
    )
    connected = page.execute_async_script(
        "const done = arguments[0]; fetch('http://127.0.0.1:9/').then(() => done(true), () => done(false))"
    )
    assert page.execute_script("return window.ran") == []
    assert connected is False
    refused = " ".join(complaints(page))
    assert "script-src" in refused
    assert "connect-src" in refused or "default-src" in refused


def test_calls_are_filtered_and_sorted(page: Chrome) -> None:
    def ids() -> list[str]:
        rows = page.find_elements(By.CSS_SELECTOR, "#calls-table tbody tr")
        return [row.find_element(By.TAG_NAME, "a").text for row in rows if row.is_displayed()]

    assert "late-sender" not in ids()
    page.find_element(By.CSS_SELECTOR, ".filter[data-status='timeout']").click()
    assert ids() == ["silent-agent"]
    assert not page.find_element(By.ID, "call-plain").is_displayed()
    page.find_element(By.CSS_SELECTOR, ".filter[data-status='']").click()
    page.find_element(By.CSS_SELECTOR, ".sort[data-key='p50']").click()
    # Medians 560, 825, 830, 1180, one that never came; a call without any stays below either way.
    by_median = ["interruptions", "plain", "script-tag", "noisy", "silent-agent"]
    assert ids() == [*by_median, "refused"]
    page.find_element(By.CSS_SELECTOR, ".sort[data-key='p50']").click()
    assert ids() == [*reversed(by_median), "refused"]


def test_faults_of_ours_stand_apart(page: Chrome) -> None:
    faults = page.find_element(By.ID, "faults").text
    assert "late-sender" in faults
    assert "pacing p95 was 31.0 ms" in faults
    refused = page.find_element(By.CSS_SELECTOR, "#calls-table tr[data-status='setup_failed']").text
    assert "connection refused <b>& more</b>" in refused


def test_a_dot_leads_to_its_turn(page: Chrome) -> None:
    dot = page.find_element(By.CSS_SELECTOR, "#latency-chart a[aria-label^='noisy, turn 2']")
    page.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", dot)
    row = page.find_element(By.ID, "turn-noisy-1")
    WebDriverWait(page, WAIT_S).until(lambda _: "found" in (row.get_attribute("class") or ""))
    assert row.is_displayed()
    assert page.execute_script(
        "return document.querySelector('#call-noisy audio').currentTime"
    ) == pytest.approx(13.46 - 0.8)


def test_the_keyboard_plays_moves_and_zooms(page: Chrome) -> None:
    opened(page, "plain")
    canvas = page.find_element(By.CSS_SELECTOR, "#call-plain canvas")
    width = "return document.querySelector('#call-plain .reel').offsetWidth"
    fitted = page.execute_script(width)
    canvas.send_keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert canvas.get_attribute("aria-valuetext") == "0:03.0"
    canvas.send_keys("+", "+")
    assert page.execute_script(width) > 2 * fitted
    canvas.send_keys("0")
    assert page.execute_script(width) == fitted
    canvas.send_keys(Keys.SPACE)
    assert playing_at(page, "plain", at_least=3.05) < 6
    canvas.send_keys(Keys.SPACE)
    assert page.execute_script("return document.querySelector('#call-plain audio').paused")


def test_the_scheme_follows_the_button(page: Chrome) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    light = page.execute_script(background)
    button = page.find_element(By.ID, "theme")
    button.click()
    assert page.execute_script(background) == light
    button.click()
    dark = page.execute_script(background)
    assert dark != light
    button.click()
    assert page.execute_script(background) == light


def test_a_phone_shows_everything_without_scrolling_sideways(run_dir: Path, tmp_path: Path) -> None:
    with chromium(tmp_path / "profile", width=390, height=844, dark=True) as phone:
        phone.get((run_dir / "report" / "index.html").as_uri())
        for call in ("plain", "interruptions", "script-tag", "refused"):
            opened(phone, call)
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 390
        card = phone.find_element(By.CSS_SELECTOR, ".card .num")
        assert card.rect["width"] > 0
        assert card.rect["x"] + card.rect["width"] <= 390
        assert complaints(phone) == []


def opened(page: Chrome, call: str) -> None:
    page.execute_script(
        "const call = document.getElementById(arguments[0]); call.open = true; call.scrollIntoView();",
        f"call-{call}",
    )
    if page.find_elements(By.CSS_SELECTOR, f"#call-{call} .player .mark"):
        return
    WebDriverWait(page, WAIT_S).until(
        lambda _: page.execute_script(
            "const canvas = document.querySelector(arguments[0]); return !canvas || canvas.width > 0",
            f"#call-{call} canvas",
        )
    )


def press(page: Chrome, element: WebElement) -> None:
    """Clicks where a reader would: in the middle of the window, not under the bar at its top."""
    page.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
    element.click()


def playing_at(page: Chrome, call: str, *, at_least: float) -> float:
    """Waits until the call's sound has reached a moment, and returns where it then is."""
    script = """
        const audio = document.querySelector(arguments[0]);
        return audio.paused ? -1 : audio.currentTime;
    """

    def position(_: Chrome) -> float | bool:
        now = page.execute_script(script, f"#call-{call} audio")
        return float(now) if now >= at_least else False

    return float(WebDriverWait(page, WAIT_S, poll_frequency=0.05).until(position))
