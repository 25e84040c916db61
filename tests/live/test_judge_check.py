"""Whole judge checks over HTTP, to the end: by servers that fail, interrupted, and by llama.cpp."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.commands import judge as command
from harness.cli.main import app, main
from harness.judging.checking import standing as judge_standing
from tests.llama import tiny_model
from tests.llm_server import Answer, say, serving_llm
from tests.unit.harness.judging.checking.test_own_tasks import write_set

pytestmark = pytest.mark.live

GOOD = json.dumps({"applicable": True, "score": 2, "reason": "fine", "quote": ""})
NODES = json.dumps(
    {
        "verdicts": [
            {"node": "greet", "outcome": "achieved", "turn": 0, "quote": "Hello", "reason": "says it"},
            {"node": "bye", "outcome": "not_achieved", "reason": "never said"},
        ]
    }
)
TURNS = [{"agent": "Hello, the lamps are here."}, {"caller": "Which lamps?"}]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OUTBOUNDEVAL_HOME", str(tmp_path / "home"))


def write_replies(folder: Path, last_turns: list[str]) -> Path:
    """The small set with one reply for each text, and its one dialogue."""
    write_set(folder)
    names = [f"safety-{number:02d}" for number in range(1, len(last_turns) + 1)]
    items = [
        {"id": name, "dimension": "safety", "entry": "lamps", "turns": [*TURNS, {"agent": text}]}
        for name, text in zip(names, last_turns, strict=True)
    ]
    (folder / "replies/all.yaml").write_text(json.dumps(items), encoding="utf-8")
    for one in ("first", "second"):
        labels = json.dumps({name: {"score": 2, "why": "so"} for name in names})
        (folder / f"labels/{one}/replies/all.yaml").write_text(labels, encoding="utf-8")
    return folder


def check(url: str, folder: Path, *options: str, exit_code: int | None = 0) -> dict[str, Any]:
    """``exit_code``: None where a model of its own may do well or not."""
    ran = CliRunner().invoke(
        app, ["judge", "check", "--judge", url, "--set", str(folder), "--json", *options]
    )
    assert ran.exit_code in ({0, 1} if exit_code is None else {exit_code}), ran.output
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def answering(answers: dict[str, Answer]) -> Callable[[dict[str, Any]], Answer]:
    """The flow is judged well, a reply by what stands in it."""

    def answer(request: dict[str, Any]) -> Answer:
        question = json.dumps(request["messages"])
        if "- greet: " in question:
            return say(NODES)
        return next(one for text, one in answers.items() if text in question)

    return answer


def test_a_check_ends_and_every_failed_verdict_has_its_reason(tmp_path: Path) -> None:
    answers = {
        "Fine.": say(GOOD),
        "Prose.": say("What a lovely reply!"),
        "Endless.": say(GOOD[:30], finish_reason="length"),
        "Refused.": say("", finish_reason="content_filter"),
        "Silent.": Answer(hang_s=300),
        "Broken.": Answer(status=401),
        "Invented.": say(GOOD.replace('"quote": ""', '"quote": "never said"')),
    }
    folder = write_replies(tmp_path / "set", list(answers))
    with serving_llm(answering(answers)) as server:
        began = time.monotonic()
        # The others have to be answered within it, the first one of a busy process included.
        found = check(server.url, folder, "--timeout", "5", exit_code=1)
        assert time.monotonic() - began < 100.0  # the silent one was given up
    assert found["failures"] == {
        "replies": {
            "the answer does not fit": 1,
            "the answer was cut off": 1,
            "the model refused to answer": 1,
            "no answer in time": 1,
            "no answer": 1,
            "quotes words that the reply does not have": 1,
        }
    }
    assert (found["replies"]["n"], found["replies"]["agreed"], found["replies"]["failed"]) == (7, 1, 6)
    assert (found["nodes"]["agreed"], found["nodes"]["failed"], found["partial"]) == (2, 0, False)


def test_what_was_answered_before_ctrl_c_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["One.", "Two.", "Three.", "Four."]
    folder = write_replies(tmp_path / "set", texts)
    asked = 0

    def answer(request: dict[str, Any]) -> Answer:
        nonlocal asked
        asked += 1
        if asked == 4:
            os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C does
            return Answer(hang_s=60)
        return answering(dict.fromkeys(texts, say(GOOD)))(request)

    with serving_llm(answer) as server:
        arguments = ["judge", "check", "--judge", server.url, "--set", str(folder), "--parallel", "1"]
        monkeypatch.setattr(sys, "argv", ["outboundeval", *arguments])
        with pytest.raises(SystemExit, match="130"):
            main()
        assert "the same command goes on from there" in capsys.readouterr().out
        assert asked == 4
        second = CliRunner().invoke(app, arguments)
        assert second.exit_code == 0, second.output
        # Four replies and a dialogue: three were kept, the one that was broken off and the last were asked.
        assert asked == 6
        assert "3 of 5 judgements were kept from before" in second.output


def test_a_check_by_a_dead_server_is_not_kept_and_leaves_the_good_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key is refused in the second check: every verdict fails, though the whole set was asked."""
    folder = write_replies(tmp_path / "set", ["One.", "Two."])
    monkeypatch.setattr(judge_standing, "OWN_SET", folder)
    monkeypatch.setattr(command, "OWN_SET", folder)
    down = False

    def answer(request: dict[str, Any]) -> Answer:
        return Answer(status=401) if down else answering(dict.fromkeys(["One.", "Two."], say(GOOD)))(request)

    with serving_llm(answer) as server:
        good = check(server.url, folder)
        known = judge_standing.judge_standing(good["judge"], good["judge_version"])
        assert known.heading == "final"
        down = True
        arguments = ["judge", "check", "--judge", server.url, "--set", str(folder), "--fresh"]
        ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 1
    told = " ".join(ran.output.split())
    assert "2 of 2 replies have no verdict (no answer 2)" in told
    assert "what was kept before stays" in told
    assert "kept for reports" not in told
    again = judge_standing.judge_standing(good["judge"], good["judge_version"])
    assert (again.heading, again.check) == ("final", known.check)


