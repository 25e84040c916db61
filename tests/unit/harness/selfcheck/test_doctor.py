"""The doctor: what it finds is compared with what is really there, and each check is made to fail once."""

from __future__ import annotations

import errno
import importlib
import io
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from harness.models.resolve import MODELS_VARIABLE
from harness.paths import CACHE_VARIABLE, calibration_path
from harness.selfcheck import doctor, machine_probes
from harness.selfcheck import installation as installation_checks
from harness.selfcheck import machine as machine_checks
from harness.selfcheck.doctor import checks_as_json, checks_exit_code, collect_checks, print_checks
from harness.selfcheck.finding import Check, Verdict
from harness.selfcheck.machine_probes import ProbeFailed, TimerLateness, kernel_stamp_age_ms, nearest_rank

pytestmark = pytest.mark.usefixtures("isolated_folders")


def check(name: str, checks: list[Check]) -> Check:
    (found,) = [check for check in checks if check.name == name]
    return found


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Installs a distribution's metadata where ``importlib.metadata`` finds it."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def install(name: str, version: str, *lines: str) -> None:
        folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        text = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines, ""])
        (folder / "METADATA").write_text(text)
        importlib.invalidate_caches()

    return install


# ---- packages


def test_requirements_are_compared_with_what_is_installed(distribution: Callable[..., None]) -> None:
    distribution(
        "oe-app",
        "3.1",
        "Requires-Dist: oe-new>=2",
        "Requires-Dist: oe-old[fast]<3,>=2",
        "Requires-Dist: oe-absent>=1",
        'Requires-Dist: oe-other-system; sys_platform == "nowhere"',
        "Provides-Extra: voice",
        'Requires-Dist: oe-new; extra == "voice"',
        'Requires-Dist: oe-silent; extra == "voice"',
        "Provides-Extra: whole",
        'Requires-Dist: oe-new>=1; extra == "whole"',
    )
    distribution("oe-new", "2.5")
    distribution("oe-old", "1.9")
    checks = installation_checks.package_checks("oe-app")
    assert [(found.name, found.verdict, found.found) for found in checks] == [
        ("oe-app", Verdict.OK, "3.1"),
        ("package oe-new", Verdict.OK, "oe-new 2.5"),
        ("package oe-old", Verdict.FAIL, "oe-old 1.9 (<3,>=2 is needed)"),
        ("package oe-absent", Verdict.FAIL, "oe-absent missing"),
        ("extra voice", Verdict.WARN, "oe-new 2.5, oe-silent missing"),
        ("extra whole", Verdict.OK, "oe-new 2.5"),
    ]
    assert check("package oe-old", checks).todo == f"{sys.executable} -m pip install 'oe-old[fast]<3,>=2'"
    assert check("extra voice", checks).todo.endswith("-m pip install 'oe-silent'")


def test_extra_of_a_requirement_is_looked_into(distribution: Callable[..., None]) -> None:
    distribution("oe-app", "1", "Requires-Dist: oe-kit[web]>=1")
    distribution("oe-kit", "1.2", "Provides-Extra: web", 'Requires-Dist: oe-server; extra == "web"')
    found = check("package oe-kit", installation_checks.package_checks("oe-app"))
    assert (found.verdict, found.found) == (Verdict.FAIL, "oe-kit 1.2 without oe-server (of its extra web)")
    distribution("oe-server", "9")
    found = check("package oe-kit", installation_checks.package_checks("oe-app"))
    assert (found.verdict, found.found) == (Verdict.OK, "oe-kit 1.2")


def test_distribution_that_is_not_installed_is_said_so() -> None:
    (found,) = installation_checks.package_checks("oe-never-installed")
    assert found.verdict is Verdict.FAIL
    assert "make setup" in found.todo


# ---- models


