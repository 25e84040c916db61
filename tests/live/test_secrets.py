"""Canaries: secrets in every place in which one may stand, real calls to an agent that repeats them, and then
a search for them in everything that was kept or printed.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from harness.cli import main as cli
from harness.runs.store import RunStore
from tests.llm_server import Answer, serving_llm
from tests.serving import serving_module

pytestmark = [pytest.mark.live]

LITERAL = "canary-written-out-5e1f"
ENVIRONMENT = {
    "CANARY_HEADER": "canary-header-7d2a/+x",
    "CANARY_PASSWORD": "canary pass:word-91c3",
    "CANARY_QUERY": "canary-query-&4b7e=",
    "CANARY_PIN": 'canary-pin-"quoted"-0a6d',
    "OPENAI_API_KEY": "canary-openai-key-33f0",
    "OUTBOUNDEVAL_LLM_API_KEY": "canary-llm-key-b8e2",
}
LIMITS = {"connect_s": 20.0, "first_speech_s": 5.0, "silence_s": 5.0, "call_s": 20.0}


def _forms(secret: str) -> set[bytes]:
    """As it may stand in a file; independent of what the harness looks for."""
    forms = {secret, quote(secret, safe=""), quote(secret), json.dumps(secret)[1:-1], secret.encode().hex()}
    for before in ("", "b", "bo", f"bob:{secret}"[: -len(secret)]):
        encoded = base64.b64encode((before + secret).encode()).decode()
        # The first and the last characters depend on what stands around it.
        forms.add(encoded[4:-4])
    return {form.encode() for form in forms}


def found_in(text: bytes) -> list[str]:
    secrets = [*ENVIRONMENT.values(), LITERAL]
    return [secret for secret in secrets if any(form in text for form in _forms(secret))]


@dataclass(frozen=True, kw_only=True)
class Guarded:
    """The agent behind a door."""

    address: str
    folder: Path

    def run(self, *arguments: str, exit_code: int | None = None) -> str:
        """``outboundeval`` with these arguments: all that it prints, in which there is no secret."""
        done = subprocess.run(
            [sys.executable, "-m", "harness.cli.main", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=240,
        )
        said = done.stdout + done.stderr
        assert found_in(said) == [], said.decode()
        if exit_code is not None:
            assert done.returncode == exit_code, said.decode()
        return said.decode()

    def nothing_kept(self) -> int:
        """Searches every file; how many there are."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        kept = {str(path): found for path in files if (found := found_in(path.read_bytes()))}
        assert kept == {}
        return len(files)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("guarded")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        with serving_module("tests.live.guarded_agent") as (address, _):
            yield Guarded(address=address, folder=folder)


def _call(name: str, agent: str, **fields: Any) -> dict[str, Any]:
    script = {"lines": [{"say": "Hello there.", "pause_s": 0.2}], "hang_up_after_s": 0.2}
    data = {"customer": {"pin": "{env:CANARY_PIN}"}}
    return {"id": name, "agent": agent, "script": script, "limits": LIMITS, "request_data": data} | fields


def test_the_search_finds_what_is_there() -> None:
    for secret in (*ENVIRONMENT.values(), LITERAL):
        for text in (secret, quote(secret, safe=""), base64.b64encode(f"bob:{secret}".encode()).decode()):
            assert found_in(f"x{text}y".encode()) == [secret]


