"""How an agent is reached, as a plan has it; a part of every call, so that ``defaults`` may have it, too::

    reach:
      ca_file: staging-ca.pem          # whom TLS trusts besides those that this machine trusts
      relay_only: true                 # media through a TURN server and no other way
      ice_servers:                     # in the order in which they are tried
        - urls: ["turn:turn.example:3478?transport=udp", "turns:turn.example:5349?transport=tcp"]
          username: "{env:TURN_USER}"
          credential: "{env:TURN_PASSWORD}"
      codecs: [opus, pcmu]             # what is offered, the one that is wanted most first
      offer: {path: /v1/realtime, form: sdp}     # how it takes an SDP offer (harness.plans.reach.offer)

User names and passwords of servers are kept as headers are: by the names of environment variables, or as
``***`` (:mod:`harness.plans.secrets`). Where a plan has no servers, those are taken that the agent's own
``/start`` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from harness.errors import UserError
from harness.plans.reach.ice_url import IceUrl, ice_url
from harness.plans.reach.offer import OfferPlan
from harness.plans.secrets import Secret

MAX_SERVERS = 10
MAX_URLS = 20
"""Of all servers together."""


def _readable(text: str) -> str:
    ice_url(text)
    return text


class IceServerPlan(BaseModel):
    """A STUN or TURN server, as WebRTC's ``RTCIceServer`` has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    urls: tuple[Annotated[str, Field(max_length=300), AfterValidator(_readable)], ...] = Field(
        min_length=1, max_length=MAX_URLS
    )
    username: Secret | None = None
    credential: Secret | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_url(cls, content: Any) -> Any:
        if isinstance(content, dict) and isinstance(content.get("urls"), str):
            return content | {"urls": [content["urls"]]}
        return content

    @model_validator(mode="after")
    def _relays_want_to_know_whom_they_serve(self) -> Self:
        if any(one.kind == "turn" for one in self.addresses) and not (self.username and self.credential):
            raise ValueError("a TURN server needs username and credential: name them, {env:NAME}")
        return self

    @property
    def addresses(self) -> tuple[IceUrl, ...]:
        """The URLs, read."""
        return tuple(map(ice_url, self.urls))


class ReachPlan(BaseModel):
    """See the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ca_file: Path | None = None
    """Certificates of authorities, PEM; in a plan file relative to the file. For HTTPS, WSS and TURN over
    TLS."""
    ice_servers: tuple[IceServerPlan, ...] = Field(default=(), max_length=MAX_SERVERS)
    relay_only: bool = False
    codecs: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(default=(), max_length=8)
    """By their names in the table of codecs; none: what the transport would take by itself."""
    offer: OfferPlan | None = None
    """How an agent that is offered a call over HTTP takes the offer, where it has a way of its own."""

    @model_validator(mode="after")
    def _codecs_differ(self) -> Self:
        if len(set(self.codecs)) != len(self.codecs):
            raise ValueError("codecs: one is there twice")
        return self


DIRECT = ReachPlan()
"""By the address alone."""


def ice_server_of(option: str) -> dict[str, Any]:
    """A server of a plan from ``--ice-server 'URL USER PASSWORD'``.

    Raises:
        UserError: It is none; the message does not repeat it.
    """
    parts = option.split()
    if len(parts) not in (1, 3):
        raise UserError(
            "--ice-server: write 'stun:HOST:PORT', or URL, user name and password: "
            "'turn:HOST:PORT?transport=udp {env:TURN_USER} {env:TURN_PASSWORD}'"
        )
    try:
        url = ice_url(parts[0])
    except ValueError as error:
        raise UserError(f"--ice-server: the first word {error}") from None
    if url.kind == "turn" and len(parts) == 1:
        raise UserError("--ice-server: a TURN server needs a user name and a password behind its URL")
    return {"urls": parts[:1]} | dict(zip(("username", "credential"), parts[1:], strict=False))


def with_path_from(folder: Path, reach: Any) -> Any:
    """What a plan file says of reaching, its paths as seen from here and not from the file's folder."""
    if isinstance(reach, Mapping) and isinstance(reach.get("ca_file"), str):
        return dict(reach) | {"ca_file": str(folder / reach["ca_file"])}
    return reach