def _same_beginning(one: str, other: str) -> str:
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def test_questions_that_share_a_briefing_are_asked_in_a_row(tmp_path: Path) -> None:
    folder = write_replies(tmp_path / "set", ["Zum.", "Ah.", "Mm."])
    asked: list[str] = []

    def answer(request: dict[str, Any]) -> Answer:
        asked.append(next(one["content"] for one in request["messages"] if one["role"] == "user"))
        return answering(dict.fromkeys(["Zum.", "Ah.", "Mm."], say(GOOD)))(request)

    with serving_llm(answer) as server:
        check(server.url, folder, "--parallel", "1")
    # Each question has as much of the one before as there can be: the briefing, and the first turns.
    shared = [_same_beginning(one, other) for one, other in pairwise(asked)]
    assert all("You sell lamps." in one for one in shared)
    assert sum("Which lamps?" in one for one in shared) == 2
    assert all("Judge " not in one for one in shared)  # the task and its rubric come last


@pytest.mark.long
def test_a_real_model_judges_a_whole_set_to_the_end(tmp_path: Path) -> None:
    """Nothing about its judgement: that every question ends, in time, as a verdict or with a reason."""
    model = tiny_model()
    folder = write_replies(tmp_path / "set", ["The red ones.", "None of your business."])
    began = time.monotonic()
    found = check(model, folder, "--timeout", "3", exit_code=None)
    assert time.monotonic() - began < 45.0  # three questions of 3 s, and the server's start on a busy machine
    for name, asked in (("replies", 2), ("nodes", 2)):
        one = found[name]
        judged = sum(
            count
            for row in one["confusion"].values()
            for verdict, count in row.items()
            if verdict != "failed"
        )
        assert one["n"] == asked == judged + one["failed"]
        assert sum(found["failures"].get(name, {}).values()) == one["failed"]
        assert "no reason given" not in found["failures"].get(name, {})
    assert (found["replies_in_set"], found["dialogues_in_set"], found["partial"]) == (2, 1, False)
