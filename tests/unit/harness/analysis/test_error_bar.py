"""The stored error bar: what a report prints of it, on this machine and on another one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.analysis import error_bar
from harness.analysis.error_bar import (
    UNCALIBRATED_RESOLUTION_S,
    ErrorBar,
    StoredError,
    bar_standing,
    calibration_note,
    interruption_resolution_s,
    load_error_bar,
    response_resolution_s,
    store_error_bar,
    this_machine,
    today,
)
from harness.errors import UserError
from harness.paths import calibration_path
from harness.records.scores import CalibrationNote

pytestmark = pytest.mark.usefixtures("isolated_folders")


def _error(p95: float) -> StoredError:
    return StoredError(n=60, bias=0.1, sd=1.0, p95_abs=p95, max_abs=2 * p95)


def _bar(**fields: object) -> ErrorBar:
    made: dict[str, object] = {
        "transport": "smallwebrtc",
        "date": "2026-11-03",
        "machine": this_machine(),
        "natural_responses": _error(4.2),
        "natural_interruptions": _error(11.5),
    }
    return ErrorBar.model_validate(made | fields)


def test_a_bar_comes_back_as_it_was_stored() -> None:
    path = store_error_bar(_bar(marker_responses=_error(0.9)))
    assert path == calibration_path("smallwebrtc")
    assert load_error_bar("smallwebrtc") == _bar(marker_responses=_error(0.9))


def test_reports_print_the_errors_with_speech_and_verdicts_use_them() -> None:
    store_error_bar(_bar(marker_responses=_error(0.9), marker_interruptions=_error(0.8)))
    note = calibration_note("smallwebrtc")
    assert (note.response_p95_ms, note.interruption_p95_ms) == (4.2, 11.5)
    assert (note.machine, note.date, note.not_calibrated) == (this_machine(), "2026-11-03", "")
    assert response_resolution_s(note) == pytest.approx(0.0042)
    assert interruption_resolution_s(note) == pytest.approx(0.0115)


def test_a_bar_of_another_machine_says_so() -> None:
    store_error_bar(_bar(machine="elsewhere (Darwin arm64)"))
    note = calibration_note("smallwebrtc")
    assert note.machine.startswith("elsewhere (Darwin arm64)")
    assert this_machine() in note.machine


@pytest.mark.parametrize("missing", ["natural_responses", "natural_interruptions", "everything"])
def test_without_a_whole_bar_none_is_claimed(missing: str) -> None:
    if missing != "everything":
        store_error_bar(_bar(**{missing: None}))
    note = calibration_note("smallwebrtc")
    assert (note.response_p95_ms, note.interruption_p95_ms) == (None, None)
    assert "outboundeval calibrate" in note.not_calibrated
    assert response_resolution_s(note) == interruption_resolution_s(note) == UNCALIBRATED_RESOLUTION_S


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"transport": "x"}', b"\xff\xfe"])
def test_a_broken_file_is_no_bar(content: bytes) -> None:
    path: Path = store_error_bar(_bar())
    path.write_bytes(content)
    assert load_error_bar("smallwebrtc") is None
    assert calibration_note("smallwebrtc").not_calibrated


def test_a_bar_of_one_transport_is_not_another_s() -> None:
    store_error_bar(_bar())
    assert calibration_note("livekit").not_calibrated
    with pytest.raises(UserError, match=r"\.\./x"):
        calibration_path("../x")


def test_without_a_calibration_20_ms_are_assumed_and_said() -> None:
    assert UNCALIBRATED_RESOLUTION_S == 0.02
    assert calibration_note("smallwebrtc").not_calibrated.endswith(
        "until then ±20 ms are taken for the instrument's own part"
    )


def test_a_second_calibration_replaces_the_first_in_a_file_for_people() -> None:
    store_error_bar(_bar(date="2026-11-03"))
    path = store_error_bar(_bar(date="2026-11-04"))
    assert '\n "date": "2026-11-04",\n' in path.read_text(encoding="utf-8")


def test_a_date_is_a_day() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", today())


@pytest.mark.parametrize(
    ("metric", "standing"),
    [
        ("response_latency_ms", ""),
        ("response_latency_answered_ms", ""),
        ("interruption_delay_ms", "assumed"),
        ("interruption_delay_stopped_ms", "assumed"),
        ("a_metric_of_another_package", "assumed"),
    ],
)
def test_a_figure_stands_on_the_bar_of_its_own_kind(metric: str, standing: str) -> None:
    half = CalibrationNote(transport="smallwebrtc", response_p95_ms=0.6)
    assert bar_standing(metric, [half]) == standing
    assert bar_standing(metric, []) == "assumed"


RESPONSES = CalibrationNote(transport="a", response_p95_ms=0.6)
INTERRUPTIONS = CalibrationNote(transport="a", interruption_p95_ms=0.6)
BOTH = CalibrationNote(transport="a", response_p95_ms=0.6, interruption_p95_ms=0.6)
NEITHER = CalibrationNote(transport="a", not_calibrated="not yet")


@pytest.mark.parametrize(
    ("metric", "notes", "standing"),
    [
        ("interruption_delay_ms", [INTERRUPTIONS, INTERRUPTIONS], ""),
        ("interruption_delay_ms", [RESPONSES], "assumed"),
        ("response_latency_ms", [INTERRUPTIONS], "assumed"),
        ("response_latency_ms", [RESPONSES, NEITHER], "partly assumed"),
        ("interruption_delay_ms", [NEITHER, INTERRUPTIONS], "partly assumed"),
        ("other", [BOTH], ""),
        ("other", [INTERRUPTIONS], "assumed"),
        ("other", [RESPONSES], "assumed"),
        ("other", [NEITHER, BOTH], "partly assumed"),
    ],
)
def test_what_a_bar_stands_on_is_told_call_by_call(
    metric: str, notes: list[CalibrationNote], standing: str
) -> None:
    assert bar_standing(metric, notes) == standing


# --- what a note says, word by word

ASSUMED = "±20 ms are taken for the instrument's own part"


def test_a_note_of_a_bar_names_all_of_what_it_is_of() -> None:
    store_error_bar(_bar(transport="livekit", codec="pcmu", network="mobile"))
    assert calibration_note("livekit", "pcmu", "mobile") == CalibrationNote(
        transport="livekit",
        codec="pcmu",
        network="mobile",
        response_p95_ms=4.2,
        interruption_p95_ms=11.5,
        date="2026-11-03",
        machine=this_machine(),
    )


@pytest.mark.parametrize(
    ("transport", "codec", "network", "options"),
    [
        ("smallwebrtc", "opus", "clean", ""),
        ("livekit", "opus", "clean", " --transport livekit"),
        ("smallwebrtc", "pcmu", "clean", " --codec pcmu"),
        ("smallwebrtc", "opus", "mobile", " --network mobile"),
        ("livekit", "pcmu", "mobile", " --transport livekit --codec pcmu --network mobile"),
    ],
)
def test_without_a_bar_the_command_that_makes_it_is_named(
    transport: str, codec: str, network: str, options: str
) -> None:
    assert calibration_note(transport, codec, network) == CalibrationNote(
        transport=transport,
        codec=codec,
        network=network,
        not_calibrated=f"run 'outboundeval calibrate{options}'; until then {ASSUMED}",
    )


def test_on_a_network_that_is_none_of_ours_no_command_helps() -> None:
    store_error_bar(_bar(codec="pcmu"))
    assert calibration_note("smallwebrtc", "pcmu", "") == CalibrationNote(
        transport="smallwebrtc",
        codec="pcmu",
        network="",
        not_calibrated=f"on a network like this one, nothing is calibrated; {ASSUMED}",
    )


def test_what_is_assumed_is_told_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_bar, "UNCALIBRATED_RESOLUTION_S", 1.0)
    assert "; until then ±1000 ms are taken" in calibration_note("smallwebrtc").not_calibrated


def test_a_bar_of_another_machine_names_both() -> None:
    store_error_bar(_bar(machine="elsewhere (Darwin arm64)"))
    assert calibration_note("smallwebrtc").machine == (
        f"elsewhere (Darwin arm64); these calls were placed from {this_machine()}"
    )