def test_secrets_reach_the_agent_and_nothing_that_is_kept(guarded: Guarded) -> None:
    door = guarded.address
    plan = {
        "calls": [
            _call("header", f"{door}/header", headers={"Authorization": "Bearer {env:CANARY_HEADER}"}),
            _call(
                "address",
                door.replace("//", "//bob:{env:CANARY_PASSWORD}@") + "/basic?token={env:CANARY_QUERY}",
            ),
            _call("refused", door.replace("//", f"//bob:{LITERAL}@") + f"/never?token={LITERAL}"),
            _call("nobody", f"http://bob:{LITERAL}@127.0.0.1:9/x?token={LITERAL}"),
        ]
    }
    (guarded.folder / "plan").mkdir()
    plan_file = guarded.folder / "plan" / "plan.yaml"
    plan_file.write_text(json.dumps(plan))
    literal = f"X-Api-Key: {LITERAL}"
    said = guarded.run("run", str(plan_file), "--header", literal, "--live", "--no-score", "--out", "run")
    plan_file.unlink()  # in which the test itself wrote secrets out

    shown = httpx.get(f"{door}/seen", timeout=30).json()
    pin = json.dumps(ENVIRONMENT["CANARY_PIN"])
    assert len(shown) == 3
    assert all(LITERAL in one and pin in one for one in shown)
    store = RunStore(guarded.folder / "run")
    records = {one: store.read_record(one) for one in ("header", "address", "refused", "nobody")}
    assert all(records.values()), said
    for name in ("header", "address"):
        record = records[name]
        assert record is not None
        assert record.media is not None, record.status_detail
        assert record.agent_name == "*** 1"
        assert any("***" in event.data.get("text", "") for event in store.read_events(name))
    assert records["refused"] is not None
    assert "http://bob:***@127.0.0.1" in records["refused"].status_detail
    assert "/never?token=*** answered 401" in records["refused"].status_detail
    assert records["header"] is not None
    assert records["header"].plan.headers == {
        "Authorization": "Bearer {env:CANARY_HEADER}",
        "X-Api-Key": "***",
    }
    assert records["header"].plan.request_data == {"customer": {"pin": "{env:CANARY_PIN}"}}

    guarded.run("report", "run", exit_code=0)
    assert guarded.nothing_kept() > 10


@pytest.mark.long
def test_scores_and_reports_have_none_either(guarded: Guarded) -> None:
    plan = {"calls": [_call("header", f"{guarded.address}/header")]}
    plan_file = guarded.folder / "scored.yaml"
    plan_file.write_text(json.dumps(plan))
    header = "Authorization: Bearer {env:CANARY_HEADER}"
    guarded.run(
        "run", str(plan_file), "--header", header, "--header", f"X: {LITERAL}", "--out", "scored", "--json"
    )
    guarded.run("score", "scored", "--json", exit_code=0)
    guarded.run("report", "scored", exit_code=0)
    names = {path.name for path in guarded.folder.rglob("*")}
    assert {
        "junit.xml",
        "index.html",
        "summary.json",
        "scores.json",
        "transcript.json",
        "audio.flac",
    } <= names
    guarded.nothing_kept()


WRONG = [
    (["--agent", f"tel://bob:{LITERAL}@127.0.0.1"], "'tel://bob:***@127.0.0.1' is no agent address"),
    (["--agent", f"http://bob:{LITERAL}/{LITERAL}@127.0.0.1:1"], "'http://bob:***@127.0.0.1:1' is no"),
    (["--agent", f"htp://127.0.0.1:1/?token={LITERAL}"], "is no agent address"),
    (["--agent", "http://127.0.0.1:1", "--header", LITERAL], "--header: write NAME: VALUE"),
    (["--agent", "http://127.0.0.1:1", "--header", f"A: {LITERAL}\nB: c"], "has a line break"),
    (
        ["--agent", "http://127.0.0.1:1", "--header", "A: {env:NOT_SET_HERE}"],
        "NOT_SET_HERE, which is not set",
    ),
]


def test_wrong_use_is_told_in_one_line_without_them(guarded: Guarded) -> None:
    arguments, says = WRONG[0]
    said = guarded.run("call", *arguments, "--out", "wrong", exit_code=2)
    _one_line(said, says)
    guarded.nothing_kept()


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_every_wrong_use_is(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["outboundeval", "call", *arguments, "--out", "wrong"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert found_in((out + err).encode()) == []
    _one_line(out + err, says)
    assert list(tmp_path.rglob("*")) == []


def _one_line(said: str, says: str) -> None:
    assert says in said.replace("\n", " ")
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1


def test_keys_of_language_models_stay_out_of_what_they_say(guarded: Guarded) -> None:
    key = ENVIRONMENT["OUTBOUNDEVAL_LLM_API_KEY"]
    with serving_llm(Answer(status=401, error=f"Incorrect key: {key} {quote(key)}")) as server:
        scenario = ["cs-bank-complaint/hesitant", "--out", "chat"]
        said = guarded.run("chat", *scenario, "--agent", "llm", "--model", f"{server.url}#m")
        assert "Incorrect key" in said
        assert any(key in value for headers in server.headers for value in headers.values())
    assert guarded.nothing_kept() > 1
