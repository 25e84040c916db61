"""A recorded call scored again, by the real instruments and by a judge over HTTP: it costs nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.analysis import listener as listening
from harness.cli import steps_of_calls as pipeline
from harness.cli.commands import score as command
from harness.cli.main import app
from harness.judging.cache import VerdictStore
from metrics.transcript import Transcriber
from tests.llm_server import Answer, say, serving_llm
from tests.unit.harness.stand_ins.chatting import entry
from tests.unit.harness.stand_ins.recorded import recorded_run

pytestmark = pytest.mark.live

REPLY = json.dumps({"applicable": True, "score": 2, "reason": "fine", "quote": ""})


def _verdict(request: dict[str, Any]) -> Answer:
    nodes = entry().scenario.flow.nodes
    if f"- {nodes[0].id}: " not in json.dumps(request["messages"]):
        return say(REPLY)
    verdicts = [{"node": node.id, "outcome": "not_achieved", "reason": "never said"} for node in nodes]
    return say(json.dumps({"verdicts": verdicts}))


@pytest.mark.usefixtures("whisper_folder")
def test_another_judge_hears_nothing_again_and_the_same_one_asks_nothing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers of a judge are kept apart by the judge, so another one asks, and asks only for text."""
    monkeypatch.setattr(pipeline, "build_report", lambda folder: folder / "report" / "index.html")
    monkeypatch.setattr(
        command, "VerdictStore", lambda fresh: VerdictStore(tmp_path / "answers", fresh=fresh)
    )
    store = recorded_run(tmp_path / "run", "one")
    folder = store.call_folder("one")

    def score(*options: str) -> dict[str, Any]:
        result = CliRunner().invoke(app, ["score", str(store.folder), "--json", *options])
        assert result.exit_code == 0, result.output
        document = json.loads(result.stdout)
        assert document["text"]["judge"]
        return document["kept"]  # type: ignore[no-any-return]

    assert score("--judge", "rules")["audio"]["kept"] == 0
    words = (folder / "transcript.json").read_bytes()
    assert b'"whisper"' in words

    def listens(*_: Any, **__: Any) -> None:
        raise AssertionError("an instrument listened again")

    monkeypatch.setattr(Transcriber, "__init__", listens)
    monkeypatch.setattr(listening, "detect_speech", listens)
    monkeypatch.setattr(listening, "rate_clips", listens)
    with serving_llm(_verdict) as server:
        first = score("--judge", server.url)
        asked = len(server.requests)
        assert asked == first["judgements"]["looked_up"] > 8
        assert (first["audio"]["kept"], first["judgements"]["kept"]) == (1, 0)
        again = score("--judge", server.url)
        assert len(server.requests) == asked
        assert (again["audio"]["kept"], again["judgements"]["kept"]) == (1, asked)
    assert (folder / "transcript.json").read_bytes() == words
