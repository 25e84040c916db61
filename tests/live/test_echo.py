"""``--probes echo`` against an agent that knows its own voice when it hears it: its log is the truth."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.records.scores import Summary
from tests.live.probing import Probed, probed, suite_copy

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.alone, pytest.mark.timeout(900)]

UNMOVED = ("response_latency_ms", "response_rate")


def behaviour(**own_voice: Any) -> dict[str, Any]:
    turn = {"answer_after_ms": 900, "say": {"clip": "answer_long"}}
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "own_voice": {"say": {"clip": "refund"}} | own_voice,
        "turns": [copy.deepcopy(turn) for _ in range(12)],
    }


def agreed(calls: list[Probed]) -> tuple[int, int]:
    """Of the verdicts on places at which something came back those that are the log's, and all."""
    right = told = 0
    for call in calls:
        for one in call.scores.reactions:
            if one.control or one.start_s is None:
                continue
            known = [
                each
                for each in call.truth["own_voice"]
                if abs(each["answer_s"] - call.began_s - one.start_s) < 1.0
            ]
            assert len(known) == 1, (one, call.truth["own_voice"])
            for verdict, really in ((one.stopped, known[0]["stopped"]), (one.replied, known[0]["answered"])):
                if verdict is not None:
                    told += 1
                    right += verdict == really
    return right, told


def test_agents_that_take_their_own_voice_for_their_caller_s(tmp_path: Path) -> None:
    """None, three of ten and all, by stopping and by answering; the weaker and the stronger in turn."""
    suite = suite_copy(
        "echo",
        tmp_path / "suite",
        callers={"en": {"engine": "piper", "name": "joe"}},
        requests=REQUESTS,
        delays_ms=[80, 300],
    )
    agents: dict[str, dict[str, float]] = {
        "keeps": {},
        "weaker": {"stops": 0.25, "answers": 0.25},
        "stops": {"stops": 1.0},
        "answers": {"answers": 1.0},
    }
    with ThreadPoolExecutor(2) as runs:
        held = {
            name: runs.submit(
                probed,
                tmp_path / name,
                suite=suite,
                behaviour=behaviour(**own),
                size="full",
                only="timing",
            )
            for name, own in agents.items()
        }
        found: dict[str, tuple[Summary, list[Probed]]] = {name: run.result() for name, run in held.items()}
    print(
        {
            name: {
                metric: summary.metrics[metric].value
                for metric in (*UNMOVED, "echo_stop_rate", "echo_reply_rate")
            }
            | {
                "agreed": agreed(calls),
                "why": (summary.metrics["echo_stop_rate"].reason, summary.metrics["echo_reply_rate"].reason),
            }
            for name, (summary, calls) in found.items()
        }
    )


REQUESTS = {
    "en": [
        "Could you explain to me in detail how this works?",
        "Please tell me everything that I should know about it.",
        "What are my options, and what is good or bad about each of them?",
        "I would like to hear more about that, as much as you can tell me.",
    ]
}
