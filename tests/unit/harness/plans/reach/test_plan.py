"""How an agent is reached, as a plan has it: what is read, what is kept, what goes to the wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.on_the_wire import on_the_wire
from harness.plans.plan import expand_plan
from harness.plans.reach.plan import ReachPlan, ice_server_of

SAID = {"lines": [{"say": "Hello?"}]}


def _plan(written: Any, **more: Any) -> CallPlan:
    content = {"agent": "http://a.example", "calls": [{"id": "one", "script": SAID, "reach": written}]}
    return expand_plan(content, **more).calls[0]


def test_what_is_written_out_reaches_the_wire_and_nothing_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TURN_USER", "alice-of-turn")
    server = {
        "urls": ["turn:t.example", "turns:t.example"],
        "username": "{env:TURN_USER}",
        "credential": "written-out",
    }
    plan = _plan({"ice_servers": [server], "relay_only": True})
    kept = plan.model_dump_json()
    assert "written-out" not in kept
    assert "alice-of-turn" not in kept
    assert json.loads(kept)["reach"]["ice_servers"][0] == {
        "urls": ["turn:t.example", "turns:t.example"],
        "username": "{env:TURN_USER}",
        "credential": "***",
    }
    reach = on_the_wire(plan.agent, plan.headers, plan.request_data, plan.reach).reach
    assert [one.url.shown for one in reach.ice_servers] == [
        "turn:t.example:3478?transport=udp",
        "turns:t.example:5349?transport=tcp",
    ]
    assert {(one.username, one.credential) for one in reach.ice_servers} == {("alice-of-turn", "written-out")}
    assert reach.relay_only
    assert "written-out" not in repr(reach)


def test_a_plan_that_was_kept_cannot_dial_with_what_was_hidden() -> None:
    server = {"urls": "turn:t.example", "username": "u", "credential": "written-out"}
    kept = CallPlan.model_validate_json(_plan({"ice_servers": [server]}).model_dump_json())
    with pytest.raises(UserError, match=r"reach.ice_servers\[0\] was given with its secret written out"):
        on_the_wire(kept.agent, reach=kept.reach)


def test_the_command_line_comes_over_the_plan_and_paths_start_at_its_file(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("")
    written = {"ca_file": "ca.pem", "codecs": ["opus"]}
    plan = _plan(written, reach={"codecs": ["pcmu", "opus"]}, folder=tmp_path)
    assert plan.reach == ReachPlan(ca_file=tmp_path / "ca.pem", codecs=("pcmu", "opus"))
    with pytest.raises(UserError, match=r"reach.ca_file: .*nowhere.pem is no file"):
        on_the_wire("http://a.example", reach=ReachPlan(ca_file=tmp_path / "nowhere.pem"))


def test_a_call_that_is_reached_as_before_keeps_its_digest() -> None:
    plain = _plan({})
    assert plain.digest == _plan({"relay_only": False, "codecs": []}).digest
    assert plain.digest != _plan({"codecs": ["pcmu"]}).digest


def test_a_secret_does_not_change_the_digest() -> None:
    first, second = (
        _plan({"ice_servers": [{"urls": "turn:t.example", "username": "u", "credential": one}]}).digest
        for one in ("first-password", "second-password")
    )
    assert first == second


@pytest.mark.parametrize(
    ("reach", "message"),
    [
        ({"ice_servers": [{"urls": "turn:t.example"}]}, "a TURN server needs username and credential"),
        ({"ice_servers": [{"urls": "t.example"}]}, "no address of an ICE server"),
        ({"ice_servers": [{"urls": []}]}, "ice_servers"),
        ({"codecs": ["opus", "opus"]}, "one is there twice"),
        ({"relay": True}, "relay"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(reach: Any, message: str) -> None:
    with pytest.raises(UserError, match=f"(?s)reach.*{message}"):
        _plan(reach)


def test_a_server_on_the_command_line() -> None:
    assert ice_server_of("stun:s.example") == {"urls": ["stun:s.example"]}
    assert ice_server_of("turn:t.example u p") == {
        "urls": ["turn:t.example"],
        "username": "u",
        "credential": "p",
    }
    for wrong in ("", "turn:t.example", "turn:t.example secret-user", "x secret-user secret"):
        with pytest.raises(UserError, match=r"^--ice-server: ") as told:
            ice_server_of(wrong)
        assert "secret" not in str(told.value)
