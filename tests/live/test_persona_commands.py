"""``persona build`` and ``persona realism judge`` with a language model behind HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from tests.llm_server import Answer, say, serving_llm
from tests.unit.voice_sim.authoring.people import answer, persona

pytestmark = pytest.mark.live

CALL = "Agent: Hello, is that Mr. Ulric Brandvold?\nCaller: {said}\nAgent: Goodbye.\n"


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for kind, said in (("real", "Er, yes."), ("made", "I am delighted.")):
        (tmp_path / kind).mkdir()
        for n in range(2):
            (tmp_path / kind / f"{kind}-{n}.txt").write_text(CALL.format(said=f"{said} {n}"))
    return tmp_path


def knowing(request: dict[str, Any]) -> Answer:
    """A judge that knows; it never gives the second simulated one a score."""
    text = "\n".join(str(message["content"]) for message in request["messages"])
    asks = json.dumps(request.get("response_format", "")) + text
    if "human_is" in asks:
        first = text.rpartition("<call_a>")[2].partition("</call_a>")[0]
        return say(json.dumps({"reason": "r", "human_is": "A" if "Er," in first else "B"}))
    if "person_is" in asks:
        return say(json.dumps({"reason": "r", "person_is": "human" if "Er," in text else "simulated"}))
    if "delighted. 1" in text:
        return say("nine out of nine!")
    return say(json.dumps({"reason": "r", "score": 8 if "Er," in text else 3}))


def test_a_model_judges_and_is_not_asked_twice(calls: Path) -> None:
    arguments = [
        "persona",
        "realism",
        "judge",
        "--human",
        str(calls / "real"),
        "--simulated",
        str(calls / "made"),
    ]
    arguments += ["--out", str(calls / "model.json"), "--json", "--model"]
    with serving_llm(knowing) as server:
        first = CliRunner().invoke(app, [*arguments, server.url])
        asked = len(server.requests)
        again = CliRunner().invoke(app, [*arguments, server.url])
        asked_again = len(server.requests) - asked
    assert first.exit_code == again.exit_code == 0, first.output
    (table,) = json.loads(first.stdout)["realism"]
    assert table["scores"]["means"]["human"]["value"] == 8
    assert (table["scores"]["means"]["simulated"]["n"], table["scores"]["failed"]) == (1, 1)
    assert table["comparison"]["human_wins"] == 2
    assert json.loads(again.stdout) == json.loads(first.stdout)
    # Twelve questions, the unusable answer twice more; the second time only that one.
    assert (asked, asked_again) == (14, 3)


def test_a_judge_that_is_down_scores_nothing(calls: Path) -> None:
    arguments = [
        "persona",
        "realism",
        "judge",
        "--human",
        str(calls / "real"),
        "--simulated",
        str(calls / "made"),
    ]
    arguments += ["--out", str(calls / "model.json"), "--json", "--model"]
    with serving_llm(Answer(status=401)) as server:
        result = CliRunner().invoke(app, [*arguments, f"{server.url}#m"])
    assert result.exit_code == 1
    (table,) = json.loads(result.stdout)["realism"]
    assert table["scores"]["means"]["human"]["value"] is None
    assert (table["scores"]["failed"], table["comparison"]["failed"]) == (4, 4)


def test_a_persona_is_built_over_http_and_its_failure_is_told(calls: Path) -> None:
    written = json.dumps({**answer(persona()), "archetype": "hesitant"})
    out = calls / "build"
    arguments = ["persona", "build", "--from", str(calls / "real"), "--out", str(out), "--top", "2", "--json"]
    only = ["--only", "curate", "--only", "extract"]
    with serving_llm(say(written), say("No."), say("No."), say("No."), say("No.")) as server:
        result = CliRunner().invoke(app, [*arguments, *only, "--parallel", "1", "--model", server.url])
        assert "Person: Er, yes." in str(server.requests[0]["messages"])
    assert result.exit_code == 1, result.output
    step = json.loads(result.stdout)["steps"]["extract"]
    assert (step["made"], list(step["failed"])) == (["seed-1"], ["seed-2"])
    with serving_llm(say(written)) as server:
        result = CliRunner().invoke(app, [*arguments, *only, "--parallel", "1", "--model", server.url])
        # Another address is another model, as far as anybody can tell: both are written again.
        step = json.loads(result.stdout)["steps"]["extract"]
    assert (result.exit_code, step["made"]) == (0, ["seed-1", "seed-2"])