def test_missing_models_fail_only_where_they_are_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    monkeypatch.setattr("harness.models.resolve.missing_modules", lambda source: ["oe_absent"])
    monkeypatch.setattr("harness.models.advice.missing_modules", lambda source: ["oe_absent"])
    checks = installation_checks.model_checks()
    assert {found.name: found.verdict for found in checks} == {
        "model whisper-base": Verdict.FAIL,
        "model joe": Verdict.FAIL,
        "model silero-vad": Verdict.FAIL,
        "model nisqa": Verdict.WARN,
        "model speechmos": Verdict.WARN,
        "model kokoro": Verdict.WARN,
        "model smollm2-135m": Verdict.WARN,
        "model qwen2.5-coder-1.5b": Verdict.WARN,
    }
    assert "outboundeval models fetch nisqa" in check("model nisqa", checks).todo


def test_language_models_that_can_be_asked_are_named_without_their_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("OUTBOUNDEVAL_LLM_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-very-secret-value")
    monkeypatch.setattr("harness.models.resolve.missing_modules", lambda source: ["oe_absent"])
    monkeypatch.setattr("harness.models.resolve.own_models_dir", lambda: None)
    found = installation_checks.language_model_check()
    assert found.found == "keys: ANTHROPIC_API_KEY; on this machine: none"
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert installation_checks.language_model_check().found.startswith("keys: none set;")


def test_wrong_model_fails_even_where_it_is_optional(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own/nisqa").mkdir(parents=True)
    (tmp_path / "own/nisqa/nisqa.tar").write_bytes(b"not a checkpoint")
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "own"))
    found = check("model nisqa", installation_checks.model_checks())
    assert found.verdict is Verdict.FAIL
    assert "nisqa.tar: 16 bytes, expected 1051663" in found.todo


# ---- folders and calibration


def test_folder_that_cannot_be_made_fails_with_its_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file/cache"))
    found = check("cache folder", installation_checks.folder_checks())
    assert found.verdict is Verdict.FAIL
    assert os.strerror(errno.ENOTDIR) in found.found
    assert CACHE_VARIABLE in found.todo


def test_full_disk_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check("data folder", installation_checks.folder_checks()).verdict is Verdict.OK
    full = shutil._ntuple_diskusage(10**12, 10**12 - 1000, 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
    found = check("data folder", installation_checks.folder_checks())
    assert (found.verdict, found.found[-11:]) == (Verdict.WARN, "0.0 GB free")


def test_calibration_absent_broken_and_stored() -> None:
    def found() -> Check:
        return next(one for one in installation_checks.calibration_checks() if "smallwebrtc" in one.name)

    assert (found().verdict, found().todo) == (Verdict.WARN, "outboundeval calibrate")
    path = calibration_path("smallwebrtc")
    path.parent.mkdir(parents=True)
    path.write_text("{half a fi")
    assert found().verdict is Verdict.FAIL
    path.write_text("{}")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert found().verdict is Verdict.OK
    assert "measured 2023-11-14 22:13 UTC" in found().found


# ---- the machine


def test_nearest_rank_agrees_with_numpy() -> None:
    generator = np.random.default_rng(5)
    for count in (1, 2, 3, 19, 20, 21, 50, 100):
        values = sorted(generator.normal(size=count).tolist())
        for share in (0.05, 0.5, 0.9, 0.95, 1.0):
            expected = np.quantile(values, share, method="inverted_cdf")
            assert nearest_rank(values, share) == expected


def test_lateness_is_measured_against_absolute_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    now_ns = 5_000

    def sleep(seconds: float) -> None:
        nonlocal now_ns
        now_ns += round(seconds * 1e9) + 3_000_000

    monkeypatch.setattr(time, "monotonic_ns", lambda: now_ns)
    monkeypatch.setattr(time, "sleep", sleep)
    late = machine_probes.timer_lateness(seconds=0.2, step_ms=10.0)
    # Each sleep is 3 ms late, and a late wake-up does not push the later deadlines back.
    assert (late.wakeups, late.p50_ms, late.p95_ms, late.max_ms) == (20, 3.0, 3.0, 3.0)


def test_late_timer_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    for p95_ms, verdict in ((1.99, Verdict.OK), (2.01, Verdict.WARN)):
        late = TimerLateness(wakeups=50, p50_ms=0.1, p95_ms=p95_ms, max_ms=9.0)
        monkeypatch.setattr(machine_checks, "timer_lateness", lambda late=late: late)
        assert machine_checks.timer_check().verdict is verdict


def test_busy_machine_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    for load, verdict in ((1.9, Verdict.OK), (2.1, Verdict.WARN)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 9.0, 9.0))
        assert machine_checks.core_check().verdict is verdict


