"""What a dialect makes of an offer, and what it reads in answers: by hand, without a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from email import message_from_bytes
from email.policy import HTTP
from typing import Any

import pytest

from harness.plans.reach.offer import FailedPlan, OfferPlan, OnInputPlan
from harness.redaction import KNOWN
from harness.transports.offers.known import FASTRTC, GPT_LIVE, OPENAI, PLAIN_JSON, PLAIN_SDP
from harness.transports.offers.profile import (
    Offer,
    Profile,
    at,
    forms_of,
    hook_body,
    is_refused,
    posted,
    reason_in,
)

SDP = "v=0\r\ns=-\r\n"


def _offer(**more: Any) -> Offer:
    return Offer(sdp=SDP, call_id="abc", **more)


def test_fastrtc_gets_an_id_of_our_choice() -> None:
    body = json.loads(posted(FASTRTC, "json", _offer()).content)
    assert body == {"sdp": SDP, "type": "offer", "webrtc_id": "abc"}
    told = json.loads(posted(FASTRTC, "json", _offer(data={"card": "x"})).content)
    assert told["request_data"] == {"card": "x"}


def test_openai_gets_the_bare_offer_where_there_is_nothing_else_to_say() -> None:
    assert forms_of(OPENAI, _offer()) == ("sdp",)
    # What a scenario tells other agents is no setting of its session.
    assert forms_of(OPENAI, _offer(data={"card": "x", "session": "a name"})) == ("sdp",)
    bare = posted(OPENAI, "sdp", _offer())
    assert (bare.content, bare.content_type, bare.query) == (SDP.encode(), "application/sdp", {})


def test_openai_gets_the_model_beside_the_offer() -> None:
    offer = _offer(model="gpt-realtime-2.1", data={"session": {"audio": {"output": {"voice": "marin"}}}})
    assert forms_of(OPENAI, offer) == ("multipart", "sdp")
    form = posted(OPENAI, "multipart", offer)
    # Read by an independent parser.
    read = message_from_bytes(
        f"Content-Type: {form.content_type}\r\n\r\n".encode() + form.content, policy=HTTP
    )
    parts = {part.get_param("name", header="content-disposition"): part for part in read.iter_parts()}
    assert [(name, part.get_content_type()) for name, part in parts.items()] == [
        ("sdp", "application/sdp"),
        ("session", "application/json"),
    ]
    assert all(part.get_filename() is None for part in parts.values())
    assert parts["sdp"].get_payload(decode=True) == SDP.encode()
    assert json.loads(parts["session"].get_payload(decode=True)) == {
        "type": "realtime",
        "model": "gpt-realtime-2.1",
        "audio": {"output": {"voice": "marin"}},
    }
    assert posted(OPENAI, "sdp", offer).query == {"model": "gpt-realtime-2.1"}


def test_nothing_of_a_prompt_is_sent_that_was_not_asked_for() -> None:
    for profile in (OPENAI, GPT_LIVE):
        for form in profile.forms:
            content = posted(
                profile, form, _offer(model="m", data={"inline_card": {"role": "nurse"}})
            ).content
            assert b"instructions" not in content
            assert b"nurse" not in content


def test_gpt_live_gets_session_and_transport() -> None:
    body = json.loads(posted(GPT_LIVE, "json", _offer(model="gpt-live-1")).content)
    assert body == {"session": {"model": "gpt-live-1"}, "transport": {"type": "webrtc", "sdp": SDP}}
    assert at({"transport": {"sdp": "v=0"}}, GPT_LIVE.answer) == "v=0"
    assert at({"transport": "v=0"}, GPT_LIVE.answer) is None


@pytest.mark.parametrize(
    ("profile", "given", "goes_to"),
    [
        (FASTRTC, "", "/webrtc/offer"),
        (FASTRTC, "/", "/webrtc/offer"),
        (FASTRTC, "/voice/webrtc/offer", "/voice/webrtc/offer"),
        (OPENAI, "/v1", "/v1/realtime/calls"),
        (OPENAI, "/openai/v1/", "/openai/v1/realtime/calls"),
        (OPENAI, "/v1/realtime/calls", "/v1/realtime/calls"),
        (GPT_LIVE, "/v1", "/v1/live/sessions"),
        (PLAIN_SDP, "/room/7", "/room/7"),
        (PLAIN_SDP, "/room/7/", "/room/7/"),
        (PLAIN_JSON, "/offer/", "/offer/"),
    ],
)
def test_where_an_offer_goes(profile: Any, given: str, goes_to: str) -> None:
    assert profile.path_of(given) == goes_to


def test_a_refusal_that_comes_as_a_success() -> None:
    limit = {"status": "failed", "meta": {"error": "concurrency_limit_reached", "limit": 1}}
    assert is_refused(FASTRTC, limit)
    assert reason_in(FASTRTC, limit) == "concurrency_limit_reached (limit 1)"
    assert not is_refused(FASTRTC, {"sdp": SDP, "type": "answer"})
    assert not is_refused(FASTRTC, None)
    assert not is_refused(OPENAI, limit)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            {"error": {"message": "no such model", "code": "model_not_found"}},
            "model_not_found: no such model",
        ),
        ({"detail": [{"loc": ["body"], "msg": "missing"}]}, "missing"),
        ({"error": "full\nup"}, "full up"),
        ({"message": "x" * 999}, "x" * 199 + "…"),
        ({"status": "ready"}, ""),
        ([1], ""),
        (None, ""),
    ],
)
def test_why_a_server_refuses(said: Any, reason: str) -> None:
    assert reason_in(OPENAI, said) == reason


@pytest.mark.parametrize(
    ("profile", "around"),
    [
        (OPENAI, lambda said: {"error": said}),
        (OPENAI, lambda said: {"error": {"code": "no", "message": said[4:]}}),
        (OPENAI, lambda said: {"detail": [{"msg": said}]}),
        (FASTRTC, lambda said: {"status": "failed", "meta": {"error": said}}),
    ],
)
@pytest.mark.parametrize("split", ["", "\u200b"])
def test_a_secret_at_the_end_of_what_is_kept_is_hidden_before_the_rest_goes(
    profile: Profile, around: Callable[[str], Any], split: str
) -> None:
    """A reason has 200 characters; the secret begins before the last of them, whole or split by what is not
    seen."""
    KNOWN.learn("canary-key-of-the-plan")
    said = reason_in(profile, around(" " * 4 + "x" * 181 + f" canary{split}-key-of-the-plan and more"))
    assert "x" * 100 in said
    assert "canary" not in said


def test_a_profile_of_the_users_own() -> None:
    plan = OfferPlan(
        path="/v1/realtime",
        form="json",
        body={"sdp": "{sdp}", "model": "big", "none": "{model}", "nested": [{"id": "{id}"}]},
        answer="reply.sdp",
        failed=FailedPlan(field="ok", value=False, why="why.text"),
        channel="",
        says="openai",
        hang_up="delete",
        on_input=OnInputPlan(path="/in", body={"webrtc_id": "{id}", "voice": "joe"}),
    )
    # As a worker gets it.
    profile = PLAIN_JSON.with_plan(OfferPlan.model_validate_json(plan.model_dump_json()))
    assert json.loads(posted(profile, "json", _offer()).content) == {
        "sdp": SDP,
        "model": "big",
        "nested": [{"id": "abc"}],
    }
    assert profile.path_of("") == "/v1/realtime"
    assert profile.answer == ("reply", "sdp")
    assert (profile.channel, profile.says, profile.hang_up) == (None, "openai", "delete")
    refused = {"ok": False, "why": {"text": "closed"}}
    assert is_refused(profile, refused)
    assert reason_in(profile, refused) == "closed"
    assert profile.on_input is not None
    assert json.loads(hook_body(profile.on_input, _offer())) == {"webrtc_id": "abc", "voice": "joe"}


def test_what_a_plan_leaves_out_stays_as_the_dialect_has_it() -> None:
    profile = FASTRTC.with_plan(OfferPlan(on_input=OnInputPlan(path="/in")))
    assert (profile.channel, profile.says, profile.needs_channel) == ("text", "fastrtc", True)
    assert profile.body == FASTRTC.body
    assert OPENAI.with_plan(None) is OPENAI


@pytest.mark.parametrize("path", ["//other.example/x", "x", "https://other.example/", "/a b", "/a\n"])
def test_no_path_leads_to_another_server(path: str) -> None:
    with pytest.raises(ValueError, match=r"path|pattern"):
        OfferPlan(path=path)
