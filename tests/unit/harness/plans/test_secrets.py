"""What a plan keeps of a secret, and what reaches the wire."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.on_the_wire import on_the_wire
from harness.plans.plan import expand_plan, load_plan
from harness.plans.run import RunPlan
from harness.plans.secrets import Withheld, headers_of, kept_address, kept_header
from harness.plans.unit import Unit
from harness.redaction import KNOWN

URL = "http://127.0.0.1:7860"
CALL = {"id": "a", "script": {"lines": [{"say": "Hello?"}]}}


def _plan(call: dict[str, Any] | None = None, **fields: Any) -> CallPlan:
    return expand_plan({"agent": URL, "calls": [CALL | (call or {})], **fields}).calls[0]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (URL, URL),
        ("http://bob:pw@host", "http://bob:***@host"),
        ("http://bob:pa@s:w@host:99/x", "http://bob:***@host:99/x"),
        ("http://tok3n@host/a", "http://***@host/a"),
        ("http://host:8080/a@b", "http://host:8080/a@b"),
        ("http://bob:p/w@host/x", "http://bob:***@host/x"),
        ("http://bob:p?w@host/x", "http://***@host/x"),
        ("https://h/x?scenario=a&token=abc;Api_Key=%20z#access_token=q", None),
        ("http://bob:{env:PW}@h/x?token={env:T}", "http://bob:{env:PW}@h/x?token={env:T}"),
        ("http://bob:x{env:PW}@h/?token=y{env:T}", "http://bob:***{env:PW}@h/?token=***{env:T}"),
        ("sip:bob:pw@host;transport=tls", "sip:bob:***@host;transport=tls"),
        ("sip:bob@host", "sip:bob@host"),
        ("sop", "sop"),
    ],
)
def test_an_address_is_kept_without_its_secrets(written: str, kept: str | None) -> None:
    kept = kept or "https://h/x?scenario=a&token=***;Api_Key=***#access_token=***"
    assert kept_address(written) == kept
    assert kept_address(kept) == kept


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Bearer {env:TOKEN}", "Bearer {env:TOKEN}"),
        ("{env:USER_}:{env:PW}", "{env:USER_}:{env:PW}"),
        ("Bearer abc", "***"),
        ("abc{env:TOKEN}", "***{env:TOKEN}"),
        ("Bearer {env:TOKEN}abc", "Bearer {env:TOKEN}***"),
    ],
)
def test_a_header_is_kept_as_the_names_in_it(written: str, kept: str) -> None:
    assert kept_header(written) == kept


def test_what_is_written_out_is_dialled_and_not_kept() -> None:
    plan = _plan(
        agent="http://bob:l1teral-pw@127.0.0.1:1/x?token=l1teral-tok", headers={"X-Key": "l1teral-h"}
    )
    unit = Unit(plan=plan)
    for text in (repr(plan), str(plan), unit.model_dump_json(), str(unit.model_dump()), f"{plan.agent}"):
        assert "l1teral" not in text
    again = copy.deepcopy(plan.model_copy(update={"trial": 1}))
    to = on_the_wire(again.agent, again.headers)
    assert (to.url, to.user, to.password) == ("http://127.0.0.1:1/x?token=l1teral-tok", "bob", "l1teral-pw")
    assert to.headers == {"X-Key": "l1teral-h"}
    assert "l1teral" not in repr(to)
    assert KNOWN.scrub("l1teral-pw l1teral-tok l1teral-h") == "*** *** ***"


def test_another_process_does_not_have_it_and_says_so() -> None:
    plan = _plan(headers={"X-Key": "l1teral-h"})
    elsewhere = Unit.model_validate_json(Unit(plan=plan).model_dump_json()).plan
    with pytest.raises(UserError, match=r"the header X-Key was given with its secret written out"):
        on_the_wire(elsewhere.agent, elsewhere.headers)
    address = pickle.loads(pickle.dumps(_plan(agent="http://bob:l1teral-pw@h").agent))
    assert isinstance(address, Withheld)
    with pytest.raises(UserError, match="the address of the agent was given with its secret"):
        on_the_wire(address)


def test_variables_are_looked_up_where_it_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _plan(
        {"request_data": {"pin": "no {env:T_PIN}", "n": 1, "deep": [{"pin": "{env:T_PIN}"}]}},
        agent="http://bob:{env:T_PW}@{env:T_HOST}:1/{env:T_ROOM}/x?token={env:T_PW}",
        headers={"Authorization-2": "Bearer {env:T_TOKEN}"},
    )
    values = {"T_PW": "p@/ss wörd", "T_HOST": "127.0.0.1", "T_ROOM": "r/1", "T_TOKEN": "tok", "T_PIN": "9876"}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    worker = Unit.model_validate_json(Unit(plan=plan).model_dump_json()).plan
    to = on_the_wire(worker.agent, worker.headers, worker.request_data)
    assert to.url == "http://127.0.0.1:1/r/1/x?token=p%40%2Fss%20w%C3%B6rd"
    assert (to.user, to.password) == ("bob", "p@/ss wörd")
    assert to.headers == {"Authorization-2": "Bearer tok"}
    assert to.request_data == {"pin": "no 9876", "n": 1, "deep": [{"pin": "9876"}]}
    assert worker.request_data["pin"] == "no {env:T_PIN}"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (
            {"headers": {"A": "{env:T_NOT_SET}"}},
            "the header A names the .* T_NOT_SET, which",
        ),
        ({"agent": "http://x:{env:T_NOT_SET}@h"}, "the address of the agent names the .* T_NOT_SET, which"),
        (
            {"request_data": {"a": ["{env:T_NOT_SET}"]}},
            "request_data names the .* T_NOT_SET, which is not set",
        ),
    ],
)
def test_a_variable_that_is_not_set_is_one_line(
    field: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("T_EMPTY", "")
    plan = _plan(field)
    with pytest.raises(UserError, match=message) as caught:
        on_the_wire(plan.agent, plan.headers, plan.request_data)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\0b", "\N{SNOWMAN}", "a\x7f"])
def test_a_value_cannot_become_another_header(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="the header X has a line break or a sign") as caught:
        _plan(headers={"X": f"l1teral{value}"})
    assert "l1teral" not in str(caught.value)
    if "\0" not in value:
        monkeypatch.setenv("T_BAD", f"l1teral{value}")
        with pytest.raises(UserError, match="the header X has a line break or a sign") as caught:
            on_the_wire(URL, _plan(headers={"X": "{env:T_BAD}"}).headers)
        assert "l1teral" not in str(caught.value)


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"A b": "l1teral"}, "the name of a header has letters"),
        ({"": "l1teral"}, "the name of a header has letters"),
        ({"Content-Length": "l1teral"}, "the header Content-Length is set by the request itself"),
        ({"A": " "}, "the header A is empty"),
        ({"A": "{env:1x} l1teral"}, r"\{env:NAME\} is how a variable is named"),
        ({f"A{n}": "l1teral" for n in range(51)}, "more than 50 headers"),
        ({"A": "l1teral" * 9000}, "the header A has more than 16000 characters"),
        ({"A": 5}, "should be a valid string"),
    ],
)
def test_what_is_no_header_is_refused_without_its_value(headers: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        _plan(headers=headers)
    assert "l1teral" not in str(caught.value)


def test_an_address_and_a_header_do_not_both_say_who_calls() -> None:
    with pytest.raises(UserError, match="give one of them"):
        on_the_wire("http://bob:pw@h", {"authorization": "Bearer x"})


def test_an_address_that_its_password_breaks_is_shown_without_it() -> None:
    plan = _plan(agent="http://bob:l1te/ral@127.0.0.1:7860")
    with pytest.raises(UserError, match=r"'http://bob:\*\*\*@127\.0\.0\.1:7860' is no address.* %2F"):
        on_the_wire(plan.agent)


def test_the_digest_does_not_depend_on_a_secret() -> None:
    plain, one, other = (_plan(**fields) for fields in ({}, {"headers": {"A": "1"}}, {"headers": {"A": "2"}}))
    assert one.digest == other.digest != plain.digest
    assert _plan(agent="http://b:1111@h").digest == _plan(agent="http://b:2222@h").digest
    assert _plan(headers={"A": "{env:ONE}"}).digest != _plan(headers={"A": "{env:TWO}"}).digest
    assert "headers" in one.model_dump()
    assert RunPlan.of("x", [one]).digest == RunPlan.of("x", [other]).digest


def test_headers_of_the_plan_are_for_its_agent_and_not_for_another() -> None:
    door = {"Door": "{env:A}", "x": "{env:A}"}
    fields: dict[str, Any] = {"headers": door, "defaults": {"headers": {"D": "{env:D}"}}}
    mine = _plan({"headers": {"X": "{env:B}"}}, **fields)
    assert mine.headers == {"Door": "{env:A}", "X": "{env:B}", "D": "{env:D}"}
    other = _plan({"agent": "http://other:1"}, **fields)
    assert other.headers == {"D": "{env:D}"}
    content = {"agent": URL, "calls": [CALL | {"agent": "http://other:1"}], **fields}
    typed = expand_plan(content, agent=URL, headers={"door": "{env:C}"}).calls[0]
    assert typed.headers == {"door": "{env:C}", "x": "{env:A}", "D": "{env:D}"}


def test_headers_stand_in_a_plan_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(
        f"agent: {URL}\nheaders: {{Authorization: 'Bearer {{env:A}}'}}\n"
        "calls: [{id: a, script: {lines: [{say: Hi}]}}]\n"
    )
    [call] = load_plan(path, headers={"B": "{env:B}"}).calls
    assert call.headers == {"Authorization": "Bearer {env:A}", "B": "{env:B}"}


def test_headers_are_given_on_the_command_line() -> None:
    given = headers_of(["Authorization: Bearer {env:A}", "X:a:b "])
    assert given == {"Authorization": "Bearer {env:A}", "X": "a:b"}
    for wrong in ("l1teral", "a b: l1teral", ": l1teral"):
        with pytest.raises(UserError, match="--header: write NAME: VALUE") as caught:
            headers_of([wrong])
        assert "l1teral" not in str(caught.value)
    with pytest.raises(UserError, match="--header: x is there twice"):
        headers_of(["X: a", "x: b"])


def test_a_password_in_a_basic_header_is_known_by_itself() -> None:
    _plan(headers={"Authorization": "Basic Ym9iOmwxdGVyYWwtYmFzaWM="})
    assert KNOWN.scrub("so bob has l1teral-basic") == "so bob has ***"
    assert KNOWN.scrub("Basic realm") == "Basic realm"


def test_a_call_that_was_designed_can_be_dialled_with_headers() -> None:
    plan = _plan(headers={"A": "{env:A}", "B": "{env:B}"})
    headed = plan.dialled_with({"a": "l1teral-h"})
    assert headed.headers == {"a": "***", "B": "{env:B}"}
    assert headed.headers["a"].given == "l1teral-h"  # type: ignore[attr-defined]
    assert plan.dialled_with({}) is plan
    with pytest.raises(UserError, match="a: headers: the header X has a line break") as caught:
        plan.dialled_with({"X": "l1teral\n"})
    assert "l1teral" not in str(caught.value)
