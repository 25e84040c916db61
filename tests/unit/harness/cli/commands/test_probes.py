"""``outboundeval probes`` as a person at the terminal sees it: output, exit codes, no traceback."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from harness.cli.commands import probes
from harness.cli.commands.probes import app
from harness.errors import EXIT_CHECK_FAILED, EXIT_WRONG_USE
from harness.plans.plan import expand_plan
from harness.selfcheck.probes import ClipCheck, SuiteCheck
from harness.selfcheck.suites.spoken import SettingCheck


def _run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def test_list_tells_the_minutes_of_each_size() -> None:
    code, out, _ = _run("list", "--json")
    assert code == 0
    suite = next(one for one in json.loads(out)["suites"] if one["name"] == "restraint")
    assert suite["quick"]["minutes"] <= 3 < suite["full"]["minutes"]
    assert suite["full"]["places"] == 100
    items = {one["name"]: one["items"] for one in json.loads(out)["suites"]}
    # Of noise and accent the sentences, and not the settings that each of them is said in.
    assert [items[name] for name in ("noise", "accent", "restraint", "echo", "attention")] == [
        15,
        23,
        25,
        9,
        41,
    ]
    shown = _run("list")[1]
    assert "restraint" in shown
    assert shown.endswith("one after the other, if the agent answers after 1.5 s and speaks for 4 s.\n")


def test_show_has_every_item_and_says_what_is_synthetic() -> None:
    code, out, _ = _run("show", "restraint")
    assert code == 0
    assert "about 2.9 minutes one after the other, if the agent answers after 1.5 s and speaks for 4 s" in out
    assert "(cough, synthetic)" in out
    assert len(json.loads(_run("show", "restraint", "--json")[1])["items"]) == 25


@pytest.mark.parametrize(
    "name", ["attention", "code_switch", "echo", "emotion", "entities", "noise", "restraint", "symbols"]
)
def test_show_says_which_items_are_quick(name: str) -> None:
    def drawn(seed: str) -> list[str]:
        found: list[str] = json.loads(_run("show", name, "--json", "--seed", seed)[1])["drawn"]["quick"]
        return found

    plan = expand_plan({"agent": "http://x", "seed": 5, "probes": [name]})
    placed = {one for call in plan.calls if call.probe for one in call.probe.items}
    assert placed
    assert set(drawn("5")) == placed
    assert f"quick, with the seed 5: {drawn('5')[0]}" in _run("show", name, "--seed", "5")[1]


def test_an_unknown_suite_is_wrong_use() -> None:
    code, _, err = _run("show", "nothing")
    assert code == EXIT_WRONG_USE
    assert "known: " in err


@pytest.mark.parametrize("problem", ["", "its level is -3.0 dB off"])
def test_a_sound_that_cannot_be_used_fails_the_check(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clip = ClipCheck(
        item="cough-1",
        kind="cough",
        length_s=0.7,
        level_dbfs=-26.0,
        wanted_dbfs=-23.0,
        silero=0.0,
        webrtcvad=0.6,
        problem=problem,
    )
    checked = SuiteCheck(suite="restraint", clips=[clip], notes=["a note"])
    monkeypatch.setattr(probes, "check_suite", lambda suite: checked)
    code, out, _ = _run("check", "restraint")
    assert code == (EXIT_CHECK_FAILED if problem else 0)
    assert "60%" in out
    assert "a note" in out
    assert json.loads(_run("check", "restraint", "--json")[1])["clips"][0]["webrtcvad"] == 0.6


@pytest.mark.parametrize("problem", ["", "its noise is 9.0 dB below the voice"])
def test_a_setting_that_is_not_what_it_is_called_fails_the_check(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loud = SettingCheck(
        setting="babble 5 dB", language="en", lines=5, snr_db=9.0, wanted_db=5.0, rate=0.25, problem=problem
    )
    monkeypatch.setattr(probes, "check_spoken", lambda suite: ([loud], ["a note"]))
    code, out, _ = _run("check", "noise")
    assert code == (EXIT_CHECK_FAILED if problem else 0)
    assert "babble 5 dB" in out
    assert "9.0 (5)" in out
    assert "a note" in out
    settings = json.loads(_run("check", "noise", "--json")[1])["settings"]
    assert [one["rate"] for one in settings] == [0.25]


def test_what_is_said_of_a_suite_that_is_spoken() -> None:
    code, out, _ = _run("show", "entities")
    assert code == 0
    assert "full: 21 calls, 200 places, about 31.8 minutes" in out
    assert "[Whitcombe]" in out
    assert "without a sound" not in out
