"""Nights as series, with what changed at a step; their page, and the command on a store."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from harness.cli import main as cli
from harness.cli.screen.nightly.history import print_history
from harness.reports.history import beside, history_page
from harness.runs.database.nights import Night, NightFigure, Place
from harness.scoring.history import history, series_of
from tests.nights import night_call
from tests.report.make_run import ATTACK, write_run


def made(count: int = 30, *, step_at: int = 20) -> list[Night]:
    rng = np.random.default_rng(1)
    return [
        Night(
            folder=Path(f"/runs/n{n}"),
            name=ATTACK,
            started_at=f"2026-10-{n + 1:02}T02:00:00+00:00",
            address="http://agent",
            agent="bot 1.0" if n < step_at else "bot <script>1.1",
            revision="",
            branch="main" if n % 3 else "fix/greeting",
            outboundeval="0.1.0",
            benchmark="",
            machine="m",
            instrument="i",
            plan_digest="p",
            word="passed" if n < step_at else "failed",
            calls=30,
            versions={"whisper": "base"},
            figures={
                "response_latency_ms": NightFigure(
                    unit="ms",
                    value=float(rng.normal(700 if n < step_at else 900, 20)),
                    low=680.0,
                    high=930.0,
                    p95=1500.0,
                    n=100,
                    status="measured",
                ),
                "wer": NightFigure(
                    unit="ratio", value=None, low=None, high=None, p95=None, n=0, status="not_applicable"
                ),
            },
        )
        for n in range(count)
    ]


def test_a_step_is_told_with_what_changed_with_it() -> None:
    one = series_of(made(), "response_latency_ms")
    (step,) = one.steps
    assert (step.night, step.worse) == (20, True)
    assert step.change == pytest.approx(200, abs=25)
    assert step.with_it == ("the agent: bot 1.0, then bot <script>1.1",)
    assert one.noise == pytest.approx(20, abs=7)


def test_nights_without_a_value_are_left_out_and_few_are_told() -> None:
    assert [one.figure for one in history(made())] == ["response_latency_ms", "response_latency_ms.p95"]
    assert "from 8 on" in series_of(made(5), "response_latency_ms").too_few


def falling_silent() -> list[Night]:
    """Twenty nights around 900 ms; then the median is not reached, and on the very last not measured. On the
    last ten of the first twenty the p95 is not reached."""
    nights = made(30, step_at=0)
    silent = NightFigure(unit="ms", value=None, low=None, high=None, p95=None, n=100, status="indeterminate")
    unknown = replace(silent, n=0, status="not_applicable")
    found = []
    for n, night in enumerate(nights):
        latency = night.figures["response_latency_ms"]
        if n == 19:
            latency = replace(latency, value=897.0)
        if 10 <= n < 20:
            latency = replace(latency, p95=None)
        figure = latency if n < 20 else silent if n < 29 else unknown
        found.append(replace(night, figures={"response_latency_ms": figure}))
    return found


def test_an_old_night_is_not_shown_as_now(capsys: pytest.CaptureFixture[str]) -> None:
    nights = falling_silent()
    one = series_of(nights, "response_latency_ms")
    assert [point.night for point in one.points] == list(range(20))
    assert [(none.night, none.why) for none in one.without[-2:]] == [
        (28, "not reached"),
        (29, "not measured"),
    ]
    assert one.tonight == one.without[-1]
    # Of the p95 it is known from a night that has a median.
    p95 = series_of(nights, "response_latency_ms.p95")
    assert [none.why for none in p95.without] == ["not reached"] * 19 + ["not measured"]
    assert series_of(nights[:20], "response_latency_ms").tonight is None

    last = "not reached (last: 897 ms on 2026-10-20)"
    told = "Not reached on 9 of 29 nights, which are in no search for a change of level"
    page = history_page(ATTACK, nights[:29], history(nights[:29]), link=beside(Path("/runs")), listen={})
    assert f"<small>{last} " in page
    assert told in page
    page = history_page(ATTACK, nights[:20], history(nights[:20]), link=beside(Path("/runs")), listen={})
    assert "<small>897 ms " in page

    console = Console(width=300, file=None)
    print_history(console, ATTACK, nights[:29], history(nights[:29]), {})
    shown = capsys.readouterr().out
    assert last in shown
    assert "↑" * 9 in shown
    assert told[1:] in shown
    print_history(console, ATTACK, nights, history(nights), {})
    shown = capsys.readouterr().out
    assert "not measured (last: 897 ms on 2026-10-20)" in shown
    assert "not reached on 9 of 30 nights, not measured on 1 of 30 nights" in shown


def test_a_figure_that_is_reached_on_no_night_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    """The worst agent of all had none; one that was never measured has none now as before."""
    silent = NightFigure(unit="ms", value=None, low=None, high=None, p95=None, n=100, status="indeterminate")
    unknown = NightFigure(
        unit="ratio", value=None, low=None, high=None, p95=None, n=0, status="not_applicable"
    )
    nights = [
        replace(night, figures={"response_latency_ms": silent, "wer": unknown})
        for night in made(9, step_at=0)
    ]
    found = history(nights)
    assert [one.figure for one in found] == ["response_latency_ms", "response_latency_ms.p95"]
    one = found[0]
    assert (one.points, one.steps, one.noise, one.takes) == ((), (), None, ())
    assert one.tonight == one.without[-1]

    page = history_page(ATTACK, nights, found, link=beside(Path("/runs")), listen={})
    assert "<small>not reached " in page
    assert "over the nights, not reached" in page
    assert "Not reached on 9 of 9 nights" in page
    assert "<circle" not in page
    print_history(Console(width=300, file=None), ATTACK, nights, found, {})
    shown = capsys.readouterr().out
    assert "↑" * 9 in shown
    assert "not reached on 9 of 9 nights" in shown
    # Reached on none, and on the last one not measured.
    ended = [*nights, replace(nights[-1], figures={"response_latency_ms": unknown})]
    page = history_page(ATTACK, ended, history(ended), link=beside(Path("/runs")), listen={})
    assert "<small>not measured " in page


def test_the_page_leads_from_a_point_to_the_sound_and_holds_text_as_text() -> None:
    nights = made()
    listen = {("response_latency_ms", 20): [Place(call_id="c7", second=4.0)]}
    page = history_page(ATTACK, nights, history(nights), link=beside(Path("/runs")), listen=listen)
    assert "<script>alert" not in page
    assert "bot <script>" not in page
    assert 'href="n20/report/index.html#call-c7"' in page
    assert page.count("<circle") == 60
    assert 'id="response_latency_ms" data-steps="1"' in page


def test_the_command_fills_the_store_and_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    runs = []
    for n in range(3):
        run = write_run(tmp_path / f"n{n}", [night_call("c", [600.0 + n])])
        info = json.loads((run / "run.json").read_text())
        info["started_at"] = f"2026-11-0{n + 1}T02:00:00+00:00"
        info["branch"] = "main" if n < 2 else "fix"
        (run / "run.json").write_text(json.dumps(info))
        runs.append(str(run))
    store, page = str(tmp_path / "nights.sqlite"), tmp_path / "history.html"
    words = ["outboundeval", "history", *runs, "--rebuild", "--store", store, "--page", str(page), "--json"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    document = json.loads(capfd.readouterr().out)
    assert ended.value.code == 0
    assert [night["started_at"][8:10] for night in document["nights"]] == ["01", "02", "03"]
    latency = document["figures"][0]
    assert [point["value"] for point in latency["points"]] == pytest.approx([600.0, 601.0, 602.0])
    assert page.is_file()
    monkeypatch.setattr(sys, "argv", ["outboundeval", "history", "--store", store])
    with pytest.raises(SystemExit):
        cli.main()
    shown = capfd.readouterr().out
    assert "3 nights, 2026-11-01 to 2026-11-03" in shown
    assert "branches: main 2, fix 1 (--branch NAME shows one)" in shown
    assert "Branches: main 2, fix 1" in page.read_text()
    monkeypatch.setattr(sys, "argv", ["outboundeval", "history", "--store", store, "--branch", "main"])
    with pytest.raises(SystemExit):
        cli.main()
    shown = capfd.readouterr().out
    assert "2 nights, 2026-11-01 to 2026-11-02" in shown
    assert "branches:" not in shown
    monkeypatch.setattr(sys, "argv", ["outboundeval", "history", "--store", store, "--branch", "mian"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "holds no run of the branch mian; its branches are main, fix" in capfd.readouterr().err
