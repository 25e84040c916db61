"""What the doctor says of what can be reached, and of error bars."""

from __future__ import annotations

import pytest

from harness.analysis.error_bar import ErrorBar, store_error_bar, this_machine
from harness.selfcheck import reaching
from harness.selfcheck.finding import Verdict
from harness.selfcheck.reaching import cell_checks, reach_checks, relay_check
from harness.transports.by_scheme import SCHEMES

pytestmark = pytest.mark.usefixtures("isolated_folders")


def test_every_scheme_can_be_dialled_with_what_is_installed_here() -> None:
    checks = reach_checks()
    assert [one.name for one in checks] == [f"dials {scheme}://" for scheme in SCHEMES.names()]
    assert {one.verdict for one in checks} == {Verdict.OK}


def test_a_relay_that_is_missing_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "can_relay", lambda: False)
    assert relay_check().verdict is Verdict.OK
    assert "apt-get install coturn" in relay_check().found


def test_error_bars_are_told_by_codec_and_network() -> None:
    (before,) = [one for one in cell_checks() if one.name == "error bars smallwebrtc"]
    assert before.verdict is Verdict.WARN
    assert before.found.startswith("measured: none; not measured: opus clean, opus lossy")
    bar = ErrorBar(transport="smallwebrtc", network="relay-udp", date="2026-01-02", machine=this_machine())
    store_error_bar(bar)
    (after,) = [one for one in cell_checks() if one.name == "error bars smallwebrtc"]
    assert after.found.startswith(
        "measured: opus relay-udp; not measured: opus clean, opus lossy, opus relay-tcp"
    )
