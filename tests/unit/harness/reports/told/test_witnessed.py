"""Tools and events on a call's page: those of the agent, and those that a user's systems told, as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.records.call import Event
from harness.reports.html import build_report
from harness.reports.run import EVENTS_UP_TO_CALLS, run_page
from harness.reports.told.witnessed import WitnessRow, witness_rows
from harness.runs.reader import AGAIN
from tests.nights import night_call
from tests.report.make_run import ATTACK, write_run


def rtvi(t: float, kind: str, **data: Any) -> Event:
    return Event(t=t, side="agent", kind=kind, source="rtvi", data=data)


def test_a_tool_that_the_agent_tells_of_is_told_once() -> None:
    events = [
        rtvi(1.0, "bot-started-speaking"),
        rtvi(2.0, "llm-function-call-started", function_name="refund", tool_call_id="1"),
        rtvi(2.5, "llm-function-call-stopped", function_name="refund", tool_call_id="1", cancelled=False),
        rtvi(3.0, "llm-function-call-started", function_name="refund", tool_call_id="2"),
        Event(t=3.2, side="agent", kind="tool_call", source="webhook", data={"name": "refund", "order": 7}),
        Event(t=9.0, side="agent", kind="order-closed", source="webhook", data={"cents": 4000}),
    ]
    rows = witness_rows(events, over_s=8.0)
    assert [(row.time, row.what, row.teller) for row in rows] == [
        ("0:02.0", "tool refund", "agent, rtvi"),
        ("0:03.0", "tool refund", "agent, rtvi"),
        ("0:03.2", "tool refund", "your system"),
        ("0:09.0", "order-closed", "your system"),
    ]
    assert rows[2] == WitnessRow(
        time="0:03.2", play_s=3.2, what="tool refund", teller="your system", data='{"order": 7}'
    )
    # The call was over: there is no sound of that moment.
    assert rows[3].play_s is None
    assert rows[3].data == '{"cents": 4000}'


def _run(folder: Path, told: list[dict[str, Any]], *, calls: int = 2) -> Path:
    """Call n began at 1,000 s of the machine's clock and 100 n seconds more."""
    run = write_run(folder, [night_call(f"c{n}", [500.0, 500.0]) for n in range(calls)])
    for n in range(calls):
        path = run / "calls" / f"c{n}" / "call.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"began_monotonic_s": 1000.0 + 100 * n}))
    (run / "witness.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in told))
    return run


def test_what_a_system_told_stands_in_its_call_and_is_text(tmp_path: Path) -> None:
    hostile = {"event": f"paid {ATTACK}"[:100], "data": {"what": ATTACK, "</p><b>": "<i>"}, "at_s": 1002.0}
    run = _run(tmp_path / "run", [hostile, {"tool_call": "refund", "at_s": 1101.5}])
    first, second = run_page(run, drawn=False).calls
    assert [(row.time, row.play_s, row.teller) for row in first.witnessed] == [("0:02.0", 2.0, "your system")]
    assert [(row.time, row.what) for row in second.witnessed] == [("0:01.5", "tool refund")]
    assert ("0:01.5", "agent, webhook", "tool_call", '{"name": "refund"}') in second.events
    page = build_report(run).read_text()
    assert page.count("Tools and events <") == 2
    assert 'data-t="2.0" aria-label="Play from 0:02.0"' in page
    assert "&lt;img src=x onerror=alert(2)&gt;" in page
    for markup in ("<img src=x", "<script>alert", "</p><b>", "<i>"):
        assert markup not in page, markup


def test_a_call_of_which_nothing_was_told_says_nothing_of_it(tmp_path: Path) -> None:
    run = _run(tmp_path / "run", [])
    assert [call.witnessed for call in run_page(run, drawn=False).calls] == [(), ()]
    assert "Tools and events" not in build_report(run).read_text()


def test_in_a_large_run_it_stands_though_other_events_stay_in_their_files(tmp_path: Path) -> None:
    calls = EVENTS_UP_TO_CALLS + 1
    run = _run(tmp_path / "run", [{"event": "paid", "at_s": 1003.0}], calls=calls)
    page = run_page(run)
    assert [len(call.witnessed) for call in page.calls] == [1] + [0] * (calls - 1)
    first, second = page.calls[:2]
    # What is left out counts the files' own events alone.
    assert first.events == ()
    assert first.events_left_out == second.events_left_out > 0


def test_a_second_attempt_was_heard_by_the_run_that_it_belongs_to(tmp_path: Path) -> None:
    run = _run(tmp_path / "run", [{"event": "paid", "at_s": 1002.0}])
    again = _run(run / AGAIN, [])
    (again / "witness.jsonl").unlink()
    assert [len(call.witnessed) for call in run_page(again, drawn=False).calls] == [1, 0]


def test_of_very_many_the_first_are_shown(tmp_path: Path) -> None:
    told = [{"event": f"e{n}", "at_s": 1001.0 + n / 1000} for n in range(130)]
    first, _ = run_page(_run(tmp_path / "run", told), drawn=False).calls
    assert (len(first.witnessed), first.witnessed_left_out) == (100, 30)
