"""How an agent takes an SDP offer, where it does so in a way of its own: ``offer`` below ``reach`` in a plan.

::

    agent: offer+https://agents.example.com    # or fastrtc+…, openai+…: then over what that dialect does
    reach:
      offer:
        path: /v1/realtime             # where the offer is posted, if the address names no path
        form: json                     # or sdp (the offer is the body); or multipart: parts sdp and session
        body: {sdp: "{sdp}", model: big}    # of json: {sdp}, {type}, {id} (ours), {data} (request_data)
        answer: transport.sdp          # where in the JSON that comes back it stands; "": it is the body
        failed: {field: status, value: failed, why: meta.error}    # a refusal that comes as a success
        channel: oai-events            # name of our data channel; "": there is none
        needs_channel: true            # no call without it
        says: openai                   # what comes over it: openai, fastrtc or nothing
        messages: ['{"type": "hello"}']     # sent when it opens
        hang_up: delete                # DELETE at the answer's Location; post: POST …/hangup there; or none
        on_input: {path: /input_hook, body: {webrtc_id: "{id}", voice: joe}}    # at FastRTC's send_input

Texts may name secrets, ``{env:NAME}``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Form = Literal["json", "sdp", "multipart"]
Says = Literal["openai", "fastrtc", "nothing"]
HangUp = Literal["delete", "post", "none"]

MAX_MESSAGES = 20


def _path(text: str) -> str:
    if text and (not text.startswith("/") or text.startswith("//")):
        raise ValueError("a path begins with one /, and is at the address that is dialled")
    return text


Path = Annotated[str, Field(max_length=500, pattern=r"^[!-~]*$"), AfterValidator(_path)]
"""At the server that is dialled, and at no other: credentials go there."""
Place = Annotated[str, Field(max_length=200, pattern=r"^([\w-]+(\.[\w-]+)*)?$")]
"""Keys of JSON within each other, with dots between them."""


class FailedPlan(BaseModel):
    """A refusal that comes as a success: what stands at ``field`` is ``value``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: Place
    value: str | bool | int
    why: Place = ""


class OnInputPlan(BaseModel):
    """What is posted when the agent asks for inputs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path
    body: dict[str, Any] = Field(default_factory=dict)


class OfferPlan(BaseModel):
    """See the module's docstring; what is None is as the address's own dialect does it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path | None = None
    form: Form | None = None
    body: dict[str, Any] | None = None
    answer: Place | None = None
    failed: FailedPlan | None = None
    channel: Annotated[str, Field(max_length=100)] | None = None
    needs_channel: bool | None = None
    says: Says | None = None
    messages: tuple[Annotated[str, Field(max_length=20_000)], ...] | None = Field(
        default=None, max_length=MAX_MESSAGES
    )
    hang_up: HangUp | None = None
    on_input: OnInputPlan | None = None
