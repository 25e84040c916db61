"""What a run will take and can see, from a night by hand and from the words of a plan."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.cli import main as cli
from harness.plans.plan import expand_plan
from harness.runs.database.index import put_run
from harness.scoring.before_run import forecast
from tests.nights import night_call
from tests.report.make_run import write_run


def plan_of(calls: int) -> dict[str, object]:
    script = {"lines": [{"say": "one two three four five", "pause_s": 1.0}], "hang_up_after_s": 1.0}
    return {"agent": "http://x", "calls": [{"id": f"c{n}", "script": script} for n in range(calls)]}


def test_without_a_night_the_words_tell_the_length() -> None:
    found = forecast(expand_plan(plan_of(6)), None)
    # Greeting 5, five words 2, pause 1, reply 5, end 1, and 3 between calls: 17 s each.
    assert (found.calls, found.minutes) == (6, pytest.approx(1.7))
    assert found.visible == ()
    assert "after a first night" in found.notes[0]


def test_a_night_tells_length_and_what_can_be_seen(tmp_path: Path) -> None:
    """Thirty calls of one turn with a standard deviation of 100 ms: 2.5 x 100 x sqrt(2 / 30), times what a
    median costs (1.25)."""
    rng = np.random.default_rng(1)
    made = [night_call(f"c{n}", [float(v)]) for n, v in enumerate(rng.normal(900, 100, 30))]
    run = write_run(tmp_path / "n1", made)
    found = forecast(expand_plan(plan_of(30)), run)
    assert found.minutes == pytest.approx(sum(call.duration_s + 3 for call in made) / 60)
    latency = found.visible[0]
    assert latency.change == pytest.approx(2.5 * 100 * np.sqrt(2 / 30) * 1.25, rel=0.35)
    rate = next(one for one in found.visible if one.figure == "response_rate")
    assert rate.change == pytest.approx(0.2, abs=0.07)
    assert found.usage is not None
    assert found.usage.requests == 0


def test_the_command_places_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "nights.sqlite")
    put_run(store, write_run(tmp_path / "n1", [night_call(f"c{n}") for n in range(3)], name="run"))
    (tmp_path / "plan.yaml").write_text(json.dumps(plan_of(3)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        sys, "argv", ["outboundeval", "run", "plan.yaml", "--dry-run", "--store", store, "--json"]
    )
    with pytest.raises(SystemExit) as ended:
        cli.main()
    document = json.loads(capfd.readouterr().out)
    assert ended.value.code == 0
    assert (document["calls"], document["from_night"]) == (3, str(tmp_path / "n1"))
    assert document["visible"][0]["why_not"] == "3 groups of calls have it: 10 are needed"
    assert not (tmp_path / "runs").exists()
