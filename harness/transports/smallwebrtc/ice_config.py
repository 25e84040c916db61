"""The ICE servers that an agent's ``/start`` names: ``iceConfig.iceServers``, each an ``RTCIceServer``."""

from __future__ import annotations

from typing import Any

from harness.plans.on_the_wire import IceServer
from harness.plans.reach.ice_url import ice_url
from harness.plans.reach.plan import MAX_SERVERS, MAX_URLS
from harness.redaction import KNOWN

_MAX_CHARS = 2000


def ice_servers_of(content: dict[str, Any]) -> tuple[IceServer, ...]:
    """Those that we can use, one for each URL, in the agent's order; what is none is passed over.

    Their credentials are known to :data:`~harness.redaction.KNOWN` from then on.
    """
    config = content.get("iceConfig")
    named = config.get("iceServers") if isinstance(config, dict) else None
    servers: list[IceServer] = []
    for one in named[:MAX_SERVERS] if isinstance(named, list) else []:
        servers += _read(one) if isinstance(one, dict) else []
    return tuple(servers[:MAX_URLS])


def _read(server: dict[str, Any]) -> list[IceServer]:
    urls = server.get("urls")
    username, credential = (_text(server.get(key)) for key in ("username", "credential"))
    read = []
    for text in urls[:MAX_URLS] if isinstance(urls, list) else [urls]:
        try:
            url = ice_url(_text(text) or "")
        except ValueError:
            continue
        if url.kind == "stun":
            read.append(IceServer(url=url))
        elif username is not None and credential is not None:
            KNOWN.learn(username, credential)
            read.append(IceServer(url=url, username=username, credential=credential))
    return read


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= _MAX_CHARS else None
