"""The dialects that are known, one profile each."""

from __future__ import annotations

from harness.transports.offers.profile import Profile, Refusal

FASTRTC = Profile(
    name="a FastRTC agent",
    path="/webrtc/offer",
    body={"sdp": "{sdp}", "type": "{type}", "webrtc_id": "{id}", "request_data": "{data}"},
    answer=("sdp",),
    # Every refusal of its is a success by its status.
    failed=Refusal(field=("status",), value="failed", why=("meta", "error")),
    channel="text",
    # Without one it connects, and its handler never starts.
    needs_channel=True,
    says="fastrtc",
    hint="Is this a FastRTC agent? Give the address of its page (Gradio), or of what Stream.mount serves.",
)
"""``Stream.mount(app)``, or the Gradio page of ``stream.ui``."""

OPENAI = Profile(
    name="an OpenAI Realtime agent",
    path="/realtime/calls",
    below=True,
    forms=("multipart", "sdp"),
    channel="oai-events",
    says="openai",
    hang_up="post",
    takes_session=True,
    hint="Is the address the API's base, as https://api.openai.com/v1?model=… is?",
)
"""``POST /v1/realtime/calls``; servers that are like it take the bare offer alone."""

GPT_LIVE = Profile(
    name="a GPT-Live agent",
    path="/live/sessions",
    below=True,
    body={"session": "{data}", "transport": {"type": "webrtc", "sdp": "{sdp}"}},
    answer=("transport", "sdp"),
    channel="oai-events",
    says="openai",
    goodbye='{"type": "session.close"}',
    takes_session=True,
    hint="Is the address the API's base, as https://api.openai.com/v1?model=… is?",
)
"""``POST /v1/live/sessions``: from its published types alone, never tried against the vendor."""

PLAIN_SDP = Profile(
    name="an agent that takes plain SDP",
    path="/whip",
    forms=("sdp",),
    hang_up="delete",
    hint="Give the address that takes the offer: POST with the type application/sdp.",
)
"""The simple form of WHIP (RFC 9725): no trickling, no ETag, no servers of its own."""

PLAIN_JSON = Profile(
    name="an agent",
    path="/api/offer",
    body={"sdp": "{sdp}", "type": "{type}", "request_data": "{data}"},
    answer=("sdp",),
    channel="events",
    hint="Say in the plan how it takes an offer: 'offer:'.",
)
"""What most dialects are like; for ``offer:`` in a plan to start from."""
