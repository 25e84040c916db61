"""The table of rings on the page: each with what became of it, entries nobody rang for, hostile lines."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from harness.records.call import CallStatus
from harness.records.placed import rings as rings_module
from harness.records.placed.rings import RINGS_FILE, RingRecord, RingsFile, RingStatus
from harness.reports.html import build_report
from harness.reports.run import run_page
from harness.reports.rung import rings
from tests.report.make_run import MadeCall, Said, write_run

AT = "2026-01-02T03:04:05+00:00"
NAMES = ("first", "second")


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run of two calls; of the second nothing came."""
    said = [Said(side="agent", start_s=0.2, end_s=0.9, text="Hello.")]
    calls = [
        MadeCall(id="first", duration_s=1.0, said=said),
        MadeCall(
            id="second",
            duration_s=1.0,
            said=[],
            status=CallStatus.NEVER_RUNG,
            detail="never rang within 9 s",
        ),
    ]
    return write_run(tmp_path / "in", calls)


def _rung(run_dir: Path, *kept: RingRecord) -> None:
    file = RingsFile(run_dir)
    for one in kept:
        file.add(one)


def _ring(status: RingStatus, **told: object) -> RingRecord:
    return RingRecord.model_validate({"at": AT, "status": status, "caller": "sip:a@h", **told})


def test_each_ring_is_a_row_and_an_entry_nobody_rang_for_is_one(run_dir: Path) -> None:
    _rung(
        run_dir,
        _ring(RingStatus.TAKEN, entry="first", code=200, number="49", source="10.0.0.1:5060"),
        _ring(RingStatus.RANG_TWICE, entry="first", code=486),
        _ring(RingStatus.UNWANTED_ADDRESS, code=403),
        _ring(RingStatus.RANG_TWICE, entry="first", code=486),
    )
    found = run_page(run_dir).rings
    assert found is not None
    assert [line.became for line in found.lines] == [
        "taken",
        "rang twice",
        "unwanted address",
        "rang twice",
        "never rung",
    ]
    assert found.counted[0] == ("rang twice", 2)
    assert dict(found.counted) == {"taken": 1, "rang twice": 2, "unwanted address": 1, "never rung": 1}
    taken, *_, never = found.lines
    assert (taken.caller, taken.number, taken.code) == ("sip:a@h (10.0.0.1:5060)", "49", "200")
    assert (taken.entry, taken.linked, taken.at) == ("first", True, "2 Jan 2026, 03:04 UTC")
    assert (never.entry, never.linked, never.detail) == ("second", True, "never rang within 9 s")


def test_the_page_has_the_table(run_dir: Path) -> None:
    _rung(
        run_dir,
        _ring(RingStatus.TAKEN, entry="first", code=200),
        _ring(RingStatus.UNKNOWN_NUMBER, number="4711", code=404),
    )
    page = build_report(run_dir).read_text(encoding="utf-8")
    [table] = re.findall(r'<section class="conduct" id="rings".*?</section>', page, re.S)
    rows = re.findall(r"<tr>\s*<th scope=\"row\">(.*?)<br>", table)
    assert rows == ["taken", "unknown number", "never rung"]
    assert 'href="#call-first"' in table
    assert re.search(r'<td class="mono">4711</td>\s*<td>404</td>', table)
    # What is linked is on the page.
    for entry in re.findall(r'href="#(call-\w+)"', table):
        assert f'id="{entry}"' in page


def test_every_status_has_its_meaning() -> None:
    assert set(rings.MEANINGS) == {str(status) for status in RingStatus} | {rings.NEVER_RUNG}


def test_a_run_that_was_not_called_has_no_such_table(tmp_path: Path) -> None:
    said = [Said(side="agent", start_s=0.2, end_s=0.9, text="Hello.")]
    run_dir = write_run(tmp_path / "out", [MadeCall(id="a", duration_s=1.0, said=said)])
    assert run_page(run_dir).rings is None
    assert 'id="rings"' not in build_report(run_dir).read_text(encoding="utf-8")


def test_what_strangers_say_of_themselves_stays_text(run_dir: Path) -> None:
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>\u202e\x07'
    (run_dir / RINGS_FILE).write_text(
        _ring(RingStatus.TAKEN).model_dump_json().replace("sip:a@h", "X")
        + "\n"
        + RingRecord(
            at=evil, status=RingStatus.NO_CALL, caller=evil, number=evil, entry=evil, detail=evil
        ).model_dump_json()
        + "\n"
    )
    page = build_report(run_dir).read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "<img src=x" not in page
    assert html.escape("<script>alert(1)</script>") in page
    assert "\u202e" not in page
    assert "\x07" not in page
    found = run_page(run_dir).rings
    assert found is not None
    assert not found.lines[1].linked


def test_lines_that_are_no_rings_are_told_and_left_out(run_dir: Path) -> None:
    good = _ring(RingStatus.TAKEN, entry="first").model_dump_json()
    (run_dir / RINGS_FILE).write_text(f'{good}\n{{"status": "eaten"}}\nnonsense\n\n{good[:20]}')
    view = run_page(run_dir)
    assert view.rings is not None
    assert len(view.rings.lines) == 2
    [told] = [one.what for one in view.problems if one.file == RINGS_FILE]
    assert told == "3 lines are not rings; left out"


def test_a_file_outside_of_the_run_is_not_read(run_dir: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text(_ring(RingStatus.TAKEN).model_dump_json())
    (run_dir / RINGS_FILE).symlink_to(outside)
    view = run_page(run_dir)
    assert view.rings is not None
    assert [line.became for line in view.rings.lines] == ["never rung"]
    assert [one.file for one in view.problems if one.file == RINGS_FILE] == [RINGS_FILE]


def test_of_many_the_first_are_shown_and_all_are_counted(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rings, "MOST_SHOWN", 3)
    monkeypatch.setattr(rings_module, "MAX_KEPT", 6)
    with (run_dir / RINGS_FILE).open("w") as file:
        for _ in range(9):
            file.write(_ring(RingStatus.UNWANTED_ADDRESS).model_dump_json() + "\n")
    found = run_page(run_dir).rings
    assert found is not None
    assert (len(found.lines), found.left_out, found.counted[0]) == (3, 4, ("unwanted address", 6))
    assert "4 more are in" in build_report(run_dir).read_text(encoding="utf-8")
