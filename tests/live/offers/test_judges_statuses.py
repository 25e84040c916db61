"""What becomes of calls to FastRTC's own server where it refuses, waits, or ends them; and its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from harness.calls.callers import patience_of, policy_of
from harness.calls.voice.place import PreparedCall
from harness.plans.call import CallPlan
from harness.plans.reach.plan import ReachPlan
from harness.records.call import CallStatus
from tests.faults.placing import LIMITS, Batch, Ended, place_all, prepare
from tests.peers.serving import FASTRTC, SPEECH_TO_SPEECH, plan_call, serving_judge
from voice_sim.caller.caller import Caller

pytestmark = [pytest.mark.live, pytest.mark.calls(places=4), pytest.mark.long]

BOUNDS = LIMITS.model_copy(update={"connect_s": 8.0, "first_speech_s": 6.0, "silence_s": 6.0, "call_s": 25.0})
GREETING: dict[str, Any] = {
    "greeting": {"after_ms": 300, "say": {"tone_ms": 600}},
    "turns": [{"answer_after_ms": 300, "say": {"tone_ms": 500}}],
}


@pytest.fixture(scope="module")
def fastrtc() -> Iterator[str]:
    with serving_judge(FASTRTC) as address:
        yield f"fastrtc+{address}"


@pytest.fixture(scope="module")
def speech_to_speech() -> Iterator[str]:
    with serving_judge(SPEECH_TO_SPEECH) as address:
        yield address


def _call(name: str, agent: str, *, reach: dict[str, Any] | None = None, waits: bool = True) -> Ended:
    return _batch({name: agent}, reach=reach, waits=waits).ended[name]


def _batch(agents: dict[str, str], *, reach: dict[str, Any] | None = None, waits: bool = True) -> Batch:
    return place_all({name: _prepared(name, agent, reach, waits) for name, agent in agents.items()})


def _prepared(name: str, agent: str, reach: dict[str, Any] | None, waits: bool) -> PreparedCall:
    prepared = prepare(name, agent, limits=BOUNDS)
    script = prepared.plan.script
    assert script is not None
    plan: CallPlan = prepared.plan.model_copy(
        update={
            "reach": ReachPlan.model_validate(reach or {}),
            "script": script.model_copy(update={"wait_for_greeting": waits}),
        }
    )
    caller = Caller(policy=policy_of(plan), patience=patience_of(plan))
    return replace(prepared, plan=plan, caller=caller)


def test_a_second_call_at_once_is_refused_with_its_reason(fastrtc: str) -> None:
    plan_call(fastrtc.removeprefix("fastrtc+"), "greets", GREETING)
    ended = _batch({"first": fastrtc, "second": fastrtc}).ended
    assert ended["first"].status is CallStatus.COMPLETED, ended["first"].detail
    assert ended["second"].status is CallStatus.SETUP_FAILED
    assert "refused the call: concurrency_limit_reached (limit 1)" in ended["second"].detail
    assert ended["second"].wall_s < BOUNDS.connect_s


def test_its_own_turn_detection_is_in_the_timeline(fastrtc: str) -> None:
    ended = _call("pauses", f"{fastrtc}/pause/webrtc/offer", waits=False)
    assert ended.status is CallStatus.COMPLETED, ended.detail
    assert {"user-started-speaking", "user-stopped-speaking"} <= set(ended.kinds("fastrtc"))


def test_an_agent_that_waits_for_inputs_is_told_of(fastrtc: str) -> None:
    ended = _call("asks", f"{fastrtc}/asks/webrtc/offer", waits=False)
    assert ended.status is CallStatus.CALLER_HANGUP
    assert "the agent waits for inputs (send_input)" in ended.detail
    assert "on_input" in ended.detail


def test_inputs_are_given_by_a_hook(fastrtc: str) -> None:
    hook = {"path": "/input_hook", "body": {"webrtc_id": "{id}", "wanted": 1}}
    ended = _call("hook", f"{fastrtc}/asks/webrtc/offer", reach={"offer": {"on_input": hook}}, waits=False)
    assert ended.status is CallStatus.COMPLETED, ended.detail


def test_a_hook_that_is_none_is_told_of(fastrtc: str) -> None:
    hook = {"path": "/no_such_hook"}
    ended = _call("no-hook", f"{fastrtc}/asks/webrtc/offer", reach={"offer": {"on_input": hook}}, waits=False)
    assert ended.status is CallStatus.CALLER_HANGUP
    assert "could not be given" in ended.detail
    assert "answered 404" in ended.detail


def test_the_agents_time_limit_is_a_hang_up_of_its(fastrtc: str) -> None:
    ended = _call("limited", f"{fastrtc}/limited/webrtc/offer")
    assert ended.status is CallStatus.AGENT_HANGUP, ended.detail
    # Its limit is two seconds after it was connected; no limit of ours would have ended the call so soon.
    assert ended.placed.record.duration_s < BOUNDS.silence_s


def test_a_gradio_page_is_dialled(fastrtc: str) -> None:
    ended = _call("gradio", f"{fastrtc}/gradio", waits=False)
    assert ended.status is CallStatus.COMPLETED, ended.detail


def test_without_a_data_channel_it_stays_mute(fastrtc: str) -> None:
    """Why ours is never left out: to leave it out is to be asked for by name."""
    plan_call(fastrtc.removeprefix("fastrtc+"), "mute", GREETING)
    offer = {"channel": "", "needs_channel": False}
    ended = _call("mute", fastrtc, reach={"offer": offer})
    assert ended.status is CallStatus.CALLER_HANGUP
    assert "did not say a word" in ended.detail


@pytest.mark.parametrize("path", ["/nothing/here", "/status"])
def test_what_is_no_offer_endpoint_is_told(fastrtc: str, path: str) -> None:
    ended = _call("nowhere", fastrtc + path)
    assert ended.status is CallStatus.SETUP_FAILED
    assert "Is this a FastRTC agent?" in ended.detail or "answered 40" in ended.detail


def test_the_server_that_takes_one_call_refuses_the_second(speech_to_speech: str) -> None:
    plan_call(speech_to_speech, "greets", GREETING)
    agent = f"openai+{speech_to_speech}/v1"
    ended = _batch({"first": agent, "second": agent}, waits=False).ended
    assert ended["first"].status is CallStatus.COMPLETED, ended["first"].detail
    assert ended["second"].status is CallStatus.SETUP_FAILED
    assert "answered 503" in ended["second"].detail
    assert "session_limit_reached" in ended["second"].detail


def test_the_server_is_told_that_we_hang_up(speech_to_speech: str) -> None:
    """Its one place is free again at once."""
    for name in ("one", "two"):
        plan_call(speech_to_speech, name, GREETING)
        ended = _call(name, f"openai+{speech_to_speech}/v1?model=any", waits=False)
        assert ended.status is CallStatus.COMPLETED, ended.detail
        assert "bot-ready" in ended.kinds("oai-events")


def test_plain_sdp_reaches_it_as_well(speech_to_speech: str) -> None:
    plan_call(speech_to_speech, "plain", GREETING)
    agent = f"whip+{speech_to_speech}/v1/realtime/calls"
    ended = _call("plain", agent, reach={"offer": {"channel": "oai-events"}}, waits=False)
    assert ended.status is CallStatus.COMPLETED, ended.detail


def test_a_dialect_of_the_users_own_reaches_it(speech_to_speech: str) -> None:
    plan_call(speech_to_speech, "own", GREETING)
    offer = {
        "path": "/v1/realtime/calls", "form": "sdp", "answer": "", "channel": "oai-events", "says": "openai",
        "needs_channel": True, "hang_up": "delete",
    }  # fmt: skip
    ended = _call("own", f"offer+{speech_to_speech}", reach={"offer": offer}, waits=False)
    assert ended.status is CallStatus.COMPLETED, ended.detail
    assert "user-started-speaking" in ended.kinds("oai-events")
