"""``--probes echo`` against an agent that knows its own voice when it hears it: its log is the truth."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.live.probing import Probed, is_drawn, place, probed, suite_copy

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.calls(places=2), pytest.mark.timeout(900)]

UNMOVED = {"response_latency_ms": (900.0, 20.0), "response_rate": (1.0, 0.0)}
"""What no echo moves: its value, and within what."""


SHARES = {"weaker": (0.25, 0.25), "stops": (1.0, 0.0), "answers": (0.0, 1.0)}
"""Of its answers, those for whose echo it stops, and after which it speaks again."""
AT_ONCE = 2
"""Calls to each of the agents."""
AGAIN_WITHIN_S = 2.0
REQUESTS = {
    "en": [
        "Could you explain to me in detail how this works?",
        "What are my options, and what is good or bad about each of them?",
    ]
}


def behaviour(**own_voice: Any) -> dict[str, Any]:
    turn = {"answer_after_ms": 900, "say": {"clip": "answer_long"}}
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "own_voice": {"say": {"clip": "refund"}} | own_voice,
        "turns": [copy.deepcopy(turn) for _ in range(12)],
    }


def spoke_again(call: Probed, own: dict[str, Any]) -> bool:
    """Whether the agent said something soon after the answer that came back, long before its caller's next
    line: also where it did not know its own voice, torn by a late packet, and took it for a turn."""
    ended_s = next(one["last_s"] for one in call.truth["spoke"] if one["first_s"] == own["answer_s"])
    return any(ended_s < one["first_s"] < ended_s + AGAIN_WITHIN_S for one in call.truth["spoke"])


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
            spoke = spoke_again(call, known[0])
            for verdict, really in ((one.stopped, known[0]["stopped"]), (one.replied, spoke)):
                if verdict is not None:
                    told += 1
                    right += verdict == really
    return right, told


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each agent, with the calls to it: of all agents side by side."""
    folder = tmp_path_factory.mktemp("echo")
    suite = suite_copy(
        "echo",
        folder / "suite",
        callers={"en": {"engine": "piper", "name": "joe"}},
        requests=REQUESTS,
        delays_ms=[80, 300],
    )
    with ThreadPoolExecutor(len(SHARES)) as runs:
        held = [
            runs.submit(
                place,
                folder / name,
                suite=suite,
                behaviour=behaviour(stops=stops, answers=answers),
                size="full",
                parallel=AT_ONCE,
            )
            for name, (stops, answers) in SHARES.items()
        ]
        for run in held:
            run.result()
    return folder


# The first one waits for all calls; to score them takes as few places as any command does.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.calls(places=AT_ONCE * len(SHARES))] if not number else [])
        for number, name in enumerate(SHARES)
    ],
)
def test_agents_that_take_their_own_voice_for_their_caller_s(name: str, placed: Path) -> None:
    """A quarter and all of its answers; who only stops is clean in the other figure, and the reverse. Both
    figures are the shares that the agent's own log has; each verdict is the log's."""
    summary, calls = probed(placed / name, only="timing")
    right, told = agreed(calls)
    assert right >= 0.95 * told, name
    assert told >= 22, name
    stops, replies = summary.metrics["echo_stop_rate"], summary.metrics["echo_reply_rate"]
    # As many as its own log has; and what may come of the share that was planted.
    logged = [one for call in calls for one in call.truth["own_voice"]]
    did = (
        sum(one["stopped"] for one in logged),
        sum(spoke_again(call, one) for call in calls for one in call.truth["own_voice"]),
    )
    for figure, times, share in zip((stops, replies), did, SHARES[name], strict=True):
        assert figure.value is not None, figure.reason
        assert figure.value == pytest.approx(times / len(logged), abs=0.05)
        assert is_drawn(figure.value, share, n=figure.n)
        assert figure.n >= 11
        # With nothing sent back the same agent has no such defect.
        assert figure.reason.startswith("0 of 4 where nothing came back"), figure.reason
    # It hears itself where something came back, and nowhere else.
    echoed = [call for call in calls if call.record.plan.conditions.echo is not None]
    assert len(logged) == sum(len(call.truth["own_voice"]) for call in echoed) == 2 * len(echoed)
    for unmoved, (clean, apart) in UNMOVED.items():
        assert summary.metrics[unmoved].value == pytest.approx(clean, abs=apart), (name, unmoved)