def test_coarse_clock_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine_checks.clock_check().verdict is Verdict.OK
    monkeypatch.setattr(machine_checks, "clock_step_ns", lambda: 15_600_000)
    assert machine_checks.clock_check().verdict is Verdict.FAIL


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux stamps packets")
def test_kernel_stamp_lies_between_sending_and_reading() -> None:
    before_ns = time.monotonic_ns()
    age_ms = kernel_stamp_age_ms(packets=1)
    assert 0.0 <= age_ms <= (time.monotonic_ns() - before_ns) / 1e6


def test_system_without_packet_stamps_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ProbeFailed, match="darwin"):
        kernel_stamp_age_ms()
    assert machine_checks.packet_stamp_check().verdict is Verdict.WARN


def test_packets_without_a_stamp_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # SO_TIMESTAMPNS is never switched on: another harmless option is set in its place.
    monkeypatch.setattr(machine_probes, "SO_TIMESTAMPNS", socket.SO_REUSEADDR)
    with pytest.raises(ProbeFailed, match="no receive stamp"):
        kernel_stamp_age_ms()


def test_two_ice_agents_meet_over_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = partial(machine_probes.loopback_ice_ms, timeout_s=60.0)
    monkeypatch.setattr(machine_checks, "loopback_ice_ms", patient)
    assert machine_checks.ice_check().verdict is Verdict.OK


def test_ice_that_does_not_connect_in_time_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProbeFailed, match=r"no connection after 0\.001 s"):
        machine_probes.loopback_ice_ms(timeout_s=0.001)

    def blocked() -> float:
        raise ProbeFailed("blocked")

    monkeypatch.setattr(machine_checks, "loopback_ice_ms", blocked)
    found = machine_checks.ice_check()
    assert (found.verdict, found.found) == (Verdict.FAIL, "blocked")


# ---- all together


def test_whole_collection_names_everything_once() -> None:
    checks = collect_checks()
    names = [found.name for found in checks]
    assert len(names) == len(set(names))
    assert {"python", "package torch", "extra local", "model nisqa", "timer lateness"} <= set(names)
    assert not [found for found in checks if "broke" in found.found]
    document = json.loads(json.dumps(checks_as_json(checks)))
    assert [entry["name"] for entry in document["checks"]] == names
    assert document["ok"] is (checks_exit_code(checks) == 0)


def test_check_that_breaks_is_shown_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken() -> Check:
        raise ZeroDivisionError("boom")

    groups = (("odd", broken), ("python", installation_checks.python_check))
    monkeypatch.setattr(doctor, "_GROUPS", groups)
    odd, python = collect_checks()
    assert (odd.verdict, odd.found) == (Verdict.FAIL, "this check broke: ZeroDivisionError: boom")
    assert python.verdict is Verdict.OK


def test_models_folder_that_is_not_there_is_one_failed_check(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "nowhere"))
    monkeypatch.setattr(doctor, "_GROUPS", (("models", installation_checks.model_checks),))
    (found,) = collect_checks()
    assert found.verdict is Verdict.FAIL
    assert "there is no such folder" in found.found


def test_warnings_do_not_fail_and_text_is_never_markup() -> None:
    checks = [
        Check(name="a", verdict=Verdict.OK, found="[red]1.0[/red]"),
        Check(name="b", verdict=Verdict.WARN, found="slow", todo="rest"),
    ]
    assert checks_exit_code(checks) == 0
    assert checks_exit_code([*checks, Check(name="c", verdict=Verdict.FAIL, found="x")]) == 1
    screen = io.StringIO()
    print_checks(checks, Console(file=screen, width=100))
    assert "[red]1.0[/red]" in screen.getvalue()
    assert "→ rest" in screen.getvalue()
    assert "1 ok, 1 to know about, 0 to mend" in screen.getvalue()
