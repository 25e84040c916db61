"""FastRTC behind a Gradio page (``stream.ui``): the page has no route for offers, but a component that takes
one.

``GET /config`` describes the page; a component of the type ``webrtc`` has a server function ``offer``, which
``POST {api_prefix}/component_server`` calls by the component's number (Gradio 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.transports.offers.server import MAX_PAGE_BYTES, Server

_PREFIX = "/gradio_api"
_MOST_COMPONENTS = 5000


@dataclass(frozen=True, kw_only=True)
class GradioDoor:
    """Where a page takes an offer."""

    path: str
    component: int

    def body(self, offer: dict[str, str], session_hash: str) -> dict[str, Any]:
        """What is posted there."""
        return {
            "data": offer,
            "component_id": self.component,
            "fn_name": "offer",
            "session_hash": session_hash,
        }


async def find_door(server: Server, page: str) -> GradioDoor | None:
    """The way into a page; None where there is no page, or none with such a component.

    Args:
        page: Its path.

    Raises:
        SetupFailed: The server has gone.
    """
    page = page.rstrip("/")
    config = await server.ask("GET", f"{page}/config", query={}, most=MAX_PAGE_BYTES)
    return None if config.status >= 400 else door_of(config.json(), page)


def door_of(config: Any, page: str) -> GradioDoor | None:
    """The way into the page of that description."""
    if not isinstance(config, dict):
        return None
    components = config.get("components")
    prefix = config.get("api_prefix", _PREFIX)
    if not isinstance(components, list) or not isinstance(prefix, str) or not _is_path(prefix):
        return None
    for component in components[:_MOST_COMPONENTS]:
        number = component.get("id") if isinstance(component, dict) else None
        if isinstance(number, int) and component.get("type") == "webrtc":
            return GradioDoor(path=f"{page}{prefix}/component_server", component=number)
    return None


def _is_path(text: str) -> bool:
    return text == "" or (
        text.startswith("/") and text.isascii() and not set(text) & set("?#% \\") and len(text) < 100
    )
