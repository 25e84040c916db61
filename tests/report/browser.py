"""A headless Chromium for tests of pages that were written to disk."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

STARTS = 3
WAIT_S = 30.0
"""For what a page or the browser is to do at once: that long only where it never does."""
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    # What containers have of shared memory is little, and several browsers share it.
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)


@contextmanager
def chromium(profile: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> Iterator[Chrome]:
    """A browser with a fresh profile; the test is skipped where there is no Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("needs chromium and chromedriver on the PATH (Debian: chromium, chromium-driver)")
    browser = _started(program, driver, profile)
    try:
        browser.set_script_timeout(30)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        yield browser
    finally:
        browser.quit()


def _started(program: str, driver: str, profile: Path) -> Chrome:
    """Tried again where it does not come up: the driver's port may have been taken meanwhile."""
    for attempt in range(STARTS):
        options = Options()
        options.binary_location = program
        for flag in (*_FLAGS, f"--user-data-dir={profile / str(attempt)}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        try:
            return Chrome(options=options, service=Service(driver))
        except WebDriverException:
            if attempt + 1 == STARTS:
                raise
    raise AssertionError("it was never started")


def saved(path: Path) -> Path:
    """Waits until the browser has saved a file."""
    until = time.monotonic() + WAIT_S
    while not path.is_file():
        assert time.monotonic() < until, f"{path.name} was not saved; there are: {[*path.parent.glob('*')]}"
        time.sleep(0.05)
    return path


def complaints(browser: Chrome) -> list[str]:
    """Every message on the console so far, errors of scripts and of the security policy included."""
    entries: list[dict[str, Any]] = browser.get_log("browser")
    return [str(entry["message"]) for entry in entries]
