"""Programs that a bare machine lacks are hidden from the tests, and those that need one ask for it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.bare_machine import BASE, INSTALLED, seeing

ROOT = Path(__file__).parents[2]


def test_nothing_else_is_seen() -> None:
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    if sys.prefix != sys.base_prefix:
        # What was installed into the venv.
        assert folders.pop(0) == Path(sys.executable).parent
    (seen,) = folders
    assert {program.name for program in seen.iterdir()} <= {*BASE, *INSTALLED, "python", "python3"}
    for name in ("espeak-ng", "ffmpeg", "node", "docker", "curl"):
        assert shutil.which(name) is None


def test_what_is_seen_is_what_ci_installs() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    packages = {
        word
        for found in re.findall(r"tools\+=\((.*?)\)|apt_install ([a-z -]+) \|\|", script)
        for part in found
        for word in part.split()
    }
    programs = {"chromium-driver": "chromedriver", "coturn": "turnserver", "sip-tester": "sipp"}
    # Found where they lie, or by those tests alone that ask for them.
    asked_for = {"python3", "python3-venv", "postgresql", "baresip-core", "linphone-cli", "kamailio"}
    asked_for |= {"kamailio-tls-modules", "rtpengine-daemon"}
    assert {"make", "git", "chromium", *programs, *asked_for} == packages
    assert set(INSTALLED) == {programs.get(name, name) for name in packages - asked_for}


def test_a_test_that_needs_more_sees_it_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "some-engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("OUTBOUNDEVAL_TESTS_WHOLE_PATH", str(tmp_path))
    assert shutil.which("some-engine") is None
    with seeing("some-engine"):
        found = shutil.which("some-engine")
        assert found is not None
        assert Path(found).resolve() == program.resolve()
    assert shutil.which("some-engine") is None


def test_one_that_nobody_has_is_the_reason_to_skip() -> None:
    with (
        pytest.raises(pytest.skip.Exception, match="needs no-such-program, which is not installed here"),
        seeing("no-such-program"),
    ):
        pytest.fail("nothing was skipped")
