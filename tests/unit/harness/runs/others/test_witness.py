"""What a user's systems tell while calls are held: taken, bounded, placed in the right call, expected."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.models.served_process import free_port
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.plans.checks.expectations import Expected
from harness.plans.plan import expand_plan
from harness.plans.run import Witness
from harness.records.witness import read_witnessed
from harness.runs.opening import open_run
from harness.runs.others.witness import witnessing
from harness.runs.store import RunStore
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.make_run import ATTACK, write_run


def tell(port: int, path: str, body: bytes | dict[str, Any], **headers: str) -> tuple[int, str]:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        # Whoever is refused before all was read may be hung up on while it still writes: the answer is there.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.request("POST", path, content, headers)
        answer = client.getresponse()
        return answer.status, answer.read().decode()
    finally:
        client.close()


def test_what_is_told_is_kept_and_the_rest_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WITNESS", "a key of ours")
    port = free_port()
    key = {"Authorization": "Bearer a key of ours"}
    with witnessing(Witness(port=port, key="{env:WITNESS}"), tmp_path):
        before = time.monotonic()
        assert tell(port, "/calls/refund", {"tool_call": "refund", "data": {"order": 7}}, **key)[0] == 204
        assert (
            tell(
                port, "/", {"event": "order-created", "data": {"what": ATTACK, "k": "a key of ours"}}, **key
            )[0]
            == 204
        )
        for path, body, headers, status in (
            ("/", {"event": "x"}, {}, 401),
            ("/", {"event": "x"}, {"Authorization": "Bearer other"}, 401),
            ("/", b"no json", key, 400),
            ("/", b"[1]", key, 400),
            ("/", {"event": "x", "tool_call": "y"}, key, 400),
            ("/", {"event": "x", "data": {"deep": {"a": 1}}}, key, 400),
            ("/", b"{" * 70_000, key, 413),
            ("/calls/../run.json", {"event": "x"}, key, 404),
            ("/elsewhere", {"event": "x"}, key, 404),
        ):
            assert tell(port, path, body, **headers)[0] == status, (path, status)
    first, second = read_witnessed(tmp_path)
    assert (first.call, first.tool_call, first.data) == ("refund", "refund", {"order": 7})
    assert before <= first.at_s <= second.at_s <= time.monotonic()
    assert "a key of ours" not in (tmp_path / "witness.jsonl").read_text()


def test_a_port_that_is_taken_and_a_key_that_is_missing_are_told(tmp_path: Path) -> None:
    port = free_port()
    with (
        witnessing(Witness(port=port), tmp_path),
        pytest.raises(UserError, match="cannot be listened on"),
        witnessing(Witness(port=port), tmp_path),
    ):
        pass
    with (
        pytest.raises(UserError, match="is not set"),
        witnessing(Witness(port=port, key="{env:NO_SUCH}"), tmp_path),
    ):
        pass
    written = {
        "agent": "http://127.0.0.1:9",
        "calls": [{"id": "a", "script": {"lines": [{"say": "Hello."}]}}],
    }
    with pytest.raises(UserError, match="needs a key"):
        expand_plan(written | {"witness": {"port": port, "host": "0.0.0.0"}})
    assert expand_plan(written | {"witness": {"port": port}}).digest == expand_plan(written).digest


def _held_to(run: Path, told: list[dict[str, Any]]) -> list[str]:
    """Results of what is expected: the tool after the first line, and anywhere, and an event."""
    (run / "witness.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in told))
    expected = [
        {"line": 0, "what": {"tool_call": {"name": "refund", "data": {"order": 7}}}},
        {"what": {"tool_call": "refund"}},
        {"what": {"event": {"kind": "order-closed", "source": "webhook"}}},
    ]
    checks = Checks(expect={"a": tuple(map(Expected.model_validate, expected))})
    (run / CHECKS_FILE).write_text(checks.model_dump_json())
    return [one.result for one in decide(run).checks if one.of == "expect"]


def test_what_was_told_is_placed_in_the_call_that_stood(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [night_call("a", [500.0, 500.0]), night_call("b", [500.0])])
    # Call a began at 1,000 s of the machine's clock, b at 1,100; a's second line begins 4 s into it.
    for name, began_s in (("a", 1000.0), ("b", 1100.0)):
        path = run / "calls" / name / "call.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"began_monotonic_s": began_s}))
    refund = {"tool_call": "refund", "data": {"order": 7}}
    assert _held_to(run, []) == ["failed"] * 3
    assert _held_to(run, [refund | {"at_s": 1002.0}]) == ["passed", "passed", "failed"]
    assert _held_to(run, [refund | {"at_s": 1005.5}]) == ["failed", "passed", "failed"]
    # While b stood, or a call of another name, it was not in a.
    assert _held_to(run, [refund | {"at_s": 1101.0}]) == ["failed"] * 3
    assert _held_to(run, [refund | {"at_s": 1002.0, "call": "b"}]) == ["failed"] * 3
    # A slow backend names the call that is over already.
    closed = {"event": "order-closed", "call": "a"}
    assert _held_to(run, [closed | {"at_s": 1020.0}]) == ["failed", "failed", "passed"]
    assert _held_to(run, [closed | {"at_s": 900.0}]) == ["failed"] * 3


def test_a_new_run_begins_where_a_witness_listens_already(tmp_path: Path) -> None:
    plan = expand_plan(
        {"agent": "http://127.0.0.1:9", "calls": [{"id": "a", "script": {"lines": [{"say": "Hello."}]}}]}
    )
    folder = tmp_path / "tonight"
    with witnessing(Witness(port=free_port()), folder):
        open_run(plan, RunStore(folder), versions={})
        assert (folder / "run.json").is_file()
    (tmp_path / "witness.txt").write_text("a stranger's file")
    with pytest.raises(UserError, match="is not empty and holds no run"):
        open_run(plan, RunStore(tmp_path), versions={})
